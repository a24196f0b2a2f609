"""A scripted player for A Fair Trial: knows both cases, and takes the shortest way through every part.

It reads the numbered options that `getState()` returns and finds its choice among them.
"""

from __future__ import annotations

from typing import Any

ANSWERS = {
    "Tilda Bracken", "The gilded ladle", "In the cook’s cart", "Corin Vale", "A tuba", "At eight",
}  # fmt: skip
"""Right answers of both quizzes."""
PROOFS = {
    "fair": {"ce1": (2, "programme"), "ce2": (0, "plaster"), "ce3": (1, "weather")},
    "ferry": {"ce1": (2, "log"), "ce2": (0, "slip"), "ce3": (1, "scales")},
}
"""The statement that is a lie, and the evidence that refutes it."""
PRESSED = 1
"""The statement of a first cross-examination that has to be pressed."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the number of the next option."""
    s = state["game_state"]
    return f"choose {_pick(s)}"


def _pick(s: dict[str, Any]) -> int:
    options = [(o["what"], o["id"], o["label"]) for o in s["options"]]

    def number(what: str, id_: str = "") -> int:
        return next(n for n, o in enumerate(options, 1) if o[0] == what and id_ in ("", o[1]))

    for n, (what, _, label) in enumerate(options, 1):
        if what == "answer" and label in ANSWERS:
            return n
    if s["statement"] < 0:
        return number("close" if s["open"] else "ok")
    lie, proof = PROOFS[s["case"]][s["part"]]
    press = s["part"] == "ce1" and s["statement"] == PRESSED and not s["opened"]
    if s["statement"] != lie or press:
        return number("close" if s["open"] else "press" if press else "ok")
    if not s["open"]:
        return number("open")
    return number("present") if s["selected"] == proof else number("select", proof)
