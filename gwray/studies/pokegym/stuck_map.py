"""Where failed episodes of the harbor town were stuck: a map by failure label and class of obstacle, as PokeGym counts
the places of its deadlocks (appendix F.2)."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import polars as pl

from gwray.analysis import LabelSet, scored
from gwray.catalog import load_catalog
from gwray.pages import Column, Table
from gwray.report import PALETTE, SYMBOLS, Figure, SavedEpisodes, plot
from gwray.studies.pokegym.quests import quests
from gwray.studies.pokegym.stuck import stuck_places
from gwray.studies.pokegym.town import Town

Box = tuple[float, float, float, float]
"""West, south, east and north end in meters."""
OBSTACLES: Sequence[tuple[str, str, Box]] = (
    ("visually permeable", "the glass arcade", (25.84, 13.26, 36.16, 20.14)),
    ("visually permeable", "the grilles of the garden", (12, 25.2, 18, 25.2)),
    ("irregular micro-geometry", "pillars and planters of the garden", (11.6, 26.36, 18.5, 32.4)),
    ("misleading element", "the lift of the hotel", (12.3, 14.5, 14.02, 16.62)),
    ("misleading element", "the blue door of the keeper's house", (43.2, 13.48, 44.4, 13.48)),
)
"""Class, name and extent of the obstacles that the quests have on their way, as they stand in the town."""
REACH_M = 1.3
"""Distance from an obstacle within which a series without effect counts as its own: a step."""
TOWN = "town"
OTHER = "other"
NO_LABEL = "not labelled"


def read_stuck_places(frame: pl.DataFrame, saved: SavedEpisodes | None) -> Mapping[str, Sequence[tuple[float, ...]]]:
    """Returns where the failed episodes of the town were stuck, by key. Reads their steps."""
    failed = scored(quests(frame)).filter(~pl.col("success"))["key"].sort()
    motion = load_catalog().game(TOWN).motion if failed.len() else None
    if motion is None or saved is None:
        return {}
    steps = ((key, saved.steps(key)) for key in failed if key in saved.runs)
    return {key: places for key, rows in steps if rows and (places := stuck_places(rows, motion))}


def obstacle(x: float, z: float) -> tuple[str, str]:
    """Returns class and name of the nearest obstacle within reach of a place; `OTHER` and an empty name elsewhere."""
    far = {(kind, name): _distance(x, z, box) for kind, name, box in OBSTACLES}
    nearest = min(far, key=far.__getitem__)
    return nearest if far[nearest] <= REACH_M else (OTHER, "")


def _distance(x: float, z: float, box: Box) -> float:
    west, south, east, north = box
    return math.hypot(max(west - x, 0, x - east), max(south - z, 0, z - north))


def stuck_parts(
    t: Town, labels: Sequence[LabelSet], stuck: Mapping[str, Sequence[tuple[float, ...]]]
) -> tuple[Figure | None, Table | None]:
    """Returns the map and its counts; None without a place.

    Args:
        t: the episodes of the town.
        labels: labels of the failure judge, or of people in its place; the first one of an episode counts.
        stuck: places by key (`read_stuck_places`).
    """
    given = {key: next(iter(found), NO_LABEL) for s in reversed(labels) for key, found in s.labels.items()}
    names = dict(t.frame.select("key", "cell").iter_rows())
    tasks = dict(t.frame.select("key", "task").iter_rows())
    points = [
        (given.get(key, NO_LABEL).replace("_", " "), *obstacle(x, z), x, z, t.results.name(names[key]), tasks[key], key)
        for key, places in stuck.items()
        if key in names
        for x, _, z in places
    ]
    if not points:
        return None, None
    found = list(dict.fromkeys(p[0] for p in sorted(points)))
    traces = [
        go.Scatter(
            mode="markers", name=label, x=[p[3] for p in points if p[0] == label],
            y=[p[4] for p in points if p[0] == label],
            customdata=[f"{p[5]}, {p[6]}: {p[2] or p[1]}" for p in points if p[0] == label],
            marker={"size": 8, "color": PALETTE[i % len(PALETTE)], "symbol": SYMBOLS[i % len(SYMBOLS)], "opacity": 0.7},
            hovertemplate="%{customdata}<extra></extra>",
        )
        for i, label in enumerate(found)
    ]  # fmt: skip
    shapes = [
        {
            "type": "rect", "x0": w - REACH_M, "y0": s - REACH_M, "x1": e + REACH_M, "y1": n + REACH_M,
            "line": {"width": 1, "color": "#888"},
        }
        for _, _, (w, s, e, n) in OBSTACLES
    ]  # fmt: skip
    figure = plot(
        traces, xaxis={"title_text": "meters to the east", "range": [0, 56], "constrain": "domain"},
        yaxis={"title_text": "meters to the north", "range": [-2, 40], "scaleanchor": "x", "constrain": "domain"},
        shapes=shapes, showlegend=True,
    )  # fmt: skip
    header = ("label", "obstacle", "name", "x", "z", "cell", "task", "key")
    note = "A point is a series of three or more moves without effect in a failed episode. Boxes are known "
    note += "obstacles, and a step around them."
    drawn = Figure(
        "town-stuck-map", "Where failed episodes were stuck", figure, header, [list(p) for p in points], note, 480
    )
    kinds = [*dict.fromkeys(kind for kind, _, _ in OBSTACLES), OTHER]
    counts = Counter((p[0], p[1]) for p in points)
    columns = (
        Column.text("label", lambda label: label),
        *(Column.number(kind, lambda label, kind=kind: counts[label, kind], digits=0) for kind in kinds),
    )
    return drawn, Table.build("town-stuck-places", "Places of deadlocks by obstacle", columns, found)
