"""Finds calls in the text of a reply: between the marks of a model's own template, or as JSON.

Servers should parse marked calls, but lose some of them; so every format knows the marks of every model family.

    <tool_call>{"name": "wait", "arguments": {}}</tool_call>                                   Qwen, and many others
    <tool_call><function=wait><parameter=cell>c4</parameter></function></tool_call>            newer Qwen, Seed
    <tool_call>wait <arg_key>cell</arg_key><arg_value>c4</arg_value></tool_call>               GLM
    <|tool_call_begin|>functions.wait:0<|tool_call_argument_begin|>{}<|tool_call_end|>         Kimi
    <xai:function_call name="wait"><parameter name="cell">c4</parameter></xai:function_call>   Grok

All marked calls count. Bare JSON has no mark that distinguishes a call from a thought about one: there the last run of
objects without words between them counts, because a reply ends with its calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gwray.agents.calls import MAX_CALLS, Call, Refused
from gwray.agents.formats.base import split_thinking, was_cut
from gwray.agents.formats.loose_json import decode, objects
from gwray.records import Reply

SUFFIX = r"(?:_never_used_\w{1,64})?"
CALL_TAG = rf"(?:seed:)?tool_calls?{SUFFIX}"
_MARKED = re.compile(
    rf"<{CALL_TAG}>(?P<body>.*?)(?:(?P<end></{CALL_TAG}>)|(?=<{CALL_TAG}>)|\Z)"
    r"|<\|tool_call_begin\|>(?P<kimi>[^<]{1,200})<\|tool_call_argument_begin\|>"
    r"(?P<json>.*?)(?:(?P<kimi_end><\|tool_call_end\|>)|(?=<\|tool_call_begin\|>)|\Z)"
    r"|<(?P<tag>xai:function_call|invoke)\s+name=[\"'](?P<name>[^\"'<>]{1,200})[\"']\s*>"
    r"(?P<parameters>.*?)(?:(?P<xai_end></(?P=tag)>)|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_FUNCTION = re.compile(
    rf"<function{SUFFIX}=\s*([\w.:-]{{1,64}})\s*>(.*?)(</function{SUFFIX}>|\Z)", re.IGNORECASE | re.DOTALL
)
_PARAMETER = re.compile(
    rf"<(?:xai:)?parameter{SUFFIX}(?:=\s*|\s+name=[\"'])(\w{{1,64}})[\"']?\s*>(.*?)</(?:xai:)?parameter{SUFFIX}>",
    re.IGNORECASE | re.DOTALL,
)
_GLM_NAME = re.compile(r"\s*([\w.:-]{1,64})\s*(?=<arg_key>|\Z)")
_GLM_PAIR = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_BETWEEN = re.compile(r"(?:\n[ \t]*\d{1,3}[.)]|[\s,;\[\]`*-]|json)*", re.IGNORECASE)
"""Text allowed between the objects of one run: commas and brackets of a list, its numbers, and code fences."""
AFTER = re.compile(r"(?:\s|`|<\|tool_calls_section_end\|>|</[\w:]{1,100}>)*")

_NAMES = ("action", "tool_name", "tool_id", "name", "tool", "control", "function", "action_type", "type")
_VAGUE = frozenset({"name", "tool", "control", "type"})
"""Field names that any object may have; they name a call only if no other object does."""
_ARGUMENTS = ("arguments", "args", "parameters", "params", "action_input", "tool_input", "input", "tool_args")
_NESTED = ("tool_calls", "tool_call", "function_call", "actions")


def calls_in_text(reply: Reply) -> list[Call | Refused]:
    """Returns the calls in a reply's text, in order.

    Calls in thinking do not count, unless a mark of the thought is missing and the thought ends with a marked call:
    then the model forgot the mark, or misplaced it. This does not apply to a reply that was cut off.
    """
    cut = was_cut(reply)
    answer, thought, missing = split_thinking(reply.text)
    found = marked_calls(answer, cut)
    if found is None:
        found = bare_calls(answer, cut=cut)
    if not found and missing and not cut:
        found = _last_marked(thought)
    return found


def marked_calls(text: str, cut: bool) -> list[Call | Refused] | None:
    """Returns the calls between marks; None if there are no marks."""
    marks = _marks(text)
    return [call for m in marks for call in _calls_of(m, cut)] if marks else None


def _marks(text: str) -> list[re.Match[str]]:
    if "<" not in text:
        return []
    return [m for m, _ in zip(_MARKED.finditer(text), range(MAX_CALLS), strict=False)]


def _last_marked(text: str) -> list[Call | Refused]:
    """Returns the complete calls at the end of a text."""
    found: list[Call | Refused] = []
    before = len(text)
    for mark in reversed(_marks(text)):
        if not _complete(mark) or not AFTER.fullmatch(text, mark.end(), before):
            break
        found = [*_calls_of(mark, False), *found]
        before = mark.start()
    return found


def _complete(mark: re.Match[str]) -> bool:
    """Returns whether a marked call has its end mark."""
    return any(mark[end] for end in ("end", "kimi_end", "xai_end"))


def _calls_of(mark: re.Match[str], cut: bool) -> list[Call | Refused]:
    """Returns the calls of one marked part. `cut`: the reply was cut off, so incomplete calls are dropped."""
    closed = _complete(mark)
    if mark["kimi"]:
        complete = closed or (not cut and isinstance(decode(mark["json"]), Mapping))
        return [Call(mark["kimi"].strip(), mark["json"].strip())] if complete else []
    if mark["name"]:
        return [_with_parameters(mark["name"], mark["parameters"])] if closed else []
    body = mark["body"]
    if functions := list(_FUNCTION.finditer(body)):
        return [_with_parameters(m[1], m[2]) for m in functions if m[3] or (closed and "<parameter" not in m[2])]
    if name := _GLM_NAME.match(body):
        pairs = _GLM_PAIR.findall(body)
        if closed or (pairs and not cut and body.count("<arg_key>") == len(pairs)):
            return [Call(name[1], {k.strip(): v.strip() for k, v in pairs})]
        return []
    return bare_calls(body, cut=cut)


def _with_parameters(name: str, text: str) -> Call:
    return Call(name, {k: v.strip() for k, v in _PARAMETER.findall(text)})


def bare_calls(text: str, *, cut: bool = False) -> list[Call | Refused]:
    """Returns the calls of the last run of objects that has any. Vaguely named objects count only if no other does."""
    runs: list[list[tuple[Call, bool]]] = []
    before = None
    for value, start, end in objects(text, close=not cut):
        calls = list(named_calls(value))
        if before is None or not _BETWEEN.fullmatch(text, before, start):
            runs.append([])
        runs[-1] += calls
        before = end
    for vague in (False, True):
        for run in reversed(runs):
            if found := [call for call, is_vague in run if is_vague == vague]:
                return [*found[:MAX_CALLS]]
    return []


def named_calls(value: Any, depth: int = 0) -> Iterator[tuple[Call, bool]]:
    """Yields the calls in a value, and whether their name is vague."""
    if depth > 3:
        return
    if isinstance(value, list):
        for v in value[:MAX_CALLS]:
            yield from named_calls(v, depth + 1)
    if not isinstance(value, Mapping):
        return
    fields = {str(k).strip().lower(): (k, v) for k, v in value.items()}
    for nest in _NESTED:
        if nest in fields and (inner := list(named_calls(fields[nest][1], depth + 1))):
            yield from ((call, False) for call, _ in inner)
            return
    for key in _NAMES:
        if key not in fields:
            continue
        found = fields[key][1]
        if isinstance(found, Mapping | list):
            if inner := list(named_calls(found, depth + 1)):
                yield from ((call, False) for call, _ in inner)
                return
            continue
        if not isinstance(found, str) or not found.strip():
            continue
        own = {k: v for name, (k, v) in fields.items() if name != key}
        given = next((arg for arg in _ARGUMENTS if arg in fields), None)
        yield Call(found, fields[given][1] if given else own), key in _VAGUE and given is None
        return


def is_definition(value: Mapping[str, Any]) -> bool:
    """Whether an object describes a tool or lists such descriptions, as prompts do, and does not call it."""
    if any(
        isinstance(v, list) and v and all(isinstance(i, Mapping) and is_definition(i) for i in v)
        for v in value.values()
    ):
        return True
    inner = value.get("function")
    tool = inner if isinstance(inner, Mapping) else value
    schema = next(
        (v for k in ("parameters", "input_schema", "inputSchema") if isinstance(v := tool.get(k), Mapping)), {}
    )
    properties = schema.get("properties")
    if schema.get("type") != "object" or not isinstance(properties, Mapping):
        return False
    return "description" in tool if not properties else all(isinstance(v, Mapping) for v in properties.values())


def squeezed(name: str) -> str:
    """Returns the form in which names of calls and arguments are compared."""
    return re.sub(r"[\W_]", "", name).lower()


ALIASES = frozenset(
    (
        "action", "actions", "move", "nextmove", "nextaction", "chosenaction", "selectedaction", "finalaction",
        "bestaction", "command", "recipientname", "answer", "finalanswer", "choice", "selected", "decision",
        "actionname", "actionid", "actiontype", "functionname", "apiname", "api", "verb", "operation", "method",
    )
)  # fmt: skip
_ABOUT = (
    "reasoning",
    "thought",
    "thoughts",
    "thinking",
    "reason",
    "explanation",
    "observation",
    "confidence",
    "plan",
    "jsonrpc",
)


_NO_DECISION = re.compile(
    r"prev|last|past|history|example|reject|avoid|not|alternative|candidate|option|plan|possible", re.I
)


def reshaped(value: Mapping[str, Any], depth: int = 0) -> Iterator[Call]:
    """Yields the calls that an object can mean, although no usual key names one; the first possible one counts."""
    if depth > 3:
        return
    value = {str(k): v for k, v in value.items() if str(k).lower() not in _ABOUT}
    aliases = [k for k, v in value.items() if v and (squeezed(k) in ALIASES or (depth and k.lower() == "id"))]
    if len(aliases) == 1:
        inner = _only(value[aliases[0]])
        if isinstance(inner, str):
            yield Call(inner, {k: v for k, v in value.items() if k != aliases[0] and not _NO_DECISION.match(k)})
        elif isinstance(inner, Mapping):
            yield from reshaped(inner, depth + 1)
    if len(value) == 1 and not _NO_DECISION.match(key := next(iter(value))) and value[key] is not False:
        given = _only(value[key])
        if isinstance(given, Mapping) and (calls := [call for call, _ in named_calls(given)]):
            yield from calls[: len(calls) == 1]
        elif isinstance(given, Mapping) and {squeezed(str(k)) for k in given} & ALIASES:
            yield from reshaped(given, depth + 1)
        else:
            yield Call(key, {} if given is None else given)


def _only(value: Any) -> Any:
    """Returns the only item of a list, anything else unchanged."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
