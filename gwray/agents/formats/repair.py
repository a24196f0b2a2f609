"""Repairs replies that no format reads: the second reading of a reply (`gwray.records.READING`).

A reply is first read as it is. Only if that gives no possible action is it read again, after its text has been
rewritten into forms that every format knows. So one repair serves all formats, and no reply that was understood before
changes its meaning.
"""

from __future__ import annotations

import json
import re
from typing import Any

from gwray.agents.formats.base import split_thinking, was_cut
from gwray.agents.formats.broken_json import ASCII, INVISIBLE, decode_broken, repaired_objects
from gwray.agents.formats.in_text import AFTER, CALL_TAG, SUFFIX
from gwray.agents.formats.loose_json import as_arguments, decode
from gwray.agents.formats.uitars import LABEL
from gwray.records import Reply, ToolCall

MAX_BODY = 4_000
"""Characters of one tagged call."""
_GUI_THINK = re.compile(rf"<(/?)gui_think{SUFFIX}>", re.IGNORECASE)
_NAMED = re.compile(r"(?:^\s*=|\bname\s*=)\s*[\"'“”]?([\w.:-]{1,64})")
_NAMES = "function|invoke|xai:function_call"
_FUNCTION = re.compile(
    rf"(?P<open><{CALL_TAG}>\s{{0,99}})?<(?P<tag>{_NAMES}){SUFFIX}(?P<about>[\s=][^<>]{{1,200}}?)"
    rf"(?:/>|>(?P<body>(?:(?!<(?:{_NAMES})[\s=]).){{0,{MAX_BODY}}}?)"
    rf"(?:(?P<end></(?P=tag){SUFFIX}>)|(?=</{CALL_TAG}>)))(?P<close>\s{{0,99}}</{CALL_TAG}>)?",
    re.IGNORECASE | re.DOTALL,
)
_PARAMETER = re.compile(
    rf"<(?:xai:)?parameter{SUFFIX}(?P<about>[\s=][^<>]{{1,200}})>(?P<value>.{{0,{MAX_BODY}}}?)"
    rf"(?P<end></(?:xai:)?parameter{SUFFIX}>|(?=<(?:xai:)?parameter)|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_PLAIN = re.compile(rf"<{CALL_TAG}>\s*([^<>{{}}\n]{{1,200}}?)\s*</{CALL_TAG}>", re.IGNORECASE)
_REST_OF_LINE = re.compile(r"[ \t`*]*([A-Za-z_][^\n<>{}]{0,119}?)[\s`*.]*\Z")


def with_thinking(reply: Reply) -> Reply:
    """Returns a reply with the tags that Seed-1.8 puts around its thinking replaced by `<think>` and `</think>`."""
    text = _GUI_THINK.sub(r"<\1think>", reply.text)
    return reply if text == reply.text else reply.model_copy(update={"text": text})


def repaired(reply: Reply) -> Reply:
    """Returns a copy of a reply whose malformed calls are rewritten into forms that every format reads.

    Rewrites calls in the text and the arguments of the provider's tool calls. Text that was thinking stays thinking.
    Brackets that are missing at the end are added unless the reply was cut off.
    """
    close = not was_cut(reply)
    answer, thought, missing = split_thinking(INVISIBLE.sub("", reply.text))
    if missing == "end":
        text = f"{_text(answer, close)}<think>{_text(thought, close)}"
    elif missing == "start":
        text = f"{_text(thought, close)}</think>{_text(answer, close)}"
    else:
        text = (f"<think>{thought}</think>" if thought else "") + _text(answer, close)
    calls = tuple(ToolCall(name=c.name, arguments=plain_arguments(c.arguments, close=close)) for c in reply.tool_calls)
    return reply.model_copy(update={"text": text, "tool_calls": calls})


def plain_arguments(given: Any, *, close: bool = True) -> Any:
    """Returns arguments as a mapping if they are JSON text of one, even malformed or encoded twice; otherwise
    unchanged. `close`: add brackets that are missing at the end."""
    if not isinstance(given, str):
        return given
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
            found = decode_broken(given, close=close) or (as_arguments(given) if close else None)
    return found if isinstance(found, dict) else given


def _text(text: str, close: bool) -> str:
    """Returns a text with its malformed calls rewritten. `close`: add brackets that are missing at the end."""
    text = _PLAIN.sub(lambda m: _marked(m[1], {}), _tags(text))
    for value, start, end in reversed(repaired_objects(text, close=close)):
        text = text[:start] + json.dumps(value, ensure_ascii=False) + text[end:]
    return _action_line(text)


def _marked(name: str, arguments: dict[str, Any]) -> str:
    """Returns a call as JSON between `<tool_call>` tags."""
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}</tool_call>"


def _tags(text: str) -> str:
    """Rewrites functions in tags, with any attributes. Without the tag that opens a call they count at the end only:
    anywhere else they may be quoted."""
    if "<" not in text:
        return text
    found: list[tuple[re.Match[str], bool]] = []
    for m in _FUNCTION.finditer(text):
        last = found[-1] if found else None
        follows = last is not None and not last[0]["close"] and not text[last[0].end() : m.start()].strip()
        found.append((m, bool(m["open"]) or (follows and found[-1][1])))
    end = len(text)
    for m, opened in reversed(found):
        is_last = end >= 0 and AFTER.fullmatch(text, m.end(), end) is not None
        call = _call(m) if opened or is_last else ""
        end = m.start() if call and is_last else -1
        if call:
            text = text[: m.start()] + call + text[m.end() :]
    return text


def _call(m: re.Match[str]) -> str:
    """Returns a tagged function as a marked call; empty if it is not a complete one."""
    body = m["body"] or ""
    name = _NAMED.search(m["about"])
    given: dict[str, Any] = {}
    for p in _PARAMETER.finditer(body):
        key = _NAMED.search(p["about"])
        if key is None or key[1] in given or not (m["end"] or p["end"]):
            return ""
        given[key[1]] = p["value"].strip()
    return _marked(name[1], given) if name else ""


def _action_line(text: str) -> str:
    """Rewrites what follows the label of an action: marks of other alphabets, and a call without brackets."""
    label = LABEL.search(text)
    if label is None or "<tool_call>" in text:
        return text
    before, rest = text[: label.end()], text[label.end() :]
    if rest.lstrip(" `\n")[:1] == "{":
        return f"{before}<tool_call>{rest}</tool_call>"
    rest = rest.translate(ASCII)
    line = None if "{" in before else _REST_OF_LINE.fullmatch(rest)
    return before + (_marked(line[1], {}) if line else rest)
