"""The episodes and replies that a report shows, and its case studies: key frames of an episode, each with its step,
action and progress. A task that was played through two interfaces, or by two players, has two rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from gwray.analysis import FACTS, Cell, LabelSet, scored
from gwray.pages import SHORT, Column, Table, TableCell, number_cell, safe_text
from gwray.records import StepRecord
from gwray.report.content import CaseRow, CaseStudy, KeyFrame
from gwray.report.results import InvalidReply, Results

FRAMES = 5
CASES = 3
THOUGHT = 90
"""Characters of a reply that fit below a screenshot."""


def case_studies(
    frame: pl.DataFrame, cells: Mapping[str, Cell], replays: Mapping[str, dict[str, Any]], titles: Callable[[str], str]
) -> list[CaseStudy]:
    """Returns at most `CASES` case studies, each of another task, chosen deterministically from the replays.
    `replays`: the data of each replayed episode, by key (`bundle.replay_bundle`). `titles`: task → its title. A model
    that played a task through two interfaces comes first, then the tasks on which two players differ most."""
    rows = scored(frame).filter(pl.col("key").is_in(list(replays))).sort("task", "cell", "repeat", "key")
    by_task: dict[str, list[dict[str, Any]]] = {}
    for r in rows.unique(["cell", "task"], keep="first", maintain_order=True).iter_rows(named=True):
        if any(replays[r["key"]]["frames"]):
            by_task.setdefault(r["task"], []).append(r)
    found = [(task, *_pair(several)) for task, several in by_task.items()]
    found.sort(key=lambda x: (-x[1], x[0]))
    return [
        CaseStudy(
            f"case-{n}",
            f"Case study: {titles(task)}",
            tuple(_row(r, cells, replays[r["key"]]) for r in chosen),
            f"Figure {5 + n}",
        )
        for n, (task, _, chosen) in enumerate(found[:CASES], 1)
    ]


def judged_examples(frame: pl.DataFrame, labels: Sequence[LabelSet]) -> dict[str, str]:
    """Returns an unsuccessful episode of each label that a failure judge, or people in its place, gave: label → key.
    The first one in order of task, cell and key, and of another task than those before where there is one."""
    failed = scored(frame).filter(~pl.col("success")).sort("task", "cell", "key").select("key", "task").rows()
    given: dict[str, set[str]] = {}
    for found in labels:
        for key, names in found.labels.items():
            given.setdefault(key, set()).update(names)
    chosen: dict[str, str] = {}
    tasks: set[str] = set()
    for label in dict.fromkeys(name for found in labels for name in found.vocabulary):
        fit = [(task in tasks, n, key, task) for n, (key, task) in enumerate(failed) if label in given.get(key, ())]
        if fit:
            *_, chosen[label], task = min(fit)
            tasks.add(task)
    return chosen


def label_studies(
    frame: pl.DataFrame, cells: Mapping[str, Cell], replays: Mapping[str, dict[str, Any]],
    titles: Callable[[str], str], labels: Sequence[LabelSet],
) -> list[CaseStudy]:  # fmt: skip
    """Returns a case study of each failure label whose example (`judged_examples`) is among the replays; arguments as
    in `case_studies`."""
    rows = {r["key"]: r for r in frame.filter(pl.col("key").is_in(list(replays))).iter_rows(named=True)}
    return [
        CaseStudy(
            f"label-{label.replace('_', '-')}",
            f"{label.replace('_', ' ').capitalize()}: {titles(rows[key]['task'])}",
            (_row(rows[key], cells, replays[key]),),
        )
        for label, key in judged_examples(frame, labels).items()
        if key in rows and any(replays[key]["frames"])
    ]


def failure_films(
    frame: pl.DataFrame, cells: Mapping[str, Cell], replays: Mapping[str, dict[str, Any]], titles: Callable[[str], str]
) -> list[CaseStudy]:
    """Returns at most `CASES` film strips of unsuccessful episodes: of other tasks, labels and cells than each other
    where there are such. Arguments as in `case_studies`."""
    rows = scored(frame).filter(~pl.col("success") & pl.col("key").is_in(list(replays))).sort("task", "cell", "key")
    left = [r for r in rows.iter_rows(named=True) if any(replays[r["key"]]["frames"])]
    chosen: list[dict[str, Any]] = []

    def known(r: Mapping[str, Any]) -> int:
        traits = (lambda x: x["game"], lambda x: x["cell"], lambda x: tuple(replays[x["key"]]["labels"]))
        return sum(trait(r) in [trait(c) for c in chosen] for trait in traits)

    while left and len(chosen) < CASES:
        chosen.append(left.pop(left.index(min(left, key=known))))
    return [
        CaseStudy(f"film-{n}", ": ".join((titles(r["task"]), *replays[r["key"]]["labels"][:1])),
                  (_row(r, cells, replays[r["key"]]),), note="")
        for n, r in enumerate(chosen, 1)
    ]  # fmt: skip


def _pair(rows: Sequence[dict[str, Any]]) -> tuple[float, list[dict[str, Any]]]:
    """Returns a score and the two episodes of a task that differ most, computer use first. Two interfaces of one model
    come before two models."""
    best: tuple[float, list[dict[str, Any]]] = (-1 + rows[0]["progress"], [rows[0]])
    for i, a in enumerate(rows):
        for b in rows[i + 1 :]:
            interfaces = a["model"] == b["model"] and a["interface"] != b["interface"]
            says = abs(a["progress"] - b["progress"]) + (2 if interfaces else 0)
            if says > best[0]:
                best = says, sorted((a, b), key=lambda r: (r["interface"], r["cell"]))
    return best


def _row(record: dict[str, Any], cells: Mapping[str, Cell], data: Mapping[str, Any]) -> CaseRow:
    steps, key = data["steps"], record["key"]
    ends = bool(data["final"] and steps)
    frames = [_frame(key, data, i) for i in key_steps([s["best"] or 0 for s in steps], FRAMES - ends)]
    if ends:
        end = KeyFrame(
            data["frames"][len(steps)] or "", f"replay/{key}.html#step={len(steps) + 1}", len(steps) + 1, "", "",
            steps[-1]["best"] or 0, "the end",
        )  # fmt: skip
        frames.append(end)
    outcome = "success" if record["success"] else f"progress {100 * (record['progress'] or 0):.0f} %"
    return CaseRow(cells[record["cell"]].name, outcome, tuple(frames))


def key_steps(best: Sequence[float], n: int = FRAMES) -> list[int]:
    """Positions of at most `n` steps: the first, and steps that improved the best progress, evenly sampled; if there
    are too few, steps spread evenly over the episode. `best`: the best progress after each step."""
    if not best:
        return []
    made = [i for i in range(1, len(best)) if best[i] > best[i - 1]]
    chosen = [0, *made]
    every = [round(k * (len(best) - 1) / (n - 1)) for k in range(n)]
    for more in reversed(every):
        if len(chosen) < n and more not in chosen:
            chosen.append(more)
    chosen.sort()
    return sorted({chosen[round(k * (len(chosen) - 1) / (n - 1))] for k in range(n)})


def _frame(key: str, data: Mapping[str, Any], at: int) -> KeyFrame:
    step = data["steps"][at]
    role = next((r for r in step["roles"] if r["action"]), step["roles"][0])
    note = role["validity"].replace("_", " ") if role["validity"] != "valid" else "reset" if step["reset"] else ""
    text = role["reasoning"] or role["text"]
    thought = "" if text.lstrip().startswith("{") else text  # empty if the reply is only an action
    return KeyFrame(
        data["frames"][at] or "", f"replay/{key}.html#step={at + 1}", at + 1, _control(role),
        safe_text(" ".join(thought.split()), THOUGHT), step["best"] or 0, note,
    )  # fmt: skip


def _control(role: Mapping[str, Any]) -> str:
    """Returns the action in a few words: the control and its raw input, or the raw input alone."""
    raw = _raw_input(role)
    return " → ".join(dict.fromkeys(w for w in (role["control"], raw) if w))


def _raw_input(role: Mapping[str, Any]) -> str:
    action = dict(role["action"] or {})
    kind = action.pop("action", "")
    words = [" + ".join(map(str, v)) if isinstance(v, list) else f"{v:g}" if isinstance(v, float) else str(v)
             for k, v in action.items() if v is not None and k in ("key", "keys", "x", "y", "text")]  # fmt: skip
    return safe_text(" ".join([str(kind).replace("_", " "), *words]), SHORT)


def choose_episodes(
    frame: pl.DataFrame, facts: Mapping[str, Mapping[str, int]], cells: Sequence[str], *, limit: int = 40
) -> list[str]:
    """Returns at most `limit` distinct keys, round by round over the cells, so that a limit cuts all cells alike.

    The best episode of each cell; the pairs of `CASES` case studies, on the tasks on which cells differ most; an
    episode of each failure label and cell. The choice depends on the rows alone, never on chance. Each replay adds up
    to 1 MB to a report.
    """
    rows = scored(frame).filter(pl.col("cell").is_in(list(cells))).sort("progress", "steps", "key")
    per_cell = {c: rows.filter(pl.col("cell") == c) for c in cells}
    per_cell = {c: r for c, r in per_cell.items() if r.height}
    rounds: list[list[str]] = [[r["key"][-1] for r in per_cell.values()]]
    rounds += [_study(rows, place) for place in range(CASES)] if len(per_cell) > 1 else []
    for label in FACTS:
        first = (next((k for k in r["key"] if label in facts.get(k, ())), None) for r in per_cell.values())
        rounds.append([k for k in first if k is not None])
    return list(dict.fromkeys(k for keys in rounds for k in keys))[:limit]


def _study(rows: pl.DataFrame, place: int) -> list[str]:
    """Returns the pair of the task on which cells differ most (`place` 0), second most (1), …"""
    first = rows.sort("repeat").unique(["cell", "game", "task"], keep="first", maintain_order=True)
    spread = (
        first.group_by("game", "task")
        .agg((pl.col("progress").max() - pl.col("progress").min()).alias("spread"), pl.len().alias("n"))
        .filter(pl.col("n") > 1)
        .sort(pl.col("spread"), "game", "task", descending=[True, False, False])
    )
    if spread.height <= place:
        return []
    game, task = spread["game"][place], spread["task"][place]
    played = first.filter((pl.col("game") == game) & (pl.col("task") == task)).sort("cell")
    return [r["key"] for r in _pair(played.to_dicts())[1]]


KINDS = ("no_tool_call", "out_of_space")
EACH = 2
"""Examples of each kind, of different cells where there are several."""
TRIED = 20
"""At most so many episodes are opened in search of them."""
REPLY_CHARS = 400


def find_examples(
    frame: pl.DataFrame,
    order: Sequence[str],
    steps: Callable[[str], list[StepRecord] | None],
    replays: Mapping[str, str],
) -> list[InvalidReply]:
    """Returns `EACH` replies of each kind. Episodes with a replay come first, then cells in their order; never by
    chance. `steps` returns an episode's rows, or None if they cannot be read."""
    rows = scored(frame).sort("key")
    place = {c: i for i, c in enumerate(order)}
    out = []
    for kind in KINDS:
        have = rows.filter(pl.col(kind) > 0).select("key", "cell", "task").iter_rows()
        chosen = sorted(have, key=lambda r: (r[0] not in replays, place.get(r[1], len(place)), r[0]))
        found: list[InvalidReply] = []
        for repeated in (False, True):  # every cell once before one comes again
            for key, cell, task in chosen[:TRIED]:
                if len(found) == EACH or any(e.key == key or (e.cell == cell and not repeated) for e in found):
                    continue
                bad = next((s for s in steps(key) or () if s.validity == kind), None)
                if bad is not None:
                    reply = bad.text or bad.tool_calls
                    found.append(InvalidReply(key, cell, task, kind, bad.step, reply, bad.reason))
        out += found
    return out


def example_table(results: Results) -> Table:
    """Returns a table of the examples of invalid replies, word for word."""

    def step(e: InvalidReply) -> TableCell:
        href = f"{results.replays[e.key]}#step={e.step + 1}" if e.key in results.replays else ""
        return replace(number_cell(float(e.step + 1), 0), href=href)

    columns = (
        Column.text("kind", lambda e: e.kind.replace("_", " ")), Column.text("cell", lambda e: results.name(e.cell)),
        Column.text("task", "task"), Column("step", step),
        Column("reply", lambda e: TableCell(safe_text(e.reply, REPLY_CHARS) or "(nothing)", mark="reply"), False,
               hint="word for word; long ones are cut"),
        Column.text("why it is no action", "reason"),
    )  # fmt: skip
    note = "Replies of this run. A linked step opens its replay."
    return Table.build(
        "examples-table", "Examples of invalid actions", columns, results.examples, note=note, paper="Table 10"
    )  # fmt: skip
