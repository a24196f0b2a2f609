"""The call `finish` is offered and accepted only in tasks that allow it."""

from __future__ import annotations

from dataclasses import replace

import jsonschema
import pytest
from agents.conftest import context_at, space_at

from gwray.agents.context import AgentContext
from gwray.agents.formats import get_format
from gwray.agents.reply_parser import ReplyParser
from gwray.catalog import read_model
from gwray.records import Reply, ToolCall
from gwray.spec import PlayerSpec

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
