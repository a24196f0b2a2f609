"""Input of several roles whose actions begin and end at different times, for games with `turns: free`."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

from gwray.errors import GameError
from gwray.records import CommandAnswer, Event
from gwray.sandbox.page_clock import MS, PageClock

FORGOTTEN = CommandAnswer(False, "the page loaded itself again, which ended the command")
"""Answer to a command of a document that is gone."""
Answers = tuple[dict[str, CommandAnswer], dict[str, str]]
"""Answers to the commands that have ended since the last call, and names of those that still run, by role."""


class FreeTurns:
    """The actions that are under way in a page, and the run to the first instant at which one of them has ended.

    Args:
        page: name of the page, for messages.
        clock: the page's clock.
        dispatch: sends the events of one instant.
        answers: reads the answers to commands.
        release: releases all keys and buttons.
    """

    def __init__(
        self,
        page: str,
        clock: PageClock,
        dispatch: Callable[[list[Event]], Awaitable[None]],
        answers: Callable[[], Awaitable[Answers]],
        release: Callable[[], Awaitable[None]],
    ):
        self._page, self._clock = page, clock
        self._dispatch, self._answers, self._release = dispatch, answers, release
        self._pending: dict[str, list[tuple[int, Event]]] = {}
        """Events that are not due yet with their times in ps, by role, in order."""
        self._deadlines: dict[str, int] = {}
        """Time in ps at which a running command must have ended, by role."""

    @property
    def busy(self) -> Collection[str]:
        """Roles whose action is under way."""
        return {*self._pending, *self._deadlines}

    def start(self, role: str, events: Sequence[Event], after_ms: float = 0.0) -> None:
        """Starts an action of a role that is not busy. `after_ms`: game time in ms until its first event."""
        assert role not in self.busy, role
        began = self._clock.after(after_ms)
        due = [(began + round(e.at_ms * MS), e) for e in events]
        self._pending[role] = sorted(due, key=lambda pair: pair[0])

    async def run(self) -> dict[str, CommandAnswer]:
        """Runs to the first instant at which the action of a role has ended. Without an action, nothing happens.

        Returns:
            The answers to the commands that ended at that instant, by role.

        Raises:
            GameError: a command fails, or runs longer than allowed.
        """
        before = len(self.busy)
        while before and len(self.busy) == before:
            answered = await self._run_to_next_event()
            if len(self.busy) < before:
                return answered
        return {}

    async def clear(self) -> None:
        """Drops all actions, as at a reset of the game."""
        self._pending.clear()
        self._deadlines.clear()
        await self._answers()
        await self._release()

    async def _run_to_next_event(self) -> dict[str, CommandAnswer]:
        """Runs to the next event, or to the first frame after which a command has ended, and sends the events that are
        due then. Returns the answers to commands."""
        answered: dict[str, CommandAnswer] = {}
        due = min(at for at in (*(e[0][0] for e in self._pending.values()), *self._deadlines.values()))
        if due <= self._clock.time_ps:
            pass
        elif self._deadlines:
            await self._clock.until_command_ends(due)
            answered, running = await self._answers()
            answered |= {role: FORGOTTEN for role in self._deadlines if role not in answered and role not in running}
            for role in answered:
                del self._deadlines[role]
            for role, name in running.items():
                if self._clock.time_ps >= self._deadlines[role]:
                    raise GameError(
                        f"{self._page}: command '{name}' of {role} has not ended within its `max_ms` of game time; let "
                        "the game end it, or set a longer `max_ms` in its control"
                    )
        else:
            await self._clock.act(due)
        await self._send_due()
        return answered

    async def _send_due(self) -> None:
        """Sends all events that are due, by time, then in the order in which the roles started."""
        now: list[tuple[int, Event]] = []
        for role, pending in [*self._pending.items()]:
            while pending and pending[0][0] <= self._clock.time_ps:
                at, event = pending.pop(0)
                now.append((at, event))
                if event.kind == "command":
                    self._deadlines[role] = at + round(event.max_ms * MS)
            if not pending:
                del self._pending[role]
        events: list[Any] = [e for _, e in sorted(now, key=lambda pair: pair[0]) if e.kind != "end"]
        if events:
            await self._dispatch(events)
