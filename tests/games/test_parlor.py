"""Rules of the parlor's games that their scores depend on."""

from __future__ import annotations

import re
import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gwray.agents import Call, Semantic
from gwray.catalog import load_catalog
from gwray.evaluation import BestSoFar, evaluate_step
from gwray.plugins.authoring.lab import Lab, open_labs, timeline


@asynccontextmanager
async def opened(name: str, options: str = "") -> AsyncIterator[Lab]:
    async with open_labs() as labs:
        lab = await labs.open(load_catalog().game(name), options)
        yield lab
        await lab.close()


async def test_vault_names_who_acts_and_refusals_cost_the_turn():
    async with opened("p06_four-deep") as lab:
        for _ in range(3):
            before = (await lab.run())["game_state"]
            names = {h["id"]: h["name"] for h in before["heroes"]}
            rank = before["rank"]
            await lab.run(timeline(lab.game, [f"swap_forward {rank % 4 + 1} 1"]))
            answer = await lab.call("() => gameAPI.lab.answers.player")
            after = (await lab.run())["game_state"]
            assert not answer["ok"] and after["acting"] != before["acting"]
            assert f"It is the turn of {names[before['acting']]}" in answer["feedback"]
            assert f"{names[before['acting']]} loses the turn." in answer["feedback"]
            assert f"not in rank {rank % 4 + 1}" in after["refused"]
        for _ in range(4):
            words = await lab.call("() => gameAPI.describe('player')")
            state = await lab.run()
            game, names = state["game_state"], {h["id"]: h["name"] for h in state["game_state"]["heroes"]}
            now, _, later = words.partition("The next command is for ")[2].splitlines()[0].partition(".")
            assert now == names[game["acting"]] and not state["terminal"]["isTerminal"]
            for hero in game["heroes"]:
                slots = words.partition("PARTY")[2].partition(f". {hero['name']} (")[2].split("\n")[1]
                assert slots.startswith("   slots: 1 ") == (hero["id"] != game["acting"])
            state = await lab.run(timeline(lab.game, [f"swap_{_way(game['rank'])} {game['rank']} 1"]))
            after = state["game_state"]
            same_round = after["round"] == game["round"] and after["rooms"] == game["rooms"]
            assert names[after["acting"]] in later if same_round else later


async def test_unseen_stair_is_another_seed_with_the_same_deck():
    seen = []
    for task in load_catalog().game("p05_long-stair").tasks:
        async with opened("p05_long-stair", task.options) as lab:
            seen.append((await lab.run())["game_state"])
    assert seen[0]["deck"] == seen[1]["deck"] and seen[0]["hand"] != seen[1]["hand"]


MILESTONES = {
    "p04_say-so": ["measure", "20", "40", "no longer stop"],
    "p08_word-of-mouth": ["capitals"],
    "p11_thistle-road": ["events of the story", "measure", "twelve", "parcel", "warden", "rival", "flag"],
}


@pytest.mark.parametrize("name", MILESTONES)
async def test_no_task_or_state_text_counts_or_lists_milestones(name: str):
    """What a paper measures as sub-goals is not in its prompt, so it is not in ours."""
    game = load_catalog().game(name)
    for task in game.tasks:
        async with opened(name, task.options) as lab:
            words = await lab.call("() => gameAPI.describe('player')")
        told = f"{task.instruction}\n{game.rules}\n{words}".casefold()
        assert not [part for part in MILESTONES[name] if re.search(rf"\b{part}\b", told)], task.id


TWOFOLD_SCORES = """async ({ moves, episodes }) => {
  const { create, update } = await import('./rules.js');
  const { seeded, stream } = await import('../../kit/random.js');
  return Array.from({ length: episodes }, (_, seed) => {
    const s = create({}, seeded(seed));
    const draw = stream(seeded(`player ${seed}`), 'moves');
    for (let i = 0; i < 10000 && !s.over; i++) {
      const key = `Arrow${moves ? moves[i % moves.length] : draw.pick(['Up', 'Down', 'Left', 'Right'])}`;
      update(s, { keys: [key], clicked: () => null, mouseHeld: () => false, mouse: { x: 0, y: 0 } });
    }
    return Math.min(s.score / 20000, 1) * 100;
  });
}"""
"""Scores of players that repeat moves, or draw them at random."""


async def test_random_twofold_scores_as_published_and_two_moves_nothing():
    async with opened("p01_twofold") as lab:
        scores = await lab.call(TWOFOLD_SCORES, {"episodes": 200})
        # Published for 50 episodes: 5.5 ± 2.3.
        assert statistics.mean(scores) == pytest.approx(5.5, abs=1) and statistics.stdev(scores) < 3.2
        ways = ("Up", "Down", "Left", "Right")
        for pattern in [[a] for a in ways] + [[a, b] for a in ways for b in ways if a != b]:
            scores = await lab.call(TWOFOLD_SCORES, {"episodes": 20, "moves": pattern})
            assert statistics.mean(scores) < 2, pattern


