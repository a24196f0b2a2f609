"""How far a run is, from what its directory holds: `gwray status`. Writes nothing, asks nobody, needs no executor.

What is playing now is an episode whose reply log goes on and that has not ended; when a log has not grown for long, it
was left by a driver that is no more, or its model is slow. Both are said as they are: by the age of the last reply.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from gwray.accounting import Spent
from gwray.records import EngineReading, EpisodeRecord
from gwray.store import Holder, PlannedEpisode, RunDir

RECENT_S = 600.0
"""Rates are of the last ten minutes, or of the time since the run began."""


@dataclass(frozen=True)
class PlayingNow:
    """An episode that has begun and not ended."""

    key: str
    model: str
    game: str
    task: str
    decisions: int
    """Turns answered so far."""
    silent_s: float
    """Since its last reply."""


@dataclass(frozen=True)
class RunStatus:
    """A run at one moment. Costs count every reply that was written down, those of unfinished episodes too."""

    url: str
    driven: bool
    """It is being played now, as far as can be seen from here."""
    planned: int
    finished: int
    failed: int
    """Planned episodes whose last try failed."""
    left: int
    """Planned episodes without a result, failed ones among them."""
    now: tuple[PlayingNow, ...]
    failures: Mapping[str, int]
    """Failed episodes by class of error."""
    machines: Mapping[str, int]
    """Finished episodes by the machine that played them; empty names are of runs from before it was recorded."""
    models: Mapping[str, tuple[int, int]]
    """By model that plays: episodes finished and planned."""
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    """None: the price of some reply is not known."""
    episodes_per_minute: float
    steps_per_second: float
    eta_s: float | None
    """Until nothing is left at this rate; None: nothing ended lately."""
    without_file: int = 0
    """Finished episodes whose pictures and states are not there: of a pack that was not unpacked whole, or lost."""
    holder: Holder | None = None
    """Who works on it now, playing or not."""
    engines: tuple[EngineReading, ...] = ()
    """The last look at the engines of each model that is hosted, and what it has to do with the lanes."""


def status_of(run: RunDir, *, at: datetime | None = None) -> RunStatus:
    """How far a run is `at` a time (UTC), now by default."""
    at = at or datetime.now(UTC)
    manifest = run.manifest()
    planned = {e.key: e for e in manifest.episodes}
    names = {c.id: c.model or c.id for c in manifest.cells}
    finished, failures = ([r for r in records if r.key in planned] for records in run.outcomes())
    done = {r.key for r in finished}
    failed = {r.key: r for r in failures}
    spent = sum((Spent.of_step(r) for r in finished), Spent())
    now = []
    for key in run.logged_keys():
        if key in done or key not in planned:
            continue
        lines = run.log(key).read()
        spent += Spent.of(line.reply for line in lines)
        silent = _age(lines[-1].at, at) if lines else 0.0
        if not lines or (key in failed and _age(failed[key].finished_at, at) <= silent):
            continue
        entry = planned[key]
        turns = max(line.decision for line in lines) + 1
        now.append(PlayingNow(key, names[entry.cell], entry.game, entry.task, turns, round(silent, 1)))
    holder = run.holder()
    driven = holder is not None and holder.doing == "played"
    left = len(planned) - len(done)
    per_s, steps_per_s = _rates(finished, _age(manifest.created, at), at)
    return RunStatus(
        url=run.url,
        driven=driven,
        planned=len(planned),
        finished=len(done),
        failed=len(failed),
        left=left,
        now=tuple(sorted(now, key=lambda p: p.silent_s)),
        failures=dict(Counter(r.error_class for r in failures).most_common()),
        machines=dict(Counter(r.machine for r in finished).most_common()),
        models=_by_model(planned.values(), names, done),
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        cost_usd=spent.cost_usd,
        episodes_per_minute=round(60 * per_s, 3),
        steps_per_second=round(steps_per_s, 3),
        eta_s=round(left / per_s, 1) if driven and per_s and left else None,
        without_file=len(done - set(run.episode_keys())),
        holder=holder,
        engines=tuple({reading.model: reading for reading in run.engines()}.values()),
    )


def _rates(finished: Sequence[EpisodeRecord], since_begun_s: float, at: datetime) -> tuple[float, float]:
    """Episodes and environment steps a second, lately."""
    recent = [r for r in finished if _age(r.finished_at, at) <= RECENT_S]
    # A run that was begun long ago may go on after a pause: what ends first lately was begun its wall time before.
    begun = max((_age(r.finished_at, at) + r.wall_s for r in recent), default=0.0)
    window = max(1.0, min(RECENT_S, since_begun_s, begun))
    return len(recent) / window, sum(r.steps for r in recent) / window


def _by_model(
    entries: Iterable[PlannedEpisode], names: Mapping[str, str], done: set[str]
) -> dict[str, tuple[int, int]]:
    planned = Counter(names[e.cell] for e in entries)
    ended = Counter(names[e.cell] for e in entries if e.key in done)
    return {model: (ended[model], n) for model, n in planned.items()}


def _age(then: str, at: datetime) -> float:
    """Seconds since a time as gwray writes it; endless for what is none."""
    try:
        read = datetime.fromisoformat(then)
    except ValueError:
        return float("inf")
    return max(0.0, (at - (read if read.tzinfo else read.replace(tzinfo=UTC))).total_seconds())
