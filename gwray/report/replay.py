"""Data of a replay page: steps and state changes, without screenshots. Pure: takes an episode, returns plain JSON
values with bounded, visible texts."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gwray.agents import NoteSpan
from gwray.pages import LONG, SHORT, safe_text
from gwray.records import EpisodeRecord, StepRecord
from gwray.report.agent_notes import memory_rows
from gwray.report.task_texts import TaskText
from gwray.settings import axes_of_facts, axis_words
from gwray.store import Episode

DIFF_ROWS = 60
STATE_CHARS = 4_000
LINE_CHARS, DEEPEST = 60, 20
_LONG_FRACTION = re.compile(r"-?\d+\.\d{5,}")
CLOCKS = ("timestampMs",)
"""Wall-clock fields of a page's state, which always change."""

ENDINGS = {"target": "target reached", "budget": "no steps left", "terminal": "game over",
           "end_field": "end of the game", "finish": "finished by the player"}  # fmt: skip
"""Words for `EpisodeRecord.ended_by`."""


def replay_data(
    episode: Episode, labels: Sequence[str] = (), task: TaskText | None = None, notes: Sequence[NoteSpan] = ()
) -> dict[str, Any]:
    """Returns the data of an episode without its screenshots. `notes`: those of its agents (`read_agent_notes`)."""
    r = episode.meta.record
    steps, lines = _steps(episode.steps)
    return {
        "key": r.key,
        "record": record_facts(r),
        "axes": [safe_text(w, SHORT) for w in axis_words(axes_of_facts(r.model_dump()))],
        "labels": list(labels),
        "task_text": None if task is None else asdict(task),
        "prompts": {safe_text(role, SHORT): safe_text(text, LONG) for role, text in episode.meta.prompts.items()},
        "console": [safe_text(line, SHORT) for line in episode.meta.console[:50]],
        "final": episode.meta.final_frame is not None,
        "steps": steps,
        "state_lines": lines,
        "memory": memory_rows(notes, episode.steps),
    }


def record_facts(r: EpisodeRecord) -> dict[str, Any]:
    """Fields of the record that are shown, bounded."""
    names = (
        "key", "game", "task", "genre", "model", "interface", "timing", "latency", "status",
        "error_class", "error_message", "browser", "finished_at", "state_chain",
    )  # fmt: skip
    facts: dict[str, Any] = {n: safe_text(getattr(r, n) or "", SHORT) for n in names}
    for n in (
        "level", "seed", "repeat", "success", "progress", "score", "steps", "resets", "proposals",
        "no_tool_call", "out_of_space", "input_tokens", "output_tokens", "cost_usd", "latency_ms", "charged_ms",
        "game_time_ms", "sees_state", "sees_text", "reproducible", "tries",
    ):  # fmt: skip
        facts[n] = getattr(r, n)
    facts["ended_by"] = ENDINGS.get(r.ended_by or "", "")
    facts["caveats"] = [safe_text(c, SHORT) for c in r.caveats[:10]]
    return facts


def _steps(records: Sequence[StepRecord]) -> tuple[list[dict[str, Any]], list[str]]:
    """Returns the steps, and the distinct lines of their states and descriptions: `state` of a step and `observed` of a
    role have the numbers of their lines, since most lines are those of the step before."""
    by_step: dict[int, list[StepRecord]] = {}
    for s in records:
        by_step.setdefault(s.step, []).append(s)
    out, before, lines = [], None, dict[str, int]()

    def numbers(text: str) -> list[int]:
        return [lines.setdefault(line, len(lines)) for line in text.split("\n")]

    for number in sorted(by_step):
        rows = by_step[number]
        last = rows[-1]
        state = _json(last.state)
        if start := next((r.before for r in rows if r.before), ""):
            before = _json(start)  # the first step of an attempt
        diff, more = state_diff(before, state)
        out.append(
            {
                "step": number,
                "attempt": last.attempt,
                "score": _finite(last.score),
                "progress": _finite(last.progress),
                "best": _finite(last.best_progress),
                "terminal": None if last.terminal is None else safe_text(last.terminal, SHORT),
                "reset": any(r.reset for r in rows),
                "time_ms": _finite(last.game_time_ms),
                "charged_ms": _finite(max(r.charged_ms for r in rows)),
                "frame": any(r.screenshot is not None for r in rows),
                "diff": diff,
                "more": more,
                "state": numbers(safe_text(state_text(state), STATE_CHARS)),
                "roles": [
                    _role(r) | {"observed": numbers(safe_text(r.observed, STATE_CHARS)) if r.observed else []}
                    for r in rows
                ],
            }
        )
        # After a reset the next state is compared with nothing: the jump to the start is no effect of an action.
        before = None if last.reset else state
    return out, [*lines]


