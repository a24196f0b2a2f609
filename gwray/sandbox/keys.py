"""Names of keys, and the values that a US keyboard reports for them. A name is a character (`a`, `A`, `1`, `!`) or the
DOM's name of a key (`ArrowLeft`, `Enter`, `Space`)."""

from dataclasses import dataclass

from gwray.errors import UsageError, choose


@dataclass(frozen=True)
class Key:
    """A physical key. `text`, `shifted`: typed without and with Shift; `location`: 1 left, 2 right, 3 keypad."""

    code: str
    key: str
    key_code: int
    text: str = ""
    shifted: str = ""
    location: int = 0
    modifier: int = 0


ALT, CONTROL, META, SHIFT = 1, 2, 4, 8


def _table() -> list[Key]:
    """Returns the keys of a US keyboard."""
    keys = [Key(f"Key{c.upper()}", c, ord(c.upper()), c, c.upper()) for c in "abcdefghijklmnopqrstuvwxyz"]
    keys += [Key(f"Digit{d}", d, ord(d), d, s) for d, s in zip("1234567890", "!@#$%^&*()", strict=True)]
    keys += [
        Key(code, c, n, c, s)
        for code, c, s, n in [
            ("Minus", "-", "_", 189),
            ("Equal", "=", "+", 187),
            ("BracketLeft", "[", "{", 219),
            ("BracketRight", "]", "}", 221),
            ("Backslash", "\\", "|", 220),
            ("Semicolon", ";", ":", 186),
            ("Quote", "'", '"', 222),
            ("Backquote", "`", "~", 192),
            ("Comma", ",", "<", 188),
            ("Period", ".", ">", 190),
            ("Slash", "/", "?", 191),
        ]
    ]
    keys += [
        Key("Space", " ", 32, " ", " "),
        Key("Enter", "Enter", 13, "\r", "\r"),
        Key("Tab", "Tab", 9),
        Key("Backspace", "Backspace", 8),
        Key("Escape", "Escape", 27),
        Key("Delete", "Delete", 46),
        Key("Insert", "Insert", 45),
        Key("Home", "Home", 36),
        Key("End", "End", 35),
        Key("PageUp", "PageUp", 33),
        Key("PageDown", "PageDown", 34),
        Key("ArrowLeft", "ArrowLeft", 37),
        Key("ArrowUp", "ArrowUp", 38),
        Key("ArrowRight", "ArrowRight", 39),
        Key("ArrowDown", "ArrowDown", 40),
        Key("CapsLock", "CapsLock", 20),
        Key("ShiftLeft", "Shift", 16, location=1, modifier=SHIFT),
        Key("ShiftRight", "Shift", 16, location=2, modifier=SHIFT),
        Key("ControlLeft", "Control", 17, location=1, modifier=CONTROL),
        Key("ControlRight", "Control", 17, location=2, modifier=CONTROL),
        Key("AltLeft", "Alt", 18, location=1, modifier=ALT),
        Key("AltRight", "Alt", 18, location=2, modifier=ALT),
        Key("MetaLeft", "Meta", 91, location=1, modifier=META),
        Key("MetaRight", "Meta", 92, location=2, modifier=META),
    ]
    keys += [Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 13)]
    keys += [Key(f"Numpad{d}", str(d), 96 + d, str(d), str(d), location=3) for d in range(10)]
    return keys


def _names() -> dict[str, tuple[Key, str]]:
    """Returns all names of keys, with the character that the key types without Shift."""
    names: dict[str, tuple[Key, str]] = {}
    for key in _table():
        for name, text in ((key.key, key.text), (key.shifted, key.shifted), (key.code, key.text)):
            if name and name not in names:
                names[name] = (key, text)
    return names


_NAMES = _names()


def find_key(name: str) -> tuple[Key, str]:
    """Returns the key with this name and the text it types. Raises `UsageError` for an unknown name."""
    if name in _NAMES:
        return _NAMES[name]
    error: UsageError = choose("key", name, list(_NAMES))
    raise error
