"""Progress of a run, computed from its directory. Writes nothing and needs no executor. An episode with
a reply log and no result counts as playing. If its log has not grown for long, its driver is dead or its model is slow;
the age of the last reply is shown."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from gwray.records import EngineReading, EpisodeRecord, Reply, UsageTotals
from gwray.settings import model_of
from gwray.store.lease import Holder
from gwray.store.run_dir import RunDir

REPLY_CHARACTERS = 160
RECENT_S = 600.0
"""Rates cover the last ten minutes, or the time since the run began."""


@dataclass(frozen=True)
class PlayingNow:
    """An episode that has started and not ended."""

    key: str
    model: str
    game: str
    task: str
    decisions: int
    """Number of turns with replies."""
    silent_s: float
    """Seconds since its last reply."""
    last_reply: str = ""
    """The beginning of its last reply: its calls, then its text."""


@dataclass(frozen=True)
class RunStatus:
    """Status of a run at one moment. Costs include every logged reply, also of unfinished episodes."""

    driven: bool
    """Whether a driver plays it now, as far as visible from this node."""
    planned: int
    finished: int
    failed: int
    """Planned episodes whose last attempt failed."""
    left: int
    """Planned episodes without a result, including failed ones."""
    now: tuple[PlayingNow, ...]
    failures: Mapping[str, int]
    """Failed episodes by class of error."""
    cost_usd: float | None
    """None: a price is unknown."""
    episodes_per_minute: float
    steps_per_second: float
    eta_s: float | None
    """Seconds until all episodes are finished at this rate; None: no episode ended recently."""
    without_file: int = 0
    """Finished episodes without an episode file: not unpacked yet, or lost."""
    holder: Holder | None = None
    """The process that holds the run's lease."""
    engines: tuple[EngineReading, ...] = ()
    """Newest reading of each hosted model's engines and lanes."""


def status_of(run: RunDir, *, at: datetime | None = None) -> RunStatus:
    """Returns the status of a run from its directory. `at`: reference time of ages and rates (UTC); default: now."""
    at = at or datetime.now(UTC)
    manifest = run.manifest()
    planned = {e.key: e for e in manifest.episodes}
    names = {c.id: model_of(c.spec, c.model or c.id) for c in manifest.cells}
    finished, failures = ([r for r in records if r.key in planned] for records in run.outcomes())
    done = {r.key for r in finished}
    failed = {r.key: r for r in failures}
    free = {c.id for c in manifest.cells if c.free}
    spent = sum((_priced(UsageTotals.from_record(r), r.cell in free) for r in finished), UsageTotals())
    now = []
    for key, lines in run.logs([key for key in run.logged_keys() if key in planned and key not in done]):
        totals = UsageTotals.from_replies(line.reply for line in lines)
        spent += _priced(totals, planned[key].cell in free)
        silent = _age(lines[-1].at, at) if lines else 0.0
        if not lines or (key in failed and _age(failed[key].finished_at, at) <= silent):
            continue
        entry = planned[key]
        turns = max(line.decision for line in lines) + 1
        last = _beginning(lines[-1].reply)
        now.append(PlayingNow(key, names[entry.cell], entry.game, entry.task, turns, round(silent, 1), last))
    holder = run.holder()
    driven = holder is not None and holder.doing == "played"
    left = len(planned) - len(done)
    per_s, steps_per_s = _rates(finished, _age(manifest.created, at), at)
    return RunStatus(
        driven=driven,
        planned=len(planned),
        finished=len(done),
        failed=len(failed),
        left=left,
        now=tuple(sorted(now, key=lambda p: p.silent_s)),
        failures=dict(Counter(r.error_class for r in failures).most_common()),
        cost_usd=spent.cost_usd,
        episodes_per_minute=round(60 * per_s, 3),
        steps_per_second=round(steps_per_s, 3),
        eta_s=round(left / per_s, 1) if driven and per_s and left else None,
        without_file=len(done - set(run.episode_keys())),
        holder=holder,
        engines=tuple({reading.model: reading for reading in run.engines()}.values()),
    )


def _priced(totals: UsageTotals, free: bool) -> UsageTotals:
    return replace(totals, cost_usd=totals.cost_usd or 0.0) if free else totals


def _beginning(reply: Reply) -> str:
    given = [
        (c.name, c.arguments if isinstance(c.arguments, str) else json.dumps(c.arguments)) for c in reply.tool_calls
    ]
    parts = [", ".join(f"{name} {arguments}" for name, arguments in given), reply.text]
    return " · ".join(" ".join(part.split()) for part in parts if part)[:REPLY_CHARACTERS]


def _rates(finished: Sequence[EpisodeRecord], since_begun_s: float, at: datetime) -> tuple[float, float]:
    """Returns recent episodes and environment steps per second."""
    recent = [r for r in finished if _age(r.finished_at, at) <= RECENT_S]
    # A run may be resumed after a pause: the first recent episode started its wall time before its end.
    begun = max((_age(r.finished_at, at) + r.wall_s for r in recent), default=0.0)
    window = max(1.0, min(RECENT_S, since_begun_s, begun))
    return len(recent) / window, sum(r.steps for r in recent) / window


def _age(then: str, at: datetime) -> float:
    """Returns the seconds since an ISO time; infinity if it is invalid."""
    try:
        read = datetime.fromisoformat(then)
    except ValueError:
        return float("inf")
    return max(0.0, (at - (read if read.tzinfo else read.replace(tzinfo=UTC))).total_seconds())
