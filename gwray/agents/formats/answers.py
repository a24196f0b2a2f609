"""Finds the answer in the text of a reply, and judges a call in it by the words around it: one that the model quotes,
negates, remembers or only considers is no decision."""

import html
import re
import unicodedata

from gwray.agents.formats.in_text import SUFFIX
from gwray.records import Reply

MAX_TEXT = 30_000
"""Characters at the end of an answer that are searched."""
_PLAIN_LABEL = re.compile(r"\A[\s*#_-]*(?:action|answer)[\s*_]*:[\s\"'`*]*\Z", re.IGNORECASE)
_BLOCK_QUOTE = re.compile(r"\s{0,3}>[ \t]")
_ESCAPED_JSON = re.compile(r"\{\s*&(?:quot|#34|#x22);", re.IGNORECASE)

_ASIDE = re.compile(
    r"<(/?)(thoughts?|reason(?:ing)?|rationale|analysis|scratchpad|reflection|observation|memory|plan|explanation|history"
    r"|previous\w{0,20}|examples?|tool_response|tool_results?|result)>",
    re.IGNORECASE,
)
ACTION_LINE = re.compile(r"[\s*#>_-]*(?:\w+ )?(?:action|answer|move|tool|function)(?: \w+)?[\s*_]*:", re.IGNORECASE)
_THOUGHT_LINE = re.compile(
    r"[\s*#>_-]*(?:thoughts?|reasoning|reflection|observation|analysis|plan|memory|action_summary)[\s*_]*:"
    r"(?:.*?(?=\baction\s*:))?",
    re.IGNORECASE,
)
_THOUGHT_HEADING, _ACTION_HEADING = (
    re.compile(rf"\s*#{{1,6}}\s*(?:{names})\W*\Z", re.IGNORECASE)
    for names in ("thoughts?|reasoning|reflection|observation|analysis|plan|memory", "(?:next |final )?actions?")
)
_INVENTED_LINE = re.compile(r"[\s*#>]*(?:observation|user|human|environment)[\s*]*:", re.IGNORECASE)
_INVENTED_TURN = re.compile(
    r"(?<=\S)\s*\n[\s*#]*(?:user|human)[\s*]*:(?=.*\n[\s*#]*(?:assistant|ai|bot|model)[\s*]*:)",
    re.IGNORECASE | re.DOTALL,
)
"""Begins a turn of the user to which the model has answered itself."""
_CHANNEL = re.compile(r"(<\|channel\|>\s*analysis\s*<\|message\|>)|<\|end\|>")
_LATEX = re.compile(r"\\(?:boxed|text\w*|math\w+)\s*\{([^{}\"]*)\}")
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~")
_OTHER_THINK = re.compile(rf"<(/?)gui_think{SUFFIX}>|\[(/?)THINK\]", re.IGNORECASE)
_KIMI_ID = re.compile(r"\bfunctions_(\w{1,64}?)_\d{1,6}(?=\s*<\|tool_call_argument_begin)")
"""Kimi's id of a call, `functions.reveal_cell:0`, as clients hand it back to the model."""
_QUOTE_TOKEN = re.compile(r'<escape>|<\|"\|>')
_MARKS = re.compile(
    r"```+(?:[\w-]*(?=[\s{\[<]|\Z))?|<\|channel\|>\s*(?:final|commentary)\b|<\|[^<>|\n]{0,40}\|>|<\|\w{1,40}>|<\w{1,40}\|>|\[/?(?:TOOL_CALLS|ARGS|CALL_ID\]\w*)\]?|</?s>"
    r"|\]<\]\w{1,20}\[>\[|\\(?:boxed|text\w*|mathrm|mathtt)\b|✿|\*\*|[`$]"
)
_FENCE, _COMMENT_LINE = re.compile(r"```[^`{]*```"), re.compile(r"^[ \t]*(?:#|//).*", re.MULTILINE)
_PREFIX = re.compile(
    r"<(/?)(?:\|\w{1,20}\||[a-z]{1,20}:|__|[a-z]{1,20}_(?=(?:tool_call|arg_key|arg_value)>))(?=\w)", re.IGNORECASE
)
"""What model families put before the names of their tags."""
_PAIR = re.compile(
    r"<(?:arg_key|tool_call)>\s*(?:<arg_key>\s*)*(\w{1,64})\s*:?\s*(?:</arg_key>\s*)+(?:<arg_value>\s*)*"
    r"((?:(?!</?arg_|</?tool_call).)*)(?:</arg_value>|(?=</tool_call>|<arg_key>))",
    re.IGNORECASE | re.DOTALL,
)
"""An argument in GLM's tags, of which one may be missing, doubled or another one."""
_ARROW, _OPTION = re.compile(r"([{,]\s*)(\w{1,64})\s*=>"), re.compile(r"--(\w{1,64})[ \t]+(\"[^\"\n]*\"|[^\s\"{}]+)")
"""Fields as MiniMax-M2 writes them: `{tool => "reveal_cell", args => {--cell "c4"}}`."""
_BEFORE_CHARACTERS, _AFTER_CHARACTERS = 300, 120
_ANSWERING = (
    r"ever|possible|to|be|answer|reply|respond|output|write|send|us(?:e|ing)|call(?:ing)?|do(?:ing)?|play|choose|say"
    r"|go|give|return|submit|make|with|by|just|a|an|the|this|action|move"
)
_DECIDES = (
    r"so|now|therefore|thus|hence|this time|but|final(?:ly)?|next|best|my|i[’']ll|i[’']m|let me"
    r"|i (?:will|go|reply|answer|open|play|use|choose|take|press|click|call|act|pick|try|select)"
)
_BEFORE = [
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        # negated or explained
        rf"\b(?:not|never|cannot|unable|how|\w+n[’']t|avoid(?:ing)?|no (?:need|reason|point|use))"
        rf"(?:\W+(?:{_ANSWERING}))*\W*\Z",
        r"\b(?:instead of|rather than|(?:better|worse|safer) than|than|without)\W*\Z",
        # what others would do
        r"\b(?:an?|the|most|many|some)\s+(?:\w+\s+){0,2}(?:beginner|novice|expert|opponent|human|person|people|players?)s?"
        r"\s+(?:would|might|could|should|may|will|often|usually|typically)\b[^.!?]*\Z",
        r"\bthe (?:tools|functions|controls|commands) \W{0,2}\Z",
        # labelled as something else
        r"\b(?:e\.g|done|(?:tool|last|previous) results?|log|states?"
        r"|(?:examples?|samples?|illustrations?)(?: (?:of|for|call|action|answer)\b[\w ]{0,30})?"
        r"|options?(?: \w)?|(?:valid|possible|legal|available|allowed|expected|bad|worst|wrong|incorrect|invalid"
        r"|illegal|forbidden)(?: \w+){0,3})"
        r"(?: would be| is)?\W{0,6}\Z",
        # quoted, past, or one of several, and no decision follows these words
        r"\b(?:for example|an? example(?! of)|examples? (?:says?|said|shows?|showed|was|is)|such as|like"
        r"|(?:format|template|syntax) (?:is|looks|would)"
        r"|previous(?:ly)?"
        r"|earlier|last (?:turn|time|action|move|step|call|reply|answer|guess|word|try|attempt|choice|click|press)"
        r"|history|so far|recap|already|played"
        r"|answered|tried|chose|wanted|i (?:have )?(?:did|done|used|sent|called|clicked|pressed|flagged|revealed)"
        r"|(?:was|were) going to|would (?:avoid|have|do|try|not|never|rather)|imagine|suppose|either|or"
        r"|alternative(?:ly)?|second best|could|might|maybe|perhaps|should i|(?:what|how) about|you (?:can|could"
        r"|may|said|told)|rules? says?|(?:user|prompt) \w+|compare|consider(?:ed|ing)?|thought (?:of"
        rf"|about))\b(?!.*\b(?:{_DECIDES})\b)",
        # later, or under a condition
        r"\b(?:if|once|when(?! in doubt)|whenever|unless|after (?:that|this)|next turn|later)\b"
        r"(?!.*\b(?:so|now|therefore|thus|hence|this time|final(?:ly)?)\b)",
    )
]
_AFTER = re.compile(
    r"[ \t\"'`)*]*(?:\?|<-|←|(?:would|was|were|did|does|could|might|can|failed|had|returned|breaks?|\w+n[’']t)\b"
    r"|(?:is|are) (?:not|wrong|too|an?|one|risky|bad|invalid|illegal|impossible|unsafe|dangerous|worse|possible|allowed"
    r"|what|shown|given|listed|mentioned)\b|as an? example|[^.!?\n]{0,60}\bas in the example\b|,?[ \t]*\bor\b(?! else)"
    r"|\.?\s*(?:sorry,? |oops,? )?(?:no[,.!]|(?:no,? )?wait[,.!…]|no wait|hmm|actually|scratch|hold on|on second"
    r"|never ?mind))",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>\n]*>")
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|\n")
_LEADS = re.compile(r"(?::|\b(?:was|is|were|answered|played))[\s*_]*\Z", re.IGNORECASE)
"""Ends a line that introduces the next one."""
_ITEM = re.compile(r"[ \t]*(?:\d{1,3}[.)]|[-*•])[ \t]+")
"""Begins an item of a list."""


