"""The contract of a text format: how a model writes calls, and the prompt text that asks for them."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, ClassVar, Literal

from gwray.agents.calls import Call, NoCall, Refused
from gwray.agents.finish_reasons import finish_kind
from gwray.records import Reply, ToolCall


class Format(ABC):
    """One way of writing calls. Methods are pure and never raise for anything that a model wrote.

    A format knows neither games nor controls: `{"action": "fly"}` is a call, and the action space decides whether
    flying is possible. A model profile chooses a format for each interface (`semantic_format`, `computer_use_format`).

    Example, chosen with `semantic_format: my_package.Shout`:

        import re
        from gwray.agents import Call, Format, NoCall

        class Shout(Format):
            templates = {"*": "Shout exactly one control: !{{ example.name }}!"}

            def parse_calls(self, reply):
                found = [Call(name) for name in re.findall(r"!(\\w+)!", reply.text)]
                return found or NoCall("the reply has no shout")

            def parse_reasoning(self, reply):
                return reply.reasoning
    """

    templates: ClassVar[Mapping[str, str]]
    """Output-format section of the prompt by the name of an action space, `*` for all others: the name of a file in
    `prompts/` (`….jinja`), or the text itself. See `gwray.agents.prompts` for its variables."""
    offers: ClassVar[Literal["words", "tools", "computer"]] = "words"
    """What a request offers: text only, the action space's function tools, or the provider's computer tool."""
    guided: ClassVar[Literal["schema", "pattern", "none"]] = "schema"
    """How a server constrains the replies of a profile with `structured: true`: by the JSON schema of the action space,
    for self-hosted models by a regular expression of the sections, or not at all."""
    durations: ClassVar[bool] = True
    """Whether its section explains how to say how long an input is held."""
    hold_hint: ClassVar[str] = ""
    """A sentence of the prompt on how to hold a mouse button, if that is not one of the listed calls."""

    @abstractmethod
    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        """Returns all calls of a reply, in the order in which they were written.

        Args:
            reply: text, reasoning and tool calls of a model.

        Returns:
            At least one `Call`, or `Refused` for a call that no action space could allow, such as one of a tool that
            was not offered; or `NoCall` with the reason why there is none. A call that was cut off does not count.
        """

    @abstractmethod
    def parse_reasoning(self, reply: Reply) -> str:
        """Returns the text of a reply other than its calls; it becomes part of the memory."""


def was_cut(reply: Reply) -> bool:
    """Whether the provider stopped the reply before the model was done."""
    return finish_kind(reply.finish_reason) == "truncated"


def tool_calls(reply: Reply) -> list[Call | Refused]:
    """Returns the calls that the provider parsed, up to one that was cut off."""
    return [Call(c.name, c.arguments) for c in complete_calls(reply)]


def complete_calls(reply: Reply) -> list[ToolCall]:
    """Returns the provider's calls, up to one whose arguments are incomplete because the reply was cut off."""
    return list(takewhile(lambda c: not (was_cut(reply) and _incomplete(c.arguments)), reply.tool_calls))


def _incomplete(arguments: Any) -> bool:
    if not isinstance(arguments, str):
        return False
    try:
        json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return True
    return False


_THINK = r"(?:(?:seed:)?think(?:ing)?(?:_never_used_\w{1,64})?)"
_MARK = re.compile(rf"<(/?){_THINK}>|◁(/?)think▷", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str, Literal["", "start", "end"]]:
    """Splits a text into its answer and its thinking.

    An end mark without a start closes a thought that the model's template began, unless no text follows it.

    Returns:
        The answer, the thinking, and which mark of a thought is missing: the "end" of the last one, the "start" of the
        first one, or none ("").
    """
    answer: list[str] = []
    thought: list[str] = []
    at = begun = depth = 0
    last = len(text.rstrip())
    closed, missing = None, ""
    for mark in _MARK.finditer(text):
        if not (mark[1] or mark[2]):
            if not depth:
                answer.append(text[at : mark.start()])
                begun, closed = mark.end(), None
            depth += 1
        elif depth:
            depth -= 1
            closed = mark
            if not depth:
                thought.append(text[begun : mark.start()])
                at, closed = mark.end(), None
        else:
            answer.append(text[at : mark.start()])
            if not thought and mark.end() < last:
                thought.append("".join(answer))
                answer, missing = [], "start"
            at = mark.end()
    if not depth:
        return "".join([*answer, text[at:]]), _join_thoughts(thought), missing
    if closed is not None:  # nested thoughts with fewer ends than starts
        thought.append(text[begun : closed.start()])
        return "".join([*answer, text[closed.end() :]]), _join_thoughts(thought), ""
    return "".join(answer), _join_thoughts([*thought, text[begun:]]), "end"


def _join_thoughts(thoughts: list[str]) -> str:
    return "\n".join(t for t in (_MARK.sub("", t).strip() for t in thoughts) if t)
