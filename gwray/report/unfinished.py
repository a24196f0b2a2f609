"""Episodes that have begun and not ended: what of them is on disk, for whoever looks while the run goes on.

On disk is the reply log, and everything else follows from it: the steps so far are played again in a browser, from the
logged replies alone, when somebody opens the episode. Where that cannot be done (no browser, a game on the wall clock)
the replies are shown as they are. Nothing is written, and no model is asked.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gwray.accounting import Spent
from gwray.errors import GameError, GwrayError
from gwray.records import LoggedReply, StepRecord
from gwray.report.sanitize import SHORT, safe_text
from gwray.store import Episode, EpisodeMeta, RunDir

if TYPE_CHECKING:
    from gwray.spec import EpisodeSpec

COUNTED = 200
"""At most so many logs are read to say how far their episodes are."""


@dataclass(frozen=True)
class UnfinishedEpisode:
    """An episode with replies and without a result."""

    key: str
    cell: str
    game: str
    task: str
    seed: int
    repeat: int
    steps: int | None
    """Steps whose replies are all there; None: not counted."""


def begun(run: RunDir, manifest: Mapping[str, Any], ended: Collection[str]) -> list[UnfinishedEpisode]:
    """The planned episodes that were begun and are not among `ended`."""
    planned = {e["key"]: e for e in manifest.get("episodes") or ()}
    keys = [k for k in run.logged_keys() if k in planned and k not in ended]
    out = []
    for i, key in enumerate(keys):
        e = planned[key]
        steps = steps_logged(run.log(key).read()) if i < COUNTED else None
        out.append(UnfinishedEpisode(key, e["cell"], e["game"], e["task"], int(e["seed"]), int(e["repeat"]), steps))
    return out


def steps_logged(lines: list[LoggedReply]) -> int:
    """Steps that every role has answered that ever answered; of the last one a reply may still be on its way."""
    per_role: dict[str, int] = {}
    for line in lines:
        per_role[line.role] = max(per_role.get(line.role, 0), line.decision + 1)
    return min(per_role.values(), default=0)


@dataclass(frozen=True)
class Unfinished:
    """What can be shown of an unfinished episode."""

    episode: Episode
    replies: int
    """Lines of the log it was made from."""
    why: str = ""
    """Why its steps were not played again, and only the replies are known."""


class Replays:
    """Plays unfinished episodes again, one at a time; the last few are kept until their logs have grown."""

    def __init__(self, run: RunDir, *, kept: int = 4):
        self._run, self._kept = run, kept
        self._made: dict[str, Unfinished] = {}
        self._lock = threading.Lock()

    def get(self, key: str, *, fresh: bool = True) -> Unfinished | None:
        """None if it has no log or is not planned. `fresh=False` takes what was made last, however old.

        Starts an event loop of its own, so it cannot be called from one.
        """
        with self._lock:
            made = self._made.get(key)
            if made and not fresh:
                return made
            lines = self._run.log(key).read()
            if not lines:
                return None
            if made is None or made.replies != len(lines):
                made = _unfinished(self._run, key, lines)
            if made is None:
                return None
            self._made.pop(key, None)
            self._made[key] = made
            while len(self._made) > self._kept:
                self._made.pop(next(iter(self._made)))
            return made


def _unfinished(run: RunDir, key: str, lines: list[LoggedReply]) -> Unfinished | None:
    from gwray.pipelines import episode_specs, label

    spec = episode_specs(run).get(key)
    if spec is None:
        return None
    pictures = spec.cell.observation.mime
    steps, final, why = _unread(lines), None, ""
    try:
        if spec.cell.timing.mode == "wallclock":
            raise GameError("it is played on the wall clock")
        steps, final = asyncio.run(_play_again(run, spec))
    except GwrayError as e:
        why = safe_text(str(e).partition("\n")[0] or type(e).__name__, SHORT)
    record = label(spec).model_copy(update=_so_far(steps, lines, read=not why))
    return Unfinished(Episode(steps, EpisodeMeta(record=record, final_frame=final, mime=pictures)), len(lines), why)


async def _play_again(run: RunDir, spec: EpisodeSpec) -> tuple[list[StepRecord], bytes | None]:
    from gwray.catalog import load_catalog
    from gwray.pipelines import LogEnded, replay
    from gwray.sandbox import BrowserOnDemand

    game = load_catalog(run.manifest().get("libraries", ())).game(spec.game)
    async with BrowserOnDemand() as browser:
        try:
            played = (await replay(run, spec, game, game.task(spec.task, spec.cell.limit.steps), browser)).played
        except LogEnded as e:
            return list(e.steps), None
    return played.steps, played.final_view.data if played.final_view else None


def _unread(lines: list[LoggedReply]) -> list[StepRecord]:
    """The replies of each turn as a step of which nothing else is known; what a turn said last is what it said."""
    turns: dict[tuple[int, str], list[LoggedReply]] = {}
    for line in lines:
        turns.setdefault((line.decision, line.role), []).append(line)
    return [_unread_turn(turn) for _, turn in sorted(turns.items())]


def _unread_turn(turn: list[LoggedReply]) -> StepRecord:
    from gwray.pipelines import words_of

    line, unknown = turn[-1], math.nan
    r = line.reply
    return StepRecord(
        step=line.decision, attempt=0, role=line.role, words_hash=line.words_hash, **words_of(r), progress=unknown,
        best_progress=unknown, calls=len(turn), **Spent.of(t.reply for t in turn).fields(), charged_ms=unknown,
        game_time_ms=unknown,
    )  # fmt: skip


def _so_far(steps: list[StepRecord], lines: list[LoggedReply], *, read: bool) -> dict[str, Any]:
    out: dict[str, Any] = {
        "steps": len({s.step for s in steps}),
        "proposals": len({(line.decision, line.role) for line in lines}),
        "calls": len(lines),
        **Spent.of(line.reply for line in lines).fields(),
    }
    if read and steps:
        out |= {
            "progress": steps[-1].best_progress,
            "resets": len({s.step for s in steps if s.reset}),
            "no_tool_call": sum(s.validity == "no_tool_call" for s in steps),
            "out_of_space": sum(s.validity == "out_of_space" for s in steps),
            "game_time_ms": steps[-1].game_time_ms,
        }
    return out
