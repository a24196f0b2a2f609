"""Finds the answer of a reply whose server took all of it for reasoning.

Servers that split reasoning from the answer lose the split when a model's mark is missing. The answer is then the end
of the reasoning. It is written into the text as an answer after an unfinished thought, which every format reads by its
own rules: a call in the middle of a thought stays a thought.
"""

from __future__ import annotations

import json
import re

from gwray.records import Reply

NOTE = "the call was read from the reasoning, where the server had put it"
_START, _END = "<think>", "</think>"
_MARKED = re.compile(r"<(?:\|tool_|tool_call|seed:|xai:function_call|invoke|function)", re.IGNORECASE)
_ACTION = re.compile(r"(?:^|\n)\s*\**action\s*\**\s*[:\uff1a]\**\s*[a-z_]\w*\s*\([^\n]*\)\s*\Z", re.IGNORECASE)
_TAIL = 4000


def answer_in(reasoning: str) -> str:
    """Returns the text of a reply that has nothing but reasoning: the reasoning with its end as the answer, or an empty
    string if it does not end with a call."""
    end = reasoning.rstrip()
    tail = end[-_TAIL:]
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
