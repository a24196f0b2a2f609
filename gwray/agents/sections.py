"""Replies in sections: `### Header` on a line, then its text.

Models write headers in many ways (`## Subtask:`, `**### Self reflection**`); names are compared without case, spaces,
hyphens and underscores.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gwray.agents.spaces import ActionSpace

_HEADER = re.compile(
    r"^[ \t>*]*#{1,6}[ \t]*\**[ \t]*([A-Za-z][\w \t-]{0,40}?)[ \t]*\**[ \t]*(?::[ \t]*(.*))?$", re.MULTILINE
)
_TEXT = r"[^#]{1,1500}"
"""Regular expression of the text under a header in a guided reply."""
_PROGRAM = r"```javascript\n(?:[^`]|`[^`]){1,5000}\n```"
"""Regular expression of a program in a guided reply."""


def section_key(name: str) -> str:
    """Returns the form in which names of sections are compared."""
    return re.sub(r"[\s_-]+", "", name.casefold())


def read_sections(text: str) -> dict[str, str]:
    """Returns the text of each section by `section_key`; of two with one name the last. Text before the first header is
    under "". Never raises."""
    found: dict[str, str] = {}
    key, begin, rest = "", 0, ""
    for header in _HEADER.finditer(text):
        found[key] = f"{rest}\n{text[begin : header.start()]}".strip()
        key, begin, rest = section_key(header[1]), header.end(), header[2] or ""
    found[key] = f"{rest}\n{text[begin:]}".strip()
    return found


def sections_pattern(names: Sequence[str]) -> str:
    """Returns a regular expression of replies with exactly these sections, for servers that constrain a model."""
    return "\\n".join(f"### {name}\\n{_TEXT}" for name in names)


def actions_pattern(space: "ActionSpace", per_reply: int, exact: bool) -> str:
    """Returns a regular expression of replies in the format `sections`, with calls that the space lists."""
    if any(c.code for c in space.role.controls):
        return f"### Reasoning\n{_TEXT}\n### Actions\n{_PROGRAM}"
    call = f"(?:{'|'.join(space.call_patterns())})"
    more = per_reply - 1
    lines = f"{call}(?:\\n{call}){{{more if exact else 0},{more}}}" if more else call
    return f"### Reasoning\n{_TEXT}\n### Actions\n{lines}"
