"""Maps verbs and arguments, under the many names that models use, to raw actions. All calls of the computer-use space,
text or native, arrive here as a verb and named arguments. Units depend on the name: `duration_ms` is in milliseconds;
`duration`, `time` and `seconds` are in seconds."""

from collections.abc import Callable, Mapping
from typing import Any

from gwray.agents.calls import Refused
from gwray.agents.coordinates import Grid
from gwray.agents.keys import split_chord
from gwray.agents.spaces.values import point, texts
from gwray.catalog import parse_number
from gwray.records import (
    Action,
    Button,
    Click,
    ClickHold,
    Drag,
    MouseMove,
    PressKey,
    PressKeys,
    Pull,
    Scroll,
    Type,
    Wait,
)

NOTCH = 100.0
"""Pixels per notch of a scroll wheel, for models that count in notches."""

_START = (
    "coordinate",
    "point",
    "position",
    "coordinates",
    "point_2d",
    "bbox_2d",
    "start_box",
    "start_point",
    "start_coordinate",
    "start",
    "box",
    "at",
    "pos",
)
_DRAG_START = ("start_coordinate", "start_box", "start_point", "start", "from", "source")
_END = ("end_coordinate", "end_box", "end_point", "end", "to", "target", "destination", "coordinate2")
_KEYS = ("keys", "key", "hotkey", "combination", "key_combination", "text", "value")
_TEXT = ("text", "content", "value", "string")
_BUTTONS: dict[str, Button] = {"left": "left", "right": "right", "middle": "middle", "wheel": "middle"}

_UNITS = (("duration_ms", 1), ("hold_ms", 1), ("ms", 1), ("duration", 1000), ("time", 1000), ("seconds", 1000))

Arguments = Mapping[str, Any]


class _Problem(Exception):
    """The reason why arguments are not an action. Never leaves this module."""


def raw_action(verb: str, arguments: Arguments, grid: Grid) -> Action | Refused:
    """Returns the action of a verb (in any spelling), with points in viewport pixels, or why there is none."""
    name = verb.strip().lower().replace("-", "_").replace(" ", "_")
    known = _VERBS.get(name)
    if known is None:
        if name in NOT_IN_A_GAME:
            return Refused(f"'{name}' is not an action of the game: {NOT_IN_A_GAME[name]}")
        return Refused(f"unknown action '{verb.strip()[:60]}'")
    args = {str(k).strip().lower(): v for k, v in arguments.items() if v is not None}
    try:
        return known(args, grid)
    except _Problem as problem:
        return Refused(f"{name}: {problem}")


def _first(args: Arguments, names: tuple[str, ...]) -> Any:
    return next((args[n] for n in names if n in args), None)


def _xy(args: Arguments, grid: Grid, names: tuple[str, ...], x: str = "x", y: str = "y") -> tuple[float, float]:
    value = {"x": args[x], "y": args[y]} if x in args and y in args else _first(args, names)
    if value is None and isinstance(args.get(x), list | tuple | str):
        value = args[x]  # both coordinates in one argument
    if value is None:
        raise _Problem("it needs a point")
    found = point(value)
    if found is None:
        raise _Problem(f"{str(value)[:60]!r} is not a point")
    return grid.to_viewport(*found)


def _ms(args: Arguments) -> float | None:
    for name, unit in _UNITS:
        if name in args:
            found = parse_number(args[name])
            if found is None:
                raise _Problem(f"{str(args[name])[:40]!r} is not a duration")
            return found * unit
    return None


def duration(args: Arguments) -> float | None:
    """Returns the duration in ms; None if the arguments have none, or it is not a number."""
    try:
        return _ms(args)
    except _Problem:
        return None


def find_point(args: Arguments) -> Any:
    """Returns the point in the arguments, unparsed; None if there is none."""
    return [args["x"], args["y"]] if "x" in args and "y" in args else _first(args, _START)


def _button(args: Arguments, default: Button = "left") -> Button:
    value = args.get("button", default)
    button = _BUTTONS.get(str(value).strip().lower())
    if button is None:
        raise _Problem(f"there is no mouse button '{str(value)[:20]}'")
    return button


def _no_keys(args: Arguments) -> None:
    if args.get("keys") or args.get("modifiers"):
        raise _Problem("keys held during a mouse action are not possible")


