"""UI-TARS text: `Thought: …` and then `Action: click(point='<point>x y</point>')`.

The same parser serves every grid: UI-TARS-1.5 answers in pixels of the resized image, Seed on a 0–1000 grid; the
profile's image grid says which. Existing parsers are too strict about the action text and too lenient about its end.
"""

from __future__ import annotations

import re
from typing import ClassVar

from gwray.agents.calls import MAX_CALLS, Call, NoCall, Refused
from gwray.agents.formats.base import Format, split_thinking, was_cut
from gwray.agents.formats.in_text import bare_calls, is_decided, marked_calls
from gwray.records import Reply

LABEL = re.compile(r"(?:^|\n)[ \t]*\**action[ \t]*\d*\**[ \t]*[:\uff1a]\**\s*", re.IGNORECASE)
_THOUGHT = re.compile(
    r"(?:thought|reflection|action_summary)\**\s*[:\uff1a]\**\s*(.*?)(?=\n[ \t]*\**action\s*\d*\**\s*[:\uff1a]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_CALL = r"[ \t`*\"']{0,20}(?:\w{1,40}\.){0,4}([A-Za-z_]\w{0,40})[ \t]*\("
_CALL_HERE, _CALL_LINE = re.compile(_CALL), re.compile(rf"^{_CALL}", re.MULTILINE)
_FURTHER = r"[ \t]*(?:\**action\s*\d*\**\s*[:\uff1a]\**\s*)?([A-Za-z_]\w{0,40})\s*\("
_SAME_LINE, _NEXT_LINE = (re.compile(begins + _FURTHER, re.IGNORECASE) for begins in (r"[ \t]*[;,]?", r"\n"))
"""A further call follows directly, or starts a line, with or without the label."""
_ARGUMENT = re.compile(r"\s*(?:([A-Za-z_]\w*)\s*=\s*)?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "'": "'", '"': '"', "\\": "\\"}
_SEED_TAG = re.compile(r"</?(?:gui_?action|seed:tool_call|answer|action)>", re.IGNORECASE)

POSITIONAL = {
    "type": "content",
    "hotkey": "key",
    "press": "key",
    "press_key": "key",
    "key": "key",
    "wait": "time",
    "drag": "start_box",
    "scroll": "start_box",
    "finished": "content",
}


class UiTars(Format):
    """`Thought:`/`Action:` text."""

    templates: ClassVar = {"*": "call_uitars.jinja", "computer_use": "computer_uitars.jinja"}
    durations: ClassVar = False

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        answer, thought, missing = split_thinking(reply.text)
        if found := marked_calls(answer, was_cut(reply)):
            return found
        if missing == "end" and not answer.strip():
            # If an action line comes last, the model forgot to end the thought.
            last = [*LABEL.finditer(thought)][-1:]
            if was_cut(reply) or not last or "\n" in thought[last[0].end() :].strip():
                return NoCall("the reply was cut off before its action")
            answer = thought[last[0].start() :]
        answer = _SEED_TAG.sub("\n", answer)
        label = LABEL.search(answer)
        if label is None and (found := bare_calls(answer)) and _has_arguments(found[0]):
            return found
        call = _CALL_HERE.match(answer, label.end()) if label else _CALL_LINE.search(answer)
        if call:
            found, end = _calls(answer, call)
            if found and not is_decided(answer, call.start(1), end):
                return NoCall("the call is quoted, negated or considered only")
            return found or NoCall("the reply was cut off inside its action")
        if label:
            return NoCall("the action line is no call")
        return NoCall("the reply has no action line" if reply.text.strip() else "the reply is empty")

    def parse_reasoning(self, reply: Reply) -> str:
        answer, thought, _ = split_thinking(reply.text)
        found = _THOUGHT.search(answer)
        return reply.reasoning or thought or (found[1].strip() if found else "")


def _has_arguments(call: Call | Refused) -> bool:
    return isinstance(call, Call) and isinstance(call.arguments, dict)


def _calls(body: str, call: re.Match[str] | None) -> tuple[list[Call | Refused], int]:
    """Returns the call that begins at `call` and those after it, up to one that was cut off, and their end."""
    found: list[Call | Refused] = []
    at = 0
    while call and len(found) < MAX_CALLS:
        arguments, end = read_arguments(body, call.end())
        if arguments is None:
            break
        found.append(Call(call[1], named_arguments(call[1].lower(), arguments)))
        at = end
        call = _SAME_LINE.match(body, end) or _NEXT_LINE.search(body, end)
    return found, at


def named_arguments(verb: str, arguments: list[tuple[str, str]]) -> dict[str, object]:
    """Returns the arguments of a call by lower-case name. Those without a name ("") get the name that the verb implies:
    numbers form a point, four numbers of a drag form two points."""
    named: dict[str, object] = {}
    numbers: list[str] = []
    for name, value in arguments:
        if name:
            named[name.lower()] = value
        elif re.fullmatch(r"[-+]?\d+(\.\d+)?", value.strip()):
            numbers.append(value)
        else:
            named.setdefault(POSITIONAL.get(verb, "start_box"), value)
    if numbers:
        if verb in POSITIONAL and len(numbers) == 1:
            named.setdefault(POSITIONAL[verb], numbers[0])
        elif len(numbers) == 4 and verb == "drag":
            named.update(start_box=numbers[:2], end_box=numbers[2:])
        else:
            named.setdefault("start_box", numbers)
    return named


def read_arguments(text: str, i: int) -> tuple[list[tuple[str, str]] | None, int]:
    """Returns name and value of each argument up to the closing bracket, and its position; None if it is missing.

    A value is quoted, or runs to the next comma outside brackets and tags.
    """
    found: list[tuple[str, str]] = []
    while i < len(text):
        head = _ARGUMENT.match(text, i)
        name, i = (head[1] or "", head.end()) if head else ("", i)
        if i >= len(text):
            return None, i
        if text[i] in "'\"":
            quoted_value = _quoted(text, i)
            if quoted_value is None:
                return None, i
            value, i = quoted_value
            quoted = True
        else:
            value, i = _unquoted(text, i)
            quoted = False
        if i >= len(text):
            # A missing last bracket after a closed quote is unambiguous.
            return ([*found, (name, value)] if quoted else None), i
        if value.strip() or name or quoted:
            found.append((name, value if quoted else value.strip()))
        after = i
        while i < len(text) and text[i] in " \t\n":
            i += 1
        if i >= len(text):
            return (found if quoted else None), i
        if text[i] == ")":
            return found, i + 1
        if text[i] in ",]":  # skip a bracket that was never opened
            i += 1
        else:
            return found, after  # text after a closing quote that is not an argument
    return None, i


def _quoted(text: str, i: int) -> tuple[str, int] | None:
    """Returns a quoted value and the position after its closing quote. A quote inside a word does not close it."""
    quote, out, k = text[i], [], i + 1
    while k < len(text):
        char = text[k]
        if char == "\\" and k + 1 < len(text):
            out.append(_ESCAPES.get(text[k + 1], text[k + 1]))
            k += 2
            continue
        if char == quote:
            rest = text[k + 1 :].lstrip()
            if not rest or rest[0] in ",)" or rest[0] == "\n":
                return "".join(out), k + 1
        out.append(char)
        k += 1
    return None


def _unquoted(text: str, i: int) -> tuple[str, int]:
    """Returns an unquoted value and the position of the comma or bracket after it."""
    depth, k = 0, i
    while k < len(text):
        char = text[k]
        if char in "([":
            depth += 1
        elif char in ")]":
            if depth == 0:
                break
            depth -= 1
        elif char == "," and depth == 0:
            break
        elif char == "<" and (tag := re.match(r"<\|?(\w+)\|?>[^<]{0,80}<\|?/?\w+\|?>", text[k:])):
            k += tag.end()
            continue
        k += 1
    return text[i:k], k
