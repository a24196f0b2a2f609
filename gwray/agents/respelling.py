"""Rewrites calls in shapes that no format has: the third reading of a reply (`gwray.records.READING`).

Only a reply without a possible action is read this way, and only a possible action is kept. A shape counts where it
ends the answer and occurs once: anywhere else it may be quoted, or one of several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gwray.agents.calls import Call, Refused
from gwray.agents.formats import REASONING
from gwray.agents.formats.base import split_thinking, was_cut
from gwray.agents.formats.broken_json import ASCII, INVISIBLE
from gwray.agents.formats.in_text import bare_calls, calls_in_text
from gwray.agents.formats.loose_json import json_objects, objects
from gwray.agents.formats.repair import plain_arguments
from gwray.records import Reply, ToolCall

_NAME = r"(?:functions?\.)?(?P<name>[A-Za-z_][\w.-]{0,63})"
_JSON = r"(?P<args>\{.{0,4000}?\})"
_CALL = rf"{_NAME}\s*\((?P<args>[^()]{{0,500}})\)"
_TEMPLATES = [
    re.compile(pattern, re.DOTALL | re.IGNORECASE)
    for pattern in (
        rf"<tool_calls?>\s*{_NAME}\s*(?:```json)?\s*{_JSON}\s*(?:```)?\s*</tool_calls?>",
        rf"<(tool_calls?|invoke)>\s*<(?:tool_)?name>\s*{_NAME}\s*</(?:tool_)?name>\s*"
        r"<(arguments|parameters|args|input)>(?P<args>.{0,4000}?)</\3>\s*</\1>",
        rf"<(function_calls?|tool_code)>\s*{_CALL}\s*</\1>",
        rf"<{_NAME}\s*/>(?P<args>)",
        rf"<(tool|function|invoke|action)\s+name=[\"']{_NAME}[\"']\s*>(?P<args>.{{0,4000}}?)</\1>",
        rf"<function\s*[=(]\s*{_NAME}\s*\)?>\s*{_JSON}\s*</function>",
        rf"<{_NAME}>\s*(?P<args>(?:<(\w+)>[^<>]{{0,400}}</\3>\s*){{1,8}})</(?P=name)>",
        rf"\[TOOL_CALLS\]\s*{_NAME}\s*(?:\[CALL_ID\]\s*\w{{1,64}}\s*)?\[ARGS\]\s*{_JSON}",
        rf"<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?{_NAME}(?:<｜tool▁sep｜>|\s)\s*(?:```json)?\s*{_JSON}"
        r"\s*(?:```)?\s*<｜tool▁call▁end｜>",
        rf"to=functions\.(?P<name>[\w-]{{1,64}})[^{{}}]{{0,80}}<\|message\|>\s*{_JSON}",
        rf"<start_function_call>\s*call:{_NAME}\s*{_JSON}\s*<end_function_call>",
        rf"action\s*:\s*{_NAME}\s*\n\s*action[ _]input\s*:\s*(?P<args>[^\n]{{0,4000}})",
        rf"```\w*\s*(?:print\s*\(\s*)?{_CALL}\)?\s*```",
        rf"\[\s*{_CALL}\s*\]",
        rf"\A\s*(?=\w+\.|[^()]*\([^()]*[\"'=]){_CALL}[\s;.]*\Z",
        r"(?:^|\n)\s*action\s*:\s*(?P<name>[A-Za-z_]\w{0,63})(?P<args>\s+<(point|bbox|box)>[^<>]{0,80}</\3>)",
    )
]
_PREFIXED = re.compile(
    r"<(/?)(?:｜\w{1,20}｜|[a-z]{1,20}:)(?=(?:invoke|parameter|function)(?:_calls)?\b)", re.IGNORECASE
)
"""What model families put before the names of the same tags."""
_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?)", re.IGNORECASE)
_AFTER = re.compile(r"(?:[\s\]]|`|<\|?/?[\w:]{1,60}\|?>|<｜[^<>]{1,40}｜>|</[\w:]{1,60}>)*\Z")
_PARAMETER = r"(?:param(?:eter)?|arg(?:ument)?)"
_FIELD = re.compile(
    rf"\s*<(?:{_PARAMETER}(?:\s+name)?\s*=\s*[\"']?)?(\w{{1,64}})[^<>]{{0,40}}>\s*([^<>]{{0,2000}}?)\s*"
    rf"</(?:\1|{_PARAMETER})>\s*"
)
_ACTIONS = ("action", "actions")
_ALIASES = (
    "move", "next_move", "next_action", "chosen_action", "selected_action", "final_action", "best_action", "command",
    "recipient_name",
)  # fmt: skip
_WRAPPING = ("properties", "action_args", "action_arguments", "action_parameters", "payload", "data", "value")
_VALUES = ("value", "target", "id", "arg", "argument")


def respelled(reply: Reply) -> Reply | None:
    """Returns a reply with its one call in a form that every format knows; None if no shape is found."""
    if was_cut(reply):
        return None
    if reply.tool_calls:
        return reply.model_copy(update={"tool_calls": tuple(_tool_call(c) for c in reply.tool_calls)})
    answer, thought, missing = split_thinking(INVISIBLE.sub("", reply.text))
    answer = _PREFIXED.sub(r"<\1", answer)
    found = None if missing else _template(answer) or _json(_unescaped(answer))
    if found is None:
        return None
    made = reply.model_copy(update={"text": (f"<think>{thought}</think>" if thought else "") + found})
    calls = (c for c in calls_in_text(made) if isinstance(c, Call) and isinstance(c.arguments, dict | str))
    tools = tuple(ToolCall(name=c.name, arguments=c.arguments) for c in calls)  # for formats that read no text
    return made.model_copy(update={"tool_calls": tools})


def respelled_call(call: Call | Refused, known: Mapping[str, Any]) -> Call | Refused:
    """Returns a call with the name and the arguments of the known one that it must mean.

    Args:
        known: the parameters of each call.
    """
    if isinstance(call, Refused):
        return call
    given = arguments_of(call.arguments)
    if isinstance(given, Mapping):
        given = dict(_in_ms(str(k), v) for k, v in given.items())
        call = replace(call, arguments=given)
    wanted = _squeezed(call.name)
    names = [name for name in known if _squeezed(name) == wanted]
    if len(names) != 1:
        return call
    parameters = [p for p in known[names[0]] if p != REASONING]
    if isinstance(given, Mapping):
        given = _named(dict(given), parameters)
    return replace(call, name=names[0], arguments=given)


def arguments_of(given: Any) -> Any:
    """Returns arguments as a mapping, also from fields in tags; otherwise unchanged. Several objects stay text."""
    if not isinstance(given, str):
        return given
    if has_several(given):
        return given
    found = plain_arguments(given.replace("<escape>", '"'))
    if isinstance(found, str) and (fields := _FIELD.findall(found)) and not _FIELD.sub("", found).strip():
        return dict(fields) if len(dict(fields)) == len(fields) else given
    return _as_json(found) if isinstance(found, dict) and _as_json(found) is not None else given


def _as_json(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Returns an object with JSON's types only; None if it has others, such as a set in Python's spelling."""
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError, RecursionError):
        return None


