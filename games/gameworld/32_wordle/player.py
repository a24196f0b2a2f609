"""A scripted guesser: keeps the words that fit every answer so far and takes the one that divides them best.

It knows the game's list of words, but not which one is hidden; it reads the guesses and their marks, as on the screen.
"""

from collections import Counter
from pathlib import Path

WORDS = Path(__file__).with_name("words.js").read_text(encoding="utf-8").split("`")[1].split()
FIRST = "raise"


def act(state, role, task):
    """`type_text` with the next guess."""
    board = state["game_state"]["board"]
    typed = state["game_state"]["player"]["typed"]
    fits = [w for w in WORDS if w.startswith(typed) and all(marks(g["word"], w) == g["marks"] for g in board)]
    if not board and not typed:
        return f"type_text {FIRST}"
    best = min(fits or ["wordy"], key=lambda w: (worst(w, fits), w))
    return f"type_text {best[len(typed) :]}"


def worst(guess, fits):
    """Words left on average, times their number."""
    return sum(n * n for n in Counter(tuple(marks(guess, w)) for w in fits).values())


def marks(guess, hidden):
    """What the game would answer."""
    left = [h for g, h in zip(guess, hidden, strict=True) if g != h]
    out = []
    for g, h in zip(guess, hidden, strict=True):
        if g == h:
            out.append("correct")
        elif g in left:
            left.remove(g)
            out.append("present")
        else:
            out.append("absent")
    return out
