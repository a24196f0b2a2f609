"""Finds the calls of a reply that its format cannot read: the one repair path (`gwray.records.READING`).

A call is a known name with arguments. What stands around it differs by model family, and is ignored:

    call      := object | name "(" arguments ")" | name glue object | name fields | label? name words?
    object    := JSON in any spelling, with the name under any usual key
    glue      := marks, tags, and words such as "with arguments"
    fields    := attributes, elements or lines: cell="c4", <cell>c4</cell>, cell: c4

A call that the model quotes, negates, remembers or only considers does not count. Of several different calls the last
one counts if it alone stands on a line of its own; several adjacent ones count as a list. Anything else is ambiguous.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from gwray.agents.calls import MAX_CALLS, Call
from gwray.agents.formats.answers import ACTION_LINE, is_dismissed, plain_answer
from gwray.agents.formats.base import split_thinking, was_cut
from gwray.agents.formats.broken_json import INVISIBLE, decode_broken, object_at
from gwray.agents.formats.in_text import ALIASES, is_definition, named_calls, reshaped, squeezed
from gwray.agents.formats.loose_json import MAX_STARTS, decode, json_objects
from gwray.agents.formats.uitars import read_arguments
from gwray.records import Reply, ToolCall

MAX_ANCHORS = 200
"""Names that are tried in one text: the last ones."""
Known = Mapping[str, Sequence[str] | None]
Resolve = Callable[[Call], "Call | None"]
"""Returns a call with the name and arguments of the possible action that it spells; None if it spells none."""

_GLUE = re.compile(
    r"(?:[^\w{}<]|<[^<>{}]{0,80}>|\b(?:json|with|and|the|its|arguments?|args?|param(?:eter)?s?|inputs?|action|tool"
    r"|function|call|message|channel|commentary|comment|analysis|code|constrain)(?![A-Za-z0-9])|:[ \t]?\d{1,6}(?!\d))*",
    re.IGNORECASE,
)
_OWN_TAG = re.compile(r"[^<>\n]{0,300}>")
_ATTRIBUTE = re.compile(r"([A-Za-z_]\w*)\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>/]+))")
_PAIR = re.compile(r"<arg_key>([^<>]*)</arg_key>\s*<arg_value>([^<>]*)</arg_value>", re.IGNORECASE)
_LEAF = re.compile(
    r"<(?!/|arg_key)(?P<about>[^<>]{1,200})>(?P<value>[^<>]*(?:<(?P<tag>point|bbox|box)>[^<>]*</(?P=tag)>)?[^<>]*)</[^<>]{1,60}>"
)
_TAG = re.compile(r"<(?:/[^<>]{1,100}|(?:\w+_)?(?:arguments|parameters|params|args|input))>", re.IGNORECASE)
_LEAF_NAME = re.compile(
    r"^(?:\w+:)?(?:param|arg|field|property)\w*(?:\s*=\s*|\s(?:.*\s)?(?:name|key)\s*=\s*)[\"']?(\w{1,64})"
    r"|^(?!function|invoke|tool|call|action\s)(?:\w+:)?(\w{1,64})(?:\s+\w+=.*)?$",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"[ \t]*(?:[,;]|\n[ \t]*(?:[-*•][ \t]+)?|[\"'][ \t]*,?)[ \t]*"
    r"[\"']?(?P<key>[A-Za-z_][\w ]{0,30}?)[\"']?[ \t]*[:=][ \t]*"
    r"(?P<value>\"[^\"\n]*\"|'[^'\n]*'|\[[^\]\n]*\]|\([^()\n]*\)|[^,;\n{}]*)"
)
_WRAPPERS = ("actioninput", "arguments", "args", "parameters", "params", "input", "toolinput", "actionargs")
_LABEL = re.compile(
    r"(?:\A|[.!?\n])\W*(?:[^\W\d]+\W+){0,4}?[^\W\d]+(?:\s*\d{1,2})?\W*[:=]\W*\Z"
    r"|\b(?:answer|action|move|choice|decision) is\W*\Z"
)
_PATH = re.compile(r"(?:\b(?:print\(|await |return ))?(?:\w{1,40}\.){0,4}\Z")
_END_OF_WORDS = re.compile(r"[<\n]|\.\s+(?=[A-Z]\w*(?: \w+)?:)")
_ONE_WORD = re.compile(r"\W*\n\W*[A-Za-z_]\w*(?:\([^()\n]*\))?\W*(?:\n|\Z)")
_TEMPLATE = r"(?:\w{1,20}:)?(?:arg_key|arg_value|parameter|invoke|function|function_calls|tool_call)"
_TEMPLATE_TAG = re.compile(rf"</?{_TEMPLATE}>", re.IGNORECASE)
_LAST_TAGS = re.compile(rf"(?:\s*</{_TEMPLATE}>)+\s*\Z", re.IGNORECASE)
_LEAKED = re.compile(
    r"(?:</[\w:]{1,64}>)?\s*<(?:\w{1,20}:)?parameter(?:=|\s+name=)[\"']?(\w{1,64})[\"']?\s*>\s*", re.IGNORECASE
)
_CLOSED = re.compile(r"(?:/>|</(?!param|arg_)[\w:]+>)\s*\Z", re.IGNORECASE)
_INSIDE_TAG = re.compile(r"<[^<>]*\Z|<[^<>/]+>\s*\Z")


@dataclass(frozen=True)
class Found:
    """A call in the text of a reply."""

    call: Call
    """With the name and the arguments of the action; as it is written if that is not possible."""
    possible: bool
    start: int
    end: int
    form: str
    """How it is written: object, call, fields or words; unclear or "two values": an object without one meaning."""
    alone: bool = False
    """Whether it stands on lines of its own, with at most a label before it."""
    listed: bool = True
    """Whether no words stand between it and the call before it."""
    dismissed: bool = False
    """Whether the words around it say that it is no decision."""


def plain_arguments(given: Any, *, close: bool = True) -> Any:
    """Returns arguments as a mapping if they are JSON text of one, even malformed or encoded twice; otherwise
    unchanged. `close`: add brackets that are missing at the end."""
    if not isinstance(given, str):
        return _without_markup(given)
    for _ in range(3):  # JSON text inside JSON text
        inner = decode(given) if given.strip()[:1] == '"' else None
        if not isinstance(inner, str):
            break
        given = inner
    found = None
    if "{" in given or "｛" in given:
        try:
            found = json.loads(given, strict=False)
        except (ValueError, RecursionError):
            same = sorted(json_objects(given), key=bool) if close else []  # empty or the same, see `has_several`
            found = decode_broken(given, close=close) or (same[-1] if same else None)
    if isinstance(found, dict):
        return _without_markup(found)
    return _fields(given, 0, False)[0] or given if given.lstrip()[:1] == "<" else given


def _without_markup(given: Any) -> Any:
    """Returns arguments without tags of a model's own template in their names and at the end of their values. Arguments
    that the server took for a part of the one before them get their own place, unless they are given twice."""
    if not isinstance(given, Mapping):
        return given
    plain: dict[str, Any] = {}
    for key, value in given.items():
        first, *leaked = _LEAKED.split(value) if isinstance(value, str) else [value]
        pairs = [(_TEMPLATE_TAG.sub("", str(key)), first), *zip(leaked[::2], leaked[1::2], strict=True)]
        for name, text in pairs:
            bare = _LAST_TAGS.sub("", text) if isinstance(text, str) else text
            if plain.setdefault(name, bare) is not bare:
                return given
    return plain


def plain_tool_calls(reply: Reply) -> Reply:
    """Returns a reply whose tool calls have mappings as arguments, as far as their text is one."""
    close = not was_cut(reply)
    given = [(c.name, plain_arguments(c.arguments, close=close)) for c in reply.tool_calls]
    calls = tuple(ToolCall(name=n, arguments=_two_verbs(a or _arguments_in(n))) for n, a in given)
    return reply.model_copy(update={"tool_calls": calls})


def _arguments_in(name: str) -> dict[str, Any]:
    """Returns the arguments that a server left in the name of a call, in a model's own tags."""
    return _fields(name, name.find("<"), False)[0] if "<" in name else {}


