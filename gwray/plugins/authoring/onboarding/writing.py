"""Writes the `game.yaml` of an explored page, with what its author still has to decide as comments."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gwray.plugins.authoring.onboarding.trying import Control, Explored
from gwray.records import Click, PressKey, Wait

SCORE = re.compile(r"score|points|coins|gold|kills|level|lines|distance|moves|count", re.IGNORECASE)
OVER = re.compile(r"(game_?over|is_?over|^over|dead|is_?ended|finished)$", re.IGNORECASE)
MAX_FIELDS = 6
"""Fields of a probe."""
MAX_OTHERS = 20
"""Further candidates in comments."""
TARGET = 10
"""The score of a success, until the author decides."""
_QUOTE = json.dumps
"""A JSON string is a YAML string."""


def write_game(folder: Path, explored: Explored, viewport: tuple[int, int]) -> None:
    """Writes `game.yaml`, and the first picture of the game into `.onboard/`, which no page can load."""
    shown = folder / ".onboard"
    shown.mkdir(exist_ok=True)
    (shown / "start.png").write_bytes(explored.look.frame.data)
    (folder / "game.yaml").write_text("\n".join([*_lines(folder.name, explored, viewport), ""]), encoding="utf-8")


def _lines(name: str, explored: Explored, viewport: tuple[int, int]) -> Iterator[str]:
    """Yields the lines of a `game.yaml`."""
    title = explored.title.strip() or name.replace("-", " ").capitalize()
    chosen = {} if explored.contract else fields(explored.values)
    score = next((f for f in chosen if f not in ("over", "text")), "")
    yield "# Written by `gwray onboard`. Yours to decide: rules, instruction, score and target."
    yield f"id: {name}"
    yield f"title: {_QUOTE(title, ensure_ascii=False)}"
    yield f"summary: {_QUOTE(f'{title}, from a page of its own.', ensure_ascii=False)}"
    yield f"rules: {_QUOTE('You play ' + re.sub('[{}]', '', title) + '.', ensure_ascii=False)}"
    yield f"viewport: [{viewport[0]}, {viewport[1]}]"
    yield f"page: {_QUOTE(explored.page)}"
    yield "uses: []"
    if chosen:
        yield "probe:"
        yield from (f"  {field}: {_QUOTE(source)}" for field, source in chosen.items())
        yield from _others(explored.values, chosen)
    if explored.start:
        yield "start:"
        yield "  inputs:"
        yield from (f"    - {_started(control)}" for control in explored.start)
    yield "roles:"
    yield "  - name: player"
    yield "    description: The player."
    keys = [c.action.key for c in explored.controls if isinstance(c.action, PressKey)]
    yield f"    keys: {_QUOTE(keys)}"
    yield f"    clicks: {_QUOTE(any(isinstance(c.action, Click) for c in explored.controls))}"
    yield "    controls:"
    ids = {"wait"}
    yield '      - {id: wait, description: "Let time pass.", wait: true}'
    for control in explored.controls:
        yield f"      - {_control(control, ids)}"
    yield "tasks:"
    yield f"  - id: {re.sub(r'[^a-z0-9]+', '_', name)}_1"
    yield "    instruction: Reach a high score."
    if explored.contract:
        yield "    score: score  # a field of gameAPI.getState()"
        yield f"    target: {TARGET}"
    elif score:
        yield f"    score: {score}"
        seen = (10 * abs(v) for v in explored.values[chosen[score]] if _is_number(v))  # above what single inputs reach
        yield f"    target: {max(TARGET, *seen)}"
    else:
        yield '    goal: {field: text, contains: "You win"}  # no number was found that can be a score'
    yield "    max_steps: 50"


def fields(values: dict[str, list[Any]]) -> dict[str, str]:
    """Returns the fields of a probe with their expressions: values with the name of a score first, then those that the
    controls change. Without any, the text of the page."""
    found: dict[str, str] = {}
    over = next((e for e, seen in values.items() if seen[0] is False and OVER.search(e.rpartition(".")[2])), None)
    for expression in [*_ranked(values)][:MAX_FIELDS]:
        name = _field(expression, found)
        found[name] = expression
    if over and over not in found.values():
        found["over"] = over
    return (
        found if any(name != "over" for name in found) else {"text": "document.body.innerText.slice(0, 2000)", **found}
    )


def _ranked(values: dict[str, list[Any]]) -> Iterator[str]:
    """Yields the expressions of numbers that may say how far a game is, the likeliest first."""
    numbers = {e: seen for e, seen in values.items() if _is_number(seen[0])}
    changing = {e for e, seen in numbers.items() if len({*map(str, seen)}) > 1}
    # A name is worth more than a change: a score rarely changes with the first key.
    named = [e for e in numbers if SCORE.search(_last(e)) and (e in changing or "score" in _last(e).lower())]
    named.sort(key=lambda e: ("score" not in _last(e).lower(), e not in changing, e.count("."), len(e)))
    yield from named
    yield from sorted(changing - {*named}, key=lambda e: (e.count("."), len(e), e))


def _others(values: dict[str, list[Any]], chosen: dict[str, str]) -> Iterator[str]:
    """Yields further candidates for fields as comments, with their values at the start and after each input."""
    left = [e for e in _ranked(values) if e not in chosen.values()]
    if left:
        yield "  # Further values that change; at the start and after an input:"
    for expression in left[:MAX_OTHERS]:
        seen = values[expression]
        yield f"  # {_QUOTE(expression)}: {seen[0]} {next((v for v in seen if v != seen[0]), '')}"


def _field(expression: str, used: dict[str, str]) -> str:
    name = re.sub(r"\W+", "_", _last(expression)).strip("_") or "value"
    name = name if name[0].isalpha() and name not in ("status", "terminal", "over") else f"value_{name}"
    numbers = (f"{name}{n or ''}" for n in range(len(used) + 1))
    return next(n for n in numbers if n not in used)


def _last(expression: str) -> str:
    """Returns the part of an expression that names the value: the last property, element or key."""
    if expression.startswith(("dom:", "storage:")):
        return expression.partition(":")[2]
    if named := re.search(r'querySelector\("[#.](.*?)"\)', expression):
        return named[1]
    parts = expression.split(".")
    return ".".join(parts[-2:]) if parts[-1] == "length" else parts[-1]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _started(control: Control) -> str:
    if isinstance(control.action, PressKey):
        return f"press: {_QUOTE(control.action.key)}"
    if isinstance(control.action, Click):
        return f"click: [{control.action.x:g}, {control.action.y:g}]"
    assert isinstance(control.action, Wait)
    return f"wait_ms: {control.action.duration_ms:g}"


def _control(control: Control, ids: set[str]) -> str:
    """Returns a control in one line. `ids`: the ids that are used, to which it adds its own."""
    action = control.action
    if isinstance(action, PressKey):
        bound, what = f"press: {_QUOTE(action.key)}", f"Press {action.key}."
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", action.key).lower()
        name = f"key_{name}" if len(name) == 1 else name
    else:
        assert isinstance(action, Click)
        bound = f"click: left, at: [{action.x:g}, {action.y:g}]"
        what = f"Click {control.text or 'here'}."
        name = "click_" + (re.sub(r"[^a-z0-9]+", "_", control.text.lower()).strip("_") or "here")
    name = next(n for n in (name, *(f"{name}_{i}" for i in range(2, 99))) if n not in ids)
    ids.add(name)
    return f"{{id: {name}, description: {_QUOTE(what, ensure_ascii=False)}, {bound}}}"
