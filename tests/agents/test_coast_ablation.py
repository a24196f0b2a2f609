"""The ablations of COAST keep their published order for a model that sees everything and remembers nothing.

A corridor has rooms, with closed boxes in six of them. What opens a box is described in another room or lies in
another box. The model is a function of the prompt: it reads the screen and the agent's text, and follows the
instructions.
"""

from __future__ import annotations

import random
import re
from statistics import fmean

import pytest
from agents.test_coast import PARTS, coast
from agents.test_modules import MODEL, at, words

from gwray.actions import PressKey
from gwray.agents import Prompt, RoleContext, make_agent
from gwray.catalog import Game
from gwray.records import Reply
from gwray.spec import AgentSpec, PlayerSpec

SIGNS = ("otter", "heron", "hazel", "raven", "thistle", "badger")
ROOMS = 17
"""Does not divide the length of a COAST cycle, so that solving visits all rooms."""
DECISIONS = 100
CONTROLS = [
    {"id": "next", "description": "Go to the next room.", "press": "ArrowRight"},
    {"id": "go", "description": "Go to the room of that number.", "type_text": True},
    {"id": "dial", "description": "Dial a number at the box here.", "type_text": True},
]
GAME = Game.model_validate(
    {
        "id": "98_house", "title": "House", "genre": "mystery", "level": 4, "summary": "s", "rules": "Open the boxes.",
        "roles": [{"name": "player", "description": "You look around.", "controls": CONTROLS,
                   "keys": ["ArrowRight", *"0123456789"]}],
        "tasks": [{"id": "h_01", "instruction": "Open every box.", "score": "game_state.open", "target": 6}],
    }
)  # fmt: skip


class House:
    """Six boxes in six of the rooms; three of their numbers stand on walls elsewhere, one beside its box, and two lie
    in boxes."""

    def __init__(self, seed: int):
        draw = random.Random(seed)
        rooms = draw.sample(range(ROOMS), len(SIGNS))
        self.boxes = dict(zip(rooms, draw.sample(SIGNS, len(SIGNS)), strict=True))
        self.numbers = {sign: str(draw.randrange(100, 1000)) for sign in SIGNS}
        *apart, next_to = rooms[:4]
        self.walls = {next_to: self.boxes[next_to]}
        others = [r for r in range(ROOMS) if r != next_to]
        for room in apart:
            wall = draw.choice([r for r in others if r not in self.walls and r != room])
            self.walls[wall] = self.boxes[room]
        self.inside = {apart[0]: self.boxes[rooms[4]], rooms[4]: self.boxes[rooms[5]]}
        self.room, self.open = 0, set()

    def screen(self) -> str:
        prompt_text = [self.walls.get(self.room), self.inside.get(self.room) if self.room in self.open else None]
        notes = "".join(f" Note: {sign} {self.numbers[sign]}." for sign in prompt_text if sign)
        box = self.boxes.get(self.room)
        stands = f" Box: {box}, {'open' if self.room in self.open else 'shut'}." if box else ""
        return f"Here is room {self.room}.{notes}{stands}"

    def act(self, control: str, action: object) -> None:
        if isinstance(action, PressKey):
            self.room = (self.room + 1) % ROOMS
        elif control == "go":
            self.room = int(getattr(action, "text", "")) % ROOMS
        elif getattr(action, "text", "") == self.numbers.get(self.boxes.get(self.room, "")):
            self.open.add(self.room)


def model(prompt: Prompt) -> str:
    """Replies like a model that reads the screen well, follows the prompt, and has no memory."""
    prompt_text = words(prompt)
    here = re.search(r"Here is room (\d+)\..*", prompt_text)
    screen, room = (here[0], int(here[1])) if here else ("", -1)
    noted = dict(re.findall(r"Note: (\w+) (\d+)\.", screen))
    box, state = (re.findall(r"Box: (\w+), (open|shut)\.", screen) or [("", "")])[0]
    if prompt.module in ("seek", "merged"):
        found = [clue(f"{sign} number", number, room, "code") for sign, number in noted.items()]
        found += [clue(f"{box} box", f"{state}, it asks for a number", room, "visual cue")] if box else []
        report = f'<report>{{"clues": [{", ".join(found)}]}}</report>\n'
        return report + act(prompt_text, room, box if state == "shut" else "", noted, seeks=prompt.module == "seek")
    if prompt.module == "map":
        numbers = re.findall(r"(\w+) number \(code\): (\d+)", prompt_text)
        shut = dict(re.findall(r"(\w+) box \(visual cue\): shut.*\[room (\d+)\]", prompt_text))
        fit = [match(sign, number, shut[sign]) for sign, number in numbers if sign in shut]
        return f'{{"matches": [{", ".join(fit)}]}}' if fit else "[Nobody]"
    report = ""
    if prompt.module == "solve":
        wanted = re.search(r"at the (\w+) box", prompt_text)
        done = wanted and wanted[1] == box and state == "open"
        result = '"success", "changed": "item"' if done else '"fail"'
        report = f'<report>{{"result": {result}}}</report>\n'
    return report + act(prompt_text, room, box if state == "shut" else "", noted)


