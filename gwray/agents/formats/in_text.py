"""Finds calls in the text of a reply: between the marks of a model's own template, or as JSON.

Servers should parse marked calls, but lose some of them; so every format knows the marks of the model families in
`conf/model/`, and no others:

    <tool_call>{"name": "wait", "arguments": {}}</tool_call>                                   Qwen
    <tool_call><function=wait><parameter=cell>c4</parameter></function></tool_call>            newer Qwen, Seed
    <seed:tool_call><function name="wait"><parameter name="cell">c4</parameter>…               Seed
    <tool_call>wait <arg_key>cell</arg_key><arg_value>c4</arg_value></tool_call>               GLM
    <|tool_call_begin|>functions.wait:0<|tool_call_argument_begin|>{}<|tool_call_end|>         Kimi
    <｜tool▁call▁begin｜>function<｜tool▁sep｜>wait {}<｜tool▁call▁end｜>                         DeepSeek
    <xai:function_call name="wait"><parameter name="cell">c4</parameter></xai:function_call>   Grok
    <invoke name="wait"><parameter name="cell">c4</parameter></invoke>                         Claude
    <function=wait>{"cell": "c4"}</function>   <|python_tag|>{"name": …}                       Llama
    <TOOLCALL>[{"name": …}]</TOOLCALL>                                                         Nemotron
    <|channel|>commentary to=functions.wait <|message|>{}<|call|>                              OpenAI

Of all calls the last run without words in between counts, because a reply ends with its calls. If the prompt asked for
calls between marks, the only run, on lines of its own at the end of the reply, is the decision, whatever the words
before it are. Any other run counts only if nothing around it says that it is quoted, negated or considered
(`is_decided`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gwray.agents.calls import MAX_CALLS, Call, Refused
from gwray.agents.formats.base import split_thinking, was_cut
from gwray.agents.formats.loose_json import as_arguments, objects
from gwray.records import Reply

_NEVER = r"(?:_never_used_\w{1,64})?"
CALL_TAG = rf"(?:seed:)?tool_calls?{_NEVER}"
_NAME = r"[\w.:-]{1,64}"
_MARKED = re.compile(
    rf"<{CALL_TAG}>(?P<body>.*?)(?:(?P<end></{CALL_TAG}>)|(?=<{CALL_TAG}>)|\Z)"
    rf"|(?:<\|tool_call_begin\|>\s*(?P<kimi>{_NAME}\s?\d*)\s*<\|tool_call_argument_begin\|>"
    rf"|<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(?P<deepseek>{_NAME})(?:<｜tool▁sep｜>)?"
    rf"|\bto=(?P<openai>functions\.{_NAME})[^{{\n]*\n?)"
    r"(?P<json>.*?)(?:(?P<json_end><\|tool_call_end\|>|<｜tool▁call▁end｜>|<\|call\|>)|(?=<\|tool_call_begin\|>)|\Z)"
    rf"|<(?P<tag>xai:function_call|invoke|function{_NEVER})(?:\s+name=[\"']|=\s*)(?P<name>{_NAME})[\"']?\s*>"
    r"(?P<parameters>.*?)(?:(?P<tag_end></(?P=tag)>)|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_FUNCTION = re.compile(
    rf"<function{_NEVER}(?:\s+name=[\"']|=\s*)({_NAME})[\"']?\s*>(.*?)(</function{_NEVER}>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_PARAMETER = re.compile(
    rf"<(?:xai:)?parameter{_NEVER}(?:=\s*|\s[^<>]{{0,40}}?name=[\"'])(\w{{1,64}})[\"']?[^<>]{{0,40}}>(.*?)"
    rf"</(?:xai:)?parameter{_NEVER}>",
    re.IGNORECASE | re.DOTALL,
)
_GLM_NAME = re.compile(rf"\s*({_NAME})\s*(?=<arg_key>|\Z)")
_GLM_PAIR = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL)
_BETWEEN = re.compile(r"(?:<[|｜/][^<>\n]{1,40}>|\n[ \t]*\d{1,3}[.)]|[\s,;\[\]`*-]|json)*", re.IGNORECASE)
"""Text allowed between the calls of one run: commas and brackets of a list, its numbers, marks and code fences."""
_OWN_LINE = re.compile(r"(?:\A|\n)[ \t]*\Z")
_AFTER_THOUGHT = re.compile(r"(?:\s|`|<\|tool_calls_section_end\|>|</[\w:]{1,100}>)*")

_NAMES = ("action", "tool_name", "tool_id", "name", "tool", "control", "function", "action_type", "type")
_VAGUE = frozenset({"name", "tool", "control", "type"})
"""Field names that any object may have; they name a call only if no other object does."""
_ARGUMENTS = ("arguments", "args", "parameters", "params", "action_input", "tool_input", "input", "tool_args")
_NESTED = ("tool_calls", "tool_call", "function_call", "actions")

_MARK = re.compile(
    r"```+[\w-]*|<\|(?:im_)?start\|>assistant|<\|channel\|>\w+|<[|｜][^<>\n]{1,40}[|｜]>|</?(?:s|TOOLCALL|(?:xai:|antml:)?function_calls?|tool_calls?|answer|action|output)>|[`*#>_\"']",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*(?:\d{1,2}[.)]|(?:action|answer)\W{0,3}[:=：])\W*", re.IGNORECASE)
_FIELD = re.compile(r"\s*[A-Z]\w*(?: \w+)?:\s+\S")
_SENTENCE_END = re.compile(r"[.!?;][\"')*\]]*(?:\s|\Z)")
_NEGATED = re.compile(
    r"\b(?:not|never|no|cannot|unable|avoid\w*|instead|rather|without|than|\w+n['’]t|wrong|bad|worst|worse|invalid"
    r"|illegal|incorrect|mistake)(?!\w)",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"<[a-z]|~|\b(?:e\.g|examples?|sample|illustration|format is|template|syntax|such as|valid|possible|you can|allowed"
    r"|available|prompt|rules?|told|said|says|shows?|shown|understand|assistant"  # quoted
    r"|previous\w*|last|earlier|before|history|so far|recap|already|played|tried|answered|used|done|did"
    r"|was|were|had|failed"  # past
    r"|if|once|unless|when|later|after|or|either|options?|could|might|maybe|perhaps|would|should i|about|consider\w*"
    r"|compare|suppose|imagine|alternative\w*|step|turn \d|next turn|hmm|wait[,.!…]|hold on|sorry|scratch"
    r"|actually)(?!\w)",
    re.IGNORECASE,
)
"""Words that make a call no decision: negations in its clause, all others in its sentence. Better no action than a
wrong one."""


def calls_in_text(reply: Reply, *, declared: bool = False) -> list[Call | Refused]:
    """Returns the calls in a reply's text, in order. `declared`: the prompt asked for calls between marks.

    Calls in thinking do not count, unless a mark of the thought is missing or no answer follows it, and it ends with a
    marked call: then the model forgot the mark, or misplaced it. This does not apply to a reply that was cut off.
    """
    cut = was_cut(reply)
    answer, thought, missing = split_thinking(reply.text)
    found = marked_calls(answer, cut, declared=declared)
    if found is None:
        found = bare_calls(answer)
    if not found and not cut and (missing or not answer.strip()):
        found = _last_marked(thought)
    return found


def is_decided(text: str, start: int, end: int) -> bool:
    """Whether nothing in the sentences around a call says that the model quotes, negates or only considers it.

    The sentence before it is on its line, or on the line above if its own has no words and that one is no field of its
    own (`Subgoal: done`); the one after it follows."""
    *above, own = _MARK.sub(" ", text[max(0, start - 500) : start]).split("\n")
    intro = _SENTENCE_END.split(_LABEL.sub("", own))[-1]
    if not re.search(r"\w", intro):
        line = next((line.rstrip() for line in reversed(above) if re.search(r"\w", line)), "")
        introduces = line.endswith((":", "：")) or not (_LABEL.match(own) or _FIELD.match(line))
        intro = _SENTENCE_END.split(line)[-1] if introduces else ""
    if _DOUBT.search(intro) or _NEGATED.search(re.split("[,;] ", intro)[-1]):
        return False
    after = _MARK.sub(" ", text[end : end + 200]).strip()
    behind = _SENTENCE_END.split(after)[0]
    return not after.startswith("?") and not _DOUBT.search(behind) and not _NEGATED.search(behind)


def marked_calls(text: str, cut: bool, *, declared: bool = False) -> list[Call | Refused] | None:
    """Returns the calls between marks; None if there are no marks. `declared`: the prompt asked for these marks."""
    marks = _marks(text)
    if not marks:
        return None
    first = len(marks) - 1
    while first and _BETWEEN.fullmatch(text, marks[first - 1].end(), marks[first].start()):
        first -= 1
    start, end = marks[first].start(), marks[-1].end()
    alone = declared and first == 0 and _OWN_LINE.search(text[:start]) and _AFTER_THOUGHT.fullmatch(text, end)
    if not alone and not is_decided(text, start, end):
        return []
    return [call for m in marks[first:] for call in _calls_of(m, cut)][:MAX_CALLS]


def _marks(text: str) -> list[re.Match[str]]:
    return list(_MARKED.finditer(text)) if "<" in text or "to=" in text else []


def _last_marked(text: str) -> list[Call | Refused]:
    """Returns the complete calls at the end of a text."""
    found: list[Call | Refused] = []
    before = len(text)
    for mark in reversed(_marks(text)):
        if not _complete(mark) or not _AFTER_THOUGHT.fullmatch(text, mark.end(), before):
            break
        found = [*_calls_of(mark, False), *found]
        before = mark.start()
    return found if before < len(text) and is_decided(text, before, len(text)) else []


def _complete(mark: re.Match[str]) -> bool:
    """Returns whether a marked call has its end mark."""
    return any(mark[end] for end in ("end", "json_end", "tag_end"))


def _calls_of(mark: re.Match[str], cut: bool) -> list[Call | Refused]:
    """Returns the calls of one marked part. `cut`: the reply was cut off, so incomplete calls are dropped."""
    closed = _complete(mark)
    if name := mark["kimi"] or mark["deepseek"] or mark["openai"]:
        body = re.sub(r"\A\s*```json|```\s*\Z", "", mark["json"]).strip()
        complete = closed or (not cut and as_arguments(body or "-") is not None)
        return [Call(name.strip(), body)] if complete else []
    if mark["name"]:
        complete = closed or (not cut and as_arguments(mark["parameters"].strip() or "-") is not None)
        return [_with_parameters(mark["name"], mark["parameters"])] if complete else []
    body = mark["body"]
    if functions := list(_FUNCTION.finditer(body)):
        return [_with_parameters(m[1], m[2]) for m in functions if m[3] or (closed and "<parameter" not in m[2])]
    if name := _GLM_NAME.match(body):
        pairs = _GLM_PAIR.findall(body)
        if closed or (pairs and not cut and body.count("<arg_key>") == len(pairs)):
            return [Call(name[1], {k.strip(): v.strip() for k, v in pairs})]
        return []
    return bare_calls(body)


def _with_parameters(name: str, text: str) -> Call:
    if text.lstrip().startswith("{"):
        return Call(name, text.strip())
    return Call(name, {k: v.strip() for k, v in _PARAMETER.findall(text)})


def bare_calls(text: str) -> list[Call | Refused]:
    """Returns the calls of the last run of JSON objects that has any; none if it is quoted, negated or considered.
    Calls named by a vague field (`_VAGUE`) count if no run has others. `runs`: calls (and if vague), start, end."""
    runs: list[tuple[list[tuple[Call, bool]], int, int]] = []
    for value, start, end in objects(text, loose=False):
        calls = list(named_calls(value))
        if runs and _BETWEEN.fullmatch(text, runs[-1][2], start):
            runs[-1] = (runs[-1][0] + calls, runs[-1][1], end)
        else:
            runs.append((calls, start, end))
    for vague in (False, True):
        for run, start, end in reversed(runs):
            if found := [call for call, is_vague in run if is_vague == vague]:
                return [*found[:MAX_CALLS]] if is_decided(text, start, end) else []
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
        arguments = fields[given][1] if given else own
        if not _is_schema(arguments):
            yield Call(found, arguments), key in _VAGUE and given is None
        return


def _is_schema(arguments: Any) -> bool:
    """Whether the arguments of a call are the schema of its arguments: then the object describes a tool."""
    return isinstance(arguments, Mapping) and arguments.get("type") == "object" and "properties" in arguments
