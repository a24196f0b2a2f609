"""Small games, role contexts, images, and an agent that is asked turn by turn."""

from __future__ import annotations

import io
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))

from standin import Standin

from gwray import agents
from gwray.agents.coordinates import Grid
from gwray.agents.spaces import ActionSpace, get_space
from gwray.catalog.game import Game
from gwray.catalog.protocol import read_model
from gwray.places import CONF
from gwray.records import Reply, View
from gwray.settings import AgentSpec, Durations, ImageGrid, ModelSpec, PlayerSpec, modules_of

MADE_OF = {f.stem: modules for f in sorted((CONF / "agent").glob("*.yaml")) if (modules := modules_of(f.stem))}
"""Modules of the agents in `conf/agent/`."""

VIEWPORT = (1280, 720)
_WAIT = {"id": "wait", "description": "Do nothing for a moment.", "wait": True}
_SLIDES = [
    {"id": f"move_{w}", "description": f"Slide everything {w}.", "press": f"Arrow{w.title()}"}
    for w in ("up", "down", "left", "right")
]
_CELLS = {"origin": [400, 100], "pitch": [50, 50], "columns": 9, "rows": 9}
_GAMES: dict[str, dict[str, Any]] = {
    "slide": {"roles": [{"keys": [s["press"] for s in _SLIDES], "clicks": True, "controls": [_WAIT, *_SLIDES]}]},
    "flap": {
        "roles": [
            {"keys": ["Space"], "controls": [_WAIT, {"id": "flap", "description": "Flap once.", "press": "Space"}]}
        ]
    },
    "mines": {
        "roles": [
            {
                "clicks": True,
                "controls": [
                    _WAIT,
                    {"id": "reveal_cell", "description": "Open a cell.", "click": "left", "cells": _CELLS},
                    {"id": "flag_cell", "description": "Flag a cell.", "click": "right", "cells": _CELLS},
                ],
            }
        ]
    },
    "pair": {
        "roles": [
            {
                "name": "drop",
                "keys": ["w", "a", "d"],
                "controls": [
                    _WAIT,
                    {"id": "move_left", "description": "Run left.", "press": "a", "hold_ms": 300},
                    {"id": "jump_right", "description": "Jump right.", "press": ["w", "d"]},
                ],
            },
            {
                "name": "ember",
                "keys": ["ArrowUp", "ArrowLeft", "ArrowRight"],
                "controls": [_WAIT, {"id": "move_left", "description": "Run left.", "press": "ArrowLeft"}],
            },
        ]
    },
    "words": {
        "roles": [
            {
                "keys": [*"abcdefghijklmnopqrstuvwxyz", "Enter", "Backspace", "Space"],
                "clicks": True,
                "key_hold_ms": {"Space": 80, "Enter": 120},
                "controls": [
                    {"id": "write", "description": "Write a word.", "type_text": True},
                    {"id": "enter", "description": "Hand the word in.", "press": "Enter"},
                    {"id": "aim", "description": "Sweep.", "move": {"start": [10, 20], "to": [300, 40]}},
                    {
                        "id": "charge",
                        "description": "Hold the button.",
                        "click": "left",
                        "at": [640, 360],
                        "hold_click": True,
                        "hold_ms": 900,
                    },
                ],
            }
        ]
    },
}


def small_game(name: str) -> Game:
    """Returns one of the games of these tests."""
    roles = [{"name": "player", "description": f"You play {name}.", **r} for r in _GAMES[name]["roles"]]
    task = {"id": "t_01", "instruction": "Score three points.", "score": "game_state.score", "target": 3}
    return Game.model_validate(
        {
            "id": f"99_{name}",
            "title": name.title(),
            "genre": "puzzle",
            "level": 1,
            "summary": "A game for tests.",
            "rules": "Do the right thing, and do it in time.",
            "roles": roles,
            "tasks": [task],
        }
    )


