"""Modules of Agent S2: `manager` lists subgoals, `point` names things in words and asks a grounder where they are.
`agent.models.grounder=MODEL` sends the grounding question to a specialized model. After Agent S2; the prompts are our
own."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from gwray.agents import (
    AgentContext,
    Ask,
    Call,
    ComputerUse,
    Decision,
    GenericJson,
    Grid,
    Module,
    NoCall,
    Parsed,
    Planning,
    Prompt,
    Refused,
    Text,
    Turn,
    as_arguments,
    enum_schema,
    find_point,
    format_call,
    json_objects,
    object_schema,
    plain_reply,
    point,
    raw_action,
    strip_thinking,
)
from gwray.errors import UsageError
from gwray.settings import AgentSpec, ImageGrid

GROUNDER = "grounder"
ENDED = re.compile(r"^\W*subgoal\W{1,9}(done|failed)", re.IGNORECASE | re.MULTILINE)
SAY_SO = (
    'When its first point is done or cannot be done, say so in a line of its own: "Subgoal: done" or "Subgoal: failed".'
)
NAMED = {"target": ("x", "y"), "to_target": ("to_x", "to_y")}
"""Arguments that name a thing, and the coordinates that replace them."""
PLACE = re.compile(r"\[[^\[\]]{1,80}\]|\([^()]{1,80}\)|<point>[^<>]{1,80}</point>|\A[^\[\]()]{1,80}\Z")
MAX_CHARACTERS = 400
"""Characters kept of the name of a thing."""


class Manager(Planning):
    """Keeps a list of subgoals. Replaces it when a subgoal is done or has failed, or when the list is old."""

    name = "manager"
    template = "manager.jinja"

    async def run(self, turn: Turn, ask: Ask) -> None:
        await super().run(turn, ask)
        turn.notes.write("ended", SAY_SO if turn.notes.read(self.name) else "", title="About the plan")

    def is_over(self, turn: Turn) -> bool:
        return bool(ENDED.search(turn.notes.read(Point.name)))


class Named(ComputerUse):
    """Computer use in which a call may name a thing instead of coordinates. `places` must be filled first."""

    def __init__(self, *args: Any, **more: Any):
        super().__init__(*args, **more)
        self.places: dict[str, tuple[float, float]] = {}
        """Viewport pixels of the things that were found."""

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
        """Repeats the names of things; readers of the memory need no coordinates."""
        if isinstance(call, Call) and named(call):
            return format_call(call.name, call.arguments)
        return super().describe(call, parsed)


class NamedJson(GenericJson):
    """The plain JSON format with names of things instead of coordinates."""

    templates: ClassVar = {"*": "named.jinja"}


class Point(Module):
    """Asks for an action on named things, then asks the grounder for the position of each.

    Coordinates in an answer are used unchanged, so players without a model need no grounder.

    Raises:
        UsageError: the interface has no points.
    """

    name = "point"
    acts = True
    helpers = (GROUNDER,)

    def __init__(self, context: AgentContext, spec: AgentSpec):
        if spec.interface != ComputerUse.name:
            raise UsageError(
                f"interface '{spec.interface}': module '{self.name}' says where to click, which only "
                f"interface={ComputerUse.name} needs. Choose it, or end agent.modules with act."
            )
        self._format = NamedJson()
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
        if isinstance(calls, NoCall):
            calls = self._format.parse_calls(plain_reply(reply, self.context.space.known_calls()))
        played = calls[: self.context.role_context.action.per_reply or 1] if isinstance(calls, list) else []
        wanted = [thing for call in played for thing in named(call).values()]
        await self._find([*dict.fromkeys(wanted)], turn, ask)
        return self.context.decide(reply)

    async def _find(self, things: list[str], turn: Turn, ask: Ask) -> None:
        """Asks the grounder where each thing is, and stores the points in viewport pixels."""
        space = self.context.space
        assert isinstance(space, Named)
        space.places = {}
        if not things or not turn.observation.views:
            return
        image, grid = self.context.image(turn.observation.views[0], self._grounder), self.context.grid(self._grounder)
        prompts = [
            Prompt(self._system, (Text(f"Where is: {t}"), image), module=GROUNDER, neutral="none") for t in things
        ]
        for thing, reply in zip(things, await ask(*prompts, by=self._grounder), strict=True):
            if (found := point_in(strip_thinking(reply.text))) is not None:
                space.places[thing] = grid.to_viewport(*found)


def named(call: Call | Refused) -> Mapping[str, str]:
    """Returns the things that a call names, by argument; empty if it names nothing or has coordinates."""
    given = (as_arguments(call.arguments) or {}) if isinstance(call, Call) else {}
    return {k: " ".join(v.split())[:MAX_CHARACTERS] for k in NAMED if isinstance(v := given.get(k), str) and v.strip()}


def point_in(answer: str) -> tuple[float, float] | None:
    """Returns the last point in a grounder's answer, in any spelling that models use; None if there is none."""
    for found in reversed(json_objects(answer)):
        if (at := point(find_point(found))) is not None:
            return at
    return next((at for place in reversed(PLACE.findall(answer.strip())) if (at := point(place)) is not None), None)