def _role(s: StepRecord) -> dict[str, Any]:
    action = _json(s.action) if s.action else None
    if isinstance(action, dict):
        action = {safe_text(k, 40): v if isinstance(v, int | float | bool) else _short(v) for k, v in action.items()}
    else:
        action = None
    return {
        "role": safe_text(s.role, SHORT),
        "text": safe_text(s.text),
        "reasoning": safe_text(s.reasoning),
        "tool_calls": "" if s.tool_calls in ("", "[]") else safe_text(s.tool_calls),
        "action": action,
        "control": None if s.control is None else safe_text(s.control, SHORT),
        "validity": s.validity,
        "reason": safe_text(s.reason, 1000),
        "ok": s.ok,
        "feedback": safe_text(s.feedback),
        "input": s.input_tokens,
        "cached": s.cached_tokens,
        "output": s.output_tokens,
        "thought": s.reasoning_tokens,
        "cost": _finite(s.cost_usd),
        "latency_ms": _finite(s.latency_ms),
    }


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return ", ".join(f"{safe_text(k, 40)}={safe_text(v, SHORT)}" for k, v in list(value.items())[:10])
    if isinstance(value, list):
        return [safe_text(v, 40) for v in value[:10]]
    return None if value is None else safe_text(value, SHORT)


def _finite(x: float | None) -> float | None:
    return None if x is None or x != x or x in (float("inf"), float("-inf")) else x


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return {"unreadable": text[:STATE_CHARS]}


def state_diff(before: Any, after: Any) -> tuple[list[list[str | None]], int]:
    """Rows (path, before, after) of what changed, at most `DIFF_ROWS`, and how many more there are."""
    if before is None:
        return [], 0
    a, b = _flat(before), _flat(after)
    changed = [k for k in [*a, *(k for k in b if k not in a)] if a.get(k, _NONE) != b.get(k, _NONE)]

    def leaf(values: dict[str, Any], k: str) -> str | None:
        return json.dumps(values[k], ensure_ascii=False) if k in values else None

    rows: list[list[str | None]] = [[safe_text(k, 120), *_leaves(leaf(a, k), leaf(b, k))] for k in changed[:DIFF_ROWS]]
    return rows, max(0, len(changed) - DIFF_ROWS)


def _leaves(before: str | None, after: str | None) -> tuple[str | None, str | None]:
    """Returns both values, with long fractions rounded unless rounding hides the change."""
    was, now = (None if v is None else safe_text(_rounded(v), 120) for v in (before, after))
    if was != now:
        return was, now
    return (None if before is None else safe_text(before, 120)), (None if after is None else safe_text(after, 120))


def _rounded(value: str) -> str:
    return f"{float(value):.3f}" if _LONG_FRACTION.fullmatch(value) else value


def state_text(value: Any, indent: str = "") -> str:
    """Returns indented JSON: short values on one line, a board in rows."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= LINE_CHARS or len(indent) > DEEPEST or not isinstance(value, dict | list):
        return line
    inner = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k, ensure_ascii=False)}: {state_text(v, inner)}" for k, v in value.items()]
    else:
        parts = [state_text(v, inner) for v in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{inner}" + f",\n{inner}".join(parts) + f"\n{indent}{end}"


_NONE = object()


def _flat(value: Any) -> dict[str, Any]:
    """Returns the values of a state by path."""
    out: dict[str, Any] = {}
    stack: list[tuple[str, Any]] = [("", value)]
    while stack and len(out) < 20_000:
        at, v = stack.pop()
        if isinstance(v, dict) and v:
            stack += [(f"{at}.{k}" if at else str(k), x) for k, x in reversed(v.items()) if k not in CLOCKS]
        elif isinstance(v, list) and v:
            stack += [(f"{at}[{i}]", x) for i, x in reversed(list(enumerate(v)))]
        else:
            out[at] = v
    return out


def frames(episode: Episode) -> list[bytes | None]:
    """Returns the screenshot of each step in order, then the final one."""
    by_step: dict[int, bytes | None] = {}
    for s in episode.steps:
        by_step[s.step] = by_step.get(s.step) or s.screenshot
    return [*(by_step[k] for k in sorted(by_step)), episode.meta.final_frame]


def suffix(mime: str) -> str:
    return {"image/png": "png", "image/webp": "webp"}.get(mime, "jpg")