def _two_verbs(given: Any) -> Any:
    """Returns arguments of a computer tool with the verb under both names that such tools use."""
    verb = given.get("action", given.get("type")) if isinstance(given, dict) else None
    return {"action": verb, "type": verb, **given} if isinstance(verb, str) else given


def with_plain_objects(reply: Reply) -> Reply:
    """Returns a reply whose answer consists of the objects in it, in plain JSON."""
    objects = _objects(plain_answer(split_thinking(reply.text)[0]), close=not was_cut(reply))
    text = "\n".join(json.dumps(value, ensure_ascii=False) for value, _, _ in objects if value is not None)
    return reply.model_copy(update={"text": text})


def calls_in(reply: Reply, known: Known, resolve: Resolve) -> list[Found]:
    """Returns every call in the answer of a reply, in order, with those that do not count.

    Args:
        reply: its answer is searched; its thinking only if no answer follows it, and then only for a call at its end.
        known: the names of all possible calls, each with its parameters; None: they have no order.
        resolve: decides which of them are possible.
    """
    answer, thought, _ = split_thinking(INVISIBLE.sub("", reply.text))
    cut = was_cut(reply)
    if answer.strip() or not thought or cut:
        return _found(answer, known, resolve, cut)
    if not thought.rstrip().endswith(">") and not ACTION_LINE.match(thought.rstrip().rpartition("\n")[2]):
        return []
    return [f for f in _found(thought, known, resolve, cut)[-1:] if f.alone]


