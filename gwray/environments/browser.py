"""Environment of browser games: actions become trusted input on the page's stepped clock."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gwray.catalog import EXCLUDED_FILES
from gwray.environments.base import Opening, RoleObservation
from gwray.environments.memory_state import MemoryState, merge_values
from gwray.environments.opening import FRONT, PREVIOUS, joint_events
from gwray.environments.programs import INTERPRETERS, ProgramEnd, program_control, read_api
from gwray.errors import GameError
from gwray.records import (
    Action,
    Click,
    Command,
    CommandAnswer,
    Diagnostics,
    Event,
    PressKey,
    Reading,
    View,
    Wait,
    canonical,
    digest,
    events,
    storable,
)
from gwray.sandbox import Encoding, Frame, GamePage, PageSource
from gwray.settings import ObservationSpec

START_MS = 100.0
"""Game time that a key of `start` is held."""
MAX_FEEDBACK = 1000
"""Characters of feedback that an agent gets from a command. The answers to a program's commands may be longer."""


class BrowserEnvironment:
    """The `Environment` of games with `kind: browser`. Made by `open`."""

    def __init__(self, page: GamePage, opening: Opening, renderer: str):
        self.page = page
        """The page, for labs and contract tests. Episodes use the methods of the environment."""
        self._game = game = opening.game
        self._hold_scale = opening.hold_scale
        self._default_observation = opening.observation
        self.memory = MemoryState(page.memory, game.id, game.signatures) if game.state == "memory" else None
        """Source of the score's values if they are read from memory; None: the page."""
        self._renderer = renderer
        self._observe_lock = asyncio.Lock()
        self._instant = 0
        """Number of steps, advances and resets: each ends an instant."""
        self._views: dict[tuple[str, str, int], View] = {}
        """Views of this instant, by name, format and quality."""
        self._texts: dict[str, str] = {}
        """Texts of this instant, by role."""
        self._last_front: dict[str, tuple[int, View]] = {}
        """Role → instant and front view of its last observation."""
        self._previous_front: dict[str, View] = {}
        """Role → front view of its observation before the last one."""

    @classmethod
    async def open(cls, opening: Opening) -> "BrowserEnvironment":
        """Opens the page in a new context, with the task at its first instant."""
        game, observation = opening.game, opening.observation
        browser = await opening.browser()
        source = PageSource(
            site=game.site,
            withheld=EXCLUDED_FILES,
            page=game.page_path,
            query=opening.task.options,
            seed=opening.seed,
            viewport=game.viewport,
            canvas=game.capture == "canvas",
            fps=game.fps,
            probe=tuple(game.probe.items()),
            ready=game.start.ready,
        )
        image = "png" if observation.format == "png" else "jpeg"
        page = await browser.open(source, clock=opening.clock, image=image, quality=observation.quality)
        environment = cls(page, opening, browser.version)
        try:
            await environment._start()
        except BaseException:
            await page.close()
            raise
        return environment

    async def _start(self) -> None:
        """Sends the inputs that make the game playable."""
        for given in self._game.start.inputs:
            if given.press:
                action: Action = PressKey(key=given.press)
            elif given.click:
                action = Click(x=given.click[0], y=given.click[1])
            else:
                action = Wait(duration_ms=given.wait_ms)
            await self.page.perform(events(action, START_MS))

    def to_act(self) -> tuple[str, ...]:
        """Returns all roles: they share the page's clock. With `turns: free`, those without an action under way."""
        busy = self.page.turns.busy
        return tuple(r.name for r in self._game.roles if r.name not in busy)

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        """Returns the requested screenshots and text of this instant.

        Roles that request the same view share a screenshot. The view named `previous` is the front view of this role's
        previous observation. It is missing in the first observation after the start or a reset.
        """
        self._game.role(role)
        async with self._observe_lock:
            views = await self._requested_views(role, wanted) if wanted.pictures else ()
            text = await self._text(role) if wanted.text else ""
        return RoleObservation(views, text)

    async def step(
        self, actions: Mapping[str, Action], *, look: bool, after_ms: Mapping[str, float] | None = None
    ) -> Reading:
        """Plays all actions as trusted input over the same frames, or with `turns: free` until the first one has ended,
        and returns the state after them.

        With `look`, the front view is taken in the same call and kept for `observe`. Memory is read before the state,
        because reading the state runs code of the page.
        """
        actions, ends = await self._run_programs(actions)
        default = self._default_observation
        front = look and default.pictures and not {FRONT, PREVIOUS}.isdisjoint(default.views)
        self._begin_instant()
        events = joint_events(self._game, actions, self._hold_scale)
        values: dict[str, object] = {}
        answers: Mapping[str, CommandAnswer] = {}
        if self._game.turns == "free":
            for role in self.to_act():
                one = joint_events(self._game, {role: actions.get(role, Wait())}, self._hold_scale)
                self.page.turns.start(role, one, (after_ms or {}).get(role, 0.0))
            events, answers = [], await self.page.turns.run()
        if self.memory is not None:
            answers = await self.page.perform(events) or answers
            events, values = [], await self.memory.read()
        reading, frame = await self.page.step(events, observe=front)
        answers = {**(reading.answers or answers)}
        for answer in answers.values():
            if (length := len(answer.feedback)) > MAX_FEEDBACK:
                raise GameError(f"{self._game.id}: a feedback has {length:,} characters; {MAX_FEEDBACK:,} are allowed")
        for role, end in ends.items():
            answers[role] = end.answer(answers[role])
        reading = replace(reading, answers=answers)
        if frame is not None:
            self._views[FRONT, default.format, default.quality] = _view(FRONT, frame)
        return self._with_values(reading, values)

    async def read(self) -> Reading:
        """Returns `getState()` of this instant, with the values from memory."""
        values = await self.memory.read() if self.memory is not None else {}
        return self._with_values(await self.page.read(), values)

    async def advance(self, ms: float) -> None:
        """Runs the page's clock without input."""
        self._begin_instant()
        await self.page.advance(ms)

    async def reset(self, seed: int) -> None:
        """Calls the page's `reset({seed})` and runs its clock until it is ready."""
        await self.confirm()
        self._begin_instant()
        self._last_front.clear()
        self._previous_front.clear()
        await self.page.reset(seed)
        if self.memory is not None:
            self.memory.forget()
        await self._start()

    async def confirm(self) -> None:
        """Confirms that the values were read at the right place in memory."""
        if self.memory is not None:
            await self.memory.confirm()

    def diagnostics(self) -> Diagnostics:
        """Returns console output and errors of the page, and events that its clock could not control."""
        return replace(self.page.diagnostics(), renderer=self._renderer)

    async def close(self) -> None:
        """Closes the page; the browser stays open."""
        await self.page.close()

    async def _run_programs(
        self, actions: Mapping[str, Action]
    ) -> tuple[Mapping[str, Action], Mapping[str, ProgramEnd]]:
        """Runs the programs among the actions, one role after the other, before the common step. The game gets the
        command of a program twice: with its code before it begins, and without in the common step. Returns the actions
        of that step, and how the programs ended, by role."""
        played, ends = dict(actions), {}
        for role, action in actions.items():
            control = program_control(self._game.role(role), action)
            if control is None:
                continue
            assert isinstance(action, Command) and control.code is not None
            run_program = INTERPRETERS.get("javascript")
            self._begin_instant()

            async def call(name: str, args: dict[str, Any], role: str = role) -> CommandAnswer:
                event = Event(at_ms=0, kind="command", role=role, command=name, args=args)
                return (await self.page.perform([event]))[role]

            api = read_api(self._game.folder, control.code.api)
            await call(action.name, action.args)
            now_ms = (await self.page.read()).game_time_ms
            ends[role] = await run_program(api, str(action.args["code"]), control.code.commands, call, now_ms)
            played[role] = action.model_copy(update={"args": {}})
        return played, ends

    def _with_values(self, reading: Reading, values: Mapping[str, object]) -> Reading:
        """Returns a reading with values from memory merged into its state, and the hash of the new state."""
        if not values:
            return reading
        state = merge_values(reading.state, values)
        return replace(reading, state=state, state_hash=digest(storable(canonical(state))))

    def _begin_instant(self) -> None:
        """Starts a new instant: drops the views and texts of the last one."""
        self._instant += 1
        self._views.clear()
        self._texts.clear()

    async def _requested_views(self, role: str, wanted: ObservationSpec) -> tuple[View, ...]:
        """Returns the requested views, the front view first, and records the front view if `previous` is requested."""
        previous = None
        if PREVIOUS in wanted.views:
            previous = self._previous(role, await self._view(FRONT, wanted))
        views: list[View] = []
        for name in sorted(wanted.views, key=lambda n: n != FRONT):
            if name != PREVIOUS:
                views.append(await self._view(name, wanted))
            elif previous is not None:
                views.append(replace(previous, name=PREVIOUS))
        return tuple(views)

    def _previous(self, role: str, front: View) -> View | None:
        """Records the front view of a role's observation, and returns that of its observation at an earlier instant;
        None if there is none since the start or last reset."""
        instant, last = self._last_front.get(role, (self._instant, front))
        if instant != self._instant:
            self._previous_front[role] = last
        self._last_front[role] = (self._instant, front)
        return self._previous_front.get(role)

    async def _view(self, name: str, wanted: ObservationSpec) -> View:
        """Returns a view of this instant; takes a screenshot unless there is one of the same format and quality."""
        key = (name, wanted.format, wanted.quality)
        if key not in self._views:
            encoding = Encoding("png" if wanted.format == "png" else "jpeg", wanted.quality)
            taking = self.page.observe(encoding) if name == FRONT else self.page.look(name, encoding)
            self._views[key] = _view(name, await taking)
        return self._views[key]

    async def _text(self, role: str) -> str:
        if role not in self._texts:
            self._texts[role] = await self.page.describe(role)
        return self._texts[role]


def _view(name: str, frame: Frame) -> View:
    return View(name, frame.data, frame.mime, frame.width, frame.height)
