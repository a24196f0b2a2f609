"""The result of a run in a sentence: which model is better, by how much, and whether that could be chance.

Nothing is called best without a test: cells that the tests do not separate have no winner, and an incomplete run has no
verdict.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from gwray.analysis.arena import arena_verdict, arenas
from gwray.analysis.cells import PlannedTasks
from gwray.analysis.intervals import KINDS, Interval
from gwray.analysis.pairs import ALPHA, Comparison, compare_all, family_by_testable_kind, rank_intervals
from gwray.analysis.scores import shown_interval
from gwray.analysis.tables import MainRow, main_table
from gwray.visible_text import SHORT, safe_text

WIDE = 0.2
"""Values whose interval is wider are shown without decimals."""
MOST_NAMED = 4
"""More tied cells are counted, not named."""


def run_verdict(frame: pl.DataFrame, plan: PlannedTasks) -> str:
    """Returns the verdict of a run, from its episodes and plan; that of an arena is about its players."""
    if met := arenas(frame, plan):
        return " ".join(arena_verdict(title, arena) for title, arena in met.items())
    rows = main_table(frame, plan, comparisons=(), iqm=False)
    incomplete = any(not r.counts.complete for r in rows)
    return verdict(rows, () if incomplete else compare_all(frame, plan))


def verdict(rows: Sequence[MainRow], comparisons: Sequence[Comparison]) -> str:
    """Returns the result in a sentence, from the rows of the main table and the comparisons of its cells.

    Example: "a − b = +4.2 points [1.1, 7.4] on 170 shared tasks, p = 0.01 (progress, games like these)."
    """
    ranked = [r for r in rows if r.cell.ranked] or list(rows)
    planned, done = (sum(getattr(r.counts, x) for r in rows) for x in ("planned", "scored"))
    if not planned or any(not r.counts.complete for r in rows):
        return f"{done:,} of {planned:,} planned episodes have a score, so there is no headline yet."
    if len(ranked) == 1:
        return _alone(ranked[0])
    names = {r.cell.id: safe_text(r.cell.name, SHORT) for r in ranked}
    groups: dict[object, list[str]] = {}
    for r in ranked:
        groups.setdefault(r.cell.rank_group, []).append(r.cell.id)
    families = [
        family_by_testable_kind([c for c in comparisons if c.a in ids and c.b in ids]) for ids in groups.values()
    ]
    pairs = [c for family in families for c in family]
    if len(groups) == len(ranked):
        n = len(ranked)
        return f"Nothing is compared: no two of the {n} ranked cells share interface, timing and text observation."
    if not any(c.significant for c in pairs):
        within = f", compared within {len(groups)} groups of equal conditions" if len(groups) > 1 else ""
        if len(ranked) == 2 and len(pairs) == 1:
            both = " and ".join(names[c] for c in (pairs[0].a, pairs[0].b))
            return f"Nothing separates {both}: {_difference(pairs[0], names, 1)}."
        return f"Nothing separates the {len(ranked)} cells{within}{_kinds(pairs)}."
    decided = [
        _group_verdict(ids, family, names)
        for ids, family in zip(groups.values(), families, strict=True)
        if any(c.significant for c in family)
    ]
    undecided = len(groups) - len(decided)
    return " ".join([*decided, *([_undecided(undecided)] if undecided else [])])


def _undecided(n: int) -> str:
    return f"Nothing separates the cells of {n} other group{'' if n == 1 else 's'} of equal conditions."


def _kinds(pairs: Sequence[Comparison]) -> str:
    kinds = dict.fromkeys(KINDS[c.difference.kind] for c in pairs)
    return f" ({', '.join(kinds)})" if kinds else ""


def _group_verdict(ids: Sequence[str], family: Sequence[Comparison], names: dict[str, str]) -> str:
    """Returns the verdict on cells that are ranked together, at least one of them better than another."""
    found = rank_intervals(ids, family)
    first = [c for c in ids if found[c][0] == 1]
    significant = [c for c in family if c.significant]
    if len(first) == 1 and found[first[0]] == (1, 1):
        closest = min((c for c in significant if first[0] in (c.a, c.b)), key=lambda c: abs(c.difference.value))
        more = f" {names[first[0]]} is better than all {len(ids) - 1} others." if len(ids) > 2 else ""
        return f"{_difference(closest, names, len(family))}.{more}"
    clearest = min(significant, key=lambda c: (c.p_holm or 0.0, -abs(c.difference.value)))
    tied = ", ".join(names[c] for c in first) if len(first) <= MOST_NAMED else f"the first {len(first)} cells"
    if len(first) == 1:  # better than some, and no other cell is
        tied = f"{tied} from all others"
    which = (
        f"clearest of {len(significant)} significant differences"
        if len(significant) > 1
        else "one significant difference"
    )
    return f"Nothing separates {tied}; the {which}: {_difference(clearest, names, len(family))}."


def _difference(c: Comparison, names: dict[str, str], pairs: int) -> str:
    """Returns a difference, larger minus smaller, with interval, tasks, p and kind."""
    d = c.difference
    a, b, sign = (c.a, c.b, 1) if d.value >= 0 else (c.b, c.a, -1)
    ends = sorted(sign * v for v in (d.low, d.high) if v is not None)
    text = [f"{names[a]} − {names[b]} = {points(sign * d.value, d, signed=True)} points"]
    text += [f"[{', '.join(points(v, d) for v in ends)}]"] if ends else []
    text.append(f"on {d.n:,} shared task{'' if d.n == 1 else 's'}")
    p = c.p_holm if c.p_holm is not None else c.p
    if p is not None:
        text[-1] += f", p {'< 0.001' if p < 0.001 else f'= {p:.2g}'}"
    notes = ["progress", KINDS[d.kind], *([f"corrected for {pairs} pairs"] if pairs > 1 else [])]
    notes += [c.caveat] if c.caveat and d.kind == "games" and p is not None and p <= ALPHA else []
    return f"{' '.join(text)} ({', '.join(notes)})"


def points(x: float, interval: Interval, *, signed: bool = False) -> str:
    """Returns percentage points, with a decimal only if the interval is narrow enough to need one."""
    wide = interval.low is None or interval.high is None or interval.high - interval.low > WIDE
    digits = 0 if wide else 1
    rounded = round(100 * x, digits)
    return f"{rounded:{'+' if signed and rounded else ''}z.{digits}f}"


def _alone(row: MainRow) -> str:
    parts = list(_score_texts(row))
    return f"{safe_text(row.cell.name, SHORT)}: {', '.join(parts)}." if parts else "There is no score."


def _score_texts(row: MainRow) -> Iterator[str]:
    """Yields success and progress of a cell with their intervals, as text."""
    shown = (("success", row.sr, row.sr_again), ("progress", row.pg, row.pg_again))
    for name, games, again in shown:
        e = shown_interval(games, again)
        if e is not None and e.low is not None and e.high is not None:
            ends = f"[{points(e.low, e)}, {points(e.high, e)}]"
            yield f"{name} {points(e.value, e)} % {ends} ({KINDS[e.kind]})"