def _click_reader(default: Button = "left", count: int | None = None) -> Callable[[Arguments, Grid], Action]:
    """Makes the reader of a click verb. `default`: button unless the arguments name one; `count` None: they say it."""

    def read(args: Arguments, grid: Grid) -> Action:
        _no_keys(args)
        x, y = _xy(args, grid, _START)
        clicks = count or parse_number(next((args[n] for n in ("count", "clicks", "num_clicks") if n in args), 1))
        if clicks not in (1, 2, 3):
            raise _Problem("one, two or three clicks are possible")
        return Click(x=x, y=y, button=_button(args, default), count=int(clicks))

    return read


def _click_hold(args: Arguments, grid: Grid) -> Action:
    _no_keys(args)
    x, y = _xy(args, grid, _START)
    return ClickHold(x=x, y=y, button=_button(args), duration_ms=_ms(args))


def _mouse_down(args: Arguments, grid: Grid) -> Action:
    """Presses a button and releases it after one hold: no button stays down between actions. Without a point, the click
    happens at the pointer."""
    if find_point(args) is None and not ("x" in args or "y" in args):
        _no_keys(args)
        return ClickHold(button=_button(args), duration_ms=_ms(args))
    return _click_hold(args, grid)


def _drag(args: Arguments, grid: Grid) -> Drag:
    _no_keys(args)
    path = args.get("path")
    if isinstance(path, list | tuple) and len(path) >= 2:
        start, end = point(path[0]), point(path[-1])
        if start is None or end is None:
            raise _Problem("its path is not a list of points")
        (x, y), (to_x, to_y) = grid.to_viewport(*start), grid.to_viewport(*end)
    else:
        own_end = any(n in args for n in _END) or "to_x" in args or "destination_x" in args
        starts = (*_DRAG_START, *_START) if own_end else _DRAG_START
        # If a start is given separately, `coordinate` is the end of the drag.
        ends = (*_END, "coordinate") if not own_end else _END
        if not own_end and not any(n in args for n in _DRAG_START):
            raise _Problem("it needs a start and an end")
        x, y = _xy(args, grid, starts)
        if "to_x" in args:
            to_x, to_y = _xy(args, grid, ends, "to_x", "to_y")
        else:
            to_x, to_y = _xy(args, grid, ends, "destination_x", "destination_y")
    return Drag(x=x, y=y, to_x=to_x, to_y=to_y, button=_button(args), duration_ms=_ms(args))


def _pull(args: Arguments, grid: Grid) -> Action:
    return Pull(**_drag(args, grid).model_dump(exclude={"action"}))


def _move(args: Arguments, grid: Grid) -> Action:
    _no_keys(args)
    x, y = _xy(args, grid, _START)
    if "from_x" in args and "from_y" in args:
        fx, fy = _xy(args, grid, (), "from_x", "from_y")
        return MouseMove(x=x, y=y, from_x=fx, from_y=fy, duration_ms=_ms(args))
    return MouseMove(x=x, y=y, duration_ms=_ms(args))


_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def _scroll(args: Arguments, grid: Grid) -> Action:
    _no_keys(args)
    named = any(n in args for n in (*_START, "x"))
    # Without a point, the wheel turns at the centre of the screen.
    x, y = _xy(args, grid, _START) if named else (grid.viewport[0] / 2, grid.viewport[1] / 2)
    direction = _first(args, ("direction", "scroll_direction"))
    if direction is not None:
        way = _DIRECTIONS.get(str(direction).strip().lower())
        if way is None:
            raise _Problem(f"there is no direction '{str(direction)[:20]}'")
        if "thousandths" in args:  # Gemini's: of the screen
            part = _number(args, "thousandths") / 1000
            return Scroll(x=x, y=y, dx=way[0] * part * grid.viewport[0], dy=way[1] * part * grid.viewport[1])
        amount = _amount(args)
        return Scroll(x=x, y=y, dx=way[0] * amount, dy=way[1] * amount)
    if "pixels" in args:  # Qwen's: positive is up
        return Scroll(x=x, y=y, dy=-_number(args, "pixels"))
    names = (("dx", "dy"), ("scroll_x", "scroll_y"), ("delta_x", "delta_y"))
    dx_name, dy_name = next((n for n in names if n[0] in args or n[1] in args), ("", ""))
    if not dx_name:
        raise _Problem("it needs a direction or a distance")
    return Scroll(x=x, y=y, dx=_number(args, dx_name, 0), dy=_number(args, dy_name, 0))


