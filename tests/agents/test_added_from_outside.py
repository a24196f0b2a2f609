"""User-defined text format, action space, provider client and notes: one class each, chosen by its path."""

from __future__ import annotations

import json
import re
from collections import Counter
from random import Random

import jsonschema
import pytest
from agents.conftest import context_at, space_at

from gwray.actions import PressKey, Wait
from gwray.agents import AgentContext, ClientPool, Modular, Module, NoteStore, final_notes, make_client, note_history
from gwray.agents.formats import FORMATS, Format, get_format
from gwray.agents.messages import Request, Tool
from gwray.agents.prompts import system_prompt
from gwray.agents.reply_parser import ReplyParser
from gwray.agents.spaces import (
    SPACES,
    ActionSpace,
    Call,
    NoCall,
    Parsed,
    Refused,
    enum_schema,
    get_space,
    object_schema,
)
from gwray.errors import AgentError, ModelUnavailable, UsageError
from gwray.records import LoggedReply, Reply, ToolCall
from gwray.spec import AgentSpec, ModelSpec


class Shout(Format):
    """Calls between exclamation marks."""

    templates = {"*": "Shout {{ per_reply }} of the controls, like this: !{{ example.name }}!"}  # noqa: RUF012

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        found: list[Call | Refused] = [Call(name) for name in re.findall(r"!(\w+)!", reply.text)]
        return found or NoCall("the reply has no shout")

    def parse_reasoning(self, reply: Reply) -> str:
        return reply.text.split("!")[0].strip()


class Compass(ActionSpace):
    """Going by the points of the compass, any number of steps."""

    ways = {"north": "ArrowUp", "south": "ArrowDown", "west": "ArrowLeft", "east": "q"}  # noqa: RUF012

    def tools(self) -> tuple[Tool, ...]:
        paces = {"type": "integer", "minimum": 1, "maximum": 9}
        return (Tool("go", "Go some paces.", object_schema(way=enum_schema(*self.ways), paces=paces)), Tool(
            "rest", "Stay.", object_schema()))  # fmt: skip

    def parse(self, call: Call) -> Parsed | Refused:
        if call.name == "rest":
            return Parsed(Wait())
        given = self.arguments(call)
        key, paces = self.ways.get(str(given.get("way"))), given.get("paces")
        if call.name != "go" or key is None or not isinstance(paces, int):
            return Refused("go where, and how far?")
        return Parsed(PressKey(key=key, duration_ms=100 * paces))

    def random_call(self, draw: Random) -> Call:
        return draw.choice(
            [Call("go", {"way": draw.choice(list(self.ways)), "paces": draw.randint(1, 9)}), Call("rest")]
        )


SHOUT, COMPASS = f"{__name__}.Shout", f"{__name__}.Compass"


def answer_text(**call: object) -> Reply:
    return Reply(text=json.dumps(call))


@pytest.mark.parametrize("interface", ["semantic", "computer_use", COMPASS])
def test_format_from_outside_has_templates_for_every_space(interface):
    space, shout = space_at("flap", interface), get_format(SHOUT, "openai_chat")
    text = system_prompt(context_at("flap"), space, shout, 1)
    assert text.endswith(f"# Output Format\nShout 1 of the controls, like this: !{space.example().name}!")
    found = ReplyParser(space, shout).decide(Reply(text="now !wait! and !fly! and !wait!"), 2)
    if interface == "semantic":
        assert (found.validity, found.actions, found.ignored) == ("out_of_space", (Wait(),), 1)
    assert ReplyParser(space, shout).decide(Reply(text="wait")).reason == "the reply has no shout"


@pytest.mark.parametrize("name", [*FORMATS.builtin, SHOUT])
def test_space_from_outside_works_with_every_format(name):
    text = system_prompt(context_at("slide"), space_at("slide", COMPASS), get_format(name, ""), 1)
    assert "You act only through these calls:\n- go(way, paces): Go some paces.\n- rest: Stay.\n" in text
    example = space_at("slide", COMPASS).example()
    if name == "tools":
        assert "Call exactly one tool" in text
    else:
        assert example.name in text.split("# Output Format")[1]


