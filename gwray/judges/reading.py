"""Judges that read: a failed episode's record, or its last screen beside a reference."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gwray.agents import Part
from gwray.catalog import Game, Task
from gwray.errors import UsageError, cut
from gwray.evaluation import field
from gwray.judges.asking import Asking, mime_of
from gwray.judges.baseline import rule_labels
from gwray.judges.profile import SAME, JudgeSpec
from gwray.records import StepRecord
from gwray.spec import EpisodeSpec
from gwray.store import RunDir
from gwray.views import View

MOST_SAID = 300
"""Characters of one decision's words that a judge is shown."""
MOST_STATE = 200


async def labels_of(asking: Asking, judge: JudgeSpec, run: RunDir, spec: EpisodeSpec, task: Task) -> list[str] | None:
    """The labels that fit an episode, in the profile's order; None for an answer that cannot be read."""
    rows = run.read_steps(spec.key, images=False)
    system = asking.context.instructions_for(judge.question, labels=judge.labels)
    parts: list[Part | str] = ["What was said and done:\n" + "\n".join(_told(row, judge, task) for row in rows)]
    if "score" in judge.sees:
        record = run.read_meta(spec.key).record
        parts.append(f"Success: {record.success}. Progress: {record.progress}.")
    if "pictures" in judge.sees:
        parts += _screens(asking, judge, run, spec, rows)
    neutral = json.dumps({"labels": [label for label in rule_labels(rows, task) if label in judge.labels]})
    answer = await asking.say(system, parts, neutral)
    given = (answer or {}).get("labels")
    if not isinstance(given, list) or not all(isinstance(label, str) and label in judge.labels for label in given):
        return None
    return [label for label in judge.labels if label in given]


def _told(row: StepRecord, judge: JudgeSpec, task: Task) -> str:
    """One row in words: who, what was said, what was done, and for judges that may see it, what state it came to."""
    words = [f"Decision {row.decision + 1}, {row.role}:"]
    if "replies" in judge.sees and not row.index:
        said = " ".join((row.reasoning or row.text).split())
        words.append(f'"{cut(said, MOST_SAID)}"' if said else "")
    words.append("(pushed)" if row.forced else "")
    words.append(f"does {row.control or row.action}" if row.validity == "valid" else f"does nothing ({row.validity})")
    if "state" in judge.sees:
        words.append(f"→ {_state(row, task)}")
    return " ".join(w for w in words if w)


def _state(row: StepRecord, task: Task) -> str:
    """The position where the game says what that is; otherwise the beginning of the whole state."""
    state = json.loads(row.state)
    if task.motion is None:
        return cut(row.state, MOST_STATE)
    names = [name.replace("{role}", row.role) for name in task.motion.position]
    return json.dumps({name: field(state, name) for name in names})


def _screens(
    asking: Asking, judge: JudgeSpec, run: RunDir, spec: EpisodeSpec, rows: Sequence[StepRecord]
) -> list[Part | str]:
    """The last screen, and up to `judge.pictures - 1` others that lie evenly before it."""
    shown = [row.step for row in rows if row.screenshot_hash]
    meta = run.read_meta(spec.key)
    if not judge.pictures or not shown:
        return []
    others = judge.pictures - 1
    chosen = {shown[len(shown) * i // others] for i in range(others)} if others else set()
    parts: list[Part | str] = []
    for row in run.iter_steps(spec.key) if chosen else ():
        if row.step in chosen and row.screenshot:
            parts += [f"The screen at decision {row.decision + 1}:", _image(asking, row.screenshot, meta.mime)]
    if meta.final_frame:
        parts += ["The last screen:", _image(asking, meta.final_frame, meta.mime)]
    return parts


def _image(asking: Asking, data: bytes, mime: str) -> Part:
    return asking.context.image(View("front", data, mime, *asking.context.viewport))


async def same_as_reference(
    asking: Asking, judge: JudgeSpec, run: RunDir, spec: EpisodeSpec, game: Game
) -> list[str] | None:
    """`["same"]` if the last screen shows what the reference shows, otherwise nothing; None for an answer that cannot
    be read. Raises `UsageError` without a reference or a last screen."""
    reference, meta = _reference(judge, spec.task), run.read_meta(spec.key)
    if not meta.final_frame:
        raise UsageError(
            f"episode {spec.key} has no pictures (observation.format=none), so there is nothing to compare"
        )
    parts: list[Part | str] = ["The reference:", _image(asking, reference, mime_of(reference))]
    parts += ["The last screen:", _image(asking, meta.final_frame, meta.mime)]
    neutral = json.dumps({"same": reference == meta.final_frame})
    answer = await asking.say(asking.context.instructions_for(judge.question), parts, neutral)
    return _same(answer)


def _same(answer: Mapping[str, Any] | None) -> list[str] | None:
    same = (answer or {}).get("same")
    return ([SAME] if same else []) if isinstance(same, bool) else None


def _reference(judge: JudgeSpec, task: str) -> bytes:
    for suffix in (".png", ".jpg", ".jpeg"):
        file = Path(judge.reference, task + suffix)
        if judge.reference and file.is_file() and mime_of(data := file.read_bytes()):
            return data
    raise UsageError(
        f"judge.reference '{judge.reference}' has no picture {task}.png or {task}.jpg. Name a folder that has one for "
        "each task: judge.reference=FOLDER."
    )