def context_at(game: Game | str, role: int = 0, **changes: Any) -> agents.RoleContext:
    """Returns the context of a role in a small game."""
    game = small_game(game) if isinstance(game, str) else game
    given = {"seed": 42, "repeat": 0, "episode_key": "key", **changes}
    return agents.RoleContext(game=game, role=game.roles[role], task=game.tasks[0], **given)


def space_at(
    game: Game | str,
    interface: str = "semantic",
    image: ImageGrid | None = None,
    role: int = 0,
    durations: Durations = "free",
) -> ActionSpace:
    """Returns the action space of a role, in the coordinates of a model."""
    role_context = context_at(game, role)
    grid = Grid.from_spec(image or ImageGrid(), role_context.viewport)
    return get_space(interface)(role_context.role, role_context.viewport, grid, durations)


def picture(color: str = "navy", mime: str = "image/jpeg", size: tuple[int, int] = VIEWPORT) -> bytes:
    """Returns a screenshot of one colour."""
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, "PNG" if mime == "image/png" else "JPEG")
    return out.getvalue()


_PICTURE = picture()


def observation(
    decision: int = 0, data: bytes = _PICTURE, mime: str = "image/jpeg", size: tuple[int, int] = VIEWPORT
) -> agents.Observation:
    """Returns the observation of a turn."""
    return agents.Observation(decision, (View("front", data, mime, *size),))


class Playing:
    """The baseline agent and its responder, asked turn by turn as the loop does, without log and environment."""

    def __init__(self, model: ModelSpec, agent: AgentSpec | None = None, role_context: agents.RoleContext | None = None,
                 pool: agents.ClientPool | None = None, text_only: bool = False):  # fmt: skip
        self._model, self._spec, self._role_context = (model, agent or AgentSpec(), role_context or context_at("slide"))
        self._agent = agents.make_agent(
            PlayerSpec(model=model, agent=self._spec, text_only=text_only), self._role_context
        )
        self.responder = agents.make_responder(model, self._spec, self._role_context, pool or agents.ClientPool())
        self.asked: list[agents.Request] = []
        """Requests so far, oldest first."""

    async def turn(
        self, seen: agents.Observation, reply: Reply | None = None, state: dict[str, Any] | None = None
    ) -> agents.Decision:
        """Plays one turn; `reply` replaces the responder's."""

        async def ask(*prompts: agents.Prompt, by: str = "") -> tuple[Reply, ...]:
            (prompt,) = prompts
            self.asked.append(
                agents.build_request(prompt, self._model, self._spec.interface, self._role_context.episode_key)
            )
            return (reply or await self.responder.answer(self.asked[-1], prompt, agents.Situation(seen, state or {})),)

        return await self._agent.act(seen, ask)

    async def reply(self, seen: agents.Observation) -> Reply:
        """Returns the reply of one turn."""
        decision = await self.turn(seen)
        assert decision.reply is not None
        return decision.reply

    async def request(self, seen: agents.Observation) -> agents.Request:
        """Returns the request of a turn; its reply is empty."""
        await self.turn(seen, Reply())
        return self.asked[-1]


@pytest.fixture(scope="session")
def _server() -> Iterator[Standin]:
    with Standin() as server:
        yield server


@pytest.fixture
def standin(_server: Standin) -> Standin:
    """The stand-in, after a reset."""
    _server.reset()
    return _server


@pytest.fixture
def profile(standin: Standin, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModelSpec]:
    """Makes a profile of conf/model/ that uses the stand-in and its own key."""

    def make(name: str, **changes: Any) -> ModelSpec:
        spec = read_model(name)
        if spec.api_key_env:
            monkeypatch.setenv(spec.api_key_env, "test-key-0123456789")
        options = {"attempts": 3, **spec.options, **changes.pop("options", {})}
        return spec.model_copy(update={"base_url": standin.base_url(spec.provider), "options": options, **changes})

    return make


@pytest.fixture
async def pool() -> AsyncIterator[agents.ClientPool]:
    """Connections of one test."""
    pool = agents.ClientPool()
    yield pool
    await pool.close()
