"""One table per rule of `check_action`."""

from __future__ import annotations

import math

import pytest
from agents.conftest import VIEWPORT, context_at

from gwray.agents.keys import allowed_key, canonical_key, split_chord
from gwray.agents.legality import check_action
from gwray.agents.spaces import Call, Parsed, Refused
from gwray.agents.spaces.semantic import Semantic
from gwray.catalog.controls import Role
from gwray.records import Action, Click, ClickHold, Drag, MouseMove, PressKey, PressKeys, Pull, Scroll, Type, Wait

ARROWS = ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")
WASD = ("w", "a", "s", "d")


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (
            ("left", "Left", "LEFT", "ArrowLeft", "arrowleft", "arrow_left", "left arrow", "Left-Arrow", "←"),
            "ArrowLeft",
        ),
        (("up", "UpArrow", "cursor up", "kp_up", "↑"), "ArrowUp"),
        (("space", "Space", "spacebar", "space bar", " ", "SPACE"), "Space"),
        (("enter", "Return", "RETURN", "\n", "kp_enter", "NumpadEnter"), "Enter"),
        (("ctrl", "Control", "control_l", "ControlLeft"), "Control"),
        (("esc", "Escape"), "Escape"),
        (("shift", "ShiftLeft", "shift_r"), "Shift"),
        (("backspace", "BackSpace"), "Backspace"),
        (("del", "Delete"), "Delete"),
        (("a", "A", "KeyA", "key_a", " a ", "'a'", "`a`"), "a"),
        (("7", "Digit7", "Numpad7", "kp_7"), "7"),
        (("f5", "F5"), "F5"),
        (("plus", "+"), "+"),
        (("pgup", "Page_Up", "PageUp", "prior"), "PageUp"),
        (("hyperdrive", "", "  ", "aa", "f13", "\0"), None),
    ],
)
def test_usual_spellings_of_a_key_are_one_key(names, key):
    assert {n: canonical_key(n) for n in names} == dict.fromkeys(names, key)


@pytest.mark.parametrize(
    ("wanted", "allowed", "key"),
    [
        ("ArrowUp", ARROWS, "ArrowUp"),
        ("w", ARROWS, "ArrowUp"),
        ("a", ARROWS, "ArrowLeft"),
        ("s", ARROWS, "ArrowDown"),
        ("d", ARROWS, "ArrowRight"),
        ("up", WASD, "w"),
        ("left", WASD, "a"),
        ("down", WASD, "s"),
        ("right", WASD, "d"),
        # The named key wins over its stand-in.
        ("w", (*ARROWS, "w"), "w"),
        # Up jumps with Space only where nothing else is up.
        ("up", ("Space",), "Space"),
        ("w", ("Space",), "Space"),
        ("up", ("Space", "w"), "w"),
        ("up", ("ArrowLeft", "ArrowRight", "Space"), "Space"),
        # Space is up only where up can be nothing but a jump.
        ("Space", ("ArrowUp", "ArrowLeft"), "ArrowUp"),
        ("Space", ("w", "a", "d"), "w"),
        ("Space", ARROWS, None),
        ("Space", WASD, None),
        ("down", ("Space",), None),
        ("Enter", ("Space",), None),
        ("x", ARROWS, None),
        # An upper-case key of the role is found, too.
        ("r", ("R",), "R"),
        # No keys means no key.
        ("Space", (), None),
        ("a", (), None),
    ],
)
def test_a_key_that_is_not_allowed_falls_back_to_an_equivalent(wanted, allowed, key):
    found, why = allowed_key(wanted, allowed)
    assert found == key
    assert bool(why) == (found != wanted)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("ctrl+c", ["ctrl", "c"]),
        ("w a", ["w", "a"]),
        ("up, left", ["up", "left"]),
        ("Page Down", ["Page Down"]),
        ("space bar", ["space bar"]),
        ("+", ["+"]),
        ("-", ["-"]),
        ("ctrl-a", ["ctrl", "a"]),
        ("arrow-left", ["arrow-left"]),
    ],
)
def test_a_chord_in_one_string_is_split_and_a_name_is_not(text, keys):
    assert split_chord(text) == keys


def role(**changes: object) -> Role:
    given = {"name": "r", "description": "d", "controls": [{"id": "wait", "description": "w", "wait": True}]}
    return Role.model_validate({**given, "keys": ["a", "b", "c", "d", "Space"], "clicks": True, **changes})


def resolve(name: str, arguments: object, r: Role) -> Parsed | Refused:
    return Semantic.for_role(r, VIEWPORT).to_action(Call(name, arguments))


def checked(action: Action, r: Role) -> Parsed:
    found = check_action(action, r, VIEWPORT)
    assert isinstance(found, Parsed), found
    return found


