"""A turn of several questions, and what an agent may not do in it."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, replace
from typing import Any

import pytest

from gwray.agents import Ask, Decision, Observation, Prompt, Situation
from gwray.agents.messages import Request, Text
from gwray.errors import AgentError
from gwray.records import LoggedReply, PressKey, Reply, Wait
from gwray.settings import AgentSpec, TimingSpec
from pipelines.small_world import STAND_IN, Player, World, run


@dataclass
class Thinker(Player):
    """Asks two questions at once, then one for the action."""

    by: str = ""

    async def act(self, seen: Observation, ask: Ask) -> Decision:
        self.seen.append(seen)
        where, what = await ask(
            Prompt("Where?", (Text("where"),), module="look"),
            Prompt("What?", (Text("what"),), module="look"),
            by=self.by,
        )
        (reply,) = await ask(self.prompt(seen))
        assert where.text == what.text == reply.text
        return self.decide(reply)


async def test_several_questions_resume_from_any_log_line():
    whole: list[LoggedReply] = []
    first = await run(Thinker(["a", "wait", "a"], by="mapper"), log=whole, target=2)
    assert sorted((x.decision, x.call, x.batch, x.by, x.module) for x in whole[:3]) == [
        (0, 0, 0, "mapper", "look"), (0, 1, 0, "mapper", "look"), (0, 2, 1, "", ""),
    ]  # fmt: skip
    assert (first.record.calls, first.record.proposals, first.record.cost_usd) == (9, 3, 9 * 0.25)
    assert first.prompts == {"player/look": "Where?", "player": "Play."}
    for kept in range(len(whole) + 1):
        player = Thinker(["a", "wait", "a"], by="mapper")
        went_on = await run(player, logged=whole[:kept], target=2)
        assert player.asked == len(whole) - kept
        assert went_on.record.state_chain == first.record.state_chain
    again = await run(Thinker([], by="mapper"), logged=whole, replay=True, target=2)
    assert [r.model_dump() for r in again.steps] == [r.model_dump() for r in first.steps]


async def test_realtime_charges_longest_reply_of_each_batch():
    world = World(STAND_IN)

    class Slow(Thinker):
        async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
            ms = {"Where?": 30.0, "What?": 70.0}.get(prompt.system, 5.0)
            return (await super().answer(request, prompt, situation)).model_copy(update={"latency_ms": ms})

    played = await run(Slow(["a"]), world, timing=TimingSpec(mode="realtime", latency="measured"), max_steps=1)
    assert world.done[0] == "think 75"
    assert (played.record.charged_ms, played.record.latency_ms) == (75, 105)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("while open", "while another call was open"),
        ("left open", "returned while a question was open"),
        ("too often", "more than 3 questions in one decision"),
        ("unknown helper", "asks 'nobody', which has no model"),
        ("raises", "the agent of 'player' failed in decision 0: KeyError: 'plan'"),
        ("no decision", r"must return a Decision, such as context.decide\(reply\), not NoneType"),
        ("holds errors back", "more than 3 questions in one decision"),
        ("asks nothing", "without a question"),
        ("no actions", r"actions must be actions of gwray.records, not \('a',\) "),
        ("no list of actions", "actions must be actions of gwray.records, not None"),
        ("too many", r"takes 3 environment steps, but action.per_reply is 2: .* set action.per_reply=3 "),
        ("one more that fails", "takes 3 environment steps, but action.per_reply is 2"),
        ("no controls", "controls must be control names, each a text or None, not \\(5,\\)"),
        ("no reason", "reason must be a string, not 5"),
        ("ignores less than nothing", "ignored must be an integer >= 0, not -3"),
        ("no end", "finish must be True or False, not 'no'"),
        ("another's words", "reply must be an unmodified reply of this turn, or None, not Reply"),
        ("asks later", "called after `act` had returned"),
        ("no system", "the system of a Prompt is a text, not None"),
        ("no module", "the module of a Prompt is a text, not 5"),
        ("no neutral", "the neutral of a Prompt is a text or None, not 5"),
        ("no tools", r"the tools of a Prompt is a tuple of Tool\(…\), not \('x',\)"),
        ("what it may not do", "has press_key, which 'player' cannot do: .* is not a key of this role"),
        ("no validity", "validity must be one of valid, no_tool_call, out_of_space, not 'good'"),
        ("asks a text", r"takes questions, Prompt\(system, parts\), not 'What now\?'"),
        ("asks text parts", r"the parts of a Prompt are Text\('…'\) and images .*, not 'What now\?'"),
        ("is cancelled", r"failed in decision 0: CancelledError:  \(test_turns.py, line \d+\)"),
        ("is a generator's end", r"failed in decision 0: GeneratorExit:  \(test_turns.py, line \d+\)"),
        ("ends everything", r"the agent of 'player' failed in decision 0: SystemExit: 3 \(test_turns.py, line \d+\)"),
    ],
)
async def test_agent_contract_violations_are_agent_errors(how, says):
    class Wrong(Player):
        async def act(self, seen: Observation, ask: Ask) -> Any:
            one = Prompt("Play.", ())
            match how:
                case "while open":
                    await asyncio.gather(ask(one), ask(one))
                case "left open":
                    self.task = asyncio.create_task(ask(one))
                    await asyncio.sleep(0)
                    return Decision("valid", (Wait(),))
                case "too often":
                    for _ in range(4):
                        await ask(one)
                case "unknown helper":
                    await ask(one, by="nobody")
                case "raises":
                    raise KeyError("plan")
                case "holds errors back":
                    while True:
                        with contextlib.suppress(Exception):
                            await ask(one)
                case "asks nothing":
                    with contextlib.suppress(AgentError):
                        await ask()
                    return Decision("valid", (Wait(),))
                case "no actions":
                    return Decision("valid", ("a",))  # type: ignore[arg-type]
                case "no list of actions":
                    return Decision("valid", None)  # type: ignore[arg-type]
                case "too many":
                    return Decision("valid", (Wait(),) * 3)
                case "one more that fails":
                    return Decision("out_of_space", (Wait(),) * 2)
                case "no controls":
                    return Decision("valid", (Wait(),), (5,))  # type: ignore[arg-type]
                case "no reason":
                    return Decision("valid", (Wait(),), reason=5)  # type: ignore[arg-type]
                case "ignores less than nothing":
                    return Decision("valid", (Wait(),), ignored=-3)
                case "no end":
                    return Decision("valid", (Wait(),), finish="no")  # type: ignore[arg-type]
                case "another's words":
                    (reply,) = await ask(one)
                    return Decision("valid", (Wait(),), reply=reply.model_copy(update={"text": "I won."}))
                case "asks later":
                    self.task = asyncio.create_task(ask(one))
                    return Decision("valid", (Wait(),))
                case "no system":
                    await ask(replace(one, system=None))  # type: ignore[arg-type]
                case "no module":
                    await ask(replace(one, module=5))  # type: ignore[arg-type]
                case "no neutral":
                    await ask(replace(one, neutral=5))  # type: ignore[arg-type]
                case "no tools":
                    await ask(replace(one, tools=("x",)))  # type: ignore[arg-type]
                case "what it may not do":
                    return Decision("valid", (PressKey(key="F5"),))
                case "no validity":
                    return Decision("good")  # type: ignore[arg-type]
                case "asks a text":
                    await ask("What now?")  # type: ignore[arg-type]
                case "asks text parts":
                    await ask(Prompt("Play.", ("What now?",)))  # type: ignore[arg-type]
                case "ends everything":
                    raise SystemExit(3)
                case "is cancelled":
                    raise asyncio.CancelledError
                case "is a generator's end":
                    raise GeneratorExit

    with pytest.raises(AgentError, match=says):
        await run(Wrong(["a"] * 9, pause_s=0.01), agent=AgentSpec(max_calls=3), per_reply=2)


async def test_unstorable_reason_is_sanitized():
    class Half(Player):
        async def act(self, seen: Observation, ask: Ask) -> Decision:
            return Decision("valid", (Wait(),), reason="half a \ud83d pair")

    assert (await run(Half([]), max_steps=1)).steps[0].reason.encode() == b"half a ? pair"


async def test_question_after_last_turn_is_agent_error(recwarn, caplog):
    class Late(Player):
        async def act(self, seen: Observation, ask: Ask) -> Decision:
            self.task = asyncio.create_task(ask(Prompt("Play.", ())))
            return Decision("valid", (Wait(),))

    with pytest.raises(AgentError, match="Await every question"):
        await run(late := Late([]), max_steps=1)
    assert late.asked == 0 and late.task.cancelled() and not caplog.records and not [*recwarn]


# Several actions in one reply
