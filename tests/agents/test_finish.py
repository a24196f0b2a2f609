"""The call `finish` is offered and accepted only in tasks that allow it."""

from __future__ import annotations

from dataclasses import replace

import jsonschema
import pytest
from agents.conftest import context_at, observation, space_at

from gwray.agents import build_request
from gwray.agents.clients.claude import messages_body
from gwray.agents.clients.gemini import generate_config
from gwray.agents.clients.openai_api import responses_body
from gwray.agents.context import AgentContext
from gwray.agents.formats import get_format
from gwray.agents.reply_parser import ReplyParser
from gwray.catalog import read_model
from gwray.records import Reply, ToolCall
from gwray.spec import AgentSpec, ModelSpec, PlayerSpec

REPLIES = {
    "json": Reply(text='It is done. {"action": "finish"}'),
    "qwen": Reply(text='<tool_call>{"name": "finish", "arguments": {}}</tool_call>'),
    "uitars": Reply(text="Thought: all is done\nAction: finished(content='')"),
    "tools": Reply(tool_calls=(ToolCall(name="functions.finish:0", arguments='{"reasoning": "all is done"}'),)),
}


def parser(name: str, interface: str, *, may_finish: bool) -> ReplyParser:
    space = space_at("slide", interface)
    space.may_finish = may_finish
    return ReplyParser(space, get_format(name, "anthropic"))


@pytest.mark.parametrize("name", REPLIES)
def test_finish_is_a_decision_without_action_if_allowed(name):
    interface = "computer_use" if name == "uitars" else "semantic"
    answer = REPLIES[name]
    done = parser(name, interface, may_finish=True).decide(answer)
    assert (done.finish, done.validity, done.actions, done.steps) == (True, "valid", (), 1)
    assert parser(name, interface, may_finish=True).describe(answer, done) == "finish"
    refused = parser(name, interface, may_finish=False).decide(answer)
    assert (refused.finish, refused.validity) == (False, "out_of_space")


def test_computer_players_say_it_in_their_own_words():
    call = ToolCall(name="computer_use", arguments='{"action": "terminate", "status": "success"}')
    assert parser("tools", "computer_use", may_finish=True).decide(Reply(tool_calls=(call,))).finish


def test_calls_before_finish_are_played_later_ones_not():
    calls = tuple(ToolCall(name=n) for n in ("move_up", "finish", "move_down"))
    decision = parser("tools", "semantic", may_finish=True).decide(Reply(tool_calls=calls), per_reply=3)
    assert (decision.finish, decision.controls, decision.steps) == (True, ("move_up",), 1)


@pytest.mark.parametrize("interface", ["semantic", "computer_use"])
def test_finish_is_offered_only_if_the_task_allows_it(interface):
    role_context = context_at("slide")
    may = replace(role_context, task=role_context.task.model_copy(update={"finish": True}))
    for given in (role_context, may):
        player = PlayerSpec.model_validate(
            {"model": read_model("openai-compatible"), "agent": {"interface": interface}}
        )
        context = AgentContext(given, player)
        offers = '"finish"' in context.instructions, [t.name for t in context.space.offered_tools()].count("finish")
        assert offers == ((True, 1) if given is may else (False, 0))
        try:
            jsonschema.validate({"action": "finish"}, context.space.schema())
            assert given is may
        except jsonschema.ValidationError:
            assert given is role_context


LISTS = [
    ("semantic", "json", 5, "- finish: ", '{"action": "finish", "arguments": {}}'),
    ("semantic", "tools", 6, "- finish: ", '{"action": "finish", "arguments": {}}'),
    ("computer_use", "json", 5, '{"action": "finish"}', '{"action": "finish"}'),
    ("computer_use", "qwen", 5, '{"action": "finish"}', '{"name": "computer_use", "arguments": {"action": "finish"}}'),
    ("computer_use", "uitars", 5, "finish()", "Thought: all is done\nAction: finish()"),
]


@pytest.mark.parametrize(("interface", "name", "version", "line", "answer"), LISTS)
def test_lists_of_actions_name_finish_if_allowed(interface, name, version, line, answer):
    """Only from version 5 on: the prompts of older runs keep their bytes."""
    at = context_at("slide")
    may = replace(at, task=at.task.model_copy(update={"finish": True}))

    def lines(context, version):
        agent = AgentSpec(interface=interface, prompt_version=version)
        model = ModelSpec(name="m", provider="openai_chat", model_id="m")
        return AgentContext(
            context, PlayerSpec(model=model, agent=agent), format=get_format(name, "anthropic")
        ).instructions

    old = {5: 2, 6: 3}[version]
    assert line not in lines(may, old)
    assert lines(at, version) == lines(at, old)
    (told,) = [text for text in lines(may, version).splitlines() if text.startswith(line)]
    assert [t for t in lines(may, version).splitlines() if t != told] == lines(may, old).splitlines()
    if name != "tools":
        given = f"<tool_call>{answer}</tool_call>" if name == "qwen" else answer
        assert parser(name, interface, may_finish=True).decide(Reply(text=given)).finish


@pytest.mark.parametrize("provider", ["anthropic", "openai_responses", "gemini"])
def test_computer_tool_has_finish_beside_it(provider):
    at = context_at("slide")
    at = replace(at, task=at.task.model_copy(update={"finish": True}))
    model = ModelSpec(name="m", provider=provider, model_id="m", computer_use_format="native")

    def prompt(version):
        agent = AgentSpec(interface="computer_use", prompt_version=version)
        return AgentContext(at, PlayerSpec(model=model, agent=agent)).action_prompt(observation())

    assert (prompt(2).tools, prompt(2).computer) == ((), prompt(5).computer)
    assert [tool.name for tool in prompt(5).tools] == ["finish"] and "call the tool finish" in prompt(5).system
    body = {"anthropic": messages_body, "openai_responses": responses_body, "gemini": generate_config}[provider]
    sent = body(build_request(prompt(5), model, "computer_use", ""))
    tools = sent["tools"] if isinstance(sent, dict) else [t.model_dump(exclude_none=True) for t in sent.tools or ()]
    assert len(tools) == 2 and "finish" in str(tools[1])
    call = ToolCall(name="finish", arguments='{"reasoning": "all is done"}')
    space = space_at("slide", "computer_use")
    space.may_finish = True
    assert ReplyParser(space, get_format("native", provider)).decide(Reply(tool_calls=(call,))).finish
