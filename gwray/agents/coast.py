"""COAST: seek clues for a while, map them to memories, try to solve the resulting goals, and start over. The questions
are modules (`modules.coast`); this agent decides which one is asked when. The published ablations leave modules out:
without `map` there is one goal, to use the clues; without `solve` the agent only seeks."""

from collections.abc import Mapping
from typing import ClassVar

from gwray.agents.base import Ask, Decision, Observation
from gwray.agents.context import AgentContext
from gwray.agents.modular import Modular
from gwray.agents.modules.base import LastTurn, Module, Turn, validate_int
from gwray.agents.modules.basic import Act
from gwray.agents.modules.coast import Goal, Map, Seek, Solve
from gwray.errors import AgentError, UsageError, choose
from gwray.spec import AgentSpec

PACE = (15, 5)
"""Decisions spent on seeking, and on one goal."""
QUICK_PACE = (5, 2)
QUICK = ("novel", "kingdom", "management")
"""Words in a game's genre that make the quick pace its default."""
SCOPES = ("per_goal", "per_block")
LOOK = "Look for clues that you do not have yet: places, things and people that you have not tried. Do not solve now."
USE_CLUES = "Use the clues that you have: try what they say, one after the other."
MAX_SHOWN = 20
"""Clues in the prompt for an action: those that share most words with the goal, or the newest."""


class Coast(Modular):
    """The loop of COAST over its modules.

    Settings under `agent.options`:
        seek_steps: decisions spent on seeking; 15, or 5 in visual novels and kingdom games.
        solve_steps: decisions spent on a goal; 5, or 2 in visual novels and kingdom games.
        solve_scope: `per_goal` gives each goal its `solve_steps`, `per_block` all goals of a map together.
        matches: maximum number of goals of one map; 5.
        max_cycles: cycles after which the agent only seeks; 0 means no limit.
        episodic_window, max_clues: recent actions and clues that are remembered; 10 and 150.
    """

    MODULES: ClassVar[Mapping[str, type[Module]]] = {m.name: m for m in (Seek, Map, Solve, Act)}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        by = {module.name: module for module in self._modules}
        seek, map_, solve = by.get("seek"), by.get("map"), by.get("solve")
        if not isinstance(seek, Seek) or (map_ is not None and solve is None):
            raise UsageError(
                f"agent.modules '{', '.join(spec.modules)}': COAST needs seek, and map needs solve. Allowed: "
                "[seek,act], [seek,solve,act], [seek,map,solve,act]."
            )
        self._seek, self._map, self._solve = seek, map_, solve
        settings = {name: value for module in by.values() for name, value in module.settings.items()}
        pace = QUICK_PACE if any(word in context.game.genre for word in QUICK) else PACE
        seek_steps, solve_steps = settings["seek_steps"], settings.get("solve_steps")
        self._seek_steps = validate_int("agent.options.seek_steps", pace[0] if seek_steps is None else seek_steps)
        self._solve_steps = validate_int("agent.options.solve_steps", pace[1] if solve_steps is None else solve_steps)
        self._scope = settings.get("solve_scope", SCOPES[0])
        if self._scope not in SCOPES:
            raise choose("agent.options.solve_scope", str(self._scope), list(SCOPES))
        self._max_cycles = validate_int("agent.options.max_cycles", settings.get("max_cycles", 0), least=0)
        self._goals: list[Goal] = []
        """Goals that remain; the first one is being tried. Empty while seeking."""
        self._steps = 0
        """Decisions spent on this search, goal or block."""
        self._cycles = 0

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> int:
        """Returns 2: a report and an action. A map adds one question in about twenty decisions."""
        cls._kinds(spec)
        return 2

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        self._context.check_observation(observation)
        turn = Turn(observation, self._last, self._notes)
        if self._goals and self._steps:
            await self._check_goal(turn, ask)
        if not self._goals and self._solve and self._steps >= self._seek_steps and not self._only_seeks:
            await self._set_goals(turn, ask)
        if not self._goals:
            await self._seek.run(turn, ask)
        self._write_pages()
        decision = await self._modules[-1].run(turn, ask)
        if decision is None:
            raise AgentError(f"module '{self._modules[-1].name}' acts, but its `run` returned no decision")
        self._steps += 1
        self._last = LastTurn(observation, self._context.describe(decision), self._context.thought(decision))
        return decision

    @property
    def _only_seeks(self) -> bool:
        return 0 < self._max_cycles <= self._cycles

    async def _check_goal(self, turn: Turn, ask: Ask) -> None:
        """Asks whether the goal is reached. If it is, or if its decisions are used up, starts the next goal or
        seeks."""
        assert isinstance(self._solve, Solve)
        await self._solve.run(turn, ask)
        used_up = self._steps >= self._solve_steps
        if not used_up and (self._map is None or not self._solve.reached):
            return
        if used_up and (self._map is None or self._scope == "per_block"):
            self._goals.clear()
        else:
            self._goals.pop(0)
        if self._goals:
            self._solve.set_goal(self._goals[0], turn.observation)
            self._steps = self._steps if self._scope == "per_block" else 0
        else:
            self._steps, self._cycles = 0, self._cycles + 1

    async def _set_goals(self, turn: Turn, ask: Ask) -> None:
        """Asks for new goals and starts with the first."""
        assert isinstance(self._solve, Solve)
        self._steps = 0
        if isinstance(self._map, Map):
            await self._map.run(turn, ask)
            self._goals = [*self._map.goals]
        elif len(self._notes.store("clues")):
            self._goals = [Goal(USE_CLUES)]
        if self._goals:
            self._solve.set_goal(self._goals[0], turn.observation)

    def _write_pages(self) -> None:
        """Writes the pages of the prompt: goal, clues and recent actions."""
        goal = self._goals[0] if self._goals else None
        notes = self._notes
        notes.write("goal", goal.text if goal else LOOK, title="Your goal now")
        clues = self._seek.clues(notes, self._seek.settings).pick(
            MAX_SHOWN, about=goal.text if goal and goal.clue else ""
        )
        notes.write_list("clues", sorted(clues, key=lambda n: n.number), title="Clues that you have")
        notes.write_list("done", self._seek.done(notes, self._seek.settings), title="What you did lately")
