"""Rules that an agent learns while it plays, "Condition -> Action -> Reason", and what a model says to do with them.

A model says it in lines, one an operation; what cannot be understood, or is not allowed, is noted and told to it the
next time, and changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from gwray.agents.notes import Note, Store, words
from gwray.errors import UsageError
from gwray.records import storable

MAX_WORDS = 32
"""Of one rule."""
ARROW = re.compile(r"\s*(?:->|→|=>)\s*")
OPERATION = re.compile(
    r"^[ \t>*#-]*(add|modify|merge|delete|keep)\b[ \t*]*((?:#?\d+[ \t]*(?:,|and|\+)?[ \t]*)*)[ \t*]*:?[ \t*]*(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
NUMBERS = {"add": (0, 0), "modify": (1, 1), "merge": (2, 9), "delete": (1, 9), "keep": (0, 99)}
"""How many rules an operation names, at least and at most."""


@dataclass(frozen=True)
class Ignored:
    """A line of an answer that changed nothing, and why."""

    line: str
    why: str


def rule_of(text: str) -> str:
    """A rule in its one spelling. Raises `ValueError` saying what is wrong with it."""
    parts = [" ".join(p.split()) for p in ARROW.split(storable(text).strip().strip('"`'))]
    if len(parts) != 3 or not all(words(p) for p in parts):
        raise ValueError("a rule is written: Condition -> Action -> Reason")
    if (n := sum(len(p.split()) for p in parts)) > MAX_WORDS:
        raise ValueError(f"a rule has at most {MAX_WORDS} words, this one has {n}")
    return " -> ".join(parts)


def apply(answer: str, rules: Store, allowed: Collection[str], most: int) -> list[Ignored]:
    """Carry out the operations of an answer, in their order: the first `most` that change something.

    `allowed`: of add, modify, merge, delete, keep (which changes nothing). Never raises for what a model says; returns
    what was ignored. A rule that is there already is not added again.
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
                changed = _carry_out(name, [*dict.fromkeys(numbers)], match[3], rules)
            except ValueError as e:
                why = str(e)
            else:
                most -= changed
        if why:
            ignored.append(Ignored(match[0].strip()[:80], why))
    return ignored


def _refusal(name: str, numbers: list[int], rules: Store, allowed: Collection[str]) -> str:
    least, most = NUMBERS[name]
    if name not in allowed:
        return f"allowed are {', '.join(allowed)}"
    if not least <= len(set(numbers)) <= most:
        return f"{name} names {least if least == most else f'{least} or more'} rules by number"
    return next((f"there is no rule {n}" for n in numbers if rules.get(n) is None), "")


def _carry_out(name: str, numbers: list[int], text: str, rules: Store) -> bool:
    if name == "keep":
        return False
    if name == "delete":
        return bool(rules.drop(*numbers))
    rule = rule_of(text)
    if name == "add":
        before = len(rules)
        rules.add(rule)
        return len(rules) != before
    rules.change(numbers[0], rule)
    rules.drop(*numbers[1:])
    return True


def listed(rules: Collection[Note] | Store) -> str:
    """Rules by their numbers, the oldest first."""
    return "\n".join(f"{r.number}. {r.text}" for r in sorted(rules, key=lambda r: r.number))


def read_library(path: str | Path) -> tuple[str, ...]:
    """The rules of an exported library: one a line, `#` begins a comment. Raises `UsageError` naming the line."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(
            f"agent.library '{path}' cannot be read ({e}). `gwray notes RUN KEY -o {path}` writes one."
        ) from e
    rules: dict[str, None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                rules[rule_of(line)] = None
            except ValueError as e:
                raise UsageError(f"agent.library {path}, line {number}: {e} (given: {line.strip()[:80]!r})") from e
    if not rules:
        raise UsageError(f"agent.library '{path}' has no rules. Leave it out to begin with none.")
    return tuple(rules)
