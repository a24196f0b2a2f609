"""A player that reads `describe` alone scores as one that reads the state, in every fully visible game of the parlor.

Each reader makes of the words what the game's `player.py` reads of the state, and that player decides.
What the words cannot tell, such as speeds, is what it remembers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from games.test_parlor import opened

from gwray.catalog import Task, load_catalog, read_solutions
from gwray.evaluation import BestSoFar, evaluate_step
from gwray.plugins.authoring.lab import Lab, timeline

Act = Callable[[str], str]

STEPS = 120
"""Steps that are played of a game that takes longer."""
SAID = "e => { gameAPI.lab.run(e); return gameAPI.describe('player') }"
PARLOR = {g.id: g for g in load_catalog().games.values() if g.folder.parent.name == "parlor"}


def player_of(game: str) -> ModuleType:
    file = PARLOR[game].folder / "player.py"
    module = ModuleType(game)
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    return module


def numbers(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"-?\d+", text)]


def twofold(_: ModuleType) -> Callable[[str], dict[str, Any]]:
    return lambda text: {"board": [numbers(line) for line in text.split("Board now")[1].splitlines()[1:5]]}


def thirteen_days(_: ModuleType) -> Callable[[str], dict[str, Any]]:
    kinds = ("parsnip", "bean", "cauliflower", "potato")

    def read(text: str) -> dict[str, Any]:
        field, bag = text.partition("In the bag:")[::2]
        gold, energy, day_energy = numbers(field.splitlines()[0])
        tilled = re.search(r"Empty tilled tiles: (\d+)", field)
        crops = re.findall(r"- (\d+) (\w+) \((?:ready|days to harvest: (\d+), watered today: (yes|no))", field)
        seeds, store = dict.fromkeys(kinds, 0), dict.fromkeys(kinds, 0)
        for count, kind in re.findall(r"- (\d+) (\w+) (?:Seeds|Starter)", bag):
            seeds[kind.lower()] += int(count)
        for count, kind in re.findall(r"- (\d+) (\w+) \(", bag):
            store[kind] += int(count)
        return {
            "gold": gold,
            "energy": energy,
            "day_energy": day_energy,
            "place": "house" if "in the house" in field else "farm",
            "day": numbers(field.splitlines()[1])[0],
            "rain": "rainy" in field,
            "tilled": int(tilled[1]) if tilled else 0,
            "entities": [
                {"kind": kind, "left": int(left or 0), "wet": wet == "yes"}
                for count, kind, left, wet in crops
                for _ in range(int(count))
            ],
            "seeds": seeds,
            "store": store,
        }

    return read


def say_so(player: ModuleType) -> Callable[[str], dict[str, Any]]:
    def read(text: str) -> dict[str, Any]:
        width, height = numbers(text.splitlines()[0])[::2]
        level = next(level for level, (you, *_) in player.CAST.items() if you in text)
        words, things = text.partition("Word tiles")[2].split("Things")
        tiles = [
            {"word": part is words, "name": name, "x": x, "y": y}
            for part in (words, things)
            for name, places in re.findall(r"- (\w+): (.*)", part)
            for x, y in (numbers(place) for place in places.split(") ("))
        ]
        return {"level": level, "board": {"width": width, "height": height, "tiles": tiles}}

    return read


def stateless(reader: Callable[[ModuleType], Callable[[str], dict[str, Any]]]) -> Callable[[ModuleType, Task], Act]:
    def player_of_words(player: ModuleType, task: Task) -> Act:
        read, given = reader(player), task.model_dump(mode="json")
        return lambda text: player.act({"seed": 42, "game_state": read(text)}, "player", given)

    return player_of_words


class Hare:
    """Up and Over: plans to the end of what can be seen. Speeds are those that it foresaw at the last jump."""

    HERE, EDGE = 260, 1270

    def __init__(self, player: ModuleType, _: Task):
        self.player = player
        self.foreseen: Any = None

    def __call__(self, text: str) -> str:
        p, lines = self.player, dict(re.findall(r"- (\w+): (.*)", text))
        first = text.splitlines()[0]
        pairs = {name: [numbers(place)[:2] for place in re.findall(r"\([^)]*\)", line)] for name, line in lines.items()}
        way = r"from (-?\d+) (?:on|to (\d+))(?:, everything above (\d+))?"
        ways = {name: re.findall(way, line) for name, line in lines.items()}
        flag = int(lines["Flag"].split()[1]) if "at" in lines["Flag"] else self.EDGE
        widths = {"Trunks": 96, "Crates": 48, "Steps": 48}
        stage = {
            "solids": [{"x": x, "w": w, "h": h} for n, w in widths.items() for x, h in pairs[n]],
            "ditches": [{"x": int(a), "w": int(b or 9999) - int(a)} for a, b, _ in ways["Ditches"]],
            "thorns": [{"x": int(a), "w": int(b or 9999) - int(a), "low": int(low)} for a, b, low in ways["Thorns"]],
            "flag": min([flag, *(int(a) for a, b, _ in ways["Ditches"] if not b)]),
        }
        ground = "in the air" not in first
        speed = self.foreseen.vy if self.foreseen and not ground else 0
        foes = [self.foe(kind, x, y) for kind, name in (("snail", "Snails"), ("wasp", "Wasps")) for x, y in pairs[name]]
        world = p.World(self.HERE, numbers(first)[1] - p.H, speed, ground, tuple(foes))
        level = p._search(world, stage)[0]
        after = p.play(world, stage, level)
        gone = after.x - self.HERE
        self.foreseen = after._replace(foes=tuple((k, x - gone, *rest) for k, x, *rest in after.foes))
        return f"jump {level}"

    def foe(self, kind: str, x: int, top: int) -> tuple[Any, ...]:
        y = top - self.player.SIZES[kind][1]
        known = [f for f in (self.foreseen.foes if self.foreseen else ()) if f[0] == kind and abs(f[1] - x) < 30]
        speed = known[0][3] if known else -1
        if kind == "snail":
            return kind, x, y, speed, 0, False
        half = self.player.PERIOD / 2
        apart = half * (1 - (y - self.player.LOW) / self.player.BOB)
        phases = (half - apart, half + apart)
        age = min(phases, key=lambda a: abs(a - known[0][4] % self.player.PERIOD)) if known else phases[0]
        return kind, x, y, 0, age, False


ACTS = {"reeling": "hurt", "guarding": "guard", "knocked down": "down", "stunned": "dizzy", "landing": "land"}


def iron_bell(player: ModuleType, _: Task) -> Act:
    """Iron Bell: both fighters, the distance and the shots of the other side."""
    moves = (PARLOR["p09_iron-bell"].folder / "moves.js").read_text()
    names = {title.lower(): name for name, title in re.findall(r"(\w+): \{ title: '([^']*)'", moves)}

    def fighter(text: str, whose: str, doing: str, character: str) -> dict[str, Any]:
        bar = re.search(rf"^{whose}: .*super count (\d)", text, re.M)
        does = re.search(rf"^{doing} doing: (.*)$", text, re.M)
        assert bar and does
        act, frames = does[1].split(" (")[0].split(".")[0], re.search(r"(\d+) frames\)", does[1])
        phase = next((p for p, w in PHASES.items() if w in does[1]), "")
        found = names.get(act.lower(), ACTS.get(act, "jump" if act == "jumping" else "stand"))
        return {
            "character": character, "doing": found, "phase": phase, "frames_left": int(frames[1]) if frames else 0,
            "in_air": "In the air" in does[1], "rising": "rising" in does[1], "stunned": found == "dizzy",
            "super_count": int(bar[1]),
        }  # fmt: skip

    def act(text: str) -> str:
        mine, other = re.findall(r"Mason|Sedge", text.split("fights like")[0])[0], re.search(r"fights like (\w+)", text)
        gap = re.search(r"\((\d+) pixels\)", text)
        assert other and gap
        shots = [int(n) for n in re.findall(r"The opponent's shot arrives in (\d+)", text)]
        me, you = fighter(text, "You", "You are", mine), fighter(text, "Opponent", "Opponent is", other[1])
        return player.choose(me, you, int(gap[1]), shots)

    return act


PHASES = {"windup": "winding up", "strike": "striking", "recover": "recovering"}

READERS: dict[str, Callable[[ModuleType, Task], Act]] = {
    "p01_twofold": stateless(twofold),
    "p02_up-and-over": Hare,
    "p03_thirteen-days": stateless(thirteen_days),
    "p04_say-so": stateless(say_so),
    "p09_iron-bell": iron_bell,
}


def test_every_fully_visible_game_has_a_reader():
    assert set(READERS) == {g.id for g in PARLOR.values() if not g.needs_text and len(g.roles) == 1}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
async def test_player_of_words_alone_scores_as_one_of_states(name: str):
    game, player = PARLOR[name], player_of(name)
    solutions = read_solutions(game)
    for task in game.tasks:
        async with opened(name, task.options) as lab:

            async def progress(lab: Lab = lab, task: Task = task) -> float:
                return evaluate_step(await lab.run(), task, 1, BestSoFar())[0].progress

            steps = min(STEPS, solutions[task.id].steps)
            for entry in solutions[task.id].roles["player"][:steps]:
                await lab.run(timeline(game, [entry]))
            expected = await progress()
            await lab.reset(42)
            act = READERS[name](player, task)
            text = await lab.call(SAID, [])
            # The hare may find a longer way.
            for _ in range(steps if steps == STEPS else task.max_steps):
                for entry in act(text).splitlines():
                    text = await lab.call(SAID, list(timeline(game, [entry])))
                if (await lab.run())["terminal"]["isTerminal"]:
                    break
            found = await progress()
            assert found == pytest.approx(expected), task.id


async def test_trial_player_closes_an_open_record_before_it_presses():
    state = "Object.assign(gameAPI.lab.peek(), { part: 1, now: { kind: 'statement', index: 1 }, open: true })"
    async with opened("p07_fair-trial") as lab:
        game = (await lab.call(f"() => {{ {state}; return gameAPI.getState() }}"))["game_state"]
    choice = player_of("p07_fair-trial").act({"game_state": game}, "player", {})
    assert game["options"][int(choice.split()[1]) - 1]["what"] == "close"
