"""Local players: their replies are text in the plain JSON format, or in the format `sections` if their profile says so,
parsed like a model's.

They get the game's state and their controls in addition to the prompt (`Situation`). To a question of a module that
does not act (a reflection, a plan) they give the text of `options.replies` for that module, or the prompt's neutral
answer.
"""

import json
import random
import time
from collections.abc import Sequence
from typing import Any

from gwray.agents.base import Prompt
from gwray.agents.calls import Call
from gwray.agents.coordinates import Grid
from gwray.agents.messages import Request
from gwray.agents.role_context import RoleContext, Situation
from gwray.agents.spaces import get_space, plain_call
from gwray.errors import UsageError, choose
from gwray.records import Reply, digest, storable
from gwray.settings import AgentSpec, ImageGrid, ModelSpec


class Player:
    """A responder without a model. Subclasses implement `choose_text`.

    Args:
        spec: the model profile; its options are the player's settings. `options.replies` maps modules that do not act
            to the text that they always get.
        agent: settings of the agent that asks.
        role_context: the role, game, task and seed.

    Example:

        class Waiter(Player):
            def choose_text(self, situation):
                return self.control_reply("wait") or self.idle_reply()
    """

    sees_state = False
    """Whether it reads the game's state; its results are then not ranked."""
    repeatable = True
    """Whether its replies follow from the episode, so that a replay can compare them with the log."""

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext):
        self.spec, self.agent, self.role_context = spec, agent, role_context
        viewport = role_context.viewport
        self.space = get_space(agent.interface)(role_context.role, viewport, Grid.from_spec(ImageGrid(), viewport))
        replies = spec.options.get("replies", {})
        if not isinstance(replies, dict) or not all(isinstance(text, str) for text in replies.values()):
            raise UsageError("options.replies of a player must be a mapping from module to text")
        self._replies: dict[str, str] = replies

    def choose_text(self, situation: Situation) -> str:
        """Returns the text of a reply that acts."""
        raise NotImplementedError

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        """Returns one reply; its latency is the time spent here."""
        started = time.perf_counter()
        neutral = prompt.neutral
        text = self.choose_text(situation) if neutral is None else self._replies.get(prompt.module, neutral)
        return Reply(text=text, finish_reason="stop", latency_ms=(time.perf_counter() - started) * 1000, requests=0)

    def control_reply(self, text: str) -> str | None:
        """Returns the reply for `control argument`, or for several on a line each; None if a line does not begin with a
        control of the role. A program has many lines and is one argument."""
        control = self.role_context.role.control(text.partition(" ")[0])
        lines = [text] if control and control.code else text.splitlines() or [""]
        calls = [self.space.call_from_text(line) for line in lines]
        given = [call for call in calls if call]
        return self.calls_reply(given) if len(given) == len(calls) else None

    def calls_reply(self, calls: Sequence[Call]) -> str:
        """Returns the reply for calls: JSON, or sections where the profile's format is `sections`. Arguments that are
        programs stay JSON in sections too."""
        given = [self.space.to_json(call) for call in calls]
        if self.space.format_name(self.spec) == "sections":
            lines = [plain_call(call.name, call.arguments) for call in calls]
            if any(c in line for line in lines for c in '{}"'):
                lines = [as_json(call) for call in given]
            return "\n".join(["### Reasoning", "No model was asked.", "### Actions", *lines])
        return as_json(given[0] if len(given) == 1 else {"actions": given})

    def idle_reply(self) -> str:
        """Returns a reply that does nothing: a wait if the role can wait, otherwise an empty text."""
        call = self.space.idle_call()
        return "" if call is None else self.calls_reply([call])


class Random(Player):
    """Draws uniformly from the role's action space, as many actions per reply as a reply may have.

    Each turn has its own random stream, seeded with seed, repeat, game, task, role and turn, so that a draw does not
    depend on when or where the episode runs.
    """

    def choose_text(self, situation: Situation) -> str:
        at = self.role_context
        parts = ("random", at.seed, at.repeat, at.game.id, at.task.id, at.role.name, situation.decision)
        rng = random.Random(int(digest(*map(str, parts)), 16))
        return self.calls_reply([self.space.random_call(rng) for _ in range(at.action.per_reply or 1)])


class Noop(Player):
    """Does nothing."""

    def choose_text(self, situation: Situation) -> str:
        return self.idle_reply()


class Fixed(Player):
    """Replies with the strings of `options.actions`, one per turn, and then does nothing.

    A string that begins with a control of the role becomes a call of it; any other string is the reply's text.
    `options.actions` is a list, or a mapping from role to list.
    """

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext):
        super().__init__(spec, agent, role_context)
        actions = spec.options.get("actions", [])
        if not isinstance(actions, list | tuple | dict):
            raise UsageError(
                "options.actions of the fixed player must be a list of strings, or a mapping from role to such a list"
            )
        if isinstance(actions, dict):
            roles = [r.name for r in role_context.game.roles]
            if unknown := sorted(set(map(str, actions)) - set(roles)):
                raise choose("role", unknown[0], roles)
            actions = actions.get(role_context.role.name, [])
        self._actions = [str(a) for a in actions]

    def choose_text(self, situation: Situation) -> str:
        if situation.decision >= len(self._actions):
            return self.idle_reply()
        text = self._actions[situation.decision]
        return self.control_reply(text) or text


def as_json(value: dict[str, Any]) -> str:
    """Returns one line of JSON."""
    return storable(json.dumps(value, ensure_ascii=False))
