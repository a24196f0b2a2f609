"""An environment without a page is one class and a line in `game.yaml`; it starts no browser."""

from __future__ import annotations

import pytest
from environments.conftest import world
from environments.grid_world import GridWorld

from gwray.agents import ClientPool
from gwray.catalog import Game
from gwray.catalog.library import task_identity
from gwray.environments import KINDS, Environment, Opening, open_environment
from gwray.errors import GameError, UsageError
from gwray.pipelines.episode import play
from gwray.pipelines.inputs import EpisodeInputs, make_role_agents
from gwray.pipelines.replies import Replies
from gwray.records import PressKey
from gwray.sandbox import Browser
from gwray.settings import AgentSpec, CellSpec, EpisodeSpec, ModelSpec, ObservationSpec, TimingSpec


async def no_browser() -> Browser:
    raise AssertionError("a world that is no page asked for a browser")


async def opened(game: Game, seed: int = 42) -> Environment:
    return await open_environment(Opening(game, game.tasks[0], seed, no_browser))


async def test_a_class_named_in_a_game_is_played_without_a_browser():
    environment = await opened(world("grid"))
    assert isinstance(environment, GridWorld)
    seen = await environment.observe("red", ObservationSpec(views=("front", "map"), text=True))
    assert [v.name for v in seen.views] == ["front", "map"] and seen.text == "You are red, on column 1 of row 1."
    order = []
    for _ in range(4):
        (role,) = environment.to_act()
        order.append(role)
        reading = await environment.step({role: PressKey(key="ArrowRight")}, look=True)
    assert order == ["red", "blue", "red", "blue"]
    assert reading.state["game_state"] == {"red": 2, "blue": 6}
    assert (await environment.observe("red", ObservationSpec())).views != seen.views
    await environment.reset(42)
    assert (await environment.read()).state["game_state"] == {"red": 0, "blue": 4}
    await environment.close()
    assert environment.closed


async def test_only_browser_games_need_a_page():
    assert not (world("grid").folder / "index.html").exists()
    assert world("lookout").kind == "browser"


async def test_custom_environment_is_part_of_identity():
    assert KINDS.code("browser") == ""
    assert len(KINDS.code("environments.grid_world.GridWorld")) == 32
    lookout = world("lookout")
    said = lookout.model_copy(update={"kind": "browser"})
    assert task_identity(lookout, lookout.tasks[0]) == task_identity(said, said.tasks[0])


async def test_a_kind_that_does_not_exist_is_named_with_those_that_do():
    for wrong, message in (
        ("brwser", "Did you mean browser"),
        ("environments.grid_world.Nothing", "does not exist.*has no 'Nothing'"),
    ):
        with pytest.raises(UsageError, match=message):
            await opened(world("grid").model_copy(update={"kind": wrong}))


async def test_a_world_that_breaks_while_it_opens_is_its_authors_fault(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(GridWorld, "_start", lambda *_: 1 / 0)
    with pytest.raises(GameError, match=r"opening grid \(kind: environments.grid_world.GridWorld\): ZeroDivisionError"):
        await opened(world("grid"))


async def test_an_episode_is_played_in_it_like_in_any_other_world():
    game = world("grid")
    (task,) = game.tasks
    moves = {"red": ["right"] * 8 + ["down"] * 8, "blue": ["wait"] * 16}  # by decision: every second is a role's own
    spec = EpisodeSpec(
        key="grid",
        cell_id="",
        cell=CellSpec(
            model=ModelSpec(name="fixed", provider="fixed", options={"actions": moves}),
            agent=AgentSpec(),
            timing=TimingSpec(),
            observation=ObservationSpec(views=("front", "map"), text=True),
        ),
        game=game.id,
        task=task.id,
        seed=42,
        repeat=0,
    )
    replies = Replies([], lambda _: None)
    roles = make_role_agents(spec, game, task, replies, ClientPool())
    environment = await open_environment(Opening.from_spec(spec, game, task, no_browser))
    played = await play(EpisodeInputs(spec, game, task, environment, roles, replies))
    assert played.record.success and played.record.progress == 1
    assert [row.role for row in played.steps] == ["red", "blue"] * 7 + ["red"]
    assert played.record.browser.startswith("Pillow")