def has_several(given: Any) -> bool:
    """Whether arguments are text with several different objects, so that none of them is meant for certain."""
    objects = json_objects(given) if isinstance(given, str) else ()
    return len({repr(o) for o in objects if o}) > 1


def _in_ms(key: str, value: Any) -> tuple[str, Any]:
    """Returns an argument, a duration with its unit in milliseconds."""
    is_time = isinstance(value, str) and re.search("duration|time", key, re.IGNORECASE)
    if is_time and (time := _TIME.fullmatch(value.strip())):
        return "duration_ms", float(time[1]) * (1 if time[2].lower().startswith("m") else 1000)
    return key, value


def _squeezed(name: str) -> str:
    name = name.translate(ASCII).split("<|")[0].strip(" .`'\"")
    return re.sub(r"[\W_]", "", re.split(r"[./]", name)[-1]).lower()


def _named(given: dict[str, Any], parameters: list[str]) -> dict[str, Any]:
    rest = {k: v for k, v in given.items() if k != REASONING}
    if len(rest) != 1:
        return given
    (key, value), *_ = rest.items()
    if key in parameters:
        return given
    if isinstance(value, Mapping):
        return dict(value) if str(key).lower() in _WRAPPING else given
    if len(parameters) == 1 and str(key).lower() in (*_VALUES, f"{parameters[0]}_id", f"{parameters[0]}_name"):
        return {parameters[0]: value}
    return given


