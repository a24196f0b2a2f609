"""Rules of the parlor's games that their scores depend on."""

from __future__ import annotations

import runpy
import statistics
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gwray.agents import Call, Semantic
from gwray.authoring.lab import Lab, open_labs, timeline
from gwray.catalog import load_catalog
from gwray.evaluation import BestSoFar, evaluate_step


@asynccontextmanager
async def opened(name: str, options: str = "") -> AsyncIterator[Lab]:
    async with open_labs() as labs:
        lab = await labs.open(load_catalog().game(name), options)
        yield lab
        await lab.close()


async def test_five_dead_moves_in_a_row_end_twofold():
    async with opened("p01_twofold") as lab:
        await lab.call("() => { gameAPI.lab.peek().board = [[2, 4, 8, 16], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]] }")
        ends = [(await lab.run(timeline(lab.game, ["up"])))["terminal"]["outcome"] for _ in range(5)]
        assert ends == [None, None, None, None, "fail"]


async def test_each_press_moves_in_say_so_also_after_the_same_one():
    async with opened("p04_say-so", "?level=1") as lab:

        def places(state: dict) -> list[tuple[int, int]]:
            return [
                (t["x"], t["y"]) for t in state["game_state"]["board"]["tiles"] if t["name"] == "MOTH" and not t["word"]
            ]

        ((x, y),) = places(await lab.run())
        for _ in range(2):
            state = await lab.run(timeline(lab.game, ["left"]))
        assert places(state) == [(x - 2, y)]


async def test_eighth_refused_command_ends_a_climb_and_an_expedition():
    for name, refused, works in (
        ("p05_long-stair", "choose 1", "end_turn"),
        ("p06_four-deep", "attack 1 1", ""),
    ):
        async with opened(name) as lab:

            async def do(entry: str, lab: Lab = lab) -> dict:
                return await lab.run(timeline(lab.game, [entry]))

            for n in range(1, 9):
                if works and n == 4:
                    await do(works)
                if name == "p06_four-deep":
                    hero = (await lab.run())["game_state"]
                    refused = f"swap_forward {hero['rank'] % 4 + 1} 1"
                state = await do(refused)
                assert state["terminal"]["isTerminal"] == (n == 8), (name, n)
                assert not (await lab.call("() => gameAPI.lab.answers.player"))["ok"]
            assert state["terminal"]["outcome"] == "fail"


async def test_options_of_a_trial_are_listed_in_the_order_of_its_seed():
    async with opened("p07_fair-trial") as lab:
        orders = set()
        for seed in range(12):
            await lab.reset(seed)
            state = await lab.run()
            first = [o["what"] for o in state["game_state"]["options"]]
            await lab.run(timeline(lab.game, [f"choose {first.index('open') + 1}"]))
            state = await lab.run(timeline(lab.game, ["choose 1"]))
            assert [o["what"] for o in state["game_state"]["options"]] == first, "the same within a trial"
            orders.add(tuple(first))
        assert orders == {("ok", "open"), ("open", "ok")}


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


