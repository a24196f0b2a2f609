"""Repairs replies whose format has no possible action in them: the one repair, and all of its grammar.

    reply     := any text, then calls, each on lines of its own
    call      := object | name "(" arguments ")" | template
    object    := JSON, or JSON with comments, trailing commas, single, typographic or full-width quotes, keys without
                 quotes, in a code fence, or without its last bracket; {name: arguments} and name {arguments} are calls
    name      := a possible action in any case, with any separators (`move-left`, `MoveLeft`), after a path such as
                 `functions.`
    arguments := `cell="c4"`, `cell: "c4"`, or values in the order of the parameters, or an object
    template  := the tool calls of the model families in `conf/model/`: see `in_text`

The repair only writes loose objects and bracketed calls as JSON; then the format reads the text once more by its own
rules, among them that a quoted, negated or considered call is no decision. Prose is never read: without an opening
bracket, brace or tag there is no call. Nor are there synonyms of names and parameters, or further wrappers.

A form is added only with a recorded reply of a real model that writes it; name the model beside the form.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection
from typing import Any

from gwray.agents.calls import MAX_TEXT
from gwray.agents.formats.base import split_thinking, was_cut
from gwray.agents.formats.in_text import named_calls
from gwray.agents.formats.loose_json import as_arguments, objects
from gwray.agents.formats.uitars import read_arguments
from gwray.records import Reply, ToolCall

MAX_BRACKETS = 4_000
"""Characters between the brackets of one call."""
_LINE = re.compile(
    r"^[ \t\[(\"'`*_-]{0,20}(?:\d{1,2}[.)][ \t]{0,4})?(?:[^\n{}()<>]{0,60}?[:=：][ \t\"'`*]{0,8})?"
    r"(?:<[^<>\n]{1,40}>[ \t]{0,4}){0,3}[\[(\"'`*]{0,8}(?:print\(|await |return )?"
    r"(?P<call>(?:\w{1,40}\.){0,4}(?P<name>(?!call\b)\w[\w-]{0,63})(?:\.call)?[\"'`*]{0,3}\()",
    re.MULTILINE,
)
_NAME_BEFORE = re.compile(
    r"(?:^|[:=\])>])[ \t`*]*([A-Za-z][\w.-]{0,80})"
    r"(?:[\s:`*]|\[ARGS\]|\b(?:action )?(?:input|arguments):|\bjson){0,20}\Z",
    re.IGNORECASE | re.MULTILINE,
)
_ASCII = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})
_REST = re.compile(r"[\s\])\"'`*;.,]*?(?:$|[ \t]*(?:#|//)|<)", re.MULTILINE)


def squeezed(name: str) -> str:
    """Returns the form in which names are compared: without case and separators."""
    return re.sub(r"[\W_]", "", name).lower()


def plain_reply(reply: Reply, names: Collection[str]) -> Reply:
    """Returns a reply with its calls in plain JSON, as far as the grammar has them.

    Args:
        reply: a reply that its format could not read.
        names: names of all possible calls.
    """
    calls = tuple(ToolCall(name=c.name, arguments=_plain_arguments(c)) for c in reply.tool_calls)
    text = _plain_text(split_thinking(reply.text)[0], {squeezed(n) for n in names}, was_cut(reply))
    return reply.model_copy(update={"text": text, "tool_calls": calls})


def _plain_arguments(call: ToolCall) -> dict[str, object] | str:
    if isinstance(call.arguments, str) and len(call.arguments) > MAX_TEXT:
        return call.arguments
    found = as_arguments(call.arguments, loose=True)
    return call.arguments if found is None else found


def _plain_text(text: str, names: set[str], cut: bool) -> str:
    text = unicodedata.normalize("NFKC", text).translate(_ASCII)
    spans = [(start, end, json.dumps(_named(value, text[max(0, start - 120) : start], names)))
             for value, start, end in objects(text, close=not cut)]  # fmt: skip
    calls: list[tuple[int, int, str]] = []
    for line in _LINE.finditer(text):
        inside = any(start <= line.start("name") < end for start, end, _ in spans)
        if not inside and squeezed(line["name"]) in names and (found := _bracketed(text, line)):
            calls.append(found)
    if len({written for _, _, written in calls}) > 1:
        calls = []  # ambiguous: a list of calls is written as JSON
    outer = [s for s in spans if not any(start < s[0] < end for start, end, _ in calls)]
    out: list[str] = []
    at = 0
    for start, end, written in sorted([*outer, *calls]):
        out += [text[at:start], written]
        at = end
    return "".join([*out, text[at:]])


def _named(value: dict[str, Any], before: str, names: set[str]) -> dict[str, Any]:
    """Returns an object as a call, if it is the arguments of the name before it or the value of a name."""
    (key, given), *others = value.items() or [("", None)]
    if not others and squeezed(key) in names and not isinstance(given, bool | int | float):
        return {"action": key, "arguments": {} if given is None else given}
    name = _NAME_BEFORE.search(before)
    if name and squeezed(name[1].split(".")[-1]) in names and not any(named_calls(value)):
        return {"action": name[1], "arguments": value}
    return value


def _bracketed(text: str, line: re.Match[str]) -> tuple[int, int, str] | None:
    """Returns the span of a call that stands on lines of its own, and the call in JSON; None if it does not."""
    body = text[line.end() : line.end() + MAX_BRACKETS]
    if body.lstrip().startswith("{"):
        given, _, end = next(objects(body), ({}, 0, 0))
        closed = re.compile(r"\s*\)").match(body, end)
        arguments, end = (given, closed.end()) if closed else (None, 0)
    else:
        pairs, end = read_arguments(re.sub(r"(?<=[(,])(\s*\w+)\s*:(?!//)", r"\1=", f"({body}")[1:], 0)
        arguments = None if pairs is None else arguments_of(pairs)
    if arguments is None or not _REST.match(body, end):
        return None
    call = {"action": line["name"], "arguments": arguments}
    return line.start("call"), line.end() + end, json.dumps(call)


def arguments_of(pairs: list[tuple[str, str]]) -> dict[str, str] | list[str] | None:
    """Returns arguments by name, or in order if none has a name; None if only some have one, or one is given twice."""
    if not any(key for key, _ in pairs):
        return [value for _, value in pairs]
    named = {key: value for key, value in pairs if key}
    return named if len(named) == len(pairs) else None
