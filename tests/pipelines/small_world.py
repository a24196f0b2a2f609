"""A minimal world and its agents, for tests of the loop's rules."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gwray.agents import Ask, Decision, Observation, Prompt, Situation
from gwray.agents.messages import Image, Part, Request, Text
from gwray.catalog.game import Game
from gwray.environments import Diagnostics, Reading, RoleObservation, View, joint_events
from gwray.errors import ModelUnavailable
from gwray.pipelines.episode import play
from gwray.pipelines.inputs import EpisodeInputs, RoleAgents
from gwray.pipelines.outcome import PlayedEpisode
from gwray.pipelines.replies import Replies, RoleAsk
from gwray.records import Action, LoggedReply, PressKey, Reply, Wait, canonical, digest
from gwray.settings import ActionSpec, AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec

HOLD_MS = 200


def game(*roles: str, **task: Any) -> Game:
    """A game whose score is the number of presses; the key `x` loses it."""
    press = {"id": "press", "description": "Press.", "press": "a"}
    seat = {
        "description": "You press.",
        "keys": ["a", "x", "Enter", "Tab", "Space"],
        "hold_ms": HOLD_MS,
        "controls": [press],
    }
    seats = [{"name": r, **seat} for r in roles or ("player",)]
    facts = {"id": "t", "instruction": "press", "score": "game_state.score", "target": 3, "max_steps": 6, **task}
    return Game.model_validate(
        {"id": "99_press", "title": "P", "genre": "puzzle", "level": 1, "summary": "s", "rules": "r", "roles": seats,
         "tasks": [facts]}
    )  # fmt: skip


@dataclass
class World:
    """Counts presses, keeps time, and writes down what is asked of it."""

    game: Game
    score: int = 0
    lost: bool = False
    now: float = 0.0
    hold_scale: float = 1.0
    done: list[str] = field(default_factory=list)
    diagnostics_: Diagnostics = field(default_factory=Diagnostics)

    def to_act(self) -> tuple[str, ...]:
        return tuple(r.name for r in self.game.roles)

    async def observe(self, role: str, wanted: ObservationSpec) -> RoleObservation:
        picture = f"{self.score}{'!' if self.lost else ''}@{self.now:g}"
        view = View("front", picture.encode(), "image/png", 1280, 720)
        return RoleObservation((view,) if wanted.pictures else (), f"score {self.score}" if wanted.text else "")

    async def read(self) -> Reading:
        terminal = {"isTerminal": self.lost, "outcome": "fail" if self.lost else None, "reason": None}
        state = {"status": "playing", "terminal": terminal, "game_state": {"score": self.score}}
        return Reading(state, digest(canonical(state)), self.now)

    async def advance(self, ms: float) -> None:
        self.done.append(f"think {ms:g}")
        self.now += ms

    async def step(self, actions: Mapping[str, Action], *, look: bool) -> Reading:
        events = joint_events(self.game, actions, self.hold_scale)
        keys = [e.key for e in events if e.kind == "key_down"]
        lasts = max((e.at_ms for e in events), default=0)
        self.done.append(f"{'+'.join(map(str, keys)) or 'nothing'} {lasts:g}")
        self.score += keys.count("a")
        self.lost = "x" in keys
        self.now += lasts
        return await self.read()

    async def reset(self, seed: int) -> None:
        self.done.append(f"reset {seed}")
        self.score, self.lost = 0, False

    async def confirm(self) -> None: ...

    def diagnostics(self) -> Diagnostics:
        return self.diagnostics_

    async def close(self) -> None:
        pass


def act_of(word: str) -> Action:
    return Wait() if word == "wait" else PressKey(key=word)


@dataclass
class Player:
    """An agent and who answers it: says its list, one reply a turn: keys and `wait`, `fly` (which no role can), or
    nothing. Several words are several actions."""

    says: list[str]
    sees_state: bool = False
    latency_ms: float = 0.0
    cost_usd: float | None = 0.25
    pause_s: float = 0.0
    together: asyncio.Barrier | None = None
    seen: list[Observation] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    asked: int = 0

    async def act(self, seen: Observation, ask: Ask) -> Decision:
        self.seen.append(seen)
        (reply,) = await ask(self.prompt(seen))
        return self.decide(reply)

    def prompt(self, seen: Observation) -> Prompt:
        parts: list[Part] = [Text(f"turn {seen.decision}")]
        parts += [Image(v.data, v.mime, (v.width, v.height)) for v in seen.views]
        return Prompt("Play.", tuple(parts))

    def decide(self, reply: Reply) -> Decision:
        words = reply.text.split(" ") if reply.text else []
        if not words:
            return Decision("no_tool_call", reason="empty")
        known = words[: words.index("fly")] if "fly" in words else words
        actions = tuple(act_of(w) for w in known)
        return Decision(
            "out_of_space" if "fly" in words else "valid", actions, reason="cannot" if "fly" in words else ""
        )

    async def answer(self, request: Request, prompt: Prompt, situation: Situation) -> Reply:
        self.asked += 1
        self.states.append(situation.state)
        await asyncio.sleep(self.pause_s)
        if self.together:
            await self.together.wait()
        word = self.says[situation.decision] if situation.decision < len(self.says) else "wait"
        if word == "down":
            raise ModelUnavailable("nobody there")
        return Reply(text=word, latency_ms=self.latency_ms, cost_usd=self.cost_usd)


async def run(
    players: Player | dict[str, Player],
    world: World | None = None,
    *,
    logged: list[LoggedReply] | None = None,
    log: list[LoggedReply] | None = None,
    timing: TimingSpec | None = None,
    pictures: bool = True,
    replay: bool = False,
    original_pace: bool = False,
    agent: AgentSpec | None = None,
    written: list[Any] | None = None,
    per_reply: int = 9,
    **task: Any,
) -> PlayedEpisode:
    agents = players if isinstance(players, dict) else {"player": players}
    made = game(*agents, **task)
    seen = ObservationSpec(format="png" if pictures else "none")
    model, oracle = ModelSpec(name="m", provider="fixed"), ModelSpec(name="o", provider="scripted")
    roles = {role: oracle for role, p in agents.items() if p.sees_state}
    cell = CellSpec(
        model=model, agent=agent or AgentSpec(), timing=timing or TimingSpec(), observation=seen, roles=roles,
        helpers={name: oracle for name in (agent.models if agent else ())},
    )  # fmt: skip
    action = ActionSpec(per_reply=per_reply)
    spec = EpisodeSpec(key="k", cell_id="c", cell=cell, game=made.id, task="t", seed=7, repeat=0, action=action)
    append = None if replay else (log if log is not None else []).append
    replies = Replies(logged or [], append, original_pace=original_pace)
    asks = {role: RoleAsk(role, cell.player(role), {"": p, "mapper": p}, replies, "k") for role, p in agents.items()}
    world = world or World(made)
    world.game = made

    async def keep(rows: Any) -> None:
        assert written is not None
        written.append(rows)

    write = None if written is None else keep
    return await play(EpisodeInputs(spec, made, made.tasks[0], world, RoleAgents(agents, asks), replies), write=write)


STAND_IN = game("player")
