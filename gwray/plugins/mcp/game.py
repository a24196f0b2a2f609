"""The MCP server of a game: `observe`, `act`, `reset`, `score`, and one tool for each action of the game.

What `observe` returns is the prompt that a model in the same run gets, and a call is its reply: the same replies lead
to the same states. The score is returned at the end only, and the remaining budget never: models do not get them
either.
"""

import shlex
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from mcp.server import Server

from gwray.agents import Part, Tool, enum_schema, object_schema
from gwray.plugins.mcp.episodes import GameSession
from gwray.plugins.mcp.tools import Progress, Result, ServedTool, make_server
from gwray.records import EpisodeRecord

OWN = ("observe", "act", "reset", "score")
"""Tools of every game."""
TEXT: dict[str, Any] = {"type": "string", "maxLength": 64_000}
ACTIONS: dict[str, Any] = {
    "type": "array",
    "maxItems": 40,
    "items": {
        "type": "object",
        "properties": {"action": {"type": "string"}, "arguments": {"type": "object"}},
        "required": ["action"],
        "additionalProperties": False,
    },
    "description": "Actions to play in order: names and arguments as in the tools of the game.",
}


def game_server(session: GameSession) -> Server[Any]:
    """Returns the server for the client that plays the session's roles."""
    names = " and ".join(session.roles)
    playing = f" You play {names}." if len(session.game.roles) > 1 else ""
    return make_server(
        f"gwray-{session.game.id}",
        f"A game, {session.game.title}.{playing} Call reset to begin, read the instructions that it returns, then call "
        "one tool of the game at a time; each returns what you see next. An episode has a budget of steps. When it has "
        "ended, score returns the result.",
        _GameTools(session).served(),
    )


class _GameTools:
    def __init__(self, session: GameSession):
        self._session, self._roles = session, session.roles
        self._role: dict[str, Any] = {"role": enum_schema(*session.roles)} if len(session.roles) > 1 else {}
        """Argument that says whose turn a call is."""

    def served(self) -> list[ServedTool]:
        """Returns the four tools of every game, then those of the roles."""
        decision = {
            "type": "integer",
            "description": "Number of the decision that this is for; refused if it is over, so that a call that is "
            "sent twice is played once.",
        }
        act = _optional({**self._role}, actions=ACTIONS, reply={**TEXT, "description": "A reply in words with its "
                        "calls, as a model writes it, in place of actions."}, decision=decision)  # fmt: skip
        own = [
            ServedTool(
                Tool("observe", "What you see now, without playing. Waits while others act.", _optional(
                    {**self._role}, instructions={"type": "boolean", "description": "Repeat rules and task."})),
                self._observe, read_only=True),
            ServedTool(Tool("act", "Play one or more actions, then see what follows.", act), self._act),
            ServedTool(
                Tool("reset", "Begin the next episode.", _optional({**self._role}, abandon={
                    "type": "boolean", "description": "Give up the episode that is being played, without a score."})),
                self._reset),
            ServedTool(Tool("score", "Where the episode stands; its result when it has ended.", _optional({})),
                       self._score, read_only=True),
        ]  # fmt: skip
        return [*own, *(tool for role in self._roles for tool in self._actions(role))]

    def _actions(self, role: str) -> list[ServedTool]:
        """Returns a tool for each action of a role, named ROLE__ACTION where a client plays several."""
        tools = []
        for function in self._session.context[role].space.offered_tools():
            name = f"{role}__{function.name}" if len(self._roles) > 1 else function.name
            if name in OWN:
                name = f"game_{name}"
            listed = Tool(name, function.description, function.parameters)
            tools.append(ServedTool(listed, partial(self._play_action, role, function.name), checked=False))
        return tools

    def _named(self, arguments: Mapping[str, Any]) -> str:
        return arguments["role"] if self._role else self._roles[0]

    async def _observe(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        role = self._named(arguments)
        await self._session.ensure_begun()
        await self._session.wait(role, progress)
        return self._seen(role, instructions=bool(arguments.get("instructions")))

    async def _act(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        calls = [(one["action"], one.get("arguments", {})) for one in arguments.get("actions", [])]
        return await self._play(
            self._named(arguments), arguments.get("reply", ""), calls, progress, arguments.get("decision")
        )

    async def _play_action(self, role: str, name: str, arguments: Mapping[str, Any], progress: Progress) -> Result:
        return await self._play(role, "", [(name, dict(arguments))], progress)

    async def _play(
        self, role: str, text: str, calls: Sequence[tuple[str, object]], progress: Progress, decision: int | None = None
    ) -> Result:
        session = self._session
        await session.ensure_begun()
        if decision is None:
            await session.wait(role, progress)  # the first call begins the episode
        session.answer(role, text, calls, decision)
        await session.wait(role, progress)
        return self._seen(role)

    async def _reset(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        await self._session.begin(abandon=bool(arguments.get("abandon")))
        role = self._named(arguments)
        await self._session.wait(role, progress)
        return self._seen(role, instructions=True)

    async def _score(self, arguments: Mapping[str, Any], progress: Progress) -> Result:
        session = self._session
        if session.record is not None:
            return self._ended(session.record)
        if session.episode is None:
            return Result(["No episode has begun: call reset."], {"state": "none"})
        data = {"state": "playing", "episode": session.episode.key, "steps": session.steps}
        return Result([f"{session.steps} steps played. score returns the result when the episode has ended."], data)

    def _seen(self, role: str, *, instructions: bool = False) -> Result:
        """Returns what a role sees: the open question, the result, or for whom it waits."""
        session = self._session
        session.check_played()
        if session.record is not None:
            return self._ended(session.record)
        assert session.episode is not None
        data: dict[str, Any] = {"episode": session.episode.key, "role": role}
        question = session.open(role)
        if question is None:
            others = list(session.open_roles())
            waits = f"waiting for {' and '.join(others)}" if others else "the game is still moving"
            return Result([f"{role}: {waits}. Call observe."], {**data, "state": "waiting", "waiting_for": others})
        situation, prompt = question.situation, question.prompt
        seen = situation.observation
        parts: list[Part | str] = []
        if instructions or seen.decision == 0:
            parts.append(prompt.system)
        if situation.last:
            parts.append(f"Your last action: {situation.last}")
        parts += prompt.parts
        views = [{"name": v.name, "width": v.width, "height": v.height} for v in seen.views]
        data |= {"state": "playing", "decision": seen.decision, "text": seen.text, "notes": list(seen.notes)}
        return Result(parts, {**data, "views": views, "last": situation.last})

    def _ended(self, record: EpisodeRecord) -> Result:
        session = self._session
        data = {"episode": record.key, "task": record.task, "run_dir": session.run_dir}
        if record.status == "failed":
            why = f"The episode failed without a score, {record.error_class}: {record.error_message}"
            again = "reset tries it again." if record.retryable else ""
            return Result([f"{why} {again}".strip()], {**data, "state": "failed", "error": why}, error=True)
        outcome = "solved" if record.success else "not solved"
        data |= {
            "state": "ended", "success": record.success, "progress": record.progress, "score": record.score,
            "ended_by": record.ended_by, "steps": record.steps, "resets": record.resets,
        }  # fmt: skip
        words = f"The episode has ended ({record.ended_by}): {outcome}, progress {100 * (record.progress or 0):.0f} %"
        proof = f"gwray verify {shlex.quote(session.run_dir)}"
        return Result([f"{words}, {record.steps} steps. reset begins the next one. To verify: {proof}"], data)


def _optional(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """Returns the schema of an object with required and optional properties."""
    schema = object_schema(**required)
    return {**schema, "properties": {**schema["properties"], **optional}}
