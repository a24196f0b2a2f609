"""The contract of an action space: everything that depends on how one role acts.

An action space provides the text about acting in the prompt, the function tools and the JSON schema, the meaning of
calls, random calls, and how the memory repeats an action. It does not decide what a role may do: `check_action` checks
the actions of all spaces.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, final

from gwray.agents.calls import Call, Parsed, Refused
from gwray.agents.coordinates import Grid
from gwray.agents.formats import REASONING
from gwray.agents.formats.loose_json import as_arguments
from gwray.agents.legality import check_action
from gwray.agents.messages import Tool
from gwray.agents.spaces.repair import repaired_call
from gwray.catalog import Role
from gwray.records import Action, storable
from gwray.settings import Durations, ModelSpec


class ActionSpace(ABC):
    """How one role acts. Subclasses implement `tools`, `parse` and `random_call`, and may override the rest.

    Args:
        role: the role, with its controls, keys and mouse.
        viewport: width and height of the screen in pixels.
        grid: the coordinates in which the model answers.
        durations: "free": a reply may say how long an input lasts; "fixed": the role's duration applies.
        may_finish: whether the task allows the agent to declare it done.

    Example, chosen with `interface=my_package.Compass`:

        from gwray.records import PressKey
        from gwray.agents import ActionSpace, Call, Parsed, Refused, Tool, object_schema

        class Compass(ActionSpace):
            def tools(self):
                way = {"type": "string", "enum": ["north", "south"]}
                return (Tool("go", "Go one step.", object_schema(way=way)),)

            def parse(self, call):
                way = self.arguments(call).get("way")
                key = {"north": "ArrowUp", "south": "ArrowDown"}.get(str(way))
                return Parsed(PressKey(key=key)) if key else Refused(f"there is no way '{way}'")

            def random_call(self, rng):
                return Call("go", {"way": rng.choice(["north", "south"])})
    """

    needs_image: ClassVar[bool] = False
    """Whether calls refer to an image, so that observations without images are refused."""
    name: ClassVar[str] = ""
    """Key of `Format.templates`; empty for the template of any space."""
    section: ClassVar[str] = "calls.jinja"
    """Text about acting in the prompt, a Jinja template: the name of a file in `prompts/` (`….jinja`), or the text
    itself. See `gwray.agents.prompts` for its variables."""
    plain_calls: bool = False
    """Whether a model's own calls are written without JSON where it reads them again."""

    def __init__(
        self, role: Role, viewport: tuple[int, int], grid: Grid, durations: Durations = "free", may_finish: bool = False
    ):
        self.role, self.viewport, self.grid, self.durations = role, viewport, grid, durations
        self.may_finish = may_finish

    @abstractmethod
    def tools(self) -> tuple[Tool, ...]:
        """Returns one function tool for each kind of call."""

    @abstractmethod
    def parse(self, call: Call) -> Parsed | Refused:
        """Returns the action of a call. Pure, and never raises for anything that a model wrote.

        Args:
            call: name and arguments as the model wrote them; see `arguments`.

        Returns:
            `Parsed` with an action whose points are viewport pixels, or `Refused` with the reason. Whether the role may
            do it is checked afterwards.
        """

    @abstractmethod
    def random_call(self, rng: Random) -> Call:
        """Returns a random call, drawn from everything that the role can do. Use no other source of randomness."""

    @final
    def arguments(self, call: Call) -> dict[str, Any]:
        """Returns the arguments of a call by name, from an object or from JSON text; empty if it has neither."""
        return as_arguments(call.arguments) or {}

    @final
    def offered_tools(self) -> tuple[Tool, ...]:
        """Returns the tools, including `finish` where the task allows it."""
        return (*self.tools(), FINISH) if self.may_finish else self.tools()

    @final
    def is_finish(self, call: Call | Refused) -> bool:
        """Whether a call declares the task done, and the task allows that."""
        return self.may_finish and isinstance(call, Call) and self.means_done(replace(call, name=bare_name(call.name)))

    @final
    def to_action(self, call: Call | Refused) -> Parsed | Refused:
        """Returns the action of a call, normalized and checked against the role."""
        parsed = self.parse(replace(call, name=bare_name(call.name))) if isinstance(call, Call) else call
        if isinstance(parsed, Refused):
            return parsed
        if isinstance(call, Call) and (doubt := self.doubt(parsed.action, call)):
            return Refused(doubt, parsed.control)
        legal = check_action(parsed.action, self.role, self.viewport)
        if isinstance(legal, Refused):
            return replace(legal, control=parsed.control)
        return replace(legal, control=parsed.control, note="; ".join(n for n in (parsed.note, legal.note) if n))

    @final
    def is_alone(self, found: Parsed | Refused) -> bool:
        """Whether a call names a control that is the only action of its reply."""
        control = self.role.control(found.control or "")
        return control is not None and control.alone

    def means_done(self, call: Call) -> bool:
        """Whether a call declares the task done; only called where the task allows it."""
        return call.name.lower() == FINISH.name

    def call_schemas(self) -> list[dict[str, Any]]:
        """Returns JSON schemas of all kinds of calls in the format `json`; see `to_json`."""
        return [object_schema(action=enum_schema(t.name), arguments=t.parameters) for t in self.tools()]

    def call_patterns(self) -> list[str]:
        """Returns regular expressions of all kinds of calls in the format `sections`."""
        return [rf"{t.name}\([^\n()#]{{0,200}}\)" for t in self.offered_tools()]

    def merge_calls(self, calls: list[Call | Refused]) -> list[Call | Refused]:
        """Returns the calls of one reply, after merging those that form one action, such as button down and up."""
        return calls

    def doubt(self, action: Action, call: Call) -> str:
        """Returns why a possible action cannot be what the model meant; empty if it can."""
        return ""

    def repair_calls(self, calls: list[Call | Refused]) -> list[Call | Refused]:
        """Returns the calls of one reply, each impossible one repaired as far as that leaves one meaning."""
        return [c if self.is_finish(c) or isinstance(self.to_action(c), Parsed) else self.repair(c) for c in calls]

    def known_calls(self) -> Mapping[str, Sequence[str] | None]:
        """Returns the names of all possible calls with their parameters; None: see `repaired_call`."""
        return {t.name: list(t.parameters.get("properties", {})) for t in self.offered_tools()}

    def repair(self, call: Call | Refused) -> Call | Refused:
        """Returns a refused call with its name and arguments as the role has them, if they differ in spelling only."""
        if isinstance(call, Refused):
            return call
        return repaired_call(replace(call, name=bare_name(call.name)), self.known_calls()) or call

    @final
    def schema(self, per_reply: int = 1, exact: bool = False) -> dict[str, Any]:
        """Returns the JSON schema of a reply in the format `json` with up to (`exact`: just) `per_reply` actions.

        Only profiles with `structured: true` constrain a model's output by it; the published protocol never does.
        """
        options = [*self.call_schemas(), *([object_schema(action=enum_schema(FINISH.name))] if self.may_finish else [])]
        one = options[0] if len(options) == 1 else {"anyOf": options}
        if per_reply == 1:
            return one
        least = per_reply if exact else 1
        return object_schema(actions={"type": "array", "items": one, "minItems": least, "maxItems": per_reply})

    def to_json(self, call: Call) -> dict[str, Any]:
        """Returns a call as an object of the format `json`."""
        return {"action": call.name, "arguments": call.arguments}

    def example(self) -> Call:
        """Returns the example call of the prompt."""
        return self.random_call(Random(0))

    def idle_call(self) -> Call | None:
        """Returns a call that only lets time pass; None if there is none."""
        return None

    def call_from_text(self, words: str) -> Call | None:
        """Returns the call for a control written as text (`reveal_cell c4`), as scripted players do; None if the text
        does not begin with a control."""
        return None

    def describe(self, call: Call | Refused, parsed: Parsed) -> str:
        """Returns a call and its action in one short line, in the model's own coordinates, for its memory."""
        return format_call(call.name, call.arguments) if isinstance(call, Call) else ""

    @classmethod
    def format_name(cls, spec: ModelSpec) -> str:
        """Returns the name of the format in which a model answers in this space."""
        return spec.semantic_format


