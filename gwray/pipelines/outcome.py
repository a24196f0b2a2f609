"""Computes an episode's record from its rows, incrementally."""

import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from PIL import Image, UnidentifiedImageError

from gwray.agents import stated_reason
from gwray.catalog import Game
from gwray.environments import View
from gwray.records import (
    BLANK,
    UNMOVED,
    Digest,
    EpisodeRecord,
    Reply,
    StepRecord,
    UsageTotals,
    ascii_json,
    canonical,
    digest,
    non_defaults,
    storable,
)
from gwray.settings import EpisodeSpec
from gwray.store import EpisodeMeta

WALLCLOCK = "timing=wallclock: the native browser clock ran"
UNREPRODUCIBLE = "the game declares itself not reproducible"
"""Caveats of episodes that cannot be replayed."""


def caveats_of(spec: EpisodeSpec, game: Game, found: Iterable[str]) -> list[str]:
    """Returns why an episode cannot be replayed, each reason once. `found`: what was seen while it was played."""
    declared = [] if game.reproducible else [UNREPRODUCIBLE]
    timed = [WALLCLOCK] if spec.cell.timing.mode == "wallclock" else []
    return [*declared, *timed, *dict.fromkeys(found)]


@dataclass
class PlayedEpisode:
    """A complete episode, as the store takes it."""

    record: EpisodeRecord
    steps: list[StepRecord]
    """Its rows; without screenshots if they were passed to `write`."""
    final_view: View | None
    console: tuple[str, ...] = ()
    prompts: dict[str, str] = field(default_factory=dict)
    """System prompts by role, or role/module."""


class Totals:
    """Sums of a record over its rows."""

    def __init__(self) -> None:
        self.steps = 0
        self.spent = UsageTotals()
        self._counts: Counter[str] = Counter()
        self._last: StepRecord | None = None
        self._decisions = 0
        self._charged = 0.0
        self._states, self._frames, self._rows = Digest(), Digest(), Digest()

    def add(self, rows: Sequence[StepRecord]) -> None:
        """Adds the rows of one environment step."""
        self.steps += 1
        self._last = rows[-1]
        self._decisions = max(self._decisions, *(r.decision + 1 for r in rows))
        self._charged += max(r.charged_ms for r in rows)
        for r in rows:
            self._states.add(r.state_hash)
            self._frames.add(r.screenshot_hash)
            self._rows.add(ascii_json(non_defaults(r, leave_out=("screenshot",))))
            self.spent += UsageTotals.from_record(r)
            self._counts["proposals"] += r.index == 0 and not r.forced
            self._counts["no_tool_call"] += "no_tool_call" in (r.validity, r.repaired_from)
            self._counts["out_of_space"] += "out_of_space" in (r.validity, r.repaired_from)
            self._counts["ignored_calls"] += r.ignored_calls
            self._counts["repaired"] += r.repaired_from != ""
            self._counts["calls"] += r.calls

    def fields(self) -> dict[str, Any]:
        """Returns the record's fields that a replay must reproduce; costs are not among them."""
        last = self._last
        names = ("proposals", "calls", "ignored_calls", "repaired", "no_tool_call", "out_of_space")
        return {
            "steps": last.step + 1 if last else 0,
            "decisions": self._decisions,
            **{name: self._counts[name] for name in names},
            "charged_ms": round(self._charged, 3),
            "game_time_ms": last.game_time_ms if last else 0.0,
            "state_chain": self._states.value(),
            "frame_chain": self._frames.value(),
            "row_chain": self._rows.value(),
        }


def totals_of(rows: Iterable[StepRecord]) -> Totals:
    """Returns the totals of complete rows."""
    totals = Totals()
    for _, group in groupby(rows, key=lambda r: r.step):
        totals.add(list(group))
    return totals


def reply_ends(rows: Sequence[StepRecord]) -> set[int]:
    """Returns the steps after which no reply that was begun has further actions. `rows`: complete, in order."""
    last = {(row.decision, row.role): row.step for row in rows}
    ends, busy_until = set[int](), -1
    for step, group in groupby(rows, key=lambda r: r.step):
        busy_until = max(busy_until, *(last[row.decision, row.role] for row in group))
        if busy_until == step:
            ends.add(step)
    return ends