async def test_platformer_scores_distance_to_the_flag_and_takes_one_unit_for_a_run():
    async with opened("p02_up-and-over") as lab:

        async def do(level: int) -> dict:
            return await lab.run(timeline(lab.game, [f"jump {level}"]))

        first = await do(0)
        stage = first["game_state"]["stage"]
        assert (first["gameTimeMs"], first["game_state"]["player"]["x"]) == (66.667, stage["start"] + 16)
        way = stage["flag"] - 36 - stage["start"]
        for share in (0.25, 0.5):
            await lab.call("x => { gameAPI.lab.peek().hero.x = x }", stage["start"] + share * way)
            assert (await lab.run())["game_state"]["score"] == pytest.approx(100 * share)
        await lab.reset(42)
        lengths = []
        for level in range(1, 7):
            await lab.call(
                "() => { const s = gameAPI.lab.peek(); s.solids = []; s.ditches = []; s.thorns = []; s.foes = [] }"
            )
            x = (await lab.run())["game_state"]["player"]["x"]
            lengths.append((await do(level))["game_state"]["player"]["x"] - x)
        assert lengths == [112, 144, 160, 192, 208, 240]


async def test_vault_scores_by_the_formula_with_200_stress_for_a_dead_hero():
    async with opened("p06_four-deep") as lab:
        await lab.call(
            """() => {
                const s = gameAPI.lab.peek();
                const last = { ...s.foes[0], hp: 1, bleed: { amount: 9, turns: 9 }, moved: false };
                for (const h of s.heroes) Object.assign(h, { moved: false, stress: 10 });
                const fallen = [s.heroes.shift().name];
                Object.assign(s, { rooms: 4, fallen, foes: [last], acting: '' });
            }"""
        )
        state = await lab.run()
        while not state["terminal"]["isTerminal"]:
            state = await lab.run([{"at_ms": 500, "kind": "end"}])
            game = state["game_state"]
            if game["acting"]:
                state = await lab.run(timeline(lab.game, [f"swap_{_way(game['rank'])} {game['rank']} 1"]))
        assert (state["game_state"]["alive"], state["game_state"]["stress"]) == (3, 230)
        result, _ = evaluate_step(state, lab.game.tasks[0], 5, BestSoFar())
        assert 100 * result.progress == pytest.approx(40 + 30 * 3 / 4 + 30 * (1 - 230 / 800))


def _way(rank: int) -> str:
    return "forward" if rank > 1 else "backward"


SHORTEST = """async () => {
    const { choose, optionsOf, PARTS } = await import('./rules.js');
    let state = structuredClone(gameAPI.lab.peek());
    const fewest = [];
    for (const [part, name] of PARTS.entries()) {
        let layer = [state], best = null;
        const seen = new Set();
        while (!best && layer.length) {
            const next = [];
            for (const from of layer) {
                for (let n = 1; n <= optionsOf(from).length; n++) {
                    const to = structuredClone(from);
                    choose(to, n);
                    const { now, open, selected, queue, next: at, right, opened, back } = to;
                    const key = JSON.stringify([now, open, selected, queue, at, right, opened, back]);
                    if (to.court[name]?.reward === (part ? 1 : 3)) best ??= to;
                    if (to.part !== part || seen.has(key) || to.lives < from.lives) continue;
                    seen.add(key);
                    next.push(to);
                }
            }
            layer = next;
        }
        state = best;
        fewest.push(best.court[name].steps);
    }
    return fewest;
}"""
"""The fewest steps in which each part of a trial can be passed, by breadth-first search."""


async def test_fewest_steps_of_trials_are_those_of_the_formula():
    for options in ("", "?case=ferry"):
        async with opened("p07_fair-trial", options) as lab:
            assert await lab.call(SHORTEST) == [25, 11, 3, 4]


