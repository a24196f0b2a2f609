"""Repairs the names and arguments of calls: the part of the repair path that knows what a role can do."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from gwray.agents.calls import Call
from gwray.agents.formats import REASONING
from gwray.agents.formats.broken_json import ASCII, INVISIBLE
from gwray.agents.formats.in_text import squeezed
from gwray.agents.formats.repair import plain_arguments
from gwray.agents.formats.uitars import named_arguments, read_arguments
from gwray.agents.keys import canonical_key, split_chord
from gwray.agents.spaces.values import texts
from gwray.agents.spaces.verbs import presses_keys
from gwray.catalog import parse_number

_WRAPPING = (
    "arguments", "args", "parameters", "params", "kwargs", "input", "actioninput", "toolinput", "actionargs",
    "properties", "payload", "action_args", "action_input", "tool_input", "action_parameters",
)  # fmt: skip
_OWN_NAME = ("name", "action", "tool", "function", "method")
_PATH = re.compile(r"((?:[\w:@#-]+[./])*)([^./]*)")
_OWN_PREFIX = re.compile(r"functions?_|tools?_|\w+?__")
_RECIPIENT, _NUMBER = re.compile(r"\bto=([\w.:]+)"), re.compile(r":\s*\d{1,6}\Z")
_ROTATION = ((r"(?:counter|anti)[\s_-]?clockwise", " ccw "), ("clockwise", " cw "))
_SYNONYMS = {"swipe": "move", "slide": "move", "shift": "move", "go": "move", "turn": "rotate", "spin": "rotate"}
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_WAYS = frozenset(
    ("left", "right", "up", "down", "forward", "backward", "back", "north", "south", "east", "west", "cw", "ccw")
)
_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?)", re.IGNORECASE)
_SPLIT = re.compile(r"([A-Za-z_][\w.-]{0,63})\s*([(\[:=\s])\s*(.*)", re.DOTALL)
_LIBRARY = re.compile(
    r"^(?:\w+\.)*(?:GLFW_KEY_|SDL_SCANCODE_|SDLK_|KEYCODE_DPAD_|DPAD_|KEYCODE_|VK_|DIK_|XK_|KEY[_ ]?|K_)?"
    r"(.+?)(?:[_ -]?KEY)?$",
    re.IGNORECASE,
)
_SIDES = {
    f"{side}{key}": key for side in ("left", "right", "l", "r") for key in ("shift", "control", "ctrl", "alt", "meta")
}
_PLACE = (
    r"(?:2d)?(?:points?|coordinates?|coords?|position|pos|location|loc|element|xy|cent(?:er|re)|at)(?:2d)?|bbox(?:2d)?"
)
_POINT_NAMES = {
    "start_coordinate": re.compile(rf"(?:start|from|source|begin)(?:{_PLACE})"),
    "end_coordinate": re.compile(rf"(?:end|to|destination|dest)(?:{_PLACE})"),
    "coordinate": re.compile(rf"(?:click|target)?(?:{_PLACE})"),
}
_AXES = {
    **dict.fromkeys(("startx", "x1", "xcoordinate", "xcoord", "xpos", "posx", "coordinatex"), "x"),
    **dict.fromkeys(("starty", "y1", "ycoordinate", "ycoord", "ypos", "posy", "coordinatey"), "y"),
    **dict.fromkeys(("endx", "x2", "tox"), "to_x"),
    **dict.fromkeys(("endy", "y2", "toy"), "to_y"),
    **dict.fromkeys(("keyname", "keycode"), "key"),
}


def repaired_call(call: Call, known: Mapping[str, Sequence[str] | None]) -> Call | None:
    """Returns a call of a known name with arguments by name, from any spelling of it; None if there is no such call.

    Args:
        call: the name may hold the arguments: `reveal_cell(c4)`, `reveal_cell(cell='c4')`, `reveal_cell c4`.
        known: parameters of each call, in order; None: those of the UI-TARS format.
    """
    words = _clean(call.name)
    words = _NUMBER.sub("", words)
    recipient = _RECIPIENT.search(words)
    words = (recipient[1] if recipient else words).split("<|")[0].strip("`'\" .")
    name, pairs = _name(words, known), []
    if name is None:
        split = _SPLIT.fullmatch(words)
        name = _name(split[1], known) if split else None
        inside = _inside(split[2], split[3], known[name]) if split and name is not None else None
        if name is None or inside is None:
            return _joined(words, call.arguments, known)
        pairs = inside
    given = plain_arguments(call.arguments)
    if isinstance(given, str) and (text := _clean(given).strip()):
        more = _from_text(text, known[name])
        if more is None:
            return None
        pairs, given = [*pairs, *more], {}
    while isinstance(given, Sequence) and not isinstance(given, str):
        if len(given) == 1 and isinstance(given[0], Mapping):
            given = given[0]
        else:
            pairs, given = [*pairs, *(("", v) for v in given)], {}
    if given is not None and not isinstance(given, Mapping | str):
        pairs, given = [*pairs, ("", given)], {}
    fields = given.items() if isinstance(given, Mapping) else ()
    own = _unwrapped({_clean(str(k)).strip(" '\"`"): v for k, v in fields}, known[name], name)
    if own is None:
        return None
    placed = _placed(name, pairs, known[name])
    if placed is None or any(k in own and own[k] != v for k, v in placed.items()):
        return None
    timed = dict(_in_ms(k, v) for k, v in {**own, **placed}.items())
    return Call(name, {k: v if k == REASONING else _value(v) for k, v in timed.items()})


def _name(words: str, known: Mapping[str, Any]) -> str | None:
    """Returns the known name that words spell, in any case and with any separators, also after a path of other names
    (`tools/`, `functions.`, `mcp__x__`), before a tag, or shortened to words that only one known name has."""
    words = re.split(r"(?<=\w)\s*<", words)[0].strip("`'\"() @#/.:")
    path = _PATH.fullmatch(words)
    before, last = (path[1], path[2]) if path else ("", words)
    wanted, names = squeezed(last), {squeezed(k) for k in known}
    if not wanted or any(squeezed(p) in names for p in re.split("[./]", before)):
        return None
    found = [k for k in known if squeezed(k) == wanted]
    if not found and (own := _OWN_PREFIX.match(last)):
        return _name(last[own.end() :], known)
    if not found and re.fullmatch(r"[\w\s-]{2,60}", last):
        return _short_name(last, known)
    return found[0] if len(found) == 1 or (found and known[found[0]] is None) else None


def _short_name(words: str, known: Mapping[str, Sequence[str] | None]) -> str | None:
    """Returns the only known name with all of these words, if they are its first word or a direction: `left` is
    `move_left`, `Reveal` is `reveal_cell`. Synonyms count; names of parameters do not."""
    given = _words(words)
    parameters = {squeezed(p) for own in known.values() for p in own or ()}
    if not given or None in known.values() or squeezed(words) in parameters:
        return None
    same = [k for k in known if _words(k) == given]
    fitting = same or [
        k for k in known if {*given} < {*_words(k)} and (given[:1] == _words(k)[:1] or {*given} <= _WAYS)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _words(name: str) -> list[str]:
    for spelling, word in _ROTATION:
        name = re.sub(spelling, word, name, flags=re.IGNORECASE)
    words = [m[0].lower() for m in _WORD.finditer(name)]
    return [_SYNONYMS.get(w, w) for w in words]


def _joined(words: str, given: Any, known: Mapping[str, Any]) -> Call | None:
    """Returns a call without parameters whose name is split over name and argument: `move(up)`."""
    given = list(given.values()) if isinstance(given, Mapping) else [given] if isinstance(given, str) else given
    if not isinstance(given, list) or len(given) > 1 or not all(isinstance(v, str) for v in given):
        return None
    name = _name(" ".join([words, *given]), known)
    return Call(name) if name is not None and known[name] is not None and not {*known[name]} - {REASONING} else None


def _in_ms(key: str, value: Any) -> tuple[str, Any]:
    """Returns an argument, a duration with its unit in milliseconds."""
    is_time = isinstance(value, str) and re.search("duration|time|second", key, re.IGNORECASE)
    if is_time and (time := _TIME.fullmatch(value.strip())):
        return "duration_ms", float(time[1]) * (1 if time[2].lower().startswith("m") else 1000)
    return key, value


def _clean(text: str) -> str:
    return unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).translate(ASCII)


def _inside(mark: str, text: str, parameters: Sequence[str] | None) -> list[tuple[str, Any]] | None:
    """Returns the arguments that follow a name; None if they are not complete, or words follow them."""
    if mark == "(":
        found, end = read_arguments(text, 0)
        return None if found is None or text[end:].strip(" ;.") else list(found)
    return _from_text(f"[{text}".strip() if mark == "[" else text.strip(), parameters)


def _from_text(text: str, parameters: Sequence[str] | None) -> list[tuple[str, Any]] | None:
    """Returns arguments written as text: `c4`, `90 0.5`, `(c4)`, `cell=c4`, `["c4"]`."""
    if len(text) > 2 and (text[0], text[-1]) in (("(", ")"), ("[", "]")):
        text = text[1:-1]
        found, end = read_arguments(f"{text})", 0)
        return None if found is None or end != len(text) + 1 else list(found)
    if re.match(r"\w+\s*[=:]", text):
        text = re.sub(r"^(\w+)\s*:", r"\1=", text)
        found, end = read_arguments(f"{text})", 0)
        return None if found is None or end <= len(text) else list(found)
    if parameters is None:
        numbers = re.split(r"[\s,]+", text)
        if len(numbers) > 1 and all(re.fullmatch(r"[-+]?\d+(\.\d+)?", n) for n in numbers):
            return [("", n) for n in numbers]
        return [("", text)]
    return [("", word) for word in text.split(maxsplit=max(len(parameters) - 1, 0))] if text else []


def _unwrapped(own: dict[str, Any], parameters: Sequence[str] | None, name: str) -> dict[str, Any] | None:
    """Returns arguments that were wrapped once more: `{"arguments": {"cell": "c4"}}`, `{"reveal_cell": "c4"}`,
    `{"name": "reveal_cell", "arguments": {"cell": "c4"}}`, or written into their schema: `{"type": "object",
    "properties": {"cell": "c4"}}`."""
    if own.get("type") == "object" and isinstance(own.get("properties"), Mapping) and parameters is not None:
        own = {"properties": own["properties"]}
    rest = {k: v for k, v in own.items() if k not in (REASONING, "id")}
    if len(rest) == 2 and parameters is not None:
        rest = {
            k: v for k, v in rest.items() if k in parameters or k not in _OWN_NAME or squeezed(str(v)) != squeezed(name)
        }
    if len(rest) != 1:
        return own
    (key, value), *_ = rest.items()
    if key in (parameters or ()) or not (key.lower() in _WRAPPING or squeezed(key) == squeezed(name)):
        return own
    inner = plain_arguments(value)
    if isinstance(inner, Mapping):
        return {str(k): v for k, v in inner.items()}
    values = list(inner) if isinstance(inner, list | tuple) else [inner]
    return _placed(name, [("", v) for v in values], parameters)


def _placed(name: str, pairs: Sequence[tuple[str, Any]], parameters: Sequence[str] | None) -> dict[str, Any] | None:
    """Returns arguments by name: those without one take the free parameters, in order. None if there are too many, or
    if one is only the name of its parameter: a signature, as in `reveal_cell(cell)`."""
    if parameters is None:
        return _placed_by_verb(name, pairs)
    found: dict[str, Any] = {}
    if len(pairs) > len(parameters) == 1 and not any(key for key, _ in pairs):
        return {parameters[0]: [value for _, value in pairs]}
    for key, value in pairs:
        free = [p for p in parameters if p not in found and p != REASONING]
        if not key and not free:
            return None
        where = key.lower() if key else free[0]
        if where in found or (not key and value == where):
            return None
        found[where] = value
    return found


def _placed_by_verb(verb: str, pairs: Sequence[tuple[str, Any]]) -> dict[str, Any] | None:
    bare = [v for k, v in pairs if not k]
    named: dict[str, Any] = {k.lower(): v for k, v in pairs if k}
    if any(isinstance(v, Mapping) for v in bare) or len(named) + len(bare) < len(pairs):
        return None
    if bare and presses_keys(verb):
        return None if {"key", "keys"} & {*named} else {**named, "keys": [str(v) for v in bare]}
    words = [str(v) for v in bare if parse_number(v) is None]
    if verb == "drag" and len(bare) == len(words) == 2:
        return {**named, "start_box": words[0], "end_box": words[1]}
    if len(words) > 1 or (words and len(bare) > 1):
        return None
    if words and verb in ("type_text", "input_text", "input", "write"):
        return {**named, "content": words[0]}
    return {**named, **named_arguments(verb, [("", str(v)) for v in bare])}


def _value(value: Any) -> Any:
    """Returns a value without the quotes or the list around it."""
    if isinstance(value, list | tuple) and len(value) == 1 and isinstance(value[0], str | int | float):
        value = value[0]
    if not isinstance(value, str):
        return value
    text = _clean(value)
    bare = text.strip()
    quoted = len(bare) > 2 and bare[0] == bare[-1] and bare[0] in "'\"`"
    return bare[1:-1] if quoted else text


def plain_number(value: Any) -> Any:
    """Returns text with its numbers in ASCII and without units of space: `−0.5` is `-0.5`, `572px` is `572`."""
    if not isinstance(value, str):
        return value
    return re.sub(r"(?<=\d)\s*(?:px|pixels?|°|degrees?)(?![A-Za-z])", "", re.sub("[−–](?=[\\d.])", "-", value))


def library_key(name: str) -> str | None:
    """Returns the canonical name of a key in the spelling of a library, such as `KEY_UP`, `Key.up` or `VK_UP`."""
    if (key := canonical_key(name)) is not None:
        return key
    bare = _clean(name).strip().strip("'\"`<>{}[]").strip()
    bare = re.sub(r"^the\s+|\s+key$", "", bare, flags=re.IGNORECASE)
    found = _LIBRARY.match(bare)
    squeezed = re.sub(r"[\s_-]", "", found[1]).lower() if found else ""
    return canonical_key(bare) or canonical_key(_SIDES.get(squeezed, squeezed))


def repaired_keys(value: Any) -> Any:
    """Returns key names, each in its canonical spelling as far as it has one."""
    words = texts(value)
    if words is None or len(words) > 8:
        return value
    parts = [p for w in words for p in ([w] if library_key(w) else split_chord(w[:80]))]
    return [library_key(p) or p for p in parts]


def repaired_points(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Returns arguments with points under the names that all verbs know. Two points of one name stay as they are."""
    out: dict[str, Any] = {}
    for key, value in arguments.items():
        squeezed = re.sub(r"[\s_-]", "", key.lower())
        point = next((n for n, spelling in _POINT_NAMES.items() if spelling.fullmatch(squeezed)), None)
        name = point or _AXES.get(squeezed, key)
        out[key if name in out or (name != key and name in arguments) else name] = value
    return out


