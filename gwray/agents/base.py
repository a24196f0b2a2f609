"""What the loop knows of an agent, and nothing more.

> An agent is deterministic code whose only effect is `ask`; the loop owns `ask` and the log.

So an episode can be played again without anybody who answers: the same agent sees the same observations, asks the same
questions in the same order and gets the logged replies. An agent that reaches around `ask` (a request of its own,
`random`, the clock) is found out at its next replay: the first question that it asks in other words ends the episode
with its decision, call and module.

Example, an agent in one file, chosen with `agent._target_=my_agent.MyAgent`:

    class MyAgent:
        def __init__(self, context, spec):
            self.context = context

        async def act(self, observation, ask):
            (reply,) = await ask(self.context.action_prompt(observation))
            return self.context.decide(reply)
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, Protocol

from gwray.actions import Action
from gwray.agents.messages import Image, Part, Text, Tool
from gwray.records import Reply, Validity
from gwray.views import View


@dataclass(frozen=True)
class Observation:
    """What one role gets to decide on."""

    decision: int
    """Which turn of the episode this is, counted from 0."""
    views: tuple[View, ...] = ()
    """Pictures of this instant, the one that clicks refer to first."""
    text: str = ""
    """The screen in words; empty when it was not asked for."""
    notes: tuple[str, ...] = ()
    """What somebody tells the agent beside what it sees: hints, interventions."""


@dataclass(frozen=True)
class Decision:
    """What a turn came to."""

    validity: Validity
    """valid; no_tool_call: the reply holds no action; out_of_space: it asks for one that is not possible."""
    actions: tuple[Action, ...] = ()
    """Those that are played, in order. With `out_of_space` they are the ones before the first that is not possible,
    which costs its step and does nothing."""
    controls: tuple[str | None, ...] = ()
    """The semantic control that each action came from."""
    reason: str = ""
    """Why the reply was invalid, or what was normalised or ignored."""
    ignored: int = 0
    """Further actions of the reply, beyond those that it may have."""
    finish: bool = False
    """The agent says that it is done; counts in tasks that allow it."""
    reply: Reply | None = field(default=None, repr=False)
    """The reply that was decided on, one of this turn as it was given; its text is what readers of the episode see.
    None: the last one of the turn."""

    @property
    def steps(self) -> int:
        """Environment steps that it takes: its actions, and one that does nothing where it is invalid."""
        return len(self.actions) + (self.validity != "valid" or not self.actions)


@dataclass(frozen=True)
class Prompt:
    """One question: what is said, before anybody knows to which model. Static text first, the newest picture last."""

    system: str
    parts: tuple[Part, ...]
    schema: dict[str, Any] | None = None
    """JSON schema that the reply has to fit, for models that can be constrained."""
    tools: tuple[Tool, ...] = ()
    """Functions that the model may call."""
    computer: tuple[int, int] | None = None
    """Offer the provider's own computer tool, for a screen of this size in pixels."""
    module: str = ""
    """The part of the agent that asks; stands in the log. Empty: the one that acts."""
    neutral: str | None = None
    """What a player without a model answers to this question. None: it acts."""


def prompt_problem(prompt: Any) -> str:
    """What is wrong with a question, in a sentence; empty if nothing is."""
    if not isinstance(prompt, Prompt):
        return f"`ask` takes questions, Prompt(system, parts), not {prompt!r:.80}"
    if not isinstance(prompt.parts, tuple | list):
        return f"the parts of a Prompt are a tuple, not {prompt.parts!r:.80}"
    if wrong := [part for part in prompt.parts if not isinstance(part, Text | Image)]:
        return f"the parts of a Prompt are Text('…') and pictures (context.observation_parts), not {wrong[0]!r:.80}"
    fields = {
        "system": (isinstance(prompt.system, str), "a text"),
        "module": (isinstance(prompt.module, str), "a text"),
        "neutral": (isinstance(prompt.neutral, str | None), "a text or None"),
        "schema": (isinstance(prompt.schema, dict | None), "a JSON schema or None"),
        "tools": (all(isinstance(t, Tool) for t in prompt.tools), "a tuple of Tool(…)"),
    }
    return next(
        (
            f"the {n} of a Prompt is {what}, not {getattr(prompt, n)!r:.80}"
            for n, (ok, what) in fields.items()
            if not ok
        ),
        "",
    )


class Ask(Protocol):
    """Given to `act` by the loop, and the only way out of it."""

    def __call__(self, *prompts: Prompt, by: str = "") -> Awaitable[tuple[Reply, ...]]:
        """Ask, and wait for the replies, in the order of the prompts.

        Several prompts in one call are a batch: they are answered concurrently, and in real time the role is charged
        the longest of them. `by` names a helper model (`agent.models.NAME=…`); empty: the role's own.
        Raises `AgentError` when another call is still open (an order of arrival would be no function of anything),
        when the turn asks more than `agent.max_calls` questions, and when a question differs from the one that was
        answered in the log. Raises `ModelError` when the provider gives no reply.
        """
        ...


class Agent(Protocol):
    """One role's player during one episode, made as `Class(context, spec)` with an `AgentContext` and an `AgentSpec`.

    `calls_per_decision` (an attribute of the class, 1 unless it says so) is what a dry run and a budget expect.
    """

    async def act(self, observation: Observation, ask: Ask, /) -> Decision:
        """Decide on what is seen. Only `observation`, what the agent kept from earlier turns, and `ask` may be used.

        What a model says is no reason to raise: `context.decide` makes a decision of any reply. An exception ends the
        episode as the agent's error, without a score and without another try.
        """
        ...