def is_dismissed(text: str, start: int, end: int) -> bool:
    """Whether the sentence around the call at `start` to `end` says that it is no decision."""
    before = _SENTENCE_END.split(text[max(0, start - _BEFORE_CHARACTERS) : start])[-1]
    if _BLOCK_QUOTE.match(before) and any(re.match(r"\s*\w", line) for line in text[end:].split("\n")[1:]):
        return True
    before = _PLAIN_LABEL.sub("", before)
    line = text.rfind("\n", 0, start) + 1
    item = _ITEM.match(text, line)
    if not re.search(r"\w", text[item.end() : start] if item and item.end() <= start else before):
        lines = text[max(0, start - _BEFORE_CHARACTERS) : line].rstrip().split("\n")
        while item and _ITEM.match(lines[-1]) and len(lines) > 1:
            lines.pop()
        above = lines[-1].rstrip()
        before = _SENTENCE_END.split(above)[-1] if _LEADS.search(above) else before
    before = re.sub(r"<[^<>]*>?", " ", before)
    return any(cue.search(before) for cue in _BEFORE) or bool(
        _AFTER.match(_TAG.sub(" ", text[end : end + _AFTER_CHARACTERS]))
    )


def without_asides(reply: Reply) -> Reply:
    """Returns a reply without the parts of its text that are no answer: tagged notes, quotes and examples, and turns
    that the model invented for others. The thinking of Seed-1.8 and Mistral gets the usual tags."""
    text = _OTHER_THINK.sub(lambda m: f"<{m[1] or m[2] or ''}think>", _STRUCK.sub(" ", reply.text))
    text = _INVENTED_TURN.split(text, maxsplit=1)[0]
    text = _CHANNEL.sub(lambda m: "<analysis>" if m[1] else "</analysis>", text)
    kept: list[str] = []
    at, begun = 0, None
    for tag in _ASIDE.finditer(text):
        if not tag[1]:
            begun = begun or tag
        elif begun and begun[2].lower() == tag[2].lower():
            kept.append(text[at : begun.start()])
            at, begun = tag.end(), None
    text = " ".join([*kept, text[at:]])
    lines = text.split("\n")
    ends = False
    for i, line in enumerate(lines):
        if ends and _INVENTED_LINE.match(line):
            text = "\n".join(lines[:i])
            break
        ends = ends or bool(ACTION_LINE.match(line)) or line.rstrip(" `").endswith((")", "}", ">"))
    return reply if text == reply.text else reply.model_copy(update={"text": text})


