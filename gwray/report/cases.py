"""Case studies: key frames of an episode, each with its step, action and progress.

A task that was played through two interfaces, or by two players, has two rows.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from gwray.analysis import Cell, scored
from gwray.report.content import CaseRow, CaseStudy, KeyFrame
from gwray.visible_text import SHORT, safe_text

FRAMES = 5
CASES = 3
THOUGHT = 90
"""Characters of a reply that fit below a screenshot."""


def case_studies(
    frame: pl.DataFrame, cells: Mapping[str, Cell], replays: Mapping[str, dict[str, Any]], titles: Callable[[str], str]
) -> list[CaseStudy]:
    """At most `CASES` case studies, each of another task, chosen deterministically from the replays.

    `replays`: the data of each replayed episode, by key (`bundle.replay_bundle`). `titles`: task → its title. A model
    that played a task through two interfaces comes first, then the tasks on which two players differ most.
    """
    rows = scored(frame).filter(pl.col("key").is_in(list(replays))).sort("task", "cell", "repeat", "key")
    by_task: dict[str, list[dict[str, Any]]] = {}
    for r in rows.unique(["cell", "task"], keep="first", maintain_order=True).iter_rows(named=True):
        if any(replays[r["key"]]["frames"]):
            by_task.setdefault(r["task"], []).append(r)
    found = [(task, *_pair(several, cells)) for task, several in by_task.items()]
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


def _pair(rows: Sequence[dict[str, Any]], cells: Mapping[str, Cell]) -> tuple[float, list[dict[str, Any]]]:
    """The two episodes of a task that differ most, computer use first, and a score of their difference."""
    best: tuple[float, list[dict[str, Any]]] = (-1 + rows[0]["progress"], [rows[0]])
    for i, a in enumerate(rows):
        for b in rows[i + 1 :]:
            x, y = cells[a["cell"]], cells[b["cell"]]
            says = abs(a["progress"] - b["progress"]) + (2 if x.model == y.model and x.interface != y.interface else 0)
            if says > best[0]:
                best = says, sorted((a, b), key=lambda r: (cells[r["cell"]].interface, r["cell"]))
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
    outcome = "solved" if record["success"] else f"progress {100 * (record['progress'] or 0):.0f} %"
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
    return KeyFrame(
        data["frames"][at] or "", f"replay/{key}.html#step={at + 1}", at + 1, _control(role),
        safe_text(" ".join(_thought(role).split()), THOUGHT), step["best"] or 0, note,
    )  # fmt: skip


def _thought(role: Mapping[str, Any]) -> str:
    """The reply's text apart from its action; empty if the reply is only an action."""
    text = role["reasoning"] or role["text"]
    return "" if text.lstrip().startswith("{") else text


def _control(role: Mapping[str, Any]) -> str:
    """The action in a few words: the control's name, or the raw input."""
    if role["control"]:
        return role["control"]
    action = dict(role["action"] or {})
    kind = action.pop("action", "")
    words = [" + ".join(map(str, v)) if isinstance(v, list) else f"{v:g}" if isinstance(v, float) else str(v)
             for k, v in action.items() if v is not None and k in ("key", "keys", "x", "y", "text")]  # fmt: skip
    return safe_text(" ".join([str(kind).replace("_", " "), *words]), SHORT)
