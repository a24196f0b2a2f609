"""Finds the answer of a reply whose server took all of it for reasoning.

Servers that split reasoning from the answer lose the split when a model's mark is missing. The answer is then the end
of the reasoning. It is written into the text as an answer after an unfinished thought, which every format reads by its
own rules: a call in the middle of a thought stays a thought.
"""

from __future__ import annotations

import json
import re

from gwray.agents.formats.answers import is_dismissed
from gwray.records import Reply

NOTE = "the call was read from the reasoning, where the server had put it"
_START, _END = "<think>", "</think>"
_MARKED = re.compile(r"<(?:\|tool_|tool_call|seed:|xai:function_call|invoke|function)", re.IGNORECASE)
_SECTION = re.compile(
    r"(?:<[|｜](?:tool[▁_]calls?|DSML)[^<>]*>|<(?:minimax:tool_call|function_calls)>|\[TOOL_CALLS\]"
    r"|<\|channel\|>\s*\w+\s+to=)(?:(?!\[/?THINK\]|\n\n\w).)*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""The calls at the end of a text, in templates whose first mark stands before all of them."""
_ACTION = re.compile(r"(?:^|\n)\s*\**action\s*\**\s*[:\uff1a]\**\s*[a-z_]\w*\s*\([^\n]*\)\s*\Z", re.IGNORECASE)
_TAIL = 4000


def answer_in(reasoning: str) -> str:
    """Returns the text of a reply that has nothing but reasoning: the reasoning with its end as the answer, or an empty
    string if it does not end with a call."""
    end = reasoning.rstrip()
    tail = end[-_TAIL:]
    section = _SECTION.search(tail)
    if section and is_dismissed(tail, section.start(), len(tail)):
        return ""
    if section and tail.endswith((">", "}", "]")):
        at = len(end) - len(tail) + section.start()
        return f"{_START}{reasoning[:at]}{_END}{reasoning[at:]}"
    if (_MARKED.search(tail) and tail.endswith((">", "}"))) or _ACTION.search(tail):
        return _START + reasoning
    body = tail.removesuffix("```").rstrip()
    begun = [m.start() for m in re.finditer(r"\{", body)][:200] if body.endswith("}") else []
    for at in begun:
        try:
            _, stop = json.JSONDecoder(strict=False).raw_decode(body, at)
        except (ValueError, RecursionError):
            continue
        if stop == len(body):
            cut = len(end) - len(tail) + at
            return f"{_START}{reasoning[:cut]}{_END}{reasoning[cut:]}"
    return ""


def is_misplaced(reply: Reply) -> bool:
    """Whether `answer_in` made the text of a reply."""
    return bool(reply.reasoning) and reply.text.replace(_END, "", 1) == _START + reply.reasoning
