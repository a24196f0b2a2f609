"""The harbour town: its quests, its traps, what its views show, and its two sets of controls."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from games.town import LEAST, MOVES, QUESTS, TOWN, look

from gwray.catalog import load_catalog, read_solutions
from gwray.evaluation import holds
from gwray.plugins.authoring.check import check_solutions
from gwray.plugins.authoring.lab import LAB_JS, Lab, Labs, rules
from gwray.studies.pokegym.stuck_map import OBSTACLES

WALKERS = (Path(__file__).parents[2] / "bench" / "walkers.js").read_text()
SEEN = (
    "async turn => (await import(new URL('words.js', location.href))).seen(gameAPI.lab.peek(), turn).map(o => o.name)"
)
PLACED = """place => {
    Object.assign(gameAPI.lab.peek().player, place);
    gameAPI.lab.restore(gameAPI.lab.snapshot());
    return gameAPI.lab.snapshot();
}"""
"""Puts the figure elsewhere, in a new state: the town reads its old one from memory."""
HERON, WELL = {"x": 31, "y": 0, "z": 15.1}, {"x": 12.9, "y": 0, "z": 28.6}
KEEPER, PARCEL = {"x": 44.8, "y": 0, "z": 16.2}, {"x": 16.4, "y": 3.1, "z": 19.5}
LIFT = {"x": 12.5, "y": 3.1, "z": 15.55}
"""The gallery, as the lift's sign promises."""
PART = ("i1", "n4", "m2")
"""A quest of each category; the others are played by `pytest -m whole`."""
ANCHORS: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "anchors.yaml").read_text())
PLAIN = set(ANCHORS.pop("plain").split())
LETS_THROUGH = {"glass"}
"""What the picture's list of things, which names what stands behind, does not have."""


async def town(labs: Labs, quest: str) -> Lab:
    lab = await labs.open(TOWN, f"?quest={quest}")
    await lab.reset(42)
    return lab


async def walker(lab: Lab, call: str, *arguments: Any) -> Any:
    return await lab.call(
        f"([m, a]) => {{ {LAB_JS + WALKERS}\nreturn makeWalkers(gameAPI.lab, m).{call}(...a); }}",
        [{k: list(v) for k, v in MOVES.items()}, list(arguments)],
    )


async def share(lab: Lab, thing: dict[str, Any], view: str) -> int:
    """In how many pixels a view changes when a thing is taken out of the town."""
    return await look(lab, "share(...a)", thing, view)


async def test_ten_quests_in_three_texts_that_share_everything_else():
    assert [t.id for t in TOWN.tasks] == [f"{q}_{v}" for q in QUESTS for v in ("goal", "steps", "visual")]
    for quest in QUESTS:
        goal, steps, visual = (TOWN.task(f"{quest}_{v}") for v in ("goal", "steps", "visual"))
        unsaid = {"id", "instruction", "variant", "texts"}
        assert goal.model_dump(exclude=unsaid) == steps.model_dump(exclude=unsaid) == visual.model_dump(exclude=unsaid)
        assert len(goal.instruction) < min(len(steps.instruction), len(visual.instruction))
        assert steps.instruction != visual.instruction
        assert 180 <= goal.max_steps <= 360
        assert 30 <= read_solutions(TOWN)[goal.id].steps <= goal.max_steps / 2


