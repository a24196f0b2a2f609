"""Replies in sections: `### Reasoning`, then `### Actions` with one call a line, or with one block of code."""

import re
from typing import ClassVar

from gwray.agents.calls import MAX_CALLS, Call, NoCall, Refused
from gwray.agents.formats.base import Format, split_thinking, was_cut
from gwray.agents.formats.in_text import calls_in_text
from gwray.agents.sections import read_sections
from gwray.records import Reply

_LINE = re.compile(
    r"^[\s>*`-]*(?:\d{1,3}[.)][ \t]*)?`?([A-Za-z_][\w-]{0,63})[ \t]*"
    r"(?:\(((?:[^()]|\([^()]*\))*)\)|:?[ \t]*([^()]*?))[`;.\s]*$"
)
_PROGRAM = re.compile(r"^```\w*[ \t]*\n(.*?\basync\b.*?)^```", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"(\w{1,64})\s*[=:]\s*(\"[^\"]*\"|'[^']*'|[^,]+)")


class Sections(Format):
    """`### Actions` with lines such as `walk_to(x=3, y=4)`, `walk_to 3 4`, or JSON objects as in the format `json`. A
    block of code with an async function is a call of the control `code`; the last block counts."""

    templates: ClassVar = {"*": "call_sections.jinja"}
    guided: ClassVar = "pattern"

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        answer, _, missing = split_thinking(reply.text)
        found = read_sections(answer)
        text = found.get("actions", found.get("action"))
        if text is None:
            cut = was_cut(reply) or missing == "end"
            why = "was cut off before its section" if cut else "has no section"
            return NoCall(f"the reply {why} '### Actions'" if reply.text.strip() else "the reply is empty")
        calls: list[Call | Refused]
        if programs := _PROGRAM.findall(text):
            calls = [Call("code", {"code": programs[-1]})]
        elif "{" in text:
            calls = calls_in_text(reply.model_copy(update={"text": text}))
        else:
            lines = text.splitlines()[: -1 if was_cut(reply) and not text.endswith("\n") else None]
            calls = [_call(m) for m in map(_LINE.match, lines) if m][:MAX_CALLS]
        return calls or NoCall("the section '### Actions' has no action")

    def parse_reasoning(self, reply: Reply) -> str:
        answer, thought, _ = split_thinking(reply.text)
        found = read_sections(answer)
        return reply.reasoning or thought or found.get("reasoning") or found.get("", "")


def _call(line: re.Match[str]) -> Call | Refused:
    name, inside, bare = line[1], line[2], line[3]
    if inside is None:
        return Call(name, _unquoted(bare))
    if named := _NAMED.findall(inside):
        return Call(name, {k: _unquoted(v) for k, v in named})
    return Call(name, " ".join(_unquoted(v) for v in inside.split(",")))


def _unquoted(text: str) -> str:
    return text.strip().strip("\"'`")
