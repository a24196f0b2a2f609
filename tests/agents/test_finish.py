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
from gwray.settings import AgentSpec, ModelSpec, PlayerSpec

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


DECLARE = (
    'When it is done, say so by the action "finish", which takes no arguments and ends the game. If the task is not '
    "done then, it counts as failed."
)
LISTS = [
    ("semantic", "json", "- finish: ", '{"action": "finish", "arguments": {}}'),
    ("semantic", "tools", "- finish: ", '{"action": "finish", "arguments": {}}'),
    ("computer_use", "json", '{"action": "finish"}', '{"action": "finish"}'),
    ("computer_use", "qwen", '{"action": "finish"}', '{"name": "computer_use", "arguments": {"action": "finish"}}'),
    ("computer_use", "uitars", "finish()", "Thought: all is done\nAction: finish()"),
]


@pytest.mark.parametrize(("interface", "name", "line", "answer"), LISTS)
def test_lists_of_actions_name_finish_if_allowed(interface, name, line, answer):
    at = context_at("slide")
    may = replace(at, task=at.task.model_copy(update={"finish": True}))

    def lines(context):
        agent = AgentSpec(interface=interface)
        model = ModelSpec(name="m", provider="openai_chat", model_id="m")
        return AgentContext(
            context, PlayerSpec(model=model, agent=agent), format=get_format(name, "anthropic")
        ).instructions

    assert line not in lines(at)
    (told,) = [text for text in lines(may).splitlines() if text.startswith(line)]
    assert {*lines(at).splitlines()} | {told, DECLARE} == {*lines(may).splitlines()}
    if name != "tools":
        given = f"<tool_call>{answer}</tool_call>" if name == "qwen" else answer
        assert parser(name, interface, may_finish=True).decide(Reply(text=given)).finish


@pytest.mark.parametrize("provider", ["anthropic", "openai_responses", "gemini"])
def test_computer_tool_has_finish_beside_it(provider):
    at = context_at("slide")
    at = replace(at, task=at.task.model_copy(update={"finish": True}))
    model = ModelSpec(name="m", provider=provider, model_id="m", computer_use_format="native")

    agent = AgentSpec(interface="computer_use")
    prompt = AgentContext(at, PlayerSpec(model=model, agent=agent)).action_prompt(observation())
    assert [tool.name for tool in prompt.tools] == ["finish"] and "call the tool finish" in prompt.system
    body = {"anthropic": messages_body, "openai_responses": responses_body, "gemini": generate_config}[provider]
    sent = body(build_request(prompt, model, "computer_use", ""))
    tools = sent["tools"] if isinstance(sent, dict) else [t.model_dump(exclude_none=True) for t in sent.tools or ()]
    assert len(tools) == 2 and "finish" in str(tools[1])
    call = ToolCall(name="finish", arguments='{"reasoning": "all is done"}')
    space = space_at("slide", "computer_use")
    space.may_finish = True
    assert ReplyParser(space, get_format("native", provider)).decide(Reply(tool_calls=(call,))).finish