def chosen(found: list[Found]) -> list[Found]:
    """Returns the calls that a reply has decided on; none if it is ambiguous."""
    live = [f for f in found if not f.dismissed]
    if len({repr(f.call) for f in live}) <= 1:
        return live[-1:]
    if all(f.form in ("fields", "object") and f.listed for f in live):
        return live
    if not any(f.alone for f in live[:-1]) and live[-1].alone and all(f.possible for f in live):
        return live[-1:]
    return []


def _found(text: str, known: Known, resolve: Resolve, cut: bool) -> list[Found]:
    text = plain_answer(_with_key_tags(text, known))
    anchors = list(_names_pattern(known).finditer(text))[-MAX_ANCHORS:] if known else []
    names = {squeezed(n) for n in known}
    found: list[Found] = []
    spans: list[tuple[int, int]] = []
    for value, start, end in _objects(text, close=not cut):
        spans.append((start, end))
        if value is None:
            form = "two values" if has_two_values(text[start:end]) else "unclear"
            found.append(_placed(text, Call("", {}), False, start, end, form))
            continue
        if is_definition(value):
            found += [
                replace(_placed(text, c, p, start, end, "object"), dismissed=True) for c, p in _calls_of(value, resolve)
            ]
            continue
        calls, short = _calls_of(value, resolve), _is_short(value)
        left = next((a for a in reversed(anchors) if a.end() <= start), None)
        glued = left is not None and start - left.end() < 200 and _GLUE.fullmatch(text, left.end(), start)
        call = resolve(Call(left[0], value)) if left and glued and not any(possible for _, possible in calls) else None
        if left and call:
            calls, start, short = [(call, True)], left.start(), False
            spans.append((start, end))
        placed = [_placed(text, call, possible, start, end, "object") for call, possible in calls]
        found += [f for f in placed if f.alone or not short]
    for anchor in anchors:
        if len(found) > MAX_CALLS or any(s <= anchor.start() < e for s, e in spans):
            continue
        read = [(call, resolve(call), end, form) for call, end, form in _read(text, anchor, cut)]
        best = next((r for r in read if r[1] is not None), None)
        if best is None and squeezed(anchor[0]) in names and text[anchor.end() : anchor.end() + 1] != "=":
            best = next((r for r in read if r[3] == "fields" and _CLOSED.search(text, anchor.start(), r[2])), None)
        if best is None and any(r[3] == "call" for r in read):
            best = (Call(""), None, read[0][2], "unclear")
        if best is not None:
            call, action, end, form = best
            call, action = (Call(""), None) if form == "unclear" else (call, action)
            placed = _placed(text, action or call, action is not None, anchor.start(), end, form)
            if cut and form == "call" and not placed.alone:  # the words that were cut off may name another call
                placed = replace(placed, dismissed=True)
            found += [placed] if placed.alone or form != "unclear" else []
            spans.append((anchor.start(), end))
    return _without_undecided(text, _with_neighbours(text, sorted(found, key=lambda f: f.start)))


def _with_key_tags(text: str, known: Known) -> str:
    """Returns a text with the first `<arg_key>` of a call in GLM's tags, if only its end is there."""
    for name, parameters in known.items() if "</arg_key>" in text else ():
        keys = "|".join(map(re.escape, parameters or ()))
        pattern = rf"(?<!\w)({re.escape(name)})\s*({keys})\s*(?=</arg_key>)"
        text = re.sub(pattern, r"\1<arg_key>\2", text) if keys else text
    return text


def _names_pattern(known: Known) -> re.Pattern[str]:
    """Returns a pattern of all names, of the first words of those without parameters (`move(up)` is `move_up`), and of
    any one name or call that is an action line."""
    split = {n.partition("_")[0] for n, parameters in known.items() if parameters == []}
    spelled = (r"[\s_-]?".join(map(re.escape, n.split("_"))) for n in sorted({*known, *split}, key=len, reverse=True))
    called = r"(?<=\baction: )[A-Za-z_]\w{0,40}(?=\(|[ \t.]*$)"
    return re.compile(rf"(?m)(?<![A-Za-z0-9])(?:{'|'.join(spelled)})(?![A-Za-z0-9_])|{called}", re.IGNORECASE)