def test_space_from_outside_has_tools_schema_and_checked_decisions():
    space = space_at("slide", COMPASS)
    assert [t.name for t in space.tools()] == ["go", "rest"]
    valid = jsonschema.Draft202012Validator(space.schema()).is_valid
    assert valid({"action": "go", "arguments": {"way": "north", "paces": 2}})
    assert not valid({"action": "go", "arguments": {"way": "up", "paces": 2}})
    decide = ReplyParser(space, get_format("json", "")).decide
    north = {"way": "north", "paces": 2}
    assert decide(answer_text(action="go", arguments=north)).actions == (PressKey(key="ArrowUp", duration_ms=200),)
    assert decide(answer_text(action="go", arguments={"way": "up"})).reason == "go where, and how far?"
    east = decide(answer_text(action="go", arguments={"way": "east", "paces": 1}))
    assert east.validity == "out_of_space" and "q is not a key of this role" in east.reason
    far = decide(answer_text(action="go", arguments={"way": "north", "paces": 99}))
    assert far.actions == (PressKey(key="ArrowUp", duration_ms=2000),) and "longer than" in far.reason
    parser = ReplyParser(space, get_format("tools", ""))
    for arguments in (north, json.dumps(north)):  # Chat Completions sends arguments as text
        by_tool = Reply(tool_calls=(ToolCall(name="go", arguments=arguments),))
        assert parser.describe(by_tool, parser.decide(by_tool)) == 'go {"way": "north", "paces": 2}'
    for nothing in ("north", "[1]", "{", ""):
        by_tool = Reply(tool_calls=(ToolCall(name="go", arguments=nothing),))
        assert parser.decide(by_tool).reason == "go where, and how far?"


class Careless(Compass):
    """Believes that a call has what its tool asks for."""

    def parse(self, call: Call) -> Parsed | Refused:
        return Parsed(PressKey(key=self.ways[call.arguments["way"]]))


class Speechless(Shout):
    """Believes that everybody shouts."""

    def parse_calls(self, reply: Reply) -> list[Call | Refused] | NoCall:
        return [Call(re.findall(r"!(\w+)!", reply.text)[0])]


def test_errors_of_space_or_format_from_outside_name_file_and_line():
    compass = space_at("slide", f"{__name__}.Careless")
    with pytest.raises(
        AgentError, match=rf"reading a reply with {__name__}.Careless: KeyError: 'way' \(test_added_from.*, line \d+\)"
    ):
        ReplyParser(compass, get_format("json", "")).decide(answer_text(action="go"))
    shout = get_format(f"{__name__}.Speechless", "")
    with pytest.raises(
        AgentError, match=rf"with {__name__}.Speechless: IndexError: .* \(test_added_from.*, line \d+\)"
    ):
        ReplyParser(space_at("slide"), shout).decide(Reply(text="hm"))


def test_space_from_outside_has_a_random_player():
    space = space_at("slide", COMPASS)
    valid = jsonschema.Draft202012Validator(space.schema()).is_valid
    decide = ReplyParser(space, get_format("json", "")).decide
    written = [space.to_json(space.random_call(Random(n))) for n in range(200)]
    assert all(valid(w) for w in written)
    counts = Counter(decide(answer_text(**w)).validity for w in written)
    assert counts["valid"] > 100 and counts.keys() == {"valid", "out_of_space"}


def test_unknown_or_wrong_class_is_named():
    with pytest.raises(UsageError, match=r"interface 'semantics' does not exist\. Did you mean semantic"):
        get_space("semantics")
    with pytest.raises(UsageError, match=r"format 'jsom' does not exist\. Did you mean json"):
        get_format("jsom", "")
    for what, ask in (("interface", get_space), ("format", lambda name: get_format(name, ""))):
        with pytest.raises(UsageError, match=f"{what} 'json.JSONDecoder' is not a gwray.agents"):
            ask("json.JSONDecoder")
        with pytest.raises(UsageError, match=r"no Python module 'no_such_package'.*conf/.*GWRAY_HOME.*PYTHONPATH"):
            ask("no_such_package.Thing")
    assert SPACES.code(COMPASS) and not SPACES.code("semantic")