def _amount(args: Arguments) -> float:
    for name, unit in (("scroll_amount", NOTCH), ("amount", NOTCH), ("clicks", NOTCH), ("magnitude", 1.0)):
        if name in args:
            if (found := _number(args, name)) <= 0:
                raise _Problem(f"'{name}' must be more than 0; the direction says the way")
            return found * unit
    return 5 * NOTCH


def _number(args: Arguments, name: str, default: float | None = None) -> float:
    found = parse_number(args.get(name, default))
    if found is None:
        raise _Problem(f"'{name}' is not a number")
    return found


def _hscroll(args: Arguments, grid: Grid) -> Action:
    dx = _number(args, "pixels") if "pixels" in args else _number(args, "dx")
    return _scroll({**{k: v for k, v in args.items() if k != "pixels"}, "dx": dx, "dy": 0}, grid)


def _type(args: Arguments, grid: Grid) -> Action:
    value = _first(args, _TEXT)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if abs(value) < 10**12 else None
    if not isinstance(value, str):
        raise _Problem("it needs a text")
    return Type(text=value)


def _press(args: Arguments, grid: Grid) -> Action:
    words = texts(_first(args, _KEYS))
    if not words:
        raise _Problem("it needs a key")
    keys = [k for word in words[:8] for k in split_chord(word[:80])]
    if len(words) > 8:
        raise _Problem(f"{len(words)} keys at once")
    ms = _ms(args)
    return PressKey(key=keys[0], duration_ms=ms) if len(keys) == 1 else PressKeys(keys=tuple(keys), duration_ms=ms)


def _wait(args: Arguments, grid: Grid) -> Action:
    return Wait(duration_ms=_ms(args))


def usual_verb(verb: str) -> str:
    """Returns the verb that others look for around a held button: `mouse_move` and `wait` have many names."""
    known = _VERBS.get(verb)
    return "mouse_move" if known is _move else "wait" if known is _wait else verb


def _table() -> dict[str, Callable[[Arguments, Grid], Action]]:
    rows: list[tuple[Callable[[Arguments, Grid], Action], str]] = [
        (_click_reader(), "click left_click tap left_single click_at mouse_click single_click"),
        (_click_reader("right", 1), "right_click right_single rightclick context_click"),
        (_click_reader("middle", 1), "middle_click"),
        (_click_reader("left", 2), "double_click left_double doubleclick left_double_click"),
        (_click_reader("left", 3), "triple_click"),
        (_click_hold, "click_hold long_press long_press_at hold_click click_and_hold left_click_hold mouse_hold"),
        (_mouse_down, "left_mouse_down mouse_down"),
        (_drag, "drag left_click_drag drag_and_drop drag_to select"),
        (_pull, "pull drag_and_hold drag_hold"),
        (_move, "mouse_move move move_to hover hover_at mouse_hover"),
        (_scroll, "scroll scroll_at wheel"),
        (_hscroll, "hscroll"),
        (_type, "type type_text input_text input write"),
        (_press, "press_key press_keys key keys press keypress key_press hotkey key_combination hold_key press_hotkey"),
        (_wait, "wait sleep noop no_op do_nothing"),
    ]
    return {name: make for make, names in rows for name in names.split()}


_VERBS = _table()
DONE = ("terminate", "finished", "finish", "done")
"""Verbs by which models declare the task done. Refused in tasks that do not allow that."""
VERBS = (*_VERBS, *DONE)
"""All verbs, in their usual spelling."""
NOT_IN_A_GAME = {
    "screenshot": "a picture comes with every step",
    "zoom": "a picture comes with every step",
    "cursor_position": "a picture comes with every step",
    **dict.fromkeys(DONE, "the game decides when it ends"),
    "answer": "nobody reads it",
    "call_user": "nobody is there",
    "navigate": "there is one page only",
    "open_web_browser": "the page is open already",
    "search": "there is one page only",
    "go_back": "there is one page only",
    "go_forward": "there is one page only",
    "left_mouse_up": "no button is held: left_mouse_down holds it, and lets go of it at its end",
    "mouse_up": "no button is held: mouse_down holds it, and lets go of it at its end",
}