def _objects(text: str, *, close: bool) -> Iterator[tuple[dict[str, Any] | None, int, int]]:
    """Yields the outermost objects of a text, in any spelling; None for one whose meaning is not clear."""
    at = 0
    for start in [m.start() for m in re.finditer("{", text)][-MAX_STARTS:]:
        if start < at:
            continue
        read = object_at(text[start:], close=close)
        at = start + (read[1] if read else _extent(text[start:]))
        if read or ":" in text[start:at]:
            yield (read[0] if read and not has_two_values(text[start:at]) else None), start, at


def _extent(text: str) -> int:
    """Returns the length of a text up to where its first brace closes."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if not depth:
            return i + 1
    return len(text)


def has_two_values(text: str) -> bool:
    """Whether an object in valid JSON has a key with two different values."""
    twice: list[str] = []

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        twice.extend(k for k, v in pairs if v != found[k])
        return found

    try:
        json.loads(text, strict=False, object_pairs_hook=build)
    except (ValueError, RecursionError):
        return False
    return bool(twice)


def _calls_of(value: Mapping[str, Any], resolve: Resolve) -> list[tuple[Call, bool]]:
    """Returns the calls that an object means, and whether each is possible."""
    named = [call for call, _ in named_calls(value)][:MAX_CALLS]
    known = [resolve(call) for call in named]
    if not (named and all(known)) and (other := next(filter(None, map(resolve, reshaped(value))), None)) is not None:
        return [(other, True)]
    return [(found or call, found is not None) for call, found in zip(named, known, strict=True)]


def _is_short(value: Mapping[str, Any]) -> bool:
    """Whether an object has one key, which no call has: it may be something else."""
    return len(value) == 1 and not list(named_calls(value))


def _read(text: str, anchor: re.Match[str], cut: bool) -> Iterator[tuple[Call, int, str]]:
    """Yields what a name and the text after it may mean, with its end and its form."""
    name, at = anchor[0], anchor.end()
    prefix = _line_before(text, anchor.start())
    tagged = _INSIDE_TAG.search(text, max(0, anchor.start() - 200), anchor.start())
    labelled = bool(_LABEL.search(prefix))
    anchored = bool(tagged) or labelled or not re.search(r"\w", re.sub(r"\d{1,2}[.)]", "", prefix))
    bracket = re.compile(r"(?:\.call)?[\s\"'*]{0,3}\(" if anchored else r"(?:\.call)?\(").match(text, at)
    if bracket:
        arguments, end = read_arguments(
            re.sub(r"(?<=[(,])(\s*\w+)\s*:(?!//)", r"\1=", text[at : at + 4000]), bracket.end() - at
        )
        if arguments is not None:
            mixed = {bool(key) for key, _ in arguments} == {True, False}
            yield Call(text[anchor.start() : at + end]) if mixed else Call(name, _pairs(arguments)), at + end, "call"
        return
    if not anchored:
        return
    fields, end = _fields(text, at + (text[at : at + 2] == ":\n"), bool(tagged))
    if fields or (tagged and re.match(r"[^<>]*(?:/>|>\s*</)", text[at : at + 200])):
        yield Call(name, fields), end, "fields"
    stop = _END_OF_WORDS.search(text, at)
    end = stop.start() if stop else len(text)
    words = text[at:end].strip(" \t\"'`*.,;:|()[]{}<>=!→/-")
    if (cut and end == len(text)) or text[at:end].strip().endswith(("...", "?")) or len(words) > 60:
        return
    marked = labelled or tagged
    clear = marked or "_" in name or text[at : at + 1] in (":", "=")
    short = "_" not in name and " " in words and text[at:end].strip(" :=")[:1] not in ("'", '"')
    if words and not re.search(r"\d", words) and (short or not clear):
        return
    # Of a list of commands, one may be unknown.
    yield Call(f"{name} {words}".strip()), end, "unclear" if _ONE_WORD.match(text, end) and not marked else "words"


def _pairs(arguments: list[tuple[str, str]]) -> Any:
    """Returns arguments by name, or a list if none has one."""
    if all(not key for key, _ in arguments):
        return [value for _, value in arguments]
    if any(not key for key, _ in arguments) or len({key for key, _ in arguments}) < len(arguments):
        return None
    return dict(arguments)


def _fields(text: str, at: int, tagged: bool) -> tuple[dict[str, Any], int]:
    """Returns the arguments that follow a name as attributes, elements or lines; none if one is given twice."""
    pairs: list[tuple[str, str]] = []
    own = _OWN_TAG.match(text, at) if tagged else None
    if own:
        pairs += [(m[1], m[2] or m[3] or m[4] or "") for m in _ATTRIBUTE.finditer(own[0])]
        at = own.end()
    while len(pairs) < 20:
        blank = re.compile(r"\s*").match(text, at)
        begin = blank.end() if blank else at
        if pair := _PAIR.match(text, begin):
            pairs.append((pair[1].strip(), pair[2].strip()))
            at = pair.end()
        elif (leaf := _LEAF.match(text, begin)) and (key := _LEAF_NAME.search(leaf["about"].strip())):
            pairs.append((key[1] or key[2], leaf["value"].strip()))
            at = leaf.end()
        elif tag := _TAG.match(text, begin):
            at = tag.end()
        elif (field := _FIELD.match(text, at)) and not (tagged and "<" in field[0]):
            value = field["value"].strip()
            if squeezed(field["key"]) in ALIASES:
                break  # the next call
            if value:
                pairs.append((field["key"].strip(), value.strip("\"'") if value[0] in "\"'" else value))
            at = field.end()
        else:
            break
    named: dict[str, Any] = {}
    for key, value in pairs:
        key = (
            re.sub(r"\W|_", "", key).lower() if re.sub(r"\W|_", "", key).lower() in _WRAPPERS else key.replace(" ", "_")
        )
        if named.get(key, value) != value:
            return {}, at
        named[key] = value
    return named, at


def _line_before(text: str, at: int) -> str:
    """Returns the line up to a position, without the path of a function that ends it."""
    return _PATH.sub("", text[max(text.rfind("\n", 0, at) + 1, at - 200) : at])


def _placed(text: str, call: Call, possible: bool, start: int, end: int, form: str) -> Found:
    """Judges a call by the words around it."""
    prefix, rest = _line_before(text, start), text[end : end + 120]
    labelled = bool(_LABEL.search(prefix))
    alone = (labelled or not re.search(r"\w", re.sub(r"<[^<>]*>?|\d{1,2}[.)]", "", prefix))) and not re.search(
        r"\w", re.sub(r"<[^<>]*>", "", rest.split("\n", 1)[0])
    )
    return Found(call, possible, start, end, form, alone, dismissed=is_dismissed(text, start, end))


_NEXT = re.compile(r"\s*(?:[,;]|and|or|->|→|\n\s*(?:\d{1,2}[.)]|[-*•]))?\s*")
_NO_WORDS = re.compile(r"(?:[^\w<]|<[^<>]*>)*(?:<[^<>]*)?")


def _with_neighbours(text: str, found: list[Found]) -> list[Found]:
    """Dismisses the calls of a list whose first one is dismissed."""
    out: list[Found] = []
    for f in found:
        if out:
            near = out[-1].dismissed and _NEXT.fullmatch(text, out[-1].end, f.start) is not None
            same = out[-1].start == f.start or _NO_WORDS.fullmatch(text, out[-1].end, f.start) is not None
            f = replace(f, dismissed=f.dismissed or near, listed=same)
        out.append(f)
    return out


_OR = re.compile(r"\W{0,20}\bor\b[^.!?]{0,60}\Z|\W{0,3}[ \t][/|][ \t]\W{0,3}\Z", re.IGNORECASE)
_FINAL = re.compile(r"\bfinal (?:answer|action|move|choice|decision)\W*(?:is\W*)?\Z", re.IGNORECASE)
_STEP = re.compile(r"^\W*(?:step|turn)\s*#?\d+\W*$", re.IGNORECASE | re.MULTILINE)


def _without_undecided(text: str, found: list[Found]) -> list[Found]:
    """Dismisses calls that are joined by "or", different calls that are each labelled as final, and all calls of a
    history that ends with the heading of a further step."""
    final = [f for f in found if _FINAL.search(text[max(0, f.start - 40) : f.start])]
    open_ = final if len({repr(f.call) for f in final}) > 1 else []
    for pair in pairwise(found):
        open_ = [*open_, *pair] if _OR.match(text[pair[0].end : pair[1].start]) else open_
    is_history = bool(found) and bool(_STEP.search(text, 0, found[0].start) and _STEP.search(text, found[-1].end))
    return [replace(f, dismissed=True) if is_history or f in open_ else f for f in found]
