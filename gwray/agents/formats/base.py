"""What a format is: one way of writing calls, and the words that ask a model to write them so."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, ClassVar, Literal

from gwray.agents.calls import Call, NoCall, Refused
from gwray.records import Reply, ToolCall


class Format(ABC):
    """One way of writing calls. Its methods are pure and raise nothing, whatever the reply says.

    A format knows neither games nor controls: `{"action": "fly"}` is a call, and whether anybody can fly is the action
    space's answer. Example of a whole one, chosen by `semantic_format: my_package.Shout`:

        class Shout(Format):
            templates = {"*": "Shout exactly one control: !{{ example.name }}!"}

            def parse_calls(self, reply):
                found = [Call(name) for name in re.findall(r"!(\\w+)!", reply.text)]
                return found or NoCall("nobody shouts")

            def reasoning_of(self, reply):
                return reply.reasoning
    """

    templates: ClassVar[Mapping[str, str]]
    """The output-format section by the name of an action space, `*` for all others: the name of a file in `prompts/`
    (`….jinja`), or the text itself. See `gwray.agents.prompts` for what it can name."""
    offers: ClassVar[Literal["words", "tools", "computer"]] = "words"
    """What the request must offer: words alone, the action space's function tools, or the provider's computer tool."""
    durations: ClassVar[bool] = True
    """Whether its section tells how to say how long an input is held."""
    hold_hint: ClassVar[str] = ""
    """How a mouse button is held, where that is no call of the section's list: a sentence for the prompt."""

    @abstractmethod
    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        """All calls of a reply, in the order in which they were written, at least one; `NoCall` says why there is none.

        `Refused` stands for a call that no action space could allow, such as one of a tool that was never offered.
        What was cut off in the middle is no call.
        """

    @abstractmethod
    def parse_reasoning(self, reply: Reply) -> str:
        """What the model wrote besides its calls."""


CUT = frozenset({"length", "max_tokens", "max_output_tokens", "incomplete", "MAX_TOKENS"})
"""Finish reasons of a reply that was cut off."""


def was_cut(reply: Reply) -> bool:
    """Did the provider stop the reply before the model was done?"""
    return reply.finish_reason in CUT


def tool_calls(reply: Reply) -> list[Call | Refused]:
    """The calls that the provider took out of the text, up to one that was cut off."""
    return [Call(c.name, c.arguments) for c in complete_calls(reply)]


def complete_calls(reply: Reply) -> list[ToolCall]:
    """The provider's calls, up to one whose arguments are unfinished text because the reply was cut."""
    return list(takewhile(lambda c: not (was_cut(reply) and _unfinished(c.arguments)), reply.tool_calls))


def _unfinished(arguments: Any) -> bool:
    if not isinstance(arguments, str):
        return False
    try:
        json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return True
    return False
