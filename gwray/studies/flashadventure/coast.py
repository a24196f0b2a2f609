"""COAST: seek clues for a while, map them to memories, try to solve the resulting goals, and start over. The questions
are modules (`coast_modules`); this agent decides which one is asked when. The published ablations leave modules out:
without `map` there is one goal, to use the clues; without `solve` the agent only seeks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gwray.agents import AgentContext, Ask, Decision, LastTurn, Modular, Module, Note, Observation, Turn, validate_int
from gwray.errors import UsageError, choose
from gwray.settings import AgentSpec
from gwray.studies.flashadventure.coast_modules import Goal, Map, Seek, Solve, pair

PACE = (15, 5)
"""Decisions spent on seeking, and on one goal."""
QUICK_PACE = (5, 2)
QUICK = ("novel", "kingdom", "management")
"""Words in a game's genre that make the quick pace its default."""
SCOPES = ("per_goal", "per_block")
COMBINATIONS = (("seek",), ("seek", "solve"), ("seek", "map", "solve"))
"""The published agent, after its ablations."""
USE_CLUES = "Use the clues that you have: try what they say, one after the other."


@dataclass(frozen=True)
class Attempt:
    """A goal that is being tried, and the observation at which it was set."""

    goal: Goal
    since: Observation

    def changed(self, now: Observation) -> bool:
        """Whether text or first image differ. Compares images for equality only, which gives the same result in every
        browser."""
        before = self.since
        return before.text != now.text or [v.data for v in before.views[:1]] != [v.data for v in now.views[:1]]


class Coast(Modular):
    """The loop of COAST over its modules.

    One question per decision: the reply acts, and reports on the screen and on the last action. Only a map is a
    question of its own.

    Settings under `agent.options`:
        seek_steps: decisions spent on seeking; 15, or 5 in visual novels and kingdom games.
        solve_steps: decisions spent on a goal; 5, or 2 in visual novels and kingdom games.
        solve_scope: `per_goal` gives each goal its `solve_steps`, `per_block` all goals of a map together.
        matches: maximum number of goals of one map; 5.
        episodic_window, max_clues: actions and clues that are remembered; 0 means all.
    """

    MODULES: ClassVar[Mapping[str, type[Module]]] = {m.name: m for m in (Seek, Map, Solve)}

    def __init__(self, context: AgentContext, spec: AgentSpec):
        super().__init__(context, spec)
        by = {module.name: module for module in self._modules}
        seek, map_, solve = by["seek"], by.get("map"), by.get("solve")
        assert isinstance(seek, Seek) and isinstance(map_, Map | None) and isinstance(solve, Solve | None)
        self._seek, self._map, self._solve = seek, map_, solve
        settings = {name: value for module in by.values() for name, value in module.settings.items()}
        pace = QUICK_PACE if any(word in context.game.genre for word in QUICK) else PACE
        seek_steps, solve_steps = settings["seek_steps"], settings.get("solve_steps")
        self._seek_steps = validate_int("agent.options.seek_steps", pace[0] if seek_steps is None else seek_steps)
        self._solve_steps = validate_int("agent.options.solve_steps", pace[1] if solve_steps is None else solve_steps)
        self._scope = settings.get("solve_scope", SCOPES[0])
        if self._scope not in SCOPES:
            raise choose("agent.options.solve_scope", str(self._scope), list(SCOPES))
        self._goals: list[Goal] = []
        """Goals that remain; the first one is being tried. Empty while seeking."""
        self._attempt: Attempt | None = None
        """The first of the goals, once a decision was spent on it."""
        self._judged: Attempt | None = None
        """The goal for which the last action was; the next report says whether it is reached."""
        self._steps = 0
        """Decisions spent on this search, goal or block."""

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> int:
        """Returns 1: an action with a report. A map adds one question in about thirty decisions."""
        cls._kinds(spec)
        return 1

    @classmethod
    def _check_order(cls, spec: AgentSpec) -> None:
        if spec.modules not in COMBINATIONS:
            allowed = ", ".join(f"[{','.join(c)}]" for c in COMBINATIONS)
            raise UsageError(
                f"agent.modules '{', '.join(spec.modules)}': COAST needs seek, and map needs solve. Allowed: {allowed}."
            )

    async def act(self, observation: Observation, ask: Ask) -> Decision:
        self._context.check_observation(observation)
        turn = Turn(observation, self._last, self._notes)
        if not self._goals and self._solve and self._steps >= self._seek_steps:
            await self._set_goals(turn, ask)
        acting = self._solve if self._solve and self._goals else self._seek
        self._write_pages()
        decision = await acting.run(turn, ask)
        self._steps += 1
        reached = self._judged is not None and acting.says_reached() and self._judged.changed(observation)
        self._update_goals(reached, observation)
        context = acting.context
        self._last = LastTurn(observation, context.describe(decision), context.thought(decision))
        return decision

    async def _set_goals(self, turn: Turn, ask: Ask) -> None:
        """Asks for new goals if there are clues."""
        self._steps = 0
        if not len(self._notes.store("clues")):
            return
        if self._map is not None:
            await self._map.run(turn, ask)
            self._goals = [*self._map.goals]
        else:
            self._goals = [Goal(USE_CLUES)]

    def _update_goals(self, reached: bool, observation: Observation) -> None:
        """Starts the next goal, or seeks again, if the goal is reached or its decisions are used up."""
        judged, self._judged = self._judged, None
        if reached and judged and judged.goal.clue:
            self._seek.reached_goals(self._notes).add(judged.goal.text)
        if not self._goals:
            return
        self._attempt = self._attempt or Attempt(self._goals[0], observation)
        self._judged = self._attempt
        used_up = self._steps >= self._solve_steps
        reached = reached and judged is self._attempt and self._map is not None
        if used_up and (self._map is None or self._scope == "per_block"):
            self._goals.clear()
        elif used_up or reached:
            self._goals.pop(0)
        else:
            return
        if self._scope == "per_goal" or not self._goals:
            self._steps = 0
        # A reply that reports success acts for the next goal already.
        self._attempt = Attempt(self._goals[0], observation) if reached and self._goals else None
        self._judged = self._attempt if reached else self._judged

    def _write_pages(self) -> None:
        """Writes the pages of the prompt: the goal that was tried last, the open pairs, the clues."""
        notes, clues = self._notes, self._seek.clues(self._notes, self._seek.settings)
        judged = self._judged.goal if self._judged else None
        last = judged if judged and judged not in self._goals[:1] else None
        notes.write("last", pair(last, clues) if last else "", title="The goal that you tried last")
        pairs = [Note(n, pair(goal, clues)) for n, goal in enumerate(self._goals, 1)]
        notes.write_list("goal", pairs[:1], title="Your goal now")
        notes.write_list("open", pairs[1:], title="Other open pairs")
        shown = clues if not self._goals or self._map is None else ()
        notes.write_list("clues", sorted(shown, key=lambda n: n.number), title="Clues that you have")
