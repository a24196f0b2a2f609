"""Where a reply thinks, and where it speaks."""

from __future__ import annotations

import re
from typing import Literal

_NAMES = r"(?:(?:seed:)?think(?:ing)?(?:_never_used_\w{1,64})?)"
_MARK = re.compile(rf"<(/?){_NAMES}>|◁(/?)think▷", re.IGNORECASE)


def without_thinking(text: str) -> tuple[str, str, Literal["", "start", "end"]]:
    """A text split into what is said outside its thinking, the thinking, and which bound of a thought is missing: the
    "end" of the last one, the "start" of the first, or none ("").

    An end without a start closes a thought that the model's template began, unless nothing comes after it: then it
    was put behind what was said, and ends nothing.
    """
    said: list[str] = []
    thought: list[str] = []
    at = begun = depth = 0
    closed, missing = None, ""
    for mark in _MARK.finditer(text):
        if not (mark[1] or mark[2]):
            if not depth:
                said.append(text[at : mark.start()])
                begun, closed = mark.end(), None
            depth += 1
        elif depth:
            depth -= 1
            closed = mark
            if not depth:
                thought.append(text[begun : mark.start()])
                at, closed = mark.end(), None
        else:
            before = "".join([*said, text[at : mark.start()]])
            if not thought and text[mark.end() :].strip():
                thought.append(before)
                said, missing = [], "start"
            else:
                said = [before]
            at = mark.end()
    if not depth:
        return "".join([*said, text[at:]]), _joined(thought), missing
    if closed is not None:  # thoughts in one another, with fewer ends than starts
        thought.append(text[begun : closed.start()])
        return "".join([*said, text[closed.end() :]]), _joined(thought), ""
    return "".join(said), _joined([*thought, text[begun:]]), "end"


def _joined(thoughts: list[str]) -> str:
    return "\n".join(t for t in (_MARK.sub("", t).strip() for t in thoughts) if t)
