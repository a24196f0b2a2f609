"""Ablations: the effect of one setting while all others are fixed, as a table for every axis of a sweep and a curve
over numeric values. The axes are read from the cells. Only timing is known by name: its values are no numbers, so its
curve is drawn over the charged thinking time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from gwray.analysis.cells import Cell, Counts, PlannedTasks, scored
from gwray.analysis.intervals import Interval
from gwray.analysis.pairs import Comparison, compare, corrected
from gwray.analysis.scores import score
from gwray.analysis.usage import UsageTable, usage
from gwray.records import canonical
from gwray.settings import Value, axis_value, axis_words, default, family, in_order


@dataclass(frozen=True)
class AblationRow:
    """One value of an axis for one player."""

    cell: str
    player: str
    value: Value | None
    """None: not set, and the default is unknown."""
    usage: UsageTable
    pg: Interval | None
    against_base: Comparison | None
    """Paired difference to the player's first row; None for that row."""


@dataclass(frozen=True)
class CurvePoint:
    """One point of a curve over an axis."""

    cell: str
    player: str
    x: float
    """Value of the axis; for latency, the seconds charged for a reply."""
    sr: Interval | None
    pg: Interval | None
    counts: Counts


@dataclass(frozen=True)
class Ablation:
    """One axis: for each player, cells that differ only in it."""

    axis: str
    """Name on the command line. Settings of one group that were swept together (`agent=`, `timing=`) are one axis with
    the name of the group, whose values list them all."""
    rows: tuple[AblationRow, ...]
    points: tuple[CurvePoint, ...]
    """Empty unless a player has at least two numeric values."""


def ablations(frame: pl.DataFrame, plan: PlannedTasks) -> list[Ablation]:
    """Returns a table for every axis on which two cells of one player differ, in the order in which cells name the
    axes. A player's rows are ordered by value, starting with the default; the first row is the base. The differences of
    one axis are one family for Holm's correction (the published table 9 is that of one axis)."""
    out = []
    for group in dict.fromkeys(family(a) for a in in_order(c.axes for c in plan.cells.values())):
        series = [(player, cells) for player, cells in _series(plan, group) if len(cells) > 1]
        if series:
            out.append(_ablation(frame, plan, group, series))
    return out


def _ablation(frame: pl.DataFrame, plan: PlannedTasks, group: str, series: list[tuple[str, list[Cell]]]) -> Ablation:
    """Returns the rows and the curve of one group of settings. `series`: player → its cells."""
    several = [c for _, cells in series for c in cells]
    inner = [a for a in in_order(c.axes for c in several) if family(a) == group]
    varied = [a for a in inner if any(len({c.axes.get(a) for c in cells}) > 1 for _, cells in series)]
    axis = varied[0] if len(varied) == 1 else group

    def value(c: Cell) -> Value | None:
        if len(varied) == 1:
            return c.setting(axis)
        return " · ".join(axis_words({a: c.axes[a] for a in varied if a in c.axes})) or str(default(group) or "default")

    def place(c: Cell) -> float | None:
        x = _number(value(c))
        return _charge(c) if x is None and group == "timing" else x

    rows: list[AblationRow] = []
    points: list[CurvePoint] = []
    for player, cells in series:
        cells = sorted(cells, key=lambda c: (any(a in c.axes for a in varied), _place(value(c))))
        if all(_number(value(c)) is not None for c in cells):
            cells.sort(key=lambda c: _number(value(c)) or 0)
        rows += [
            AblationRow(
                cell=c.id,
                player=player,
                value=value(c),
                usage=usage(frame, plan, c.id),
                pg=score(frame, plan, c.id).pg,
                against_base=None if c is cells[0] else compare(frame, c.id, cells[0].id),
            )
            for c in cells
        ]
        points += _curve(frame, plan, player, [(place(c), c) for c in cells])
    compared = iter(corrected([r.against_base for r in rows if r.against_base]))
    rows = [replace(r, against_base=next(compared)) if r.against_base else r for r in rows]
    return Ablation(axis, tuple(rows), tuple(points))


def _number(value: Value | None) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _place(value: Value | None) -> tuple[float, str]:
    return _number(value) or 0.0, str(value)


def _charge(c: Cell) -> float | None:
    """Returns the seconds charged for every reply, 0 while the game is paused; None if they are not fixed."""
    if c.timing == "paused":
        return 0.0
    if c.timing != "realtime" or not c.latency.startswith("fixed:"):
        return None
    try:
        return float(c.latency.removeprefix("fixed:")) / 1000
    except ValueError:
        return None


def _curve(
    frame: pl.DataFrame, plan: PlannedTasks, player: str, at: Sequence[tuple[float | None, Cell]]
) -> list[CurvePoint]:
    """Returns the points of one player by x; none if all have the same x."""
    points = []
    for x, c in at:
        if x is not None and scored(frame.filter(pl.col("cell") == c.id)).height:
            s = score(frame, plan, c.id)
            points.append(CurvePoint(c.id, player, x, s.sr, s.pg, s.counts))
    return sorted(points, key=lambda p: p.x) if len({p.x for p in points}) >= 2 else []


def _series(plan: PlannedTasks, varied: str) -> list[tuple[str, list[Cell]]]:
    """Returns series of cells that differ only in one group of settings, each with a unique name."""
    groups: dict[tuple[str, ...], list[Cell]] = {}
    names: dict[tuple[str, ...], str] = {}
    count: dict[str, int] = {}
    for c in plan.cells.values():
        others = axis_words({a: v for a, v in sorted(c.axes.items()) if family(a) != varied})
        words = (c.model, axis_value("interface", c.interface), *others)
        key = (*words, _players(c))
        if key not in names:
            name = " · ".join(w for w in words if w)
            count[name] = count.get(name, 0) + 1
            names[key] = name if count[name] == 1 else f"{name} ({count[name]})"
        groups.setdefault(key, []).append(c)
    return [(names[key], group) for key, group in groups.items()]


def _players(c: Cell) -> str:
    """Returns the other players and request settings from the manifest. They are no axes, but cells that differ in them
    are no pair."""
    model = dict(c.spec.get("model") or {})
    asked = {k: model.get(k) for k in ("model_id", "image", "sampling", "structured", "options")}
    others = {part: {k: m.get("name") for k, m in (c.spec.get(part) or {}).items()} for part in ("roles", "helpers")}
    return canonical([asked, others])