def act(prompt_text: str, room: int, box: str, noted: dict[str, str], seeks: bool = False) -> str:
    """`box`: the shut one here. Goals are followed; a clue is used where it fits what is on the screen. Only the
    related memory of a goal says in which room its box is."""
    goal = prompt_text.partition("Your goal now:\n")[2].partition("\n")[0]
    if to := re.search(r"the box in room (\d+)\. Expected action: dial (\d+)", goal):
        to = re.fullmatch(r"(\d+) (\d+)", f"{to[2]} {to[1]}")
    if to:
        if int(to[2]) == room:
            return written("dial", to[1])
        return written("go", to[2])
    clues = dict(re.findall(r"(\w+) number \(code\): (\d+)", prompt_text)) if "Use the clues" in goal else {}
    known = {} if seeks else {**clues, **noted}
    return written("dial", known[box]) if box in known else '{"action": "next"}'


def clue(name: str, what: str, room: int, kind: str) -> str:
    return f'{{"clue": "{name}", "description": "{what}", "location": "room {room}", "type": "{kind}"}}'


def match(sign: str, number: str, room: str) -> str:
    return (
        f'{{"clue": "{sign} number", "related_memory": "the box in room {room}", '
        f'"expected_action": "dial {number} at the {sign} box"}}'
    )


def written(control: str, number: str) -> str:
    return f'{{"action": "{control}", "arguments": {{"text": "{number}"}}}}'


async def opened(name: str, seed: int) -> float:
    """The share of boxes that an agent opens, with that model in every part of it."""
    house = House(seed)
    player_spec = PlayerSpec(model=MODEL, agent=AgentSpec()) if name == "direct" else coast(name)
    agent = make_agent(player_spec, RoleContext(GAME, GAME.roles[0], GAME.tasks[0], seed, 0, "key"))

    async def ask(*prompts: Prompt, by: str = "") -> tuple[Reply, ...]:
        return tuple(Reply(text=model(p)) for p in prompts)

    for turn in range(DECISIONS):
        decision = await agent.act(at(turn, house.screen()), ask)
        assert decision.validity == "valid", decision
        house.act(decision.controls[0], decision.actions[0])
        if len(house.open) == len(SIGNS):
            break
    return len(house.open) / len(SIGNS)


SEEDS = range(4)


async def test_each_coast_module_improves_the_score():
    share = {name: [await opened(name, seed) for seed in SEEDS] for name in ("direct", *PARTS)}
    print(share)  # shown where it fails
    mean = {name: fmean(values) for name, values in share.items()}
    assert mean["coast_seek"] == 0, "who only looks for clues opens nothing"
    assert 0 < mean["coast_seek_solve"] < mean["coast"]
    assert all(a >= b for a, b in zip(share["coast"], share["coast_seek_solve"], strict=True))
    assert share["coast_merged"] == share["direct"], "words without loop and memory change nothing"
    assert mean["direct"] < mean["coast"] and {*share["direct"]} == {1 / 6}
    assert sum(values == 1 for values in share["coast"]) > sum(values == 1 for values in share["coast_seek_solve"])


@pytest.mark.parametrize("seed", SEEDS)
def test_every_house_can_be_opened_by_who_remembers(seed):
    house = House(seed)
    known: dict[str, str] = {}
    for _ in range(10 * ROOMS):
        known |= dict(re.findall(r"Note: (\w+) (\d+)\.", house.screen()))
        if house.boxes.get(house.room) in known:
            house.open.add(house.room)
            known |= dict(re.findall(r"Note: (\w+) (\d+)\.", house.screen()))
        house.room = (house.room + 1) % ROOMS
    assert len(house.open) == len(SIGNS)
