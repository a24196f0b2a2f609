"""Agent S2's parts: who plans says what is to be reached, who acts names things in words, and a grounder says where.

`manager` and `point`; `agent.models.grounder=MODEL` gives the question where something is to a model that is good at
that. After Agent S2; the wording is our own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents.base import Ask, Decision, Prompt
from gwray.agents.calls import Call, Parsed, Refused
from gwray.agents.context import AgentContext
from gwray.agents.coordinates import Grid
from gwray.agents.formats.generic import GenericJson
from gwray.agents.formats.loose_json import as_arguments, json_objects
from gwray.agents.messages import Text
from gwray.agents.modules.base import Module, Turn, strip_thinking
from gwray.agents.modules.planning import Planning
from gwray.agents.spaces import enum_schema, object_schema
from gwray.agents.spaces.base import called
from gwray.agents.spaces.computer_use import ComputerUse
from gwray.agents.spaces.values import point
from gwray.agents.spaces.verbs import find_point, raw_action
from gwray.errors import UsageError
from gwray.spec import AgentSpec, ImageGrid

GROUNDER = "grounder"
ENDED = re.compile(r"^\W*subgoal\W{1,9}(done|failed)", re.IGNORECASE | re.MULTILINE)
SAY_SO = (
    'When its first point is done or cannot be done, say so in a line of its own: "Subgoal: done" or "Subgoal: failed".'
)
NAMED = {"target": ("x", "y"), "to_target": ("to_x", "to_y")}
"""Arguments that name a thing, and the coordinates that take their place."""
PLACE = re.compile(r"\[[^\[\]]{1,80}\]|\([^()]{1,80}\)|<point>[^<>]{1,80}</point>|\A[^\[\]()]{1,80}\Z")
MOST_WORDS = 400
"""Characters by which a thing is named."""


class Manager(Planning):
    """Keeps a list of subgoals, and makes a new one whenever one of them is done or has failed, or is old."""

    name = "manager"
    template = "manager.jinja"

    async def run(self, turn: Turn, ask: Ask) -> None:
        await super().run(turn, ask)
        turn.notes.write("ended", SAY_SO if turn.notes.read(self.name) else "", title="About the plan")

    def over(self, turn: Turn) -> bool:
        return bool(ENDED.search(turn.notes.read(Point.name)))


class Named(ComputerUse):
    """Computer use in which a thing may be named in words; where it is has to be found out before."""

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self.places: dict[str, tuple[float, float]] = {}
        """Viewport pixels of what was named and found."""

    def parse(self, call: Call) -> Parsed | Refused:
        wanted = named(call)
        if not wanted:
            return super().parse(call)
        if missing := [words for words in wanted.values() if words not in self.places]:
            return Refused(f"there is no place for '{missing[0][:80]}'")
        arguments = {k: v for k, v in self.arguments(call).items() if k not in NAMED}
        for name, words in wanted.items():
            arguments |= dict(zip(NAMED[name], self.places[words], strict=True))
        found = raw_action(call.name, arguments, Grid.from_spec(ImageGrid(), self.viewport))
        if isinstance(found, Refused):
            return found
        fixed = self.durations == "fixed" and getattr(found, "duration_ms", None) is not None
        return Parsed(found.model_copy(update={"duration_ms": None}) if fixed else found)

    def merge_calls(self, calls: list[Call | Refused]) -> list[Call | Refused]:
        return calls

    def call_schemas(self) -> list[dict[str, Any]]:
        pointed = object_schema(
            action=enum_schema("click"), target={"type": "string"}, button=enum_schema("left", "right")
        )
        return [*(o for o in super().call_schemas() if "x" not in o["properties"]), *([pointed] * self.role.clicks)]

    def describe(self, call: Call | Refused, parsed: Parsed) -> str:
        """In the words that were said: nobody who reads it needs coordinates."""
        if isinstance(call, Call) and named(call):
            return called(call.name, call.arguments)
        return super().describe(call, parsed)


class InWords(GenericJson):
    """The plain JSON format, in which things are named instead of coordinates."""

    templates: ClassVar = {"*": "named.jinja"}


class Point(Module):
    """Decides: asks for an action on things that are named in words, then asks the grounder where each of them is.

    Coordinates that are given all the same are taken as they are, so that players without a model need no grounder.
    """

    name = "point"
    acts = True
    helpers = (GROUNDER,)

    def __init__(self, context: AgentContext, spec: AgentSpec):
        """Raises `UsageError` for an interface without points."""
        if spec.interface != ComputerUse.name:
            raise UsageError(
                f"interface '{spec.interface}': module '{self.name}' says where to click, which only "
                f"interface={ComputerUse.name} needs. Choose it, or end agent.modules with act."
            )
        self._format = InWords()
        super().__init__(context.with_space(Named, self._format), spec)
        self._grounder = GROUNDER if GROUNDER in spec.models else ""
        self._system = context.text_for("grounder.jinja", self._grounder)

    @classmethod
    def calls_per_decision(cls, spec: AgentSpec) -> float:
        return 2.0

    async def run(self, turn: Turn, ask: Ask) -> Decision:
        (reply,) = await ask(self.context.action_prompt(turn.observation, more=turn.notes.parts()))
        turn.notes.write(self.name, strip_thinking(reply.text))
        calls = self._format.parse_calls(reply)
        played = calls[: self.context.role_context.action.per_reply or 1] if isinstance(calls, list) else []
        wanted = [thing for call in played for thing in named(call).values()]
        await self._find([*dict.fromkeys(wanted)], turn, ask)
        return self.context.decide(reply)

    async def _find(self, things: list[str], turn: Turn, ask: Ask) -> None:
        space = self.context.space
        assert isinstance(space, Named)
        space.places = {}
        if not things or not turn.observation.views:
            return
        picture, grid = self.context.image(turn.observation.views[0], self._grounder), self.context.grid(self._grounder)
        prompts = [
            Prompt(self._system, (Text(f"Where is: {t}"), picture), module=GROUNDER, neutral="none") for t in things
        ]
        for thing, reply in zip(things, await ask(*prompts, by=self._grounder), strict=True):
            if (found := point_in(strip_thinking(reply.text))) is not None:
                space.places[thing] = grid.to_viewport(*found)


def named(call: Call | Refused) -> Mapping[str, str]:
    """What a call names in words, by the argument; empty if it names nothing, or gives coordinates."""
    given = (as_arguments(call.arguments) or {}) if isinstance(call, Call) else {}
    return {k: " ".join(v.split())[:MOST_WORDS] for k in NAMED if isinstance(v := given.get(k), str) and v.strip()}


def point_in(answer: str) -> tuple[float, float] | None:
    """The last point in a grounder's answer, in whatever its model's own spelling is; None if there is none."""
    for found in reversed(json_objects(answer)):
        if (at := point(find_point(found))) is not None:
            return at
    return next((at for place in reversed(PLACE.findall(answer.strip())) if (at := point(place)) is not None), None)
