"""Local players."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from agents.conftest import Playing, context_at, observation, small_game

from gwray.agents import ClientPool, Decision, Prompt, Situation, build_request, make_responder
from gwray.errors import GameError
from gwray.records import Action, Click, PressKey, Reply, Wait
from gwray.settings import ActionSpec, AgentSpec, ModelSpec


async def play(
    provider: str, role_context, steps: int, interface="semantic", **changes
) -> list[tuple[Reply, Decision]]:
    model = ModelSpec(name=provider, provider=provider, **changes)
    playing = Playing(model, AgentSpec(interface=interface), role_context)
    out = []
    for step in range(steps):
        decision = await playing.turn(observation(step), state={"step": step})
        assert decision.reply is not None
        out.append((decision.reply, decision))
    return out


def actions(played: list[tuple[Reply, Decision]]) -> list[Action]:
    """The one action of each turn."""
    return [action for _, d in played for (action,) in [d.actions]]


def controls(played: list[tuple[Reply, Decision]]) -> list[str | None]:
    """The control of each turn."""
    return [d.controls[0] if d.controls else None for _, d in played]


@pytest.mark.parametrize("interface", ["semantic", "computer_use"])
@pytest.mark.parametrize("game", ["slide", "flap", "mines", "pair", "words"])
async def test_random_player_covers_exactly_the_legal_actions(game, interface):
    played = await play("random", context_at(game), 200, interface)
    assert {d.validity for _, d in played} == {"valid"}
    role = small_game(game).roles[0]
    if interface == "semantic":
        assert set(controls(played)) == {c.id for c in role.controls}
    else:
        assert {a.key for a in actions(played) if isinstance(a, PressKey)} == set(role.keys)
        assert any(isinstance(a, Click) for a in actions(played)) == role.clicks
        assert any(isinstance(a, Wait) for a in actions(played))


async def test_a_random_player_is_uniform_over_its_controls():
    counts = Counter(controls(await play("random", context_at("slide"), 1000)))
    assert all(140 < n < 260 for n in counts.values()) and len(counts) == 5


async def test_a_random_player_does_as_much_in_a_reply_as_it_may():
    game = "slide"
    (_, one), *_ = await play("random", context_at(game), 1)
    played = await play("random", context_at(game, action=ActionSpec(per_reply=3)), 50)
    assert {(len(d.actions), d.ignored, d.validity) for _, d in played} == {(3, 0, "valid")}
    assert played[0][1].actions[0] == one.actions[0], "the first of them is what it does when it may do one"
    assert len({d.controls for _, d in played}) > 30


async def test_random_draw_depends_on_seed_repeat_role_task_step():
    def texts(played):
        return [r.text for r, _ in played]

    base = texts(await play("random", context_at("mines"), 20))
    assert base == texts(await play("random", context_at("mines", episode_key="another"), 20))
    assert base != texts(await play("random", context_at("mines", seed=43), 20))
    assert base != texts(await play("random", context_at("mines", repeat=1), 20))
    # The tenth step is the same when the nine before were never played.
    random = Playing(ModelSpec(name="random", provider="random"), role_context=context_at("mines"))
    assert (await random.reply(observation(10))).text == base[10]
    pair = [texts(await play("random", context_at("pair", i), 20)) for i in (0, 1)]
    assert pair[0] != pair[1]


async def test_noop_player_waits_or_replies_empty():
    assert actions(await play("noop", context_at("slide"), 2)) == [Wait(), Wait()]
    assert actions(await play("noop", context_at("words"), 1, "computer_use")) == [Wait()]
    assert [d.validity for _, d in await play("noop", context_at("words"), 1)] == ["no_tool_call"]


async def test_a_fixed_player_says_its_list_and_then_does_nothing():
    answer_text = [
        "reveal_cell c4",
        "FLAG_CELL a1",
        '{"action": "reveal_cell", "cell": "b2"}',
        "nonsense",
        "reveal_cell z9",
    ]
    played = await play("fixed", context_at("mines"), 6, options={"actions": answer_text})
    assert [d.validity for _, d in played] == ["valid", "valid", "valid", "no_tool_call", "out_of_space", "valid"]
    assert controls(played) == ["reveal_cell", "flag_cell", "reveal_cell", None, "reveal_cell", "wait"]
    raw = await play("fixed", context_at("mines"), 2, "computer_use", options={"actions": ["flag_cell c4"]})
    assert actions(raw) == [Click(x=500, y=250, button="right"), Wait()]


def game_in(folder, name: str = "mines"):
    return small_game(name).model_copy(update={"folder": folder})


async def test_a_scripted_player_reads_the_state_and_says_a_control(tmp_path):
    script = "def act(state, role, task):\n    return f\"reveal_cell a{state['step'] + 1}\" if task['id'] else role\n"
    (tmp_path / "player.py").write_text(script)
    for interface in ("semantic", "computer_use"):
        played = await play("scripted", context_at(game_in(tmp_path)), 3, interface)
        assert actions(played) == [Click(x=400, y=y) for y in (100, 150, 200)]
    assert [p.name for p in tmp_path.iterdir()] == ["player.py"]  # nothing compiled is left in the game's folder
    assert Playing(
        ModelSpec(name="s", provider="scripted"), role_context=context_at(game_in(tmp_path))
    ).responder.sees_state
    assert not Playing(ModelSpec(name="r", provider="random")).responder.sees_state


async def test_scripted_player_plays_the_committed_solution(tmp_path):
    solution = {"t_01": {"found": "by hand", "roles": {"player": ["reveal_cell a1", "flag_cell b2"]}}}
    (tmp_path / "solutions.json").write_text(json.dumps(solution))
    played = await play("scripted", context_at(game_in(tmp_path)), 3)
    assert controls(played) == ["reveal_cell", "flag_cell", "wait"]


@pytest.mark.parametrize(
    ("files", "prompt_text"),
    [
        ({}, "neither player.py nor solutions.json"),
        ({"solutions.json": "{}"}, "no solution of the task t_01"),
        ({"solutions.json": '{"t_01": {}}'}, "task t_01: found: is missing"),
        ({"solutions.json": "[1]"}, "must be a mapping from task id to solution"),
        ({"solutions.json": "{"}, "not valid JSON"),
        ({"player.py": "x = 1"}, "no function act"),
        ({"player.py": "def act("}, "SyntaxError"),
        ({"player.py": "def act(state, role, task): return 1 / 0"}, "ZeroDivisionError"),
        ({"player.py": "def act(state, role, task): return 'fly'"}, "said 'fly', which is no control"),
        ({"player.py": "def act(state, role, task): return None"}, "said None"),
    ],
)
async def test_a_broken_script_is_the_games_fault(tmp_path, files, prompt_text):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(GameError, match=prompt_text):
        await play("scripted", context_at(game_in(tmp_path)), 1)


@pytest.mark.parametrize("provider", ["random", "noop", "fixed", "scripted"])
async def test_local_player_gives_neutral_answer_to_modules(provider, tmp_path):
    (tmp_path / "player.py").write_text("def act(state, role, task): return 'wait'")
    model = ModelSpec(name=provider, provider=provider)
    responder = make_responder(model, AgentSpec(), context_at(game_in(tmp_path)), ClientPool())

    async def answer_to(prompt: Prompt) -> str:
        request = build_request(prompt, model, "semantic", "key")
        return (await responder.answer(request, prompt, Situation(observation()))).text

    assert await answer_to(Prompt("Reflect.", (), module="reflection", neutral="Nothing stood out.")) == (
        "Nothing stood out."
    )
    assert await answer_to(Prompt("Act.", ())) != "Nothing stood out."
