"""Key names: spellings of models, names of the browser, and keys that may replace each other. Canonical names are
`KeyboardEvent.key` values, with `Space` for the space bar. `allowed_key` decides whether a role may press a key, given
the role's list of keys."""

from collections.abc import Sequence

_SPELLINGS = {
    "ArrowUp": ("up", "uparrow", "cursorup", "↑", "kpup"),
    "ArrowDown": ("down", "downarrow", "cursordown", "↓", "kpdown"),
    "ArrowLeft": ("left", "leftarrow", "cursorleft", "←", "kpleft"),
    "ArrowRight": ("right", "rightarrow", "cursorright", "→", "kpright"),
    "Space": ("space", "spacebar", "spacekey", "␣"),
    "Enter": ("enter", "return", "ret", "kpenter", "numpadenter", "↵"),
    "Escape": ("escape", "esc"),
    "Backspace": ("backspace", "bksp", "bs"),
    "Delete": ("delete", "del"),
    "Tab": ("tab",),
    "Shift": ("shift", "shiftl", "shiftr", "shiftleft", "shiftright", "lshift", "rshift"),
    "Control": ("control", "ctrl", "ctrll", "ctrlr", "controlleft", "controlright", "controll", "controlr"),
    "Alt": ("alt", "option", "altleft", "altright", "altl", "altr"),
    "Meta": ("meta", "cmd", "command", "super", "win", "windows", "metaleft", "metaright"),
    "CapsLock": ("capslock",),
    "PageUp": ("pageup", "pgup", "prior"),
    "PageDown": ("pagedown", "pgdn", "pgdown", "next"),
    "Home": ("home",),
    "End": ("end",),
    "Insert": ("insert", "ins"),
    "+": ("plus",),
    "-": ("minus", "hyphen"),
    "=": ("equal", "equals"),
    ",": ("comma",),
    ".": ("period", "dot"),
    "/": ("slash",),
    ";": ("semicolon",),
    "'": ("quote", "apostrophe"),
    "[": ("bracketleft",),
    "]": ("bracketright",),
}
_NAMES = {
    **{spelling: key for key, spellings in _SPELLINGS.items() for spelling in spellings},
    **{key.lower(): key for key in _SPELLINGS},
    **{f"f{n}": f"F{n}" for n in range(1, 13)},
    **{f"{prefix}{c}": c for prefix in ("key", "") for c in "abcdefghijklmnopqrstuvwxyz"},
    **{f"{prefix}{d}": d for prefix in ("digit", "numpad", "kp", "") for d in "0123456789"},
}

_EQUIVALENTS = {
    "ArrowUp": ("w",),
    "ArrowDown": ("s",),
    "ArrowLeft": ("a",),
    "ArrowRight": ("d",),
    "w": ("ArrowUp",),
    "s": ("ArrowDown",),
    "a": ("ArrowLeft",),
    "d": ("ArrowRight",),
}
_UP = ("ArrowUp", "w")
_DOWN = ("ArrowDown", "s")


def canonical_key(name: str) -> str | None:
    """Returns the canonical name of a key in any usual spelling; None if there is no such key."""
    if name in (" ", "\u00a0"):
        return "Space"
    if name in ("\n", "\r"):
        return "Enter"
    if name == "\t":
        return "Tab"
    bare = name.strip().strip("'\"`<>").strip()
    if len(bare) == 1 and not bare.isalnum():
        return _NAMES.get(bare, bare) if bare.isprintable() else None
    squeezed = "".join(c for c in bare.lower() if c not in " _-")
    return _NAMES.get(squeezed)


def same_key(name: str, allowed: Sequence[str]) -> str | None:
    """Returns the allowed key that `name` spells, without equivalents; None if there is none."""
    if name in allowed:
        return name
    wanted = canonical_key(name)
    return next((k for k in allowed if wanted is not None and canonical_key(k) == wanted), None)


def allowed_key(name: str, allowed: Sequence[str]) -> tuple[str | None, str]:
    """Returns the allowed key for a request of `name`, and the reason if it is a different key. An arrow and its WASD
    letter replace each other. Up becomes Space if only Space jumps; Space becomes up if up can only mean a jump,
    because the role has no down key. If no key is allowed, returns None and the reason."""
    if (exact := same_key(name, allowed)) is not None:
        return exact, "" if exact == name else f"'{name}' is the key {exact}"
    wanted = canonical_key(name)
    if wanted is None:
        return None, f"there is no key '{name[:40]}'"
    for other in _EQUIVALENTS.get(wanted, ()):
        if (key := same_key(other, allowed)) is not None:
            return key, f"{wanted} is not a key of this role; {key} does the same"
    if wanted in _UP and (key := same_key("Space", allowed)) is not None:
        return key, f"{wanted} is not a key of this role; {key} jumps"
    if wanted == "Space" and not any(same_key(k, allowed) for k in _DOWN):
        for up in _UP:
            if (key := same_key(up, allowed)) is not None:
                return key, f"Space is not a key of this role; {key} jumps"
    return None, f"{wanted} is not a key of this role (its keys: {', '.join(allowed) or 'none'})"


def split_chord(text: str) -> list[str]:
    """Returns the key names, as written, of `ctrl+c` or `w a`; splits at + or else , or space or -, but not one key."""
    if canonical_key(text) is not None:
        return [text]
    parts = [text]
    for separator in ("+", ",", " ", "-"):
        if separator in text.strip():
            parts = [p for p in text.strip().split(separator) if p.strip()]
            break
    return [p.strip() for p in parts] or [text]