_CELL = re.compile(
    r"\W*(?:cell|position|square|tile|field|coordinates?|at)?\W*(?:col(?:umn)?|x)?\W*(?P<c>[a-z])[\W_]*(?:row|y)?\W*"
    r"(?P<r>\d{1,2})\W*|\W*row\W*(?P<row>\d{1,2})\W*col(?:umn)?\W*(?P<column>[a-z])\W*",
    re.IGNORECASE,
)
_ROW_FIRST = re.compile(r"\W*(?:cell\W*)?(\d{1,2})[\W_]*([a-z])\W*", re.IGNORECASE)
_TIME_NAMES = ("duration", "durationms", "time", "timems", "milliseconds", "holdms")
_TEXT_NAMES = ("text", "word", "content", "value", "string", "input", "guess", "message", "letters", "arg")
_CODE_NAMES = ("program", "script", "javascript", "js", "source", "function", "text", "content", "value")
_NUMBER_NAMES = ("value", "amount", "arg", "argument", "n", "number", "target")
_WORD_NAMES = (
    "value", "target", "position", "pos", "square", "tile", "location", "loc", "coordinate", "coordinates", "coord",
    "coords", "at", "field", "id", "object", "arg", "argument", "name", "point", "where", "place", "spot", "box",
    "option", "choice", "item", "to",
)  # fmt: skip
_COLUMN, _ROW = ("column", "col", "x", "c"), ("row", "y", "r")