LONG = "a" * 65


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (PressKey(key="a"), ""),
        (PressKey(key="a", duration_ms=2000), ""),
        (PressKey(key="a", duration_ms=2000.1), ""),
        (PressKey(key="a", duration_ms=0), "positive"),
        (PressKey(key="a", duration_ms=-1), "positive"),
        (PressKey(key="a", duration_ms=math.nan), "positive"),
        (PressKey(key="a", duration_ms=math.inf), "positive"),
        (PressKeys(keys=("a", "b", "c")), ""),
        (PressKeys(keys=("a", "b", "c", "d")), "at most 3"),
        (PressKeys(keys=()), "no key"),
        (PressKeys(keys=("a", "x")), "not a key of this role"),
        (Type(text="abc"), ""),
        (Type(text="a" * 64), ""),
        (Type(text=LONG), "at most 64"),
        (Type(text=""), "no text"),
        (Type(text="abx"), "'x'"),
        (Wait(), ""),
        (Wait(duration_ms=2000), ""),
        (Wait(duration_ms=5000), ""),
        (Click(x=0, y=0), ""),
        (Click(x=1279, y=719), ""),
        (Click(x=1280, y=0), "outside"),
        (Click(x=0, y=720), "outside"),
        (Click(x=-0.1, y=0), "outside"),
        (Click(x=math.nan, y=0), "outside"),
        (ClickHold(x=5, y=5, duration_ms=2001), ""),
        (ClickHold(), ""),
        (ClickHold(x=5), "both coordinates"),
        (ClickHold(duration_ms=0), "positive"),
        (Drag(x=5, y=5, to_x=9, to_y=9), ""),
        (Drag(x=5, y=5, to_x=1300, to_y=9), "outside"),
        (Pull(x=5, y=5, to_x=9, to_y=9, duration_ms=900), ""),
        (Pull(x=5, y=5, to_x=9, to_y=720), "outside"),
        (Pull(x=5, y=5, to_x=9, to_y=9, duration_ms=2001), ""),
        (MouseMove(x=5, y=5), ""),
        (MouseMove(x=5, y=5, from_x=1, from_y=-1), "outside"),
        (MouseMove(x=5, y=5, from_x=1), "both coordinates"),
        (Scroll(x=5, y=5, dy=5000), ""),
        (Scroll(x=5, y=5, dy=5001), "scroll"),
        (Scroll(x=5, y=5), "distance"),
    ],
)
def test_bounds_hold_for_every_action(action, reason):
    found = check_action(action, role(), VIEWPORT)
    assert reason in found.reason if isinstance(found, Refused) else not reason


@pytest.mark.parametrize(
    "action",
    [
        Click(x=1, y=1),
        Drag(x=1, y=1, to_x=2, to_y=2),
        Pull(x=1, y=1, to_x=2, to_y=2),
        MouseMove(x=1, y=1),
        Scroll(x=1, y=1, dy=1),
    ],
)
def test_a_role_without_a_mouse_has_none(action):
    found = check_action(action, role(clicks=False), VIEWPORT)
    assert isinstance(found, Refused) and "no mouse" in found.reason


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        # explicit > the key's own hold > the role's, which stays unsaid
        (PressKey(key="a", duration_ms=70), 70),
        (PressKey(key="a"), 120),
        (PressKey(key="c"), None),
        (PressKeys(keys=("a", "b")), 350),
        (PressKeys(keys=("a", "c")), 120),
        (PressKeys(keys=("a", "b"), duration_ms=70), 70),
    ],
)
def test_hold_duration_from_call_then_key_then_role(action, expected):
    assert checked(action, role(key_hold_ms={"a": 120, "b": 350})).action.duration_ms == expected


def test_the_hold_of_a_control_wins_over_its_keys():
    controls = [
        {"id": "slow", "description": "s", "press": "a", "hold_ms": 500},
        {"id": "own", "description": "o", "press": "a"},
        {"id": "role_default", "description": "r", "press": "b"},
    ]
    r = role(key_hold_ms={"a": 120}, controls=controls)
    holds = [resolve(name, {}, r).action.duration_ms for name in ("slow", "own", "role_default")]
    assert holds == [500, 120, None]


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("reveal_cell", {"cell": "a1"}, (400, 100)),
        ("Reveal_Cell", {"CELL": "A1"}, (400, 100)),
        (" reveal_cell ", '{"cell": "i9"}', (800, 500)),
        ("reveal_cell", "c4", (500, 250)),
        ("reveal_cell", {"cell": "c4", "why": "safe"}, (500, 250)),
        ("reveal_cell", {"cell": "z9"}, "no cell"),
        ("reveal_cell", {"cell": "a" + "1" * 5000}, "no cell"),
        ("reveal_cell", {}, "needs the argument 'cell'"),
        ("reveal_cell", None, "needs the argument 'cell'"),
        ("reveal_cell", '{"cell": ', "not JSON"),
        ("reveal_cell", {"cell": {"x": 1}}, "must be text"),
        ("reveal", {"cell": "a1"}, "unknown control 'reveal' (this role has: wait, reveal_cell, flag_cell)"),
    ],
)
def test_control_name_ignores_case_and_cell_becomes_point(name, arguments, expected):
    found = resolve(name, arguments, context_at("mines").role)
    if isinstance(found, Refused):
        assert isinstance(expected, str) and expected in found.reason
    else:
        assert found.control == "reveal_cell" and (found.action.x, found.action.y) == expected