def without(text: str, phrases: list[str]) -> str:
    """A text without phrases, the longest first."""
    for phrase in sorted(phrases, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", "|", text, flags=re.IGNORECASE)
    return text


async def test_every_thing_that_a_visual_text_names_has_an_anchor():
    """What is left of a text without its anchors names no thing; a word that nobody has judged is an error."""
    assert tuple(ANCHORS) == QUESTS
    for quest, stages in ANCHORS.items():
        task = TOWN.task(f"{quest}_visual")
        text = " ".join(task.instruction.split())
        named = [m.name for m in task.milestones]
        assert set(stages) <= {*named, "goal"} and len(stages) >= 2
        anchors = [words for stage in stages.values() for words in stage]
        for words in anchors:
            assert without(text, [words]) != text, (quest, words)
        assert not set(re.findall(r"[a-z'-]+", without(text, anchors).lower())) - PLAIN, quest
        signs = [w for w in anchors if "sign " in w]
        assert not [w for w in signs if w in TOWN.task(f"{quest}_goal").instruction]


@pytest.mark.slow
@pytest.mark.parametrize("quest", [pytest.param(q, marks=[pytest.mark.whole] * (q not in PART)) for q in QUESTS])
async def test_visual_text_anchors_are_in_the_picture(labs: Labs, quest: str):
    """Ahead or to a side: each view is drawn with and without it."""
    task = TOWN.task(f"{quest}_visual")
    lab = await town(labs, quest)
    missing = {stage: dict(things) for stage, things in ANCHORS[quest].items()}
    controls, ahead = list(read_solutions(TOWN)[task.id].roles["player"]), task.milestones
    for n, control in enumerate(["", *controls]):
        state = await lab.run(MOVES[control] if control else [])
        ahead = [m for m in ahead if not holds(m.when, state)]
        # Each third step is enough for what is walked towards, all of them for what is passed in a turn.
        wanted = missing.get(ahead[0].name if ahead else "goal", {})
        if wanted and (n % 3 == 0 or control.startswith("rotate")):
            for view, turn in (("", 0), ("left", -75), ("right", 75)):
                named = {*await lab.call(SEEN, turn), *LETS_THROUGH}
                for words, thing in list(wanted.items()):
                    thing = thing if isinstance(thing, dict) else {"name": thing}
                    if thing["name"] in named and await share(lab, thing, view) > LEAST:
                        wanted.pop(words, None)
    await lab.close()
    assert not {stage: left for stage, left in missing.items() if left}


async def test_all_means_gameworld_alone_and_the_library_has_the_town():
    catalog = load_catalog()
    assert TOWN not in [g for g, _ in catalog.select(["all"], ["all"])]
    assert [t.id for _, t in catalog.select(["library:harbor"], ["n1_goal"])] == ["n1_goal"]


async def test_a_short_quest_is_solved_through_the_real_path():
    (checked,) = await check_solutions([TOWN], tasks=["n4_goal"])
    assert (checked.verdict, checked.steps <= 60) == ("solved", True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("quest", "begin", "lure", "aim", "hand", "used"),
    [
        ("n2", {"x": 31, "z": 10}, HERON, HERON, -1, ""),
        ("n4", {"x": 15, "z": 22.4}, WELL, WELL, -1, ""),
        ("m1", {"x": 43.8, "z": 11}, KEEPER, KEEPER, 1, "door"),
        ("m1", {"x": 17, "z": 14.6}, LIFT, PARCEL, -1, "lift"),
        ("m1", {"x": 17, "z": 14.6}, PARCEL, PARCEL, -1, ""),
    ],
    ids=["glass", "planters and grilles", "the locked door", "the lift that lies", "the desk below the gallery"],
)
async def test_trap_catches_straight_walkers(labs: Labs, quest, begin, lure, aim, hand, used):
    """A walker that goes straight on and presses A at obstacles opens nothing and is not lifted."""
    lab = await town(labs, quest)
    start = await lab.call(PLACED, begin)
    caught = await walker(lab, "straight", lure, 0, 40, 2)
    assert not caught["arrived"] and caught["stuck"] >= 25
    assert not used or used in caught["used"]
    assert (await lab.run())["game_state"]["player"]["y"] < 0.1
    await lab.call("s => gameAPI.lab.restore(s)", start)
    assert (await walker(lab, "straight", aim, hand, 150, 2))["arrived"]
    await lab.close()


async def test_figure_is_visible_at_quest_start(labs: Labs):
    lab = await town(labs, "n1")
    backs = await lab.call(
        """async () => {
            const { QUESTS } = await import(new URL('quests.js', location.href));
            const { cameraOf } = await import(new URL('body.js', location.href));
            const s = gameAPI.lab.peek();
            const of = ({ x, z, yaw }) => cameraOf({ ...s, player: { ...s.player, x, y: 0, z, yaw } }, 0).back;
            return Object.fromEntries(Object.entries(QUESTS).map(([quest, begin]) => [quest, of(begin)]));
        }"""
    )
    await lab.close()
    assert tuple(backs) == QUESTS
    assert min(backs.values()) > 1.8, f"nearer, one sees little of it, and nothing below 1.3 metres: {backs}"


async def test_drawing_is_independent_of_order(labs: Labs):
    lab = await town(labs, "m2")
    picture = "turn => { gameAPI.look('left'); gameAPI.draw(); return document.querySelector('#game').toDataURL(); }"
    await lab.run([{"at_ms": 3000, "kind": "end"}])
    first, then = await lab.call(picture), await lab.call("() => gameAPI.lab.snapshot()")
    await lab.run([{"at_ms": 2500, "kind": "end"}])
    assert await lab.call(picture) != first, "boats, gulls and the sea have moved"
    await lab.call("s => gameAPI.lab.restore(s)", then)
    assert await lab.call(picture) == first
    await lab.close()


async def test_the_mump_takes_hearts_and_the_fight_is_tagged(labs: Labs):
    lab = await town(labs, "m2")
    await lab.call(PLACED, {"x": 42, "z": 0, "yaw": 180})
    states = [await lab.run([{"at_ms": 500, "kind": "end"}]) for _ in range(40)]
    assert states[0]["game_state"]["fighting"]
    assert min(s["game_state"]["hearts"] for s in states) < 3
    await lab.close()


TOUCHING = (
    f"""async ([names, goal, arm]) => {{ {LAB_JS}"""
    + """
    const here = (file) => import(new URL(file, location.href));
    const [body, town, build] = await Promise.all([here('body.js'), here('town.js'), here('build.js')]);
    const ids = names.map(build.idOf);
    const things = town.FACES.filter((f) => ids.includes(f.id)).map((f) => [0, 1, 2].map((k) => {
        const along = f.p.filter((_, i) => i % 3 === k);
        return [Math.min(...along), Math.max(...along)];
    }));
    const s = gameAPI.lab.peek();
    const far = (v, [from, to]) => Math.max(from - v, 0, v - to);
    const outside = [];
    let touching = 0;
    for (const y0 of [0, 3.4]) for (let x = 1; x < 56; x += 0.1) for (let z = 1; z < 40; z += 0.1) {
        const near = things.some(([ax, ay, az]) =>
            Math.hypot(far(x, ax), far(z, az)) <= arm && ay[0] < y0 + 1.6 && ay[1] > y0);
        if (!near) continue;
        const y = body.groundAt(x, z, y0);
        if (y === null || Math.abs(y - y0) > 0.3 || body.blocked(s, x, y, z, [])) continue;
        touching += 1;
        if (!holds(goal, {game_state: {player: {x, y, z}}})) outside.push([x, y, z].map((v) => +v.toFixed(1)));
    }
    return {touching, outside: outside.slice(0, 5)};
}"""
)

PLACES = {"n1": ["the ticket gate"], "n2": ["a stone base"], "n3": ["the telescope"], "n4": ["the well"]}
"""Quests that end at a place, and the things that their texts name."""
ARM_M = 0.75
"""From the middle of the body to what a hand touches."""


def test_quests_that_end_at_a_place_are_known():
    at_places = {t.id.partition("_")[0] for t in TOWN.tasks if "player" in str(t.goal)}
    assert at_places == {*PLACES}


@pytest.mark.parametrize("quest", PLACES)
async def test_goal_accepts_every_place_that_touches_its_thing(labs: Labs, quest: str):
    """A figure that stands within an arm's length of what the text names has reached the goal, from every side."""
    lab = await town(labs, quest)
    goal = rules(TOWN.task(f"{quest}_goal"))["goal"]
    found = await lab.call(TOUCHING, [PLACES[quest], goal, ARM_M])
    assert found["touching"] > 20
    assert found["outside"] == []
    await lab.close()


ANSWERS = (
    f"""async ([used, arm]) => {{ {LAB_JS}"""
    + """
    const here = (file) => import(new URL(file, location.href));
    const [body, town, build, rules, people] = await Promise.all(
        ['body.js', 'town.js', 'build.js', 'rules.js', 'people.js'].map(here));
    const out = {};
    for (const [who, names] of Object.entries(used)) {
        const s = gameAPI.lab.peek();
        const o = people.present(s).find((p) => p.id === who);
        const ids = names.map(build.idOf);
        const things = town.FACES.filter((f) => ids.includes(f.id)).map((f) => [0, 2].map((k) => {
            const along = f.p.filter((_, i) => i % 3 === k);
            return [Math.min(...along), Math.max(...along)];
        }));
        if (o.look || !things.length) things.push([[o.x - 0.25, o.x + 0.25], [o.z - 0.25, o.z + 0.25]]);
        const others = people.present(s).filter((p) => p.look).map((p) => ({ x: p.x, y: p.y, z: p.z, r: 0.3 }));
        const at = (v, [a, b]) => Math.max(a, Math.min(b, v));
        let touching = 0;
        const silent = [];
        for (let x = 0.5; x < 56; x += 0.1) for (let z = 1; z < 40; z += 0.1) {
            const near = things.map((t) => [at(x, t[0]), at(z, t[1])]).map(([a, b]) => [Math.hypot(a - x, b - z), a, b])
                .sort((p, q) => p[0] - q[0])[0];
            if (near[0] > arm) continue;
            const y = body.groundAt(x, z, o.y);
            if (y === null || Math.abs(y - o.y) > 0.3 || body.blocked(s, x, y, z, others)) continue;
            touching += 1;
            const yaw = body.bearing(near[1] - x, near[2] - z);
            const found = rules.inReach({ ...s, player: { ...s.player, x, y, z, yaw } });
            if (found?.id !== who) silent.push([x, z, yaw].map((v) => +v.toFixed(1)));
        }
        out[who] = { touching, silent: silent.slice(0, 5) };
    }
    return out;
}"""
)

USED: dict[str, dict[str, list[str]]] = {
    "i1": {"owner": []},
    "i2": {"herbs": []},
    "i3": {"board": ["a notice board"], "blue": ["a blue handle"], "gate": ["the yard gate"]},
    "m1": {"parcel": [], "keeper": []},
    "m2": {"fisher": []},
    "m3": {"baker": [], "shells": [], "painter": [], "child": []},
}
"""Quests that end with A, whom or what they need, and the things of the picture that show it besides a figure."""


def test_each_quest_ends_at_a_place_or_with_a():
    assert {*PLACES} | {*USED} == {*QUESTS} and not {*PLACES} & {*USED}


@pytest.mark.parametrize("quest", USED)
async def test_a_works_from_every_place_that_touches_its_thing(labs: Labs, quest: str):
    """A figure that stands within an arm's length of what a quest needs, and faces it, reaches it with A."""
    lab = await town(labs, quest)
    found = await lab.call(ANSWERS, [USED[quest], ARM_M])
    assert {*found} == {*USED[quest]}
    assert min(at["touching"] for at in found.values()) > 20
    assert not {who: at["silent"] for who, at in found.items() if at["silent"]}
    await lab.close()


EXTENTS = """async (all) => {
    const here = (file) => import(new URL(file, location.href));
    const [town, build] = await Promise.all([here('town.js'), here('build.js')]);
    return all.map(([names, [west, south, east, north]]) => {
        const ids = names.map(build.idOf);
        const spans = town.FACES.filter((f) => ids.includes(f.id)).map((f) => [0, 2].map((k) => {
            const along = f.p.filter((_, i) => i % 3 === k);
            return [Math.min(...along), Math.max(...along)];
        })).filter(([[x0, x1], [z0, z1]]) => x0 >= west && x1 <= east && z0 >= south && z1 <= north);
        const of = (axis, end) => Math[end](...spans.map((s) => s[axis][end === 'min' ? 0 : 1]));
        return [of(0, 'min'), of(1, 'min'), of(0, 'max'), of(1, 'max')].map((v) => +v.toFixed(2));
    });
}"""
OBSTACLE_NAMES: dict[str, tuple[list[str], tuple[float, ...]]] = {
    "the glass arcade": (["the glass arcade", "an iron pillar"], (0, 0, 60, 40)),
    "the grilles of the garden": (["an iron grille"], (0, 0, 60, 40)),
    "pillars and planters of the garden": (["a stone pillar", "a planter"], (10, 25, 20, 33)),
    "the lift of the hotel": (["the lift"], (0, 0, 60, 40)),
    "the blue door of the keeper's house": (["a blue door"], (0, 0, 60, 40)),
}
"""Obstacles of the report's map: their names in the town, and the part of the town: west, south, east and north end."""


async def test_obstacles_of_the_map_stand_in_the_town(labs: Labs):
    lab = await town(labs, "n1")
    found = await lab.call(EXTENTS, [OBSTACLE_NAMES[name] for _, name, _ in OBSTACLES])
    await lab.close()
    assert [tuple(box) for box in found] == [box for _, _, box in OBSTACLES]