async def test_farm_charges_energy_and_pays_for_crops():
    async with opened("p03_thirteen-days") as lab:

        async def do(entry: str) -> dict:
            return (await lab.run(timeline(lab.game, [entry])))["game_state"]

        assert (await do("till 3"))["tilled"] == 0, "nobody tills from the house"
        await do("leave_house")
        assert (await do("buy parsnip 40"))["gold"] == 0
        assert (await do("till 3"))["energy"] == 44
        state = await do("plant")
        assert (len(state["entities"]), state["seeds"]["parsnip"]) == (3, 7)
        for _ in range(4):
            await do("leave_house")
            await do("water")
            await do("sleep")
        await do("leave_house")
        assert (await do("harvest"))["store"]["parsnip"] == 3
        assert 105 <= (await do("sell"))["gold"] <= 3 * 52
        # 32 tiles cost 64 energy: the farmer faints at -15 and loses a tenth.
        before = (await do("sleep"))["gold"]
        await do("leave_house")
        state = await do("till 37")
        assert (state["gold"], state["energy"], state["day"]) == (before - before // 10, 26, 7)


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


async def test_vault_refuses_what_ranks_forbid_and_charges_no_turn():
    async with opened("p06_four-deep") as lab:

        async def do(entry: str) -> dict:
            return (await lab.run(timeline(lab.game, [entry])))["game_state"]

        start = await lab.run()
        hero, rank = start["game_state"]["acting"], start["game_state"]["rank"]
        for skill in start["game_state"]["skills"]:
            wrong = next(
                r for r in (1, 2, 3, 4) if r not in skill["at"] or not skill["usable"] or skill["aim"] == "hero"
            )
            state = await do(f"attack {wrong} {skill['slot']}")
            assert (state["acting"], bool(state["refused"])) == (hero, True), skill["name"]
        assert (await do(f"swap_forward {rank} {rank}"))["acting"] == hero, "nobody moves beyond rank 1"
        state = await do(f"swap_backward {rank} 1" if rank < 4 else f"swap_forward {rank} 1")
        assert [h["id"] for h in state["heroes"]].index(hero) + 1 == (rank + 1 if rank < 4 else rank - 1)
        assert not state["refused"]


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


TARGETS = """async (slot) => {
    const { acting, kindOf, obstacle } = await import('./fight.js');
    const { inHand } = await import('./play.js');
    const s = gameAPI.lab.peek();
    const targets = [1, 2, 3, 4].filter((r) => !obstacle(s, acting(s), kindOf(acting(s)).skills[slot - 1], r));
    return [inHand(s), targets.length];
}"""


@pytest.mark.parametrize("together", [True, False])
async def test_expert_clears_the_vault_by_keys_within_its_budget(together: bool):
    """The expert's actions as key presses of the role's hold, skill and target together or one after the other. A skill
    that is in hand, or has one target, takes one press."""
    async with opened("p06_four-deep", "?party=hire") as lab:
        task, act = lab.game.tasks[1], runpy.run_path(str(lab.game.folder / "player.py"))["act"]
        await lab.reset(44)
        state, steps = await lab.run(), 0
        while not state["terminal"]["isTerminal"] and steps < task.budget:
            name, first, second = act(state, "player", {"id": task.id, "options": task.options}).split()
            arrow = "ArrowRight" if name == "swap_forward" else "ArrowLeft"
            presses = [[arrow]] if name.startswith("swap") else [[second, "qwer"[int(first) - 1]]]
            if len(presses[0]) == 2 and not together:
                hand, targets = await lab.call(TARGETS, int(second))
                skill, target = presses[0]
                presses = [[target]] if hand == int(second) else [[skill]] if targets == 1 else [[skill], [target]]
            for keys in presses:
                steps += 1
                events = [
                    {"at_ms": at, "kind": kind, "key": k}
                    for at, kind in ((0, "key_down"), (100, "key_up"))
                    for k in keys
                ]
                state = await lab.run([*events, {"at_ms": lab.game.roles[0].hold_ms, "kind": "end"}])
            assert state["game_state"]["acting"] or state["terminal"]["isTerminal"], steps
        assert (state["terminal"]["outcome"], state["game_state"]["rooms"]) == ("win", 5)


async def test_vault_is_lost_with_the_last_hero():
    async with opened("p06_four-deep") as lab:
        await lab.call(
            """() => {
                const s = gameAPI.lab.peek();
                for (const h of s.heroes) Object.assign(h, { hp: 0, stress: 199, mind: 'afflicted', moved: true });
                for (const f of s.foes) f.moved = true;
                Object.assign(s, { round: 30, acting: '' });
            }"""
        )
        state = await lab.run([{"at_ms": 100, "kind": "end"}])
        assert (state["terminal"]["outcome"], state["game_state"]["alive"]) == ("fail", 0), "a long fight kills"
        assert state["game_state"]["stress"] == 800


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


async def test_deck_battler_counts_damage_powers_and_floors():
    async with opened("p05_long-stair") as lab:
        reseat = """([hand, foes]) => {
            const s = gameAPI.lab.peek();
            s.hand = hand.map((id) => ({ id, plus: false }));
            const like = { ...s.foes[0], kind: 'snuffer', most: 50, block: 0, next: 1 };
            s.foes = foes.map((hp) => ({ ...like, hp, powers: { ...s.powers } }));
        }"""
        answers = []

        async def do(entry: str) -> dict:
            state = (await lab.run(timeline(lab.game, [entry])))["game_state"]
            answers.append((await lab.call("() => gameAPI.lab.answers.player"))["ok"])
            return state

        def health(state: dict) -> list[int]:
            return [f["hp"] for f in state["entities"]]

        await lab.call(reseat, [["lantern", "lunge", "brace", "quick"], [40, 30]])
        assert health(await do("play 1")) == [40, 30], "a card that has to be aimed needs a target"
        assert health(await do("play_on 1 2")) == [40, 22]
        assert health(await do("play_on 2 2")) == [40, 13], "marked: half as much again"
        assert (await do("play 3"))["player"]["block"] == 0, "no energy is left"
        assert health(await do("play_on 4 1")) == [36, 13]
        state = await do("end_turn")
        assert (state["player"]["hp"], state["entities"][1]["powers"]["mark"]) == (75 - 2 * 9, 1)
        assert answers == [False, True, True, False, True, True]
        # A won battle: one floor, five health from the flask, and a card to choose.
        await lab.call(reseat, [["sweep"], [8, 1]])
        state = await do("play 1")
        assert (state["phase"], state["floors"], state["player"]["hp"], state["score"]) == ("reward", 1, 62, 1)
        assert (await do("end_turn"))["phase"] == "reward" and answers[-1] is False
        assert len((await do("choose 2"))["deck"]) == 11
        # A keeper is worth 50/3 more.
        await lab.call("() => Object.assign(gameAPI.lab.peek(), { cleared: 16, floors: Array(50).fill('boss') })")
        await lab.call(reseat, [["sweep"], [1]])
        assert (await do("play 1"))["score"] == pytest.approx(17 + 50 / 3)


async def test_platformer_tells_which_way_snails_crawl():
    async with opened("p02_up-and-over") as lab:
        for vx, way in ((-1, "left"), (1, "right")):
            words = await lab.call(
                """(vx) => {
                    const s = gameAPI.lab.peek();
                    s.foes = [{ kind: 'snail', x: s.hero.x + 200, y: 0, vx, age: 0, flat: 0 }];
                    return gameAPI.describe('player');
                }""",
                vx,
            )
            assert f", crawls to the {way}" in words


MATCH = """async ({ setup, orders, seconds }) => {
    const { create, tick, army, TICK } = await import('/parlor/p10_wound-up/rules.js');
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


async def test_wound_up_charges_orders_and_says_why_it_refuses_them():
    async with opened("p10_wound-up") as lab:
        assert len(lab.game.roles[0].controls) == 72
        orders = ["train_mouse", "train_drummer", "build_shelf", "research_march", "train_airship"]
        found = await lab.call(MATCH, {"setup": {"bot": "none", "seed": 1}, "orders": orders, "seconds": 30})
        assert [a["ok"] for a in found["said"]] == [True, False, False, False, False]
        assert found["said"][1]["said"] == "A drummer needs a workshop."
        assert "costs 100 tin" in found["said"][2]["said"]
        assert found["knows"]["mice"] == {"tin": 9}
        # Eight mice bring 5 tin each in 5 seconds.
        assert found["knows"]["tin"] == pytest.approx(100 - 50 + 8 * 30, abs=40)


async def test_wound_up_hides_what_was_not_seen_and_remembers_what_was():
    async with opened("p10_wound-up") as lab:
        setup = {"bot": "none", "seed": 1}
        blind = await lab.call(MATCH, {"setup": setup, "orders": [], "seconds": 60})
        assert not blind["knows"]["remembered"] and blind["knows"]["yards"][-1]["looked"] is None
        scouted = await lab.call(MATCH, {"setup": setup, "orders": ["scout_mouse"], "seconds": 60})
        last = scouted["knows"]["yards"][-1]
        assert last["enemy"] == {"chest": 1} and last["looked"] > 0, "the scout has been there and has left"
        assert set(scouted["knows"]["remembered"]) == {"mouse"} and not scouted["knows"]["in_sight"]


async def test_wound_up_is_lost_by_random_orders_and_by_waiting():
    async with opened("p10_wound-up") as lab:
        for level in ("very_easy", "hard", "elite"):
            for orders in ("random", []):
                setup = {"bot": level, "seed": 3, "map": "attic"}
                found = await lab.call(MATCH, {"setup": setup, "orders": orders, "seconds": 1500})
                assert found["over"] and found["over"]["outcome"] == "fail", (level, orders)
                assert "chest" not in found["houses"][0] and "chest" in found["houses"][1]


async def test_repeated_orders_do_not_win_wound_up():
    """A list that won 8 of 10 matches on this map before the opponent built its first tower early."""
    orders = [
        "build_mast", "wind_workshop", "raid_mice", "mice_work", "train_mouse", "train_drummer",
        "build_workshop", "train_drummer", "build_shelf", "wind_chest", "spread_mice", "build_anvil",
        "research_plates_3", "train_drummer", "train_top", "build_tower", "research_blades_1", "build_tower",
        "build_mast", "train_drummer", "train_drummer", "attack",
    ]  # fmt: skip
    async with opened("p10_wound-up") as lab:
        for seed in (3000, 3002, 3003):
            setup = {"bot": "hard", "seed": seed, "map": "attic"}
            found = await lab.call(MATCH, {"setup": setup, "orders": orders * 70, "seconds": 1500})
            assert found["over"]["outcome"] == "fail", seed


async def test_waiting_is_an_action_of_wound_up():
    for game_id in ("p10_wound-up", "p10d_wound-up"):
        game = load_catalog().game(game_id)
        for role in game.roles:
            assert Semantic.for_role(role, game.viewport).idle_call() == Call("empty")


async def test_maps_of_wound_up_are_the_same_from_both_sides():
    async with opened("p10_wound-up") as lab:
        same = """async () => {
            const { PLANS, WIDE, HIGH } = await import('./maps.js');
            return Object.values(PLANS).every(({ walls, yards }) =>
                walls.every((row, r) => row.every((w, c) => w === walls[15 - r][39 - c])) &&
                yards.every((y, n) => {
                    const o = yards[5 - n];
                    const faces = (p, q) => p.x === WIDE - q.x && p.y === HIGH - q.y;
                    const turned = (k) => y[k].length === o[k].length && y[k].every((p, i) => faces(p, o[k][i]));
                    return ['heaps', 'drums', 'slots', 'front'].every(turned) && faces(y, o);
                }),
            );
        }"""
        assert await lab.call(same)


FIGHT = "f => { const s = gameAPI.lab.peek(); return f.map((path) => path.split('.').reduce((o, k) => o[k], s)) }"


async def fight(lab: Lab, *entries: str) -> dict:
    state: dict = {}
    for entry in entries:
        state = await lab.run(timeline(lab.game, [entry]))
    return state["game_state"]


async def test_fighter_scripts_take_their_frames_and_follow_the_side():
    async with opened("p09_iron-bell") as lab:
        await lab.call("() => { gameAPI.lab.peek().bot.wait = 9999 }")
        before = (await lab.run())["game_state"]["player"]["x"]
        clock, x = await lab.call(FIGHT, ["clock", "fighters.0.x"])
        assert (await fight(lab, "move_closer"))["player"]["x"] == before + 24
        assert await lab.call(FIGHT, ["clock"]) == [clock - 4]
        await lab.call("() => { const [a, b] = gameAPI.lab.peek().fighters; [a.x, b.x, a.side] = [900, 400, -1] }")
        state = await fight(lab, "move_closer")
        assert (state["player"]["x"], state["player"]["facing"]) == (876, "left")
        for special, title in (("special_1", "Cobble"), ("special_3", "Crowbar"), ("special_4", "Gate Ram")):
            await fight(lab, special)
            feedback = (await lab.call("() => gameAPI.lab.answers"))["player"]["feedback"]
            assert feedback.startswith(title), special
        await lab.call("() => { gameAPI.lab.peek().fighters[0].bar = 100 }")
        assert await lab.call(FIGHT, ["fighters.0.x"]) != [x]
        assert (await fight(lab, "super"))["player"]["super_bar"] < 100


async def test_fighter_is_played_by_keys_as_by_commands():
    async with opened("p09_iron-bell") as lab:
        await lab.call("() => { gameAPI.lab.peek().bot.wait = 9999 }")
        motion = [(0, "key_down", "s"), (60, "key_down", "d"), (90, "key_up", "s"), (150, "key_down", "i")]
        events = [{"at_ms": at, "kind": kind, "key": key} for at, kind, key in [*motion, (200, "end", None)]]
        assert (await lab.run(events))["game_state"]["player"]["doing"] == "special_1"
        together = await lab.call(
            "() => { gameAPI.lab.reset(1); return gameAPI.lab.press(['u', 'j'], 50).game_state.player.doing }"
        )
        assert together == "low_pair"


async def test_guards_cost_nothing_and_habits_are_learned():
    async with opened("p09_iron-bell") as lab:
        await lab.call(
            """() => { const s = gameAPI.lab.peek(); s.bot.wait = 9999; [s.fighters[0].x, s.fighters[1].x] = [600, 700];
            Object.assign(s.fighters[1], { act: 'high_kick', t: 8, count: 1 }) }"""
        )
        state = await fight(lab, "move_away")
        assert state["player"]["health"] == 160 and state["fighters"]["right"]["doing"] == "high_kick"
        assert (await lab.call(FIGHT, ["fighters.1.outcome"])) == ["sharply guarded"]
        await lab.reset(3)
        guarded = "s => { const s_ = gameAPI.lab.peek(); return [s_.bot.reads, s_.bot.habits['low_kick low_kick']] }"
        await fight(lab, *["low_kick"] * 2)
        assert (await lab.call(guarded, [])) == [False, None]
        await fight(lab, *["low_kick"] * 5)
        reads, seen = await lab.call(guarded, [])
        assert seen["low_kick"] >= 4 and isinstance(reads, bool)


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


async def test_scripted_fighter_attacks_an_opponent_who_only_waits():
    """Both used to wait for each other until the match ended without a winner."""
    async with opened("p09d_iron-bell") as lab:
        act = runpy.run_path(str(lab.game.folder / "player.py"))["act"]
        state = await lab.run()
        game = state["game_state"]
        game["distance"] = 100
        assert act(state, "left", {}) == act(state, "right", {}) == "move_away"
        game["seconds"] = 20
        assert act(state, "left", {}) == act(state, "right", {}) == "move_closer"
        game["distance"] = 60
        assert act(state, "left", {}) == "medium_kick"
        game["fighters"]["left"]["health"] += 1
        assert act(state, "left", {}) == "move_away" and act(state, "right", {}) == "medium_kick"


async def test_end_of_a_duel_names_its_winner():
    async with opened("p09d_iron-bell") as lab:
        for wins, reason in (
            ([2, 0], "Left (Mason) wins, 2 : 0 rounds."),
            ([1, 2], "Right (Mason) wins, 1 : 2 rounds."),
            ([1, 1], "A draw, 1 : 1 rounds."),
        ):
            await lab.reset(1)
            await lab.call(
                """(wins) => {
                    const s = gameAPI.lab.peek();
                    Object.assign(s, { round: 5, clock: 1 });
                    s.fighters.forEach((f, i) => { f.wins = wins[i]; });
                }""",
                wins,
            )
            assert (await lab.run([{"at_ms": 5000, "kind": "end"}]))["terminal"]["reason"] == reason


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