class Echo:
    """A client whose model answers with the last text of the prompt. Fails once per process."""

    failures = 1

    def __init__(self, spec: ModelSpec):
        self.spec = spec

    async def send(self, request: Request) -> Reply:
        if Echo.failures:
            Echo.failures -= 1
            raise ModelUnavailable("starting", retry_after_s=0)
        return Reply(text=request.system, latency_ms=1.0)

    async def list_models(self) -> list[str]:
        return ["echo"]

    async def close(self) -> None:
        pass


async def test_client_from_outside_answers_with_retries_and_limits():
    spec = ModelSpec(name="echo", provider=f"{__name__}.Echo", model_id="echo")
    pool = ClientPool()
    reply = await pool.caller(spec).ask(Request("echo", spec.provider, "!wait!", ()))
    assert (reply.text, reply.requests, reply.in_flight) == ("!wait!", 2, 1)
    assert await pool.client(spec).list_models() == ["echo"]
    await pool.close()


class Broken(Echo):
    async def send(self, request: Request) -> Reply:
        return self.nothing  # type: ignore[attr-defined]


async def test_bug_of_a_client_names_its_line():
    pool = ClientPool()
    spec = ModelSpec(name="broken", provider=f"{__name__}.Broken", model_id="m")
    with pytest.raises(AgentError, match=r"client .*\.Broken: AttributeError: .*\(test_added_from_outside\.py, line "):
        await pool.caller(spec).ask(Request("m", spec.provider, "", ()))
    await pool.close()


def test_client_that_is_not_one_is_refused():
    for provider, message in (
        ("openai_cat", "provider 'openai_cat' does not exist. Did you mean openai_chat"),
        (f"{__name__}.Shout", "is not a client: a class with `async def send"),
        ("nowhere.Client", "there is no Python module 'nowhere'"),
    ):
        with pytest.raises(UsageError, match=re.escape(message)):
            make_client(ModelSpec(name="m", provider=provider))


class Doubt(Module):
    """Keeps what could go wrong."""

    name = "doubt"
    note_kinds = {"doubts": "doubt"}  # noqa: RUF012

    @classmethod
    def learn(cls, answer, notes, settings):
        notes.store("doubts", limit=2).add(answer)


class Doubting(Modular):
    MODULES = {**Modular.MODULES, "doubt": Doubt}  # noqa: RUF012


class Noticing:
    """Not made of modules: implements the class method `notes` itself."""

    def __init__(self, context: AgentContext, spec: AgentSpec): ...

    async def act(self, observation, ask): ...

    @classmethod
    def notes(cls, spec, replies):
        store = NoteStore(limit=1)
        for line in replies:
            store.add(line.reply.text, topic=line.module)
            yield line.decision, {"notice": store}


def log(*lines: tuple[str, str]) -> list[LoggedReply]:
    return [
        LoggedReply(decision=i, role="p", call=0, module=module, words_hash="", reply=Reply(text=text), at="")
        for i, (module, text) in enumerate(lines)
    ]


def test_notes_of_trusted_agent_from_outside():
    replies = log(
        ("doubt", "it may fall"), ("", "wait"), ("doubt", "it may rise"), ("doubt", "<think>no</think>it fell")
    )
    spec = AgentSpec.model_validate({"_target_": f"{__name__}.Doubting", "modules": ["doubt", "act"]})
    spans = [(n.kind, n.text, n.since, n.until) for n in note_history(spec, replies, trusted=[spec.code])]
    assert spans == [("doubt", "it may fall", 0, 3), ("doubt", "it may rise", 2, None), ("doubt", "it fell", 3, None)]
    assert note_history(spec, replies) == (), "its code may not be imported"

    spec = AgentSpec.model_validate({"_target_": f"{__name__}.Noticing"})
    assert final_notes(spec, replies[:1], trusted=None) == {"notice": ["it may fall [doubt]"]}
    direct = AgentSpec()
    assert note_history(direct, replies) == (), "the baseline agent keeps no notes"
