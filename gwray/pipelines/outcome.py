"""Computes an episode's record from its rows, incrementally."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from gwray.accounting import UsageTotals
from gwray.agents import stated_reason
from gwray.environments import View
from gwray.identity import non_defaults
from gwray.records import Digest, EpisodeRecord, Reply, StepRecord, ascii_json, canonical, digest, storable
from gwray.spec import EpisodeSpec
from gwray.store import EpisodeMeta

WALLCLOCK = "timing=wallclock: the native browser clock ran"
UNREPRODUCIBLE = "the game declares itself not reproducible"
"""Caveats of episodes that cannot be replayed."""


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
            self._counts["no_tool_call"] += r.validity == "no_tool_call"
            self._counts["out_of_space"] += r.validity == "out_of_space"
            self._counts["ignored_calls"] += r.ignored_calls
            self._counts["repaired"] += r.repairs != ""
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
