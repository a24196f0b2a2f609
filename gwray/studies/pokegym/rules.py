"""Rules that an agent learns, "Condition -> Action -> Reason", and the operations by which a model edits them. A model
writes one operation per line. Lines that cannot be parsed or are not allowed change nothing; the next prompt lists
them."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from gwray.agents import Note, NoteStore, words
from gwray.records import storable

MAX_WORDS = 32
"""Words of one rule."""
ARROW = re.compile(r"\s*(?:->|→|=>)\s*")
OPERATION = re.compile(
    r"^[ \t>*#-]*(add|modify|merge|delete|keep)\b[ \t*]*((?:#?\d+[ \t]*(?:,|and|\+)?[ \t]*)*)[ \t*]*:?[ \t*]*(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
NUMBERS = {"add": (0, 0), "modify": (1, 1), "merge": (2, 9), "delete": (1, 9), "keep": (0, 99)}
"""Minimum and maximum number of rules that an operation names."""


@dataclass(frozen=True)
class Ignored:
    """A line of an answer that changed nothing, and the reason."""

    line: str
    why: str


def parse_rule(text: str) -> str:
    """Returns a rule in canonical form. Raises `ValueError` that says what is wrong with it."""
    parts = [" ".join(p.split()) for p in ARROW.split(storable(text).strip().strip('"`'))]
    if len(parts) != 3 or not all(words(p) for p in parts):
        raise ValueError("a rule is written: Condition -> Action -> Reason")
    if (n := sum(len(p.split()) for p in parts)) > MAX_WORDS:
        raise ValueError(f"a rule has at most {MAX_WORDS} words, this one has {n}")
    return " -> ".join(parts)


def apply(answer: str, rules: NoteStore, allowed: Collection[str], most: int) -> list[Ignored]:
    """Applies the operations of an answer to the rules, in order. Never raises for anything that a model wrote.

    Args:
        answer: the text of the reply, one operation a line.
        rules: the store to change. A rule that it already has is not added again.
        allowed: names of the operations: add, modify, merge, delete, keep (which changes nothing).
        most: maximum number of operations that change something.

    Returns:
        The lines that changed nothing, with the reason.
    """
    ignored: list[Ignored] = []
    found = [*OPERATION.finditer(answer)]
    if answer.strip() and not found:
        ignored.append(Ignored(answer.strip()[:80], "no operation"))
    for match in found:
        name, numbers = match[1].lower(), [int(n) for n in re.findall(r"\d{1,9}", match[2])]
        why = _refusal(name, numbers, rules, allowed)
        if not why and name != "keep" and not most:
            why = "too many changes at once"
        if not why:
            try:
                changed = _apply_operation(name, [*dict.fromkeys(numbers)], match[3], rules)
            except ValueError as e:
                why = str(e)
            else:
                most -= changed
        if why:
            ignored.append(Ignored(match[0].strip()[:80], why))
    return ignored


def _refusal(name: str, numbers: list[int], rules: NoteStore, allowed: Collection[str]) -> str:
    """Returns why an operation is not allowed; empty if it is."""
    least, most = NUMBERS[name]
    if name not in allowed:
        return f"allowed are {', '.join(allowed)}"
    if not least <= len(set(numbers)) <= most:
        return f"{name} names {least if least == most else f'{least} or more'} rules by number"
    return next((f"there is no rule {n}" for n in numbers if rules.get(n) is None), "")


def _apply_operation(name: str, numbers: list[int], text: str, rules: NoteStore) -> bool:
    """Applies one operation. Returns whether it changed a rule."""
    if name == "keep":
        return False
    if name == "delete":
        return bool(rules.drop(*numbers))
    rule = parse_rule(text)
    if name == "add":
        before = len(rules)
        rules.add(rule)
        return len(rules) != before
    rules.change(numbers[0], rule)
    rules.drop(*numbers[1:])
    return True


def numbered(rules: Collection[Note] | NoteStore) -> str:
    """Returns the rules with their numbers, one a line, in order of number."""
    return "\n".join(f"{r.number}. {r.text}" for r in sorted(rules, key=lambda r: r.number))