def bare_name(name: str) -> str:
    """Returns the name of a tool as it was offered: Kimi calls `move_up` as `functions.move_up:0`, Gemini may call it
    `default_api.move_up`."""
    return re.sub(r"^(?:functions\.|default_api[.:])|:\d{1,6}$", "", name.strip())


def plain_call(name: str, arguments: Any) -> str:
    """Returns a name and its arguments in one line without JSON: `till(count=3)`."""
    given = as_arguments(arguments)
    if given is None:
        return format_call(name, arguments)
    inside = ", ".join(f"{k}={_plain(v)}" for k, v in given.items() if k != REASONING)
    return storable(f"{name}({inside})" if inside else name)


def _plain(value: Any) -> str:
    return (
        value if isinstance(value, str) and not re.search(r"[,()\n]", value) else json.dumps(value, ensure_ascii=False)
    )


def format_call(name: str, arguments: Any) -> str:
    """Returns a name and its arguments, unchanged, in one line."""
    given = as_arguments(arguments) or {}
    if REASONING in given:  # not part of the action
        arguments = {k: v for k, v in given.items() if k != REASONING}
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{name} {storable(text)}"


def object_schema(**properties: Any) -> dict[str, Any]:
    """Returns the JSON schema of an object with exactly these properties."""
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def enum_schema(*allowed: str) -> dict[str, Any]:
    """Returns the JSON schema of one of these strings."""
    return {"type": "string", "enum": list(allowed)}


FINISH = Tool("finish", "Say that the task is done; nothing is played after it.", object_schema())
