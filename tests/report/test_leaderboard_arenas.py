"""Arenas of a leaderboard: verified matches over all packs, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

import polars as pl

from gwray.report.leaderboard_arenas import arena_tables
from gwray.report.pages import render
from gwray.spec import AgentSpec, CellSpec, ModelSpec, ObservationSpec, TimingSpec
from gwray.store import ManifestCell, PlannedEpisode, PlannedEpisodes, RunManifest


@dataclass
class Proof:
    cells: dict[str, str]


@dataclass
class Pack:
    """Matches of three models: `a` beats `b`, `b` beats `c`."""

    players: Sequence[str] = "abc"
    label: str = ""
    unproven: frozenset[str] = frozenset()
    lead: int = 1
    frame: pl.DataFrame = field(init=False)
    manifest: RunManifest = field(init=False)
    proof: Proof = field(init=False)

    def __post_init__(self) -> None:
        def model(name: str) -> ModelSpec:
            return ModelSpec(name=name, provider="openai", model_id=name, label=self.label)

        cells, rows, planned = [], [], []
        for i, j in permutations(self.players, 2):
            spec = CellSpec(model=model(i), agent=AgentSpec(), timing=TimingSpec(), observation=ObservationSpec(),
                            roles={"right": model(j)})  # fmt: skip
            cells.append(ManifestCell(id=i + j, model=i, spec=spec.model_dump(mode="json")))
            planned.append(PlannedEpisode(f"k{i}{j}", i + j, "duel", "d1", 42, 0))
            rows.append(
                {"key": f"k{i}{j}", "cell": i + j, "game": "duel", "task": "d1", "seed": 42, "repeat": 0,
                 "status": "finished", "progress": 0.0, "metrics.versus.lead": self.lead * (1 if i < j else -1),
                 "metrics.versus.weighted": 0.0}
            )  # fmt: skip
        self.frame = pl.DataFrame(rows)
        self.manifest = RunManifest(cells=tuple(cells), episodes=PlannedEpisodes.group(planned))
        self.proof = Proof({c.id: "not replayed" if c.id in self.unproven else "" for c in cells})


def ratings(*packs: Pack) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row)[1:6:2] for row in arena_tables(packs)[0].rows]


def test_matches_of_several_packs_are_rated_together():
    both = ratings(Pack("ab"), Pack("bc"))
    assert [player for player, *_ in both] == ["a", "b", "c"]
    assert [won for _, won, _ in both] == ["2", "2", "0"]
    assert arena_tables([]) == []


def test_match_sent_again_under_a_label_counts_once():
    once = ratings(Pack("ab"))
    assert ratings(Pack("ab"), Pack("ab", label="better"), Pack("ab", lead=-2)) == once


def test_unproven_matches_do_not_count():
    assert [row[1] for row in ratings(Pack("ab", unproven=frozenset({"ab"})))] == ["1", "0"]
    assert arena_tables([Pack("ab", unproven=frozenset({"ab", "ba"}))]) == []


def test_page_shows_arenas_as_text():
    page = render(
        "leaderboard", title="t", root="", policy="", pages=(), groups=(), refused=(), version="0", least_games=4,
        arenas=arena_tables([Pack(("<b>", "b"))]),
    )  # fmt: skip
    assert "Arena of duel" in page and "&lt;b&gt;" in page and "<b> " not in page
