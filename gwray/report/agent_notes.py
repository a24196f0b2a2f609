"""Notes of an agent at each step of a replay: clues, goals, rules and deeds."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from gwray.agents import NoteSpan, note_history
from gwray.errors import GwrayError
from gwray.pages import SHORT, safe_text
from gwray.records import StepRecord
from gwray.settings import AgentSpec
from gwray.store import RunDir, RunManifest

MOST = 5_000
"""Most notes of an episode; later ones are dropped."""
TEXT = 900
"""Characters shown of a note."""


def read_agent_notes(run: RunDir, key: str, cell: Mapping[str, Any]) -> tuple[NoteSpan, ...]:
    """Returns the notes of an episode; none if its agent keeps none, or if the log or `cell` (the cell's specification
    in the manifest) cannot be read."""
    given = cell.get("agent")
    if not isinstance(given, Mapping) or not given.get("modules"):
        return ()
    try:
        return note_history(AgentSpec.model_validate(given), run.log(key).read())
    except (GwrayError, ValidationError):
        return ()


def cell_spec(manifest: RunManifest, cell: str) -> Mapping[str, Any]:
    """Returns the specification of a cell in a manifest; empty if it has none."""
    return next((c.spec for c in manifest.cells if c.id == cell), {})


def memory_rows(notes: Sequence[NoteSpan], steps: Sequence[StepRecord]) -> list[dict[str, Any]]:
    """Notes for the viewer, each with its first step and the step at which it ends. Notes that no step was played with
    are dropped."""
    starts: dict[int, int] = {}
    order = sorted({s.step for s in steps})
    at = {step: i for i, step in enumerate(order)}
    for s in steps:
        if not s.forced:
            starts[s.decision] = min(starts.get(s.decision, len(order)), at[s.step])
    following = sorted(starts.items())

    def step_of(decision: int) -> int:
        """Returns the position of the first step played at this decision or later."""
        where = bisect_left(following, (decision, -1))
        return following[where][1] if where < len(following) else len(order)

    out = []
    for note in notes:
        since, until = step_of(note.since), None if note.until is None else step_of(note.until)
        if since < len(order) and (until is None or since < until) and len(out) < MOST:
            text, place = safe_text(note.text, TEXT), safe_text(note.place, SHORT)
            out.append(
                {"role": safe_text(note.role, SHORT), "kind": note.kind, "text": text, "place": place, "since": since,
                 "until": until}
            )  # fmt: skip
    return out
