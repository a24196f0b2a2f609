"""UI-TARS text: `Thought: …` and then `Action: click(point='<point>x y</point>')`.

The same reader serves every grid: UI-TARS-1.5 answers in pixels of the resized image, Seed on a 0–1000 grid; which
one it is, the profile's image grid says. Written here because the action text needs more forgiveness, and a stricter
end, than existing readers give it.
"""

from __future__ import annotations

import re

from gwray.actions import Action
from gwray.agents.coordinates import Grid
from gwray.agents.formats.base import ControlCall, NoCall, Refused
from gwray.agents.formats.generic import GenericJson, call_in_text, without_thinking
from gwray.agents.formats.verbs import raw_action
from gwray.records import Reply

_LABEL = re.compile(r"(?:^|\n)\s*\**action\s*\d*\**\s*[:\uff1a]\**\s*", re.IGNORECASE)
_THOUGHT = re.compile(
    r"(?:thought|reflection|action_summary)\**\s*[:\uff1a]\**\s*(.*?)(?=\n\s*\**action\s*\d*\**\s*[:\uff1a]|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_CALL = re.compile(r"\b([A-Za-z_]\w{0,40})\s*\(")
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


class UiTars:
    """`Thought:`/`Action:` text."""

    def control(self, reply: Reply) -> ControlCall | NoCall | Refused:
        found = self._find(reply)
        return found if isinstance(found, NoCall) else ControlCall(*found)

    def raw(self, reply: Reply, grid: Grid) -> Action | NoCall | Refused:
        found = self._find(reply)
        if isinstance(found, NoCall):
            return found
        verb, arguments = found
        return raw_action(verb, arguments, grid)

    def thought(self, reply: Reply) -> str:
        after, thought, open_ = without_thinking(reply.text)
        said = _THOUGHT.search(after) if not open_ else None
        return reply.reasoning or thought or (said[1].strip() if said else "")

    def _find(self, reply: Reply) -> tuple[str, dict[str, object]] | NoCall:
        after, _, open_ = without_thinking(reply.text)
        after = _SEED_TAG.sub("\n", after)
        label = _LABEL.search(after)
        if open_ and label is None:
            return NoCall("the reply was cut off before its action")
        body = after[label.end() :] if label else after
        call = _CALL.search(body)
        # Without the label only a line that is nothing but a call counts; prose often has words before a bracket.
        if call and (label or not after[: after.find(call[0])].rpartition("\n")[2].strip()):
            arguments = _arguments(body[call.end() :])
            if arguments is None:
                return NoCall("the reply was cut off inside its action")
            return call[1], _named(call[1].lower(), arguments)
        if label is None and call_in_text(after, cut=False):
            found = GenericJson().control(reply)
            if isinstance(found, ControlCall) and isinstance(found.arguments, dict):
                return found.name, found.arguments
        if label:
            word = body.strip().split("\n", 1)[0].strip(" `*.\"'")
            if re.fullmatch(r"[A-Za-z_]\w{0,40}", word):
                return word, {}
            return NoCall("the action line is no call")
        return NoCall("the reply has no action line" if reply.text.strip() else "the reply is empty")


def _named(verb: str, arguments: list[tuple[str, str]]) -> dict[str, object]:
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


def _arguments(text: str) -> list[tuple[str, str]] | None:
    """Name and value of each argument up to the closing bracket; None if the text ends before it.

    A value is quoted, or runs to the next comma outside brackets and tags.
    """
    found: list[tuple[str, str]] = []
    i = 0
    while i < len(text):
        head = _ARGUMENT.match(text, i)
        name, i = (head[1] or "", head.end()) if head else ("", i)
        if i >= len(text):
            return None
        if text[i] in "'\"":
            read = _quoted(text, i)
            if read is None:
                return None
            value, i = read
            quoted = True
        else:
            value, i = _unquoted(text, i)
            quoted = False
        if i >= len(text):
            # A last bracket that is missing after a closed quote leaves nothing open to doubt.
            return [*found, (name, value)] if quoted else None
        if value.strip() or name or quoted:
            found.append((name, value if quoted else value.strip()))
        while i < len(text) and text[i] in " \t\n":
            i += 1
        if i >= len(text):
            return found if quoted else None
        if text[i] == ")":
            return found
        if text[i] in ",]":  # a bracket that nothing opened is passed over
            i += 1
        else:
            return found  # something that is no argument follows a closing quote
    return None


def _quoted(text: str, i: int) -> tuple[str, int] | None:
    """A quoted value and the position after its closing quote. A quote inside a word does not close it."""
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
    """An unquoted value and the position of the comma or bracket after it."""
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