def spelled(given: Any, parameter: Any, name: str) -> Any:
    """Returns the argument that a model's value spells for the parameter `name`: `C-4` for `c4`, `KEY_UP` for `up`."""
    if isinstance(given, Mapping) and len(given) == 1 and "value" in given:
        given = given["value"]
    if isinstance(given, list | tuple) and parameter.type == "cell" and all(isinstance(v, str | int) for v in given):
        given = " ".join(map(str, given))
    if isinstance(given, Mapping) and parameter.type == "cell":
        given = cell_of(given) or given
    if parameter.type == "code":
        return given
    if parameter.type == "text":
        letters = given.strip().split() if isinstance(given, str) else given
        is_word = isinstance(letters, list | tuple) and len(letters) > 1
        return "".join(letters) if is_word and all(isinstance(c, str) and len(c) == 1 for c in letters) else given
    if not isinstance(given, str):
        return given
    given = unicodedata.normalize("NFKC", given)
    word = given.strip(" ()[]<>`'\".")
    if parameter.type == "cell":
        given = _ROW_FIRST.sub(r"\2\1", given) if _ROW_FIRST.fullmatch(given) else given
        found = [_CELL.fullmatch(part) for part in _clean(given).strip(" )").split("(") if part.strip()]
        cells = {f"{m['c'] or m['column']}{int(m['r'] or m['row'])}".lower() if m else "" for m in found}
        return cells.pop() if len(cells) == 1 and "" not in cells else word
    if parameter.type == "choice":
        known = parameter.choices
        same = [c for c in known if squeezed(c) == squeezed(word) != ""]
        keys = [c for c in known if (key := library_key(c)) and key == library_key(word)]
        return next((c[0] for c in (same, keys) if len(c) == 1 and word.lower() not in map(str.lower, known)), word)
    if squeezed(name).endswith("ms") and (time := _TIME.fullmatch(word.replace(",", "."))):
        return str(float(time[1]) * (1 if time[2].lower().startswith("m") else 1000))
    word = re.sub(r"\s*(?:milliseconds|ms)\Z", "", plain_number(word))
    return re.sub(r"\A([-+]?\d+),(\d{1,2})\Z", r"\1.\2", word)


def cell_of(given: Mapping[str, Any]) -> str | None:
    """Returns the cell of a column's letter and a row's number; None if there is not one of each."""
    fields = {str(k).lower(): v for k, v in given.items()}
    column = [str(fields[k]) for k in _COLUMN if k in fields]
    row = [str(fields[k]) for k in _ROW if k in fields]
    return f"{column[0]}{row[0]}" if len(column) == len(row) == 1 and column[0].isalpha() else None


def fits(key: str, name: str, parameter: Any) -> bool:
    """Whether an argument of another name can be meant for a parameter."""
    key, name = squeezed(key), squeezed(name)
    names = {"text": _TEXT_NAMES, "code": _CODE_NAMES, "integer": _NUMBER_NAMES, "number": _NUMBER_NAMES}.get(
        parameter.type, _WORD_NAMES
    )
    if parameter.type in ("integer", "number") and name.endswith("ms") and key in _TIME_NAMES:
        return True
    return key in names or key in (f"{name}s", f"{name}id", f"{name}name", f"target{name}")
