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
    names = ("Minus", "Equal", "BracketLeft", "BracketRight", "Backslash", "Semicolon", "Quote", "Backquote", "Comma",
             "Period", "Slash")  # fmt: skip
    codes = (189, 187, 219, 221, 220, 186, 222, 192, 188, 190, 191)
    shifted = zip(names, codes, "-=[]\\;'`,./", '_+{}|:"~<>?', strict=True)
    keys += [Key(name, c, n, c, s) for name, n, c, s in shifted]
    keys += [Key("Space", " ", 32, " ", " "), Key("Enter", "Enter", 13, "\r", "\r")]
    others = {
        "Tab": 9, "Backspace": 8, "Escape": 27, "Delete": 46, "Insert": 45, "Home": 36, "End": 35, "PageUp": 33,
        "PageDown": 34, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "CapsLock": 20,
    }  # fmt: skip
    keys += [Key(name, name, n) for name, n in others.items()]
    sides = (("Shift", 16, 16, SHIFT), ("Control", 17, 17, CONTROL), ("Alt", 18, 18, ALT), ("Meta", 91, 92, META))
    for name, left, right, modifier in sides:
        keys.append(Key(f"{name}Left", name, left, location=1, modifier=modifier))
        keys.append(Key(f"{name}Right", name, right, location=2, modifier=modifier))
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