def state_fits(row: StepRecord) -> bool:
    """Returns whether a row's state matches its hash."""
    try:
        return digest(canonical(json.loads(row.state))) == row.state_hash
    except (ValueError, RecursionError):
        return False


def replies_hash(replies: Sequence[Reply]) -> str:
    """Returns a hash over all replies of a decision, in the order of its questions; empty if there are none."""
    return digest(*(canonical(r.model_dump(mode="json")) for r in replies)) if replies else ""


def reply_fields(reply: Reply) -> dict[str, str]:
    """Returns a row's columns for the reply that was used. A reason in its call is appended to the reasoning."""
    thoughts = (reply.reasoning, storable(stated_reason(reply)))
    calls = json.dumps([c.model_dump() for c in reply.tool_calls], ensure_ascii=False)
    return {"text": reply.text, "reasoning": "\n".join(t for t in thoughts if t), "tool_calls": calls}


def joined(hashes: Sequence[str]) -> str:
    """Returns the only hash of a decision's questions, or a hash over all of them."""
    return hashes[0] if len(hashes) == 1 else digest(*hashes) if hashes else ""


def shown_hash(prompts: Mapping[str, str], console: Sequence[str], final_frame: bytes | None) -> str:
    """Returns a hash over prompts, console and final frame of an episode."""
    return digest(ascii_json([dict(prompts), list(console)]), final_frame or b"")


def episode_meta(spec: EpisodeSpec, record: EpisodeRecord, played: PlayedEpisode) -> EpisodeMeta:
    """Returns the metadata of a played episode."""
    view = played.final_view
    return EpisodeMeta(
        record=record,
        prompts=played.prompts,
        final_frame=view.data if view else None,
        mime=spec.cell.observation.mime,
        console=played.console,
    )


def label(spec: EpisodeSpec) -> EpisodeRecord:
    """Returns a record with the planned fields only."""
    cell = spec.cell
    others = "".join(f"+{role}:{m.name}" for role, m in sorted(cell.roles.items()))
    return EpisodeRecord(
        key=spec.key,
        cell=spec.cell_id,
        game=spec.game,
        task=spec.task,
        model=cell.model.name + others,
        interface=cell.agent.interface,
        timing=cell.timing.mode,
        latency=cell.timing.charge,
        memory_rounds=cell.agent.memory_rounds,
        agent=cell.agent.code,
        sees_text=cell.observation.text,
        seed=spec.seed,
        repeat=spec.repeat,
        prefix=spec.prefix,
    )


MIN_STEPS_TO_JUDGE = 5
"""Environment steps of an episode from which on it can be called unmoved."""


def is_unmoved(rows: Sequence[StepRecord]) -> bool:
    """Whether no action of an episode had an effect: all its pictures are equal, or, without pictures, its states.
    Steps that only wait do not count."""
    acted = [row for row in rows if row.action and '"action":"wait"' not in row.action]
    return (
        len({row.step for row in acted}) >= MIN_STEPS_TO_JUDGE
        and len({row.screenshot_hash for row in rows}) == 1
        and (bool(rows[0].screenshot_hash) or len({row.state_hash for row in rows}) == 1)
    )


def health_of(rows: Sequence[StepRecord], missing: Iterable[str], final_view: View | None) -> tuple[str, ...]:
    """Returns the signs that a game did not run. `missing`: files that do not exist."""
    health = [f"missing file: {url}" for url in missing]
    if final_view and len({row.screenshot_hash for row in rows}) == 1 and is_blank(final_view.data):
        health.append(BLANK)
    return (*health, UNMOVED) if is_unmoved(rows) else (*health,)


def is_blank(image: bytes) -> bool:
    """Whether all pixels of an encoded image are equal; not if Pillow does not know its format."""
    try:
        with Image.open(io.BytesIO(image)) as opened:
            return all(low == high for low, high in opened.convert("RGB").getextrema())  # type: ignore[misc]
    except UnidentifiedImageError:
        return False