async def test_failed_trial_scores_522_and_wrong_proofs_cost_lives():
    async with opened("p07_fair-trial") as lab:
        task, game = lab.game.tasks[0], lab.game

        async def choose(*numbers: int) -> dict:
            state = {}
            for number in numbers:
                state = await lab.run(timeline(game, [f"choose {number}"]))
            return state

        def points(state: dict) -> float:
            return 100 * evaluate_step(state, task, 5, BestSoFar())[0].progress

        await lab.call("() => { gameAPI.lab.peek().places = ['ok', 'open', 'left', 'press', 'close', 'present'] }")
        state = await choose(*[1] * 49)
        assert (state["game_state"]["court"], points(state)) == ({}, 0), "a part counts when it is over"
        assert points(await choose(*[1] * 51)) == pytest.approx(1.5 + 12 * 11 / 50)
        number = next(n for n, o in enumerate((await choose(2))["game_state"]["options"], 1) if o["id"] == "pin")
        assert (await choose(number, 9))["game_state"]["lives"] == 4
        state = await choose(*[2, number, 9] * 4)
        assert (state["game_state"]["court"]["ce2"], state["game_state"]["part"]) == ({"reward": 0, "steps": 50}, "ce3")
        state = await choose(*[1] * 50)
        assert state["terminal"]["outcome"] == "fail" and points(state) == pytest.approx(5.22)


MATCH = """async ({ setup, orders, seconds }) => {
    const { create, tick, TICK } = await import('/parlor/p10_wound-up/rules.js');
    const { army } = await import('/parlor/p10_wound-up/sides.js');
    const { order } = await import('/parlor/p10_wound-up/orders.js');
    const { knows } = await import('/parlor/p10_wound-up/knows.js');
    const { ORDERS } = await import('/parlor/p10_wound-up/data.js');
    const { seeded, stream } = await import('../../kit/random.js');
    const s = create(setup, seeded(setup.seed));
    const draw = stream(seeded(`player ${setup.seed}`), 'orders');
    const said = [];
    for (let n = 0; n < seconds && !s.over; n++) {
        const id = orders === 'random' ? draw.pick(ORDERS).id : orders[n];
        if (id) said.push(order(s, 0, id));
        for (let i = 0; i < 60 && !s.over; i++) if (++s.age % TICK === 0) tick(s);
    }
    const houses = s.sides.map((b) => b.houses.map((h) => h.kind));
    return { said, over: s.over, houses, army: s.sides.map(army), knows: knows(s, 0) };
}"""
"""A match of Wound Up in which the left side gives one order a second."""


@pytest.mark.slow
async def test_wound_up_is_lost_by_random_orders_and_by_waiting():
    async with opened("p10_wound-up") as lab:
        for level in ("very_easy", "hard", "elite"):
            for orders in ("random", []):
                setup = {"bot": level, "seed": 3, "map": "attic"}
                found = await lab.call(MATCH, {"setup": setup, "orders": orders, "seconds": 1500})
                assert found["over"] and found["over"]["outcome"] == "fail", (level, orders)
                assert "chest" not in found["houses"][0] and "chest" in found["houses"][1]


async def test_waiting_is_an_action_of_wound_up():
    for game_id in ("p10_wound-up", "p10d_wound-up"):
        game = load_catalog().game(game_id)
        for role in game.roles:
            assert Semantic.for_role(role, game.viewport).idle_call() == Call("empty")


async def fight(lab: Lab, *entries: str) -> dict:
    state: dict = {}
    for entry in entries:
        state = await lab.run(timeline(lab.game, [entry]))
    return state["game_state"]


@pytest.mark.slow
async def test_random_fighters_score_as_published():
    async with opened("p09_iron-bell") as lab:
        scores = await lab.call(
            """async () => { const names = gameAPI.commands; const out = [];
            for (let seed = 0; seed < 40; seed++) { gameAPI.lab.reset(seed); let x = 7919 * seed + 1; let s;
              do { x = (x * 1103515245 + 12345) % 2147483648;
                const name = names[Math.floor(x / 256) % names.length];
                s = gameAPI.lab.run([{ at_ms: 0, kind: 'command', role: 'player', command: name, args: {} }]);
              } while (!s.terminal.isTerminal);
              out.push(s.game_state.score); } return out }"""
        )
        assert statistics.mean(scores) == pytest.approx(10.0, abs=4.0)
        assert 3 < statistics.stdev(scores) < 10


async def test_lead_of_a_match_of_wound_up_is_the_army_or_the_victory():
    async with opened("p10d_wound-up") as lab:
        leads = []
        for own, other, broken in ((3, 1, None), (1, 3, None), (1, 3, 1), (3, 1, 0)):
            await lab.reset(1)
            await lab.call(
                """([armies, broken]) => {
                    const s = gameAPI.lab.peek();
                    const bear = { ...s.sides[0].toys[0], kind: 'bear', job: 'home', hp: 9999 };
                    for (const [who, a] of s.sides.entries())
                        for (let n = 0; n < armies[who]; n++) a.toys.push({ ...bear, id: s.next++ });
                    if (broken !== null) s.sides[broken].houses = [];
                }""",
                [[own, other], broken],
            )
            leads.append((await lab.run([{"at_ms": 200, "kind": "end"}]))["game_state"]["lead"])
        assert leads == [700, -700, 700, -700]
