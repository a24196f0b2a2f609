"""Text from strangers with nothing in it that acts: control characters, those that turn a line around, and halves of
surrogate pairs are spelled out, wherever it is shown."""

from __future__ import annotations

import re

_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """The text as it can be shown; tabs and line ends stay."""
    return _UNSEEN.sub(lambda m: f"⟦U+{ord(m.group()):04X}⟧", text)