def plain_answer(text: str) -> str:
    """Returns an answer without thoughts and marks, in the letters and signs of ASCII as far as it has them."""
    text = unicodedata.normalize("NFKC", text[-MAX_TEXT:])
    text = html.unescape(text) if _ESCAPED_JSON.search(text) else text
    text = _FENCE.sub(lambda m: _COMMENT_LINE.sub("", m[0]), text)
    text = _LATEX.sub(r"\1", _LATEX.sub(r"\1", text))
    text = _QUOTE_TOKEN.sub('"', _PREFIX.sub(r"<\1", text))
    text = _KIMI_ID.sub(r"functions.\1", text)
    text = _PAIR.sub(r"<arg_key>\1</arg_key><arg_value>\2</arg_value>", text) if "</arg_key>" in text else text
    text = _OPTION.sub(r'"\1": \2,', _ARROW.sub(r'\1"\2":', text)) if _ARROW.search(text) else text
    text = _MARKS.sub(lambda m: "\n" if m[0].startswith("```") else " ", text).replace("\\_", "_")
    text = text.replace('\\"', '"') if re.search(r'\{\s*\\"', text) else text
    text = text.replace("{{", "{").replace("}}", "}") if "{{" in text else text
    return _without_thoughts(text)


def _without_thoughts(text: str) -> str:
    """Returns a text without the lines from the label or heading of a thought to that of an action, or only its own
    line."""
    lines = text.split("\n")
    begins = [bool(ACTION_LINE.match(line) or _ACTION_HEADING.match(line)) for line in lines]
    last = max((i for i, begun in enumerate(begins) if begun), default=0)
    kept: list[str] = []
    thinks = False
    for i, line in enumerate(lines):
        label = None if begins[i] else _THOUGHT_LINE.match(line) or _THOUGHT_HEADING.match(line)
        thinks = label is not None or (thinks and not begins[i])
        if not thinks or (label is None and i > last):
            kept.append(line)
        elif label and "action" in line[label.end() :].lower()[:6]:
            kept.append(line[label.end() :])
    return "\n".join(kept)
