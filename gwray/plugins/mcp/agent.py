"""The MCP server of an agent: its modules as tools, for clients that ask their own model.

A turn is: `add_observation`, then `module_prompt` and `send_response` for each module, until the agent has decided; the
last response is what `act` of `gwray mcp game` takes. The agent is the one that runs use, so the same responses lead to
the same questions and actions.
"""

import asyncio
import base64
import binascii
import io
from collections.abc import Mapping
from typing import Any

from mcp.server import Server
from PIL import Image as Picture

from gwray.agents import (
    AGENTS,
    Decision,
    Modular,
    Observation,
    OutsideInput,
    Prompt,
    RoleContext,
    Situation,
    Tool,
    make_agent,
    object_schema,
)
from gwray.errors import GwrayError, UsageError, choose, where
from gwray.pipelines import make_plan
from gwray.plugins.mcp.game import ACTIONS, TEXT
from gwray.plugins.mcp.tools import Progress, Result, ServedTool, make_server
from gwray.records import Reply, View
from gwray.settings import RunSpec

MAX_IMAGES = 8
"""Images of one observation."""


class AgentSession:
    """An agent of gwray that plays one role, and the turn that it is in.

    Args:
        job: game, task and agent.
        role: the role that it plays; empty: the only one.

    Raises:
        UsageError: the settings cannot work, or are those of several tasks.
    """

    def __init__(self, job: RunSpec, role: str = ""):
        plan = make_plan([job])
        self._episode = next(iter(plan.episodes))
        if len({(episode.game, episode.task) for episode in plan.episodes}) > 1:
            raise UsageError("gwray mcp agent plays one task; name one, such as 01_2048 1")
        self.game = plan.library.game(self._episode.game)
        names = [r.name for r in self.game.roles]
        if not role and len(names) > 1:
            raise UsageError(f"{self.game.id} has the roles {', '.join(names)}; choose one with --role")
        if role and role not in names:
            raise choose("role", role, names)
        self.role = role or names[0]
        self._player = self._episode.cell.player(self.role)
        spec = self._player.agent
        made = AGENTS.get(spec.code)
        modular = isinstance(made, type) and issubclass(made, Modular)
        self.modules: tuple[str, ...] = spec.modules if modular else ("act",)
        """Modules in the order in which they ask."""
        if not (spec.name == "direct" or modular) or self.modules[-1] != "act":
            raise UsageError(
                f"agent={spec.code}: its actions are no calls of the game's tools. Allowed are agents whose last "
                "module is act: direct, reflection, planning, reflection_planning, cradle, orak_…"
            )
        self._turn: asyncio.Task[Decision] | None = None
        self.restart()

    def restart(self) -> None:
        """Begins a new episode: the agent forgets everything."""
        if self._turn is not None:
            self._turn.cancel()
        e, game = self._episode, self.game
        facts = RoleContext(game, game.role(self.role), game.task_of(e), e.seed, e.repeat, e.key, e.action)
        self._agent = make_agent(self._player, facts)
        self._turn = None
        self._decisions = 0
        self._changed = asyncio.Event()
        self._input = OutsideInput(self._changed.set)
        self._by = ""
        self._last: Reply | None = None

    @property
    def by(self) -> str:
        """Name of the helper model that the open question is for; empty: the role's own model."""
        return self._by

    async def observe(self, observation: Observation) -> None:
        """Begins a turn. Raises `UsageError` if one has not ended."""
        if self._turn is not None and not self._turn.done():
            raise UsageError("the turn before has not ended: answer module_prompt until the agent has decided")
        self._turn = asyncio.create_task(self._agent.act(observation, self._ask))
        changed = self._changed
        self._turn.add_done_callback(lambda _: changed.set())
        self._decisions = observation.decision + 1
        await self._settle()

    @property
    def next_decision(self) -> int:
        """Number of the next turn, counted from 0."""
        return self._decisions

    @property
    def prompt(self) -> Prompt | None:
        """The open question; None: there is none."""
        return self._input.open.prompt if self._input.open else None

    @property
    def decision(self) -> Decision | None:
        """The decision of the turn; None while it goes on, and before the first. Raises what the agent raised."""
        if self._turn is None or not self._turn.done():
            return None
        try:
            return self._turn.result()
        except GwrayError:
            raise
        except Exception as e:
            raise UsageError(f"the agent failed: {type(e).__name__}: {e}{where(e)}") from e

    @property
    def last(self) -> Reply | None:
        """The last response."""
        return self._last

    async def answer(self, text: str, calls: list[tuple[str, Any]]) -> None:
        """Answers the open question. Raises `UsageError` if there is none."""
        self._changed.clear()
        self._input.answer(text, calls)
        await self._settle()

    async def _settle(self) -> None:
        """Waits for the next question or the end of the turn."""
        while self._input.open is None and self._turn is not None and not self._turn.done():
            self._changed.clear()
            await self._changed.wait()

    async def _ask(self, *prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        """Asks questions one after the other: a client has one model."""
        replies = []
        self._by = by
        for prompt in prompts:
            self._last = await self._input.ask(prompt, Situation(Observation(self._decisions)))
            replies.append(self._last)
        return tuple(replies)


def agent_server(session: AgentSession) -> Server[Any]:
    """Returns the server of an agent's modules."""
    return make_server(
        f"gwray-agent-{session.game.id}",
        f"The modules of an agent that plays {session.game.title}: {', '.join(session.modules)}. For each decision "
        "call add_observation, then answer each module_prompt with send_response until it returns an action; pass that "
        "to act of the game's server.",
        _AgentTools(session).served(),
    )


class _AgentTools:
    def __init__(self, session: AgentSession):
        self._session = session

    def served(self) -> list[ServedTool]:
        image = {
            "type": "object",
            "properties": {"data": {"type": "string"}, "mimeType": {"enum": ["image/jpeg", "image/png"]},
                           "name": {"type": "string", "maxLength": 40}},
            "required": ["data", "mimeType"],
            "additionalProperties": False,
        }  # fmt: skip
        observation = {
            "type": "object",
            "properties": {
                "text": TEXT,
                "notes": {"type": "array", "items": TEXT, "maxItems": 20},
                "images": {"type": "array", "items": image, "maxItems": MAX_IMAGES},
                "decision": {"type": "integer", "minimum": 0, "description": "Its number in the episode, as observe "
                             "of the game's server says; by default the next one."},
            },
            "additionalProperties": False,
        }  # fmt: skip
        response = {
            "type": "object",
            "properties": {"reply": {**TEXT, "description": "The model's text."}, "actions": ACTIONS},
            "additionalProperties": False,
        }
        nothing = object_schema()
        return [
            ServedTool(Tool("list_modules", "The modules in the order in which they ask.", nothing), self._modules,
                       read_only=True),
            ServedTool(Tool("add_observation", "Begin a turn with what the game shows.", observation), self._observe),
            ServedTool(Tool("module_prompt", "The question that a model must answer now.", nothing), self._prompt,
                       read_only=True),
            ServedTool(Tool("send_response", "Answer the question; returns the next one's module, or the action.",
                            response), self._answer),
            ServedTool(Tool("reset", "Begin a new episode: the agent forgets everything.", nothing), self._reset),
        ]  # fmt: skip

    async def _modules(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        modules = list(self._session.modules)
        return Result([", ".join(modules)], {"modules": modules, **self._state()})

    async def _observe(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        views = tuple(_view(given, number) for number, given in enumerate(arguments.get("images", [])))
        decision = arguments.get("decision", self._session.next_decision)
        notes = tuple(arguments.get("notes", []))
        await self._session.observe(Observation(decision, views, arguments.get("text", ""), notes))
        return self._next()

    async def _prompt(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        prompt = self._session.prompt
        if prompt is None:
            return self._next()
        actions = [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in prompt.tools]
        data = {**self._state(), "instructions": prompt.system, "actions": actions}
        return Result([prompt.system, *prompt.parts], data)

    async def _answer(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        calls = [(one["action"], one.get("arguments", {})) for one in arguments.get("actions", [])]
        await self._session.answer(arguments.get("reply", ""), calls)
        return self._next()

    async def _reset(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        self._session.restart()
        return self._next()

    def _state(self) -> dict[str, Any]:
        """Returns where the turn stands; with the action, if the agent has decided."""
        session = self._session
        if (prompt := session.prompt) is not None:
            return {"state": "asking", "module": prompt.module or "act", "by": session.by}
        decision = session.decision
        if decision is None:
            return {"state": "observing"}
        reply = decision.reply or session.last or Reply()
        calls = [{"action": call.name, "arguments": call.arguments} for call in reply.tool_calls]
        act = {"reply": reply.text, **({"actions": calls} if calls else {})}
        return {"state": "decided", "validity": decision.validity, "reason": decision.reason, "act": act}

    def _next(self) -> Result:
        state = self._state()
        words = {
            "asking": f"Module {state.get('module')} asks: call module_prompt, then send_response.",
            "observing": "Call add_observation to begin a turn.",
            "decided": "The agent has decided: call act of the game's server with `act`, then add_observation.",
        }
        return Result([words[state["state"]]], state)


def _view(given: Mapping[str, Any], number: int) -> View:
    """Returns an image of an observation. Raises `UsageError` if it is none."""
    try:
        data = base64.b64decode(given["data"], validate=True)
        with Picture.open(io.BytesIO(data)) as picture:
            width, height = picture.size
    except (binascii.Error, OSError, ValueError) as e:
        raise UsageError(f"image {number}: it cannot be read ({e}); send JPEG or PNG files in base64") from e
    return View(given.get("name", "front" if not number else f"view {number}"), data, given["mimeType"], width, height)
