"""Places at which failed episodes were stuck: series of moves without effect, by label and class of obstacle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from report.town_runs import ARMS, town_run

from gwray.analysis import label_set
from gwray.catalog import load_catalog
from gwray.records import StepRecord
from gwray.report.results import JudgeResults, make_results
from gwray.store import results_frame
from gwray.studies.pokegym.stuck import stuck_places
from gwray.studies.pokegym.stuck_map import obstacle, stuck_parts
from gwray.studies.pokegym.town import read_town

MOTION = load_catalog().game("town").motion


def walk(path: Sequence[tuple[float, float]], attempts: Sequence[int] = ()) -> list[StepRecord]:
    """Rows of moves that end at these places; the first one starts at the first place."""
    states = [json.dumps({"game_state": {"player": {"x": x, "y": 0.0, "z": z}}}) for x, z in path]
    return [
        StepRecord(
            step=i, decision=i, attempt=attempts[i] if attempts else 0, role="player", control="move_forward",
            validity="valid", before=states[i - 1] if i == 1 or (attempts and attempts[i] != attempts[i - 1]) else "",
            state=states[i],
        )
        for i in range(1, len(path))
    ]  # fmt: skip


def test_three_moves_without_effect_are_one_place():
    here, there = (31.0, 12.5), (12.0, 30.0)
    assert stuck_places(walk([here] * 4), MOTION) == [(31.0, 0.0, 12.5)]
    assert stuck_places(walk([here] * 3), MOTION) == [], "two are a bump"
    assert stuck_places(walk([here] * 9 + [there] * 4), MOTION) == [(31.0, 0.0, 12.5), (12.0, 0.0, 30.0)]
    assert stuck_places(walk([here] * 5, [0, 0, 0, 1, 1]), MOTION) == [], "an attempt ends a series"


def test_obstacles_have_the_three_published_classes():
    assert obstacle(31, 12.5)[0] == "visually permeable" and obstacle(12, 30)[0] == "irregular micro-geometry"
    assert obstacle(12.5, 15.5)[0] == obstacle(43.8, 12.6)[0] == "misleading element" and obstacle(5, 5)[0] == "other"


def test_map_and_counts_are_by_label_and_obstacle(tmp_path):
    run = town_run(tmp_path / "run", {"one": ARMS["one"]}, texts=("goal",), repeats=1)
    results = make_results(results_frame([run]), [run.manifest()])
    first, second = [r.key for r in run.results()][:2]
    labels = [label_set("failure", "judge", {first: ["aware_deadlock"]}, ["aware_deadlock", "lost"])]
    places = {first: [(31.0, 0.0, 12.5), (12.5, 0.0, 15.5)], second: [(5.0, 0.0, 5.0)]}
    town = read_town(replace(results, judges=JudgeResults(labels=labels)))
    figure, table = stuck_parts(town, labels, places)
    assert [line[:5] for line in figure.lines] == [
        ["aware deadlock", "visually permeable", "the glass arcade", 31.0, 12.5],
        ["aware deadlock", "misleading element", "the lift of the hotel", 12.5, 15.5],
        ["not labelled", "other", "", 5.0, 5.0],
    ]
    assert [[c.text for c in row] for row in table.rows] == [
        ["aware deadlock", "1", "0", "1", "0"], ["not labelled", "0", "0", "0", "1"],
    ]  # fmt: skip
    assert stuck_parts(read_town(results), labels, {}) == (None, None)
