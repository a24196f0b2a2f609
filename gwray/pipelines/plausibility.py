"""Finds values in a reply log that gwray cannot have recorded together.

Such a log was edited, or the clock of its computer was set several times during the episode. A replay cannot tell,
since these values change no state: so they are named beside its result, and an episode that has them is not shown as
verified. A clock that was set back once is a note only. A suspended computer shows in no value: its latencies do not
include the pause, and its times of arrival only move forward.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import groupby, pairwise
from typing import Any

from gwray.records import LONGEST_CHARGE_MS, READING, LoggedReply, Reply
from gwray.spec import LOCAL_PLAYERS, EpisodeSpec

CLOCK_MS = 100.0
"""Allowed drift, in ms, between two clocks of one computer during a reply; 1 ms per second of the reply is added."""


def implausible(lines: Sequence[LoggedReply], spec: EpisodeSpec) -> str:
    """Returns the first contradiction in the reply log of an episode; empty if there is none."""
    found = next(_contradictions(lines, spec), "")
    return f"the reply log cannot be as recorded: {found}" if found else ""


def clock_note(lines: Sequence[LoggedReply]) -> str:
    """Returns a note if the times of a log step back once, as after setting a clock; empty if they do not."""
    steps = list(_backward_steps(_times(lines)))
    return f"a clock was set back during the episode: {steps[0][1]}" if len({turn for turn, _ in steps}) == 1 else ""


def _contradictions(lines: Sequence[LoggedReply], spec: EpisodeSpec) -> Iterator[str]:
    """Yields contradictions in the reply log of an episode, with their lines."""
    for number, line in enumerate(lines, 1):
        model = spec.cell.player(line.role).model_for(line.by)
        of_kind = _invalid_local_reply if model.provider in LOCAL_PLAYERS else _invalid_model_reply
        for what in (*_invalid_numbers(line), *of_kind(line.reply)):
            yield f"line {number}: {what}"
        if model.provider == "mcp" and any(line.reply.usage.model_dump().values()):
            yield f"line {number}: a server that chooses actions counts no tokens"
    yield from _falling_readings(lines)
    yield from _invalid_times(lines)


def _falling_readings(lines: Sequence[LoggedReply]) -> Iterator[str]:
    """Yields replies that were parsed by older rules than the one before: a newer gwray reads no reply by older ones,
    and an older one does not continue a newer log."""
    for number, (before, line) in enumerate(pairwise(lines), 2):
        if line.reply.reading < before.reply.reading:
            was, now = before.reply.reading, line.reply.reading
            yield f"line {number}: it was parsed by rules of version {now}, the reply before by those of version {was}"


def _invalid_numbers(line: LoggedReply) -> Iterator[str]:
    """Yields the numbers of a line that cannot have been measured."""
    reply, usage = line.reply, line.reply.usage
    if not 0 <= reply.latency_ms <= LONGEST_CHARGE_MS:
        yield f"its latency is {reply.latency_ms:g} ms"
    if reply.cost_usd is not None and not (math.isfinite(reply.cost_usd) and reply.cost_usd >= 0):
        yield f"it cost {reply.cost_usd:g} USD"
    for name in type(usage).model_fields:
        if (tokens := getattr(usage, name)) < 0:
            yield f"it has {tokens} {name} tokens"
    for part, total in (("cached", "input"), ("reasoning", "output")):
        if getattr(usage, part) > getattr(usage, total):
            yield f"{getattr(usage, part)} of {getattr(usage, total)} {total} tokens are {part}"
    if not 1 <= reply.reading <= READING:
        yield f"it was parsed by rules of version {reply.reading}; the newest is {READING}"
    if line.in_flight < 0 or reply.requests < 0:
        yield f"it took {reply.requests} requests, {line.in_flight} in flight"


def _invalid_model_reply(reply: Reply) -> Iterator[str]:
    """Yields facts that contradict a reply of a model."""
    if reply.requests == 0:
        yield "a model answered without a request"
    if reply.latency_ms == 0:
        yield "a model answered in 0 ms"
    if reply.usage.input and not reply.usage.output and (reply.text or reply.reasoning or reply.tool_calls):
        yield "a model answered without an output token"


def _invalid_local_reply(reply: Reply) -> Iterator[str]:
    """Yields facts that contradict a reply of a local player."""
    usage = reply.usage
    if any(getattr(usage, name) for name in type(usage).model_fields) or reply.cost_usd or reply.served_model:
        yield "a player without a model has tokens, a price or a served model"
    if reply.requests or reply.tool_calls or reply.reasoning:
        yield "a player without a model has a request, a tool call or reasoning"


def _invalid_times(lines: Sequence[LoggedReply]) -> Iterator[str]:
    """Yields times of arrival that are invalid, or step back in more than one turn."""
    times = _times(lines)
    known = {number for _, number, _ in times}
    for number, line in enumerate(lines, 1):
        if number not in known:
            yield f"line {number}: it arrived at '{line.at[:40]}', which is no time of UTC"
    steps = list(_backward_steps(times))
    if len({turn for turn, _ in steps}) > 1:
        yield steps[0][1]


_Timed = tuple[LoggedReply, int, float]


def _times(lines: Sequence[LoggedReply]) -> list[_Timed]:
    """Returns the lines with a time of UTC, their numbers from 1, and these times in ms."""
    times = []
    for number, line in enumerate(lines, 1):
        with suppress(ValueError):
            at = datetime.fromisoformat(line.at)
            if at.tzinfo is not None:
                times.append((line, number, at.timestamp() * 1000))
    return times


def _backward_steps(times: Iterable[_Timed]) -> Iterator[tuple[int, str]]:
    """Yields the turn and a sentence for each reply that arrived too early: a question is asked after the earlier
    replies, so its own arrives its latency later, or more."""
    before = -math.inf
    for decision, turn in _grouped(times, lambda line: line.decision):
        ends = []
        for _, of_role in _grouped(turn, lambda line: line.role):
            earlier = before
            for _, batch in _grouped(of_role, lambda line: line.batch):
                batch = list(batch)
                for line, number, at in batch:
                    latency = line.reply.latency_ms
                    if at - latency < earlier - CLOCK_MS - latency / 1000:
                        late = f"{max(0.0, at - earlier):,.0f} ms after an earlier one"
                        yield decision, f"line {number}: it arrived {late}, but took {latency:,.0f} ms"
                earlier = max(at for _, _, at in batch)
            ends.append(earlier)
        before = min(ends)


def _grouped(times: Iterable[_Timed], key: Callable[[LoggedReply], Any]) -> Iterator[tuple[Any, Iterator[_Timed]]]:
    return groupby(sorted(times, key=lambda t: key(t[0])), key=lambda t: key(t[0]))
