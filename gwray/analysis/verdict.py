"""The result of a run in a sentence: which model is better, by how much, and whether that could be chance.

Nothing is called best without a test: cells that the tests do not separate have no winner, and an incomplete run has no
verdict.
"""

from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from gwray.analysis.arena import Arena, arena_verdict, arenas
from gwray.analysis.cells import PlannedTasks
from gwray.analysis.main_table import MainRow, main_table
from gwray.analysis.pairs import Comparison, compare_all, difference_text
from gwray.analysis.reruns import ONE_REPEAT
from gwray.pages import SHORT, counted, ends, points, safe_text

MOST_NAMED = 4
"""Of more cells only the highest is named."""
PLAYERS = {
    "scripted": "a script that reads the game's state", "random": "random actions", "noop": "waiting alone",
    "fixed": "a fixed list of actions",
}  # fmt: skip
"""Words of automatic players for readers who do not know them."""


def run_verdict(frame: pl.DataFrame, plan: PlannedTasks) -> str:
    """Returns the verdict of a run, from its episodes and plan."""
    rows = main_table(frame, plan, comparisons=())
    incomplete = any(not r.counts.complete for r in rows)
    return verdict(rows, () if incomplete else compare_all(frame, plan), arenas(frame, plan))


def verdict(rows: Sequence[MainRow], comparisons: Sequence[Comparison], met: Mapping[str, Arena]) -> str:
    """Returns the result in a sentence: that of arenas (`met`), if there are some; without a model, the plays won; or
    up to `MOST_NAMED` scores with intervals, best first, whether anything separates the ranked ones, and whether that
    holds on other games. Of more cells: the highest, and how many are not separated from it.

    Example: "a: progress 62 % [58, 66], b: progress 58 % [54, 62]; difference +4.2 points [1.1, 7.4] on these 170
    tasks, p = 0.01; also on games like these: no evidence."
    """
    if met:
        return " ".join(arena_verdict(title, arena) for title, arena in met.items())
    if not rows:
        return "Only forks, which continue another episode and have no score of their own."
    planned, done = (sum(getattr(r.counts, x) for r in rows) for x in ("planned", "scored"))
    if any(not r.counts.complete for r in rows):
        return f"{done:,} of {planned:,} planned episodes have a score, so there is no headline yet."
    if all(r.cell.free and not r.cell.person for r in rows):
        return _without_model(rows)
    best_first = sorted(rows, key=lambda r: -(r.pg.value if r.pg else -1))
    names = {r.cell.id: safe_text(r.cell.name, SHORT) for r in best_first}
    metrics = ("sr", "pg") if len(rows) == 1 else ("pg",)
    ranked = [r for r in best_first if r.cell.ranked] or best_first
    named = best_first if len(rows) <= MOST_NAMED else ranked[:1]
    lead = ", ".join(f"{names[r.cell.id]}: {score_text(r, metrics)}" for r in named)
    if len(named) < len(rows):
        lead += f", the highest of {len(ranked)} {'ranked ' if len(ranked) < len(rows) else ''}cells"
    groups: dict[tuple[bool, str, str], list[str]] = {}
    for r in best_first:
        if r.cell.ranked:
            groups.setdefault(r.cell.rank_group, []).append(r.cell.id)
    ids = [id for group in groups.values() for id in group]
    pairs = [c for c in comparisons if c.a in ids and c.b in ids]
    if len(ids) == 2:
        decided = [difference_text(c, names if len(rows) > 2 else None) for c in pairs] or ["they share no episode"]
        if len(groups) == 2:
            decided[-1] += f" (not ranked together: they differ in {_conditions(groups)})"
    else:
        of_best = [*groups.values()][: 1 if len(rows) > MOST_NAMED else None]
        decided = [_group_verdict(group, pairs, names) for group in of_best if len(group) > 1]
    return f"{'; '.join([lead, *decided])}."