def _tool_call(call: ToolCall) -> ToolCall:
    """Returns a call of a computer tool with the action under both names that such tools use."""
    given = arguments_of(call.arguments)
    if isinstance(given, dict) and isinstance(given.get("action", given.get("type")), str):
        verb = given.get("action", given.get("type"))
        given = {"action": verb, "type": verb, **given}
    return call.model_copy(update={"arguments": given})


def _template(text: str) -> str | None:
    for pattern in _TEMPLATES:
        found = list(pattern.finditer(text))
        if len(found) == 1 and _AFTER.match(text, found[0].end()):
            words = found[0]["args"].strip()
            given = arguments_of(words)
            given = given if isinstance(given, dict) else f"({words})" if words else {}
            return text[: found[0].start()] + _marked(re.split("[./]", found[0]["name"])[-1], given)
    return None


def _marked(name: str, arguments: Any) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}</tool_call>"


def _unescaped(text: str) -> str:
    """Returns JSON that was written as the text of a JSON string, or of a template with doubled braces."""
    body = text.strip().strip('"')
    if body.startswith("{{") and body.endswith("}}"):
        return body.replace("{{", "{").replace("}}", "}")
    if not body.startswith('{\\"'):
        return text
    try:
        return json.loads(f'"{body}"', strict=False)
    except ValueError:
        return text


def _json(text: str) -> str | None:
    found = list(objects(text))
    if len(found) != 1 or not _AFTER.match(text, found[0][2]):
        return None
    value = _as_json(found[0][0])
    if value is None:
        return None
    if bare_calls(json.dumps(value)):
        return json.dumps(value, ensure_ascii=False)
    call = _reshaped(value)
    return None if call is None else _marked(*call)


def _reshaped(value: Mapping[str, Any], depth: int = 0) -> tuple[str, Any] | None:
    """Returns name and arguments of the one call that an object can mean."""
    named = [k for k, v in value.items() if k.lower() in _ALIASES and isinstance(v, str)]
    named += [k for k in _ACTIONS if isinstance(v := value.get(k), list) and len(v) == 1 and isinstance(v[0], str)]
    if len(named) == 1:
        word = value[named[0]]
        rest = {k: v for k, v in value.items() if k != named[0]}
        return (word if isinstance(word, str) else word[0]), rest
    listed = (v[0] if isinstance(v, list) and len(v) == 1 else v for v in value.values())
    inner = [v for v in listed if isinstance(v, Mapping)]
    if len(inner) == 1 and depth < 3:
        if calls := bare_calls(json.dumps(inner[0])):
            call = calls[0]
            return (call.name, call.arguments) if len(calls) == 1 and isinstance(call, Call) else None
        if {str(k).lower() for k in inner[0]} & {*_ALIASES, *_ACTIONS}:
            return _reshaped(inner[0], depth + 1)
        if len(inner[0]) == 1 and any(value.get(k) is inner[0] for k in _ACTIONS):
            return _reshaped(inner[0], depth + 1)
    rest = [k for k in value if k not in (REASONING, "thought", "thinking", "reason")]
    if len(rest) == 1 and isinstance(value[rest[0]], Mapping | str):
        given = value[rest[0]]
        return (rest[0], given) if isinstance(given, Mapping) else (f"{rest[0]}({given})", {})
    return None
