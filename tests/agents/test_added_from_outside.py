"""User-defined text format, action space, provider client and notes: one class each, chosen by its path."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from agents.conftest import space_at

from gwray.agents import AgentContext, ClientPool, Modular, Module, NoteStore, note_history
from gwray.agents.formats import Format, get_format
from gwray.agents.messages import Request, Tool
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
from gwray.records import LoggedReply, PressKey, Reply, Wait
from gwray.settings import AgentSpec, ModelSpec


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

    async def close(self) -> None:
        pass


class Broken(Echo):
    async def send(self, request: Request) -> Reply:
        return self.nothing  # type: ignore[attr-defined]


async def test_bug_of_a_client_names_its_line():
    pool = ClientPool()
    spec = ModelSpec(name="broken", provider=f"{__name__}.Broken", model_id="m")
    with pytest.raises(AgentError, match=r"client .*\.Broken: AttributeError: .*\(test_added_from_outside\.py, line "):
        await pool.caller(spec).ask(Request("m", spec.provider, "", ()))
    await pool.close()


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
    (noticed,) = note_history(spec, replies[:1], trusted=None)
    assert (noticed.kind, noticed.text, noticed.place) == ("notice", "it may fall", "doubt")
    direct = AgentSpec()
    assert note_history(direct, replies) == (), "the baseline agent keeps no notes"