def _without_model(rows: Sequence[MainRow]) -> str:
    """Returns how many plays automatic players won, in plain words; of many cells, all settings of a player together.

    Example: "Test run without an AI model: automatic players in 4 games. A script that reads the game's state won 4 of
    4 plays, and 2 of 4 plays (delay 250 ms); random actions won 0 of 4 plays. More plays of these tasks could move
    shares by up to 60 points (95 %)."
    """
    games = max(r.sr_games.clusters or 1 for r in rows if r.sr_games)
    players: dict[str, list[MainRow]] = {}
    for r in sorted(rows, key=lambda r: -r.counts.won):
        players.setdefault(r.cell.spec["model"]["provider"], []).append(r)
    sentences = []
    for player, mine in players.items():
        names = [r.cell.name.split(" · ") for r in mine]
        own = [[x for x in name if not all(x in other for other in names)] for name in names]
        won = [(r.counts.won, r.counts.scored, x) for r, x in zip(mine, own, strict=True)]
        if len(rows) > MOST_NAMED:
            won = [(sum(n for n, *_ in won), sum(n for _, n, _ in won), [])]
        where = [f" ({safe_text(', '.join(x), SHORT)})" if x else "" for *_, x in won]
        wins = (f"{n} of {counted(of, 'play')}{x}" for (n, of, _), x in zip(won, where, strict=True))
        sentences.append(f"{PLAYERS.get(player, player)} won {', and '.join(wins)}")
    found = "; ".join(sentences)
    title = f"Test run without an AI model: automatic players in {counted(games, 'game')}."
    off = [abs(end - r.sr.value) for r in rows if r.sr for end in (r.sr.low, r.sr.high) if end is not None]
    sure = f" More plays of these tasks could move shares by up to {100 * max(off):.0f} points (95 %)." if off else ""
    return f"{title} {found[0].upper()}{found[1:]}.{sure}"


def _conditions(groups: Iterable[Sequence[object]]) -> str:
    """Returns in which conditions of `Cell.rank_group` groups differ."""
    names = ("text of the screen", "timing", "interface")
    return " and ".join(n for n, found in zip(names, zip(*groups, strict=True), strict=True) if len(set(found)) > 1)


def _group_verdict(ids: Sequence[str], pairs: Sequence[Comparison], names: Mapping[str, str]) -> str:
    """Returns whether the first of several cells that are ranked together is separated from the others."""
    first, *others = ids
    of_first = [c for c in pairs if c.a in ids and c.b in ids and first in (c.a, c.b)]
    better = [c for c in of_first if c.significant]
    if len(ids) == 2 and of_first:
        return difference_text(of_first[0], names)
    if len(better) == len(others):
        closest = min(better, key=lambda c: abs(c.difference.value))
        return f"{names[first]} is better than all {len(others)} others, closest: {difference_text(closest, names)}"
    tied = len(others) - len(better)
    which = f"{tied} of the {len(others)}" if better else f"any of the {tied}"
    return f"not enough data to tell it from {which} others with its interface and timing"


def score_notes(rows: Sequence[MainRow]) -> list[str]:
    """Returns why cells have no interval, or one that is too long; each reason once, with the cells' names. And the
    cells of whose replies none could be played, since their scores say nothing about the model."""
    found: dict[str, list[str]] = {}
    for r in rows:
        if r.sr is not None and (r.sr.low is None or r.sr.method == ONE_REPEAT):
            found.setdefault(r.sr.method, []).append(r.cell.name)
    notes = [
        f"interval of {', '.join(names) if len(names) < len(rows) else 'all cells'}: {why}"
        for why, names in found.items()
    ]
    if silent := [r.cell.name for r in rows if r.iar == 1]:
        notes.append(f"no reply was an allowed action: {', '.join(silent)}. Compare its replies with its action format")
    return notes


def training_notes(rows: Sequence[MainRow], plan: PlannedTasks) -> list[str]:
    """Returns, for each cell whose weights record what they have learned from, how many of its episodes are of it."""
    notes = []
    for row in rows:
        learned = ((row.cell.spec.get("model") or {}).get("deployment") or {}).get("trained_on")
        if not learned:
            continue
        mine = plan.episodes.filter(pl.col("cell") == row.cell.id)
        known = mine.filter(pl.col("game").is_in(learned.get("game", [])))  # a seed of another game is unseen
        columns = {"game": "game", "level": "task", "seed": "seed"}
        parts = [f"the {kind} of {known[c].is_in(learned.get(kind, [])).sum()}" for kind, c in columns.items()]
        notes.append(
            f"{row.cell.name} was trained on {', '.join(parts)} of its {mine.height} episodes "
            f"(scenario: {', '.join(map(str, learned.get('scenario', [])))}); the others are unseen"
        )
    return notes


def score_text(row: MainRow, metrics: Sequence[str] = ("pg",)) -> str:
    """Returns the scores of a cell with their intervals on these tasks, and why it is not ranked."""
    scores = []
    for metric in metrics:
        if (e := getattr(row, metric)) is not None:
            interval = f" [{found}]" if (found := ends(e, ", ")) else ""
            scores.append(f"{'success' if metric == 'sr' else 'progress'} {points(e.value, e)} %{interval}")
    why = "" if row.cell.ranked else f" ({'a person' if row.cell.person else 'reads the game state'})"
    return ", ".join(scores) + why
