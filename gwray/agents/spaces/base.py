"""What an action space is: everything that depends on how a player acts, for one role, in one place.

What the prompt says about acting, the tools and the JSON schema, what a call means, what a random player does and how
memory repeats an action are made here and nowhere else. What a role *may* do is not: `check_action` judges every action
of every space.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, final

from gwray.agents.calls import Call, Parsed, Refused
from gwray.agents.coordinates import Grid
from gwray.agents.formats import REASONING
from gwray.agents.formats.loose_json import as_arguments
from gwray.agents.legality import check_action
from gwray.agents.messages import Tool
from gwray.catalog import Role
from gwray.records import storable
from gwray.spec import Durations, ModelSpec


class ActionSpace(ABC):
    """How one role acts. A space of one's own is chosen by `interface=my_package.Compass`:

        class Compass(ActionSpace):
            def tools(self):
                way = {"type": "string", "enum": ["north", "south"]}
                return (Tool("go", "Go one step.", object_schema(way=way)),)

            def parse(self, call):
                way = self.given(call).get("way")
                key = {"north": "ArrowUp", "south": "ArrowDown"}.get(str(way))
                return Parsed(PressKey(key=key)) if key else Refused(f"there is no way '{way}'")

            def random_call(self, draw):
                return Call("go", {"way": draw.choice(["north", "south"])})

    Everything else follows from these three, and can be said otherwise.
    """

    needs_image: ClassVar[bool] = False
    """Whether acting refers to a picture, so that nobody can act by it who sees none."""
    name: ClassVar[str] = ""
    """By which a format finds its words for this space; empty: a format's words for any space."""
    section: ClassVar[str] = "calls.jinja"
    """The text about acting in the prompt: the name of a file in `prompts/` (`….jinja`), or the text itself, as a Jinja
    template. See `gwray.agents.prompts` for what it can name."""

    def __init__(
        self,
        role: Role,
        viewport: tuple[int, int],
        grid: Grid,
        durations: Durations = "free",
        may_finish: bool = False,
    ):
        """`durations`: whether a reply may say how long an input lasts, or every one lasts what the role says.
        `may_finish`: the task lets the agent say that it is done."""
        self.role, self.viewport, self.grid, self.durations = role, viewport, grid, durations
        self.may_finish = may_finish

    @abstractmethod
    def tools(self) -> tuple[Tool, ...]:
        """All kinds of calls, as function tools."""

    @abstractmethod
    def parse(self, call: Call) -> Parsed | Refused:
        """The action a call means, whatever a model wrote in it. Pure; points become viewport pixels. Whether the role
        may is asked afterwards."""

    @abstractmethod
    def random_call(self, draw: Random) -> Call:
        """What a random player does: any of what the role can do."""

    @final
    def arguments(self, call: Call) -> dict[str, Any]:
        """The arguments of a call by name, whether they came as an object or as JSON text; empty where they are
        neither."""
        return as_arguments(call.arguments) or {}

    @final
    def offered_tools(self) -> tuple[Tool, ...]:
        """The tools, and the one that says that the task is done, where the agent may say so."""
        return (*self.tools(), FINISH) if self.may_finish else self.tools()

    @final
    def is_finish(self, call: Call | Refused) -> bool:
        """Whether a call says that the task is done, and the agent may say so."""
        return self.may_finish and isinstance(call, Call) and self.means_done(replace(call, name=bare_name(call.name)))

    @final
    def to_action(self, call: Call | Refused) -> Parsed | Refused:
        """The action of a call, normalised and checked against the role."""
        parsed = self.parse(replace(call, name=bare_name(call.name))) if isinstance(call, Call) else call
        if isinstance(parsed, Refused):
            return parsed
        legal = check_action(parsed.action, self.role, self.viewport)
        if isinstance(legal, Refused):
            return replace(legal, control=parsed.control)
        return replace(legal, control=parsed.control, note="; ".join(n for n in (parsed.note, legal.note) if n))

    def means_done(self, call: Call) -> bool:
        """Whether a call says that the task is done; asked only where the agent may say so."""
        return call.name.lower() == FINISH.name

    def call_schemas(self) -> list[dict[str, Any]]:
        """JSON schemas that together admit the calls as the format `json` writes them; see `written`."""
        return [object_schema(action=enum_schema(t.name), arguments=t.parameters) for t in self.tools()]

    def merge_calls(self, calls: list[Call | Refused]) -> list[Call | Refused]:
        """Calls of one reply, with those put together that are one action only together."""
        return calls

    @final
    def schema(self, per_reply: int = 1) -> dict[str, Any]:
        """JSON schema of one reply in the format `json`, for servers that can constrain a model's output.

        Used only by profiles with `structured: true`; the published protocol never constrains a model.
        """
        options = [*self.call_schemas(), *([object_schema(action=enum_schema(FINISH.name))] if self.may_finish else [])]
        one = options[0] if len(options) == 1 else {"anyOf": options}
        if per_reply == 1:
            return one
        return object_schema(actions={"type": "array", "items": one, "minItems": 1, "maxItems": per_reply})

    def to_json(self, call: Call) -> dict[str, Any]:
        """A call as an object of the format `json`."""
        return {"action": call.name, "arguments": call.arguments}

    def example(self) -> Call:
        """The example of the output-format section."""
        return self.random_call(Random(0))

    def idle_call(self) -> Call | None:
        """A call that does nothing but let time pass; None if there is none."""
        return None

    def call_from_text(self, words: str) -> Call | None:
        """The call for a semantic control said in words (`reveal_cell c4`), which is how scripted players speak; None
        if it does not begin with one."""
        return None

    def describe(self, call: Call | Refused, parsed: Parsed) -> str:
        """A call and what it came to, in one short line and in the model's own coordinates, for its memory."""
        return called(call.name, call.arguments) if isinstance(call, Call) else ""

    @classmethod
    def format_name(cls, spec: ModelSpec) -> str:
        """The format in which a model answers through this space."""
        return spec.semantic_format


def bare_name(name: str) -> str:
    """A tool's name as it was offered: `functions.move_up:0` is how Kimi numbers its calls of `move_up`, and
    `default_api.move_up` is how Gemini may say it."""
    return re.sub(r"^(?:functions\.|default_api[.:])|:\d{1,6}$", "", name.strip())


def called(name: str, arguments: Any) -> str:
    """A name and its arguments as they were given, in one line."""
    given = as_arguments(arguments) or {}
    if REASONING in given:  # stands beside the action, not in it
        arguments = {k: v for k, v in given.items() if k != REASONING}
    said = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{name} {storable(said)}"


def object_schema(**properties: Any) -> dict[str, Any]:
    """JSON schema of an object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def enum_schema(*allowed: str) -> dict[str, Any]:
    """JSON schema of one of these words."""
    return {"type": "string", "enum": list(allowed)}


FINISH = Tool("finish", "Say that the task is done; nothing is played after it.", object_schema())
