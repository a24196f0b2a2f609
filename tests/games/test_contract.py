"""Every game of the library keeps the contract. One test for all games; a new game is tested by being there.

Most of it runs on the game's lab, many steps in one call (`probe.js`); `test_real_input_…` shows that the lab and real
input through the stepped clock are the same thing.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from gwray.catalog import load_catalog
from gwray.catalog.controls import Control, Role
from gwray.catalog.game import Game
from gwray.catalog.solutions import read_solutions
from gwray.catalog.task import Task
from gwray.errors import GameError
from gwray.evaluation import BestSoFar, active_tags, evaluate_step, field
from gwray.plugins.authoring.lab import LAB_JS, Lab, Labs, choices, moves, rules, timeline
from gwray.records import Click, Drag, Event, PressKey, events
from gwray.sandbox import Browser, PageSource

PROBE = (Path(__file__).parent / "probe.js").read_text()
TOLD = (Path(__file__).parent / "told.js").read_text()
MEASURED = {
    "p02_up-and-over": re.compile(r"percent|\d ?%|progress|score", re.I),
    "p04_say-so": re.compile(r"measure|goal|progress|score|\b[24]0\b", re.I),
    "p08_word-of-mouth": re.compile(r"measure|progress|score|percent", re.I),
    "p11_thistle-road": re.compile(r"measure|progress|score|flag|event|milestone|\bof 12\b", re.I),
    "p12_bare-hands": re.compile(r"measure|progress|score|milestone|\bstage\b", re.I),
}
"""Words that would tell a player what Orak measures (appendices C to N)."""
GAMES = [g for g in load_catalog().games if load_catalog().library_of(g).id != "casebook"]
"""The cases of casebook, where next to no move does anything, keep theirs in `test_casebook.py`."""

WITHOUT_CHANCE = {"p10d_wound-up", "32_wordle"}
"""Games whose levels are fixed: another seed is the same game, or differs only in what is hidden."""
NEVER_LOST = {
    "32_wordle", "p10d_wound-up", "02_another-gentlemans-adventure", "30_vex-3", "03_astray", "18_minecraft-clone-glm",
    "24_restless-wing-syndrome", "town", "p04_say-so", "p08_word-of-mouth", "p11_thistle-road", "p12_bare-hands",
}  # fmt: skip
"""Games that cannot be lost, or not by random moves."""

MOST_JOINT = 1000
"""Joint actions of all roles; of a game with more, so many are drawn."""
STEPS = 12
"""Of the comparison with real input."""
SOME = pytest.mark.parametrize(
    "subject",
    [pytest.param(g, marks=[pytest.mark.slow, pytest.mark.whole] * (n % 3 > 0)) for n, g in enumerate(GAMES)],
    indirect=True,
)
"""Tests that play hundreds of steps: a third of the games in the quick tests, all of them by `make test-all`."""


@dataclass(frozen=True)
class Subject:
    """A game on its page, and what can be done in it."""

    game: Game
    lab: Lab
    moves: list[list[dict[str, Any]]]
    """Timelines of all joint semantic actions."""
    loading: tuple[int, tuple[str, ...], tuple[str, ...]]
    """Blocked requests, page errors and what could not be controlled, after loading."""

    async def probe(self, call: str, *arguments: Any) -> Any:
        return await self.lab.call(
            f"a => {{ {LAB_JS + PROBE}\nreturn makeProbe(gameAPI.lab).{call}(...a); }}", list(arguments)
        )


@pytest.fixture(scope="module", params=GAMES)
async def subject(request: pytest.FixtureRequest, browser: Browser) -> AsyncIterator[Subject]:
    game = load_catalog().game(request.param)
    lab = await Labs(browser).open(game, game.tasks[0].options)
    seen = lab.game_page.diagnostics()
    yield Subject(game, lab, actions(game), (seen.blocked_requests, seen.page_errors, seen.irreproducible))
    await lab.close()


def actions(game: Game) -> list[list[dict[str, Any]]]:
    """Timelines of all joint semantic actions; words for a game that is played by typing."""
    if any(_takes_text(c) for r in game.roles for c in r.controls):
        return [list(timeline(game, e)) for e in itertools.product(*(_words(r) for r in game.roles))]
    lists = [choices(r) for r in game.roles]
    if math.prod(map(len, lists)) > MOST_JOINT:
        draw = random.Random(5)
        return [list(timeline(game, [draw.choice(entries) for entries in lists])) for _ in range(MOST_JOINT)]
    return [list(m.events) for m in moves(game)]


def _words(role: Role) -> list[str]:
    """A role's controls as entries; one that takes text gets a few strings of allowed keys, and real words."""
    letters = [k for k in role.keys if len(k) == 1]
    draw = random.Random(5)
    words = ["".join(draw.choices(letters, k=n)) for n in (1, 2, 3, 5, 5)] + ["horse", "plant", "cloud"]
    out: list[str] = []
    for c in role.controls:
        out += [_entry(c, w) for w in words] if _takes_text(c) else [e for e in choices(role) if e.split()[0] == c.id]
    return out


def _entry(control: Control, word: str) -> str:
    """The control with this word for each of its texts."""
    values = (word if p.type == "text" else p.samples()[0] for p in control.parameters.values())
    return " ".join(map(str, (control.id, *values)))


def _takes_text(control: Control) -> bool:
    return any(p.type == "text" for p in control.parameters.values())


def options_of(game: Game) -> list[tuple[str, list[Task]]]:
    """The distinct start options, each with its tasks."""
    out: dict[str, list[Task]] = {}
    for t in game.tasks:
        out.setdefault(t.options, []).append(t)
    return list(out.items())


def without_date(state: dict[str, Any]) -> str:
    return json.dumps({**state, "timestampMs": 0}, sort_keys=True, allow_nan=False)


async def test_it_loads_without_network_and_without_errors(subject: Subject):
    blocked, errors, uncontrolled = subject.loading
    assert (blocked, errors, uncontrolled) == (0, (), ())


async def test_state_has_contract_and_task_fields(subject: Subject):
    game = subject.game
    await subject.lab.reset(42)
    for state in [await subject.lab.run(), await subject.lab.run(subject.moves[-1])]:
        assert (state["gameId"], state["seed"]) == (game.id, 42)
        assert state["status"] in ("ready", "playing", "terminal")
        assert set(state["terminal"]) >= {"isTerminal", "outcome", "reason"}
        assert set(state["game_state"]) >= {"score", "level", "progress", "player", "board", "entities"}
        assert len(json.dumps(state)) < 200_000
        for task in game.tasks:
            evaluate_step(state, task, 1, BestSoFar())
            active_tags(state, task)
            for name in task.metrics:
                field(state, name)
    assert state["gameTimeMs"] > 0


async def test_reset_returns_to_the_exact_initial_state(subject: Subject):
    await subject.lab.reset(42)
    first = await subject.probe("whole")
    await subject.probe("wander", subject.moves, 40, 1)
    await subject.lab.reset(42)
    assert await subject.probe("whole") == first


@SOME
async def test_another_seed_is_another_game_where_the_game_has_chance(subject: Subject):
    walks = [await subject.probe("walk", subject.moves, seed) for seed in (42, 43, 44)]
    differ = len(set(walks)) > 1
    assert differ == (subject.game.id not in WITHOUT_CHANCE)


@SOME
async def test_drawing_twice_gives_one_picture_and_changes_nothing(subject: Subject):
    assert await subject.probe("twice", subject.moves, 31) == ""


@SOME
async def test_its_words_change_nothing_and_say_nothing_that_is_hidden(subject: Subject):
    """Looking leaves state and pixels as they are; two states that differ only in what is hidden sound alike."""
    game = subject.game
    assert game.text, "every game of this library tells its screen in words"
    for role in game.roles:
        told = await subject.lab.call(TOLD, {"moves": subject.moves, "role": role.name, "game": game.id, "seed": 11})
        assert told["changed"] == [], "looking changed the game"
        assert told["leaks"] == [], "the words depend on what nobody can see"
        assert min(told["lengths"]) >= 40 and max(told["lengths"]) <= 3000
        assert told["different"] >= 5, "the words hardly change while the game is played"
        if game.id in MEASURED:
            tasks = [t.instruction for t in game.tasks] + [c.description for c in role.controls]
            texts = [game.rules, role.description, *tasks, *told["said"]]
            assert [t for t in texts if MEASURED[game.id].search(t)] == [], "the words tell what is measured"


@SOME
async def test_random_steps_keep_state_valid(subject: Subject):
    await subject.probe("wander", subject.moves, 500, 7)


@pytest.mark.slow
async def test_every_control_key_and_click_does_something(subject: Subject):
    game = subject.game
    ways = [_solution(game), *(_random_way(subject, seed) for seed in range(4))]
    idle = await subject.probe("idle", _probes(game), [w for w in ways if w])
    if any(name.startswith("click ") for name in idle):
        # Somewhere a click has to do something, not everywhere.
        clicks = {p["name"] for p in _probes(game) if p["name"].startswith("click ")}
        idle = [n for n in idle if n not in clicks] + (["any click"] if clicks <= set(idle) else [])
    assert idle == []


def _probes(game: Game) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []

    def add(name: str, line: Sequence[Any]) -> None:
        data = [e if isinstance(e, dict) else e.model_dump() for e in line]
        out.append({"name": name, "events": data, "wait": [{"at_ms": data[-1]["at_ms"], "kind": "end"}]})

    roles = [r.stepwise for r in game.roles]
    waits = {r.name: next((c.id for c in r.controls if c.wait), r.controls[0].id) for r in roles}
    for role in roles:
        for control in role.controls:
            if control.wait:
                continue
            letter = next((k for k in role.keys if len(k) == 1), "")
            value = _entry(control, letter).removeprefix(control.id)
            for cell in control.cells.names()[::7] if control.cells else [""]:
                entry = f"{control.id}{value} {cell}".strip()
                line = timeline(game, [entry if r is role else waits[r.name] for r in roles])
                add(f"click {cell}" if cell else f"{role.name}: {control.id}", line)
        for key in role.keys:
            add(f"{role.name}: key {key}", events(PressKey(key=key), role.key_hold_ms.get(key, role.hold_ms)))
        if role.clicks:
            for x, y in itertools.product(range(40, 1280, 120), range(40, 720, 80)):
                add(f"click {x} {y}", events(Click(x=x, y=y), role.hold_ms))
            for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                drag = Drag(x=640 - 150 * dx, y=360 - 150 * dy, to_x=640 + 150 * dx, to_y=360 + 150 * dy)
                add(f"click and drag {dx} {dy}", events(drag, role.hold_ms))
    return out


def _solution(game: Game) -> list[Any]:
    found = read_solutions(game).get(game.tasks[0].id)
    if found is None:
        return []
    return [timeline(game, [found.roles[r.name][i] for r in game.roles]) for i in range(found.steps)]


def _random_way(subject: Subject, seed: int) -> list[Any]:
    draw = random.Random(seed)
    out: list[Any] = []
    while len(out) < 60:
        out += [draw.choice(subject.moves)] * draw.randint(1, 4)
    return out


@SOME
async def test_it_can_be_lost_stands_still_then_and_can_be_reset(subject: Subject):
    await subject.lab.reset(42)
    first = await subject.probe("whole")
    policies = [subject.moves, *([m] for m in subject.moves[:8]), subject.moves]
    end = await subject.probe("lose", policies, 600)
    assert end["lost"] == (subject.game.id not in NEVER_LOST)
    if end["lost"]:
        assert end["stays"] and end["status"] == "terminal"
        await subject.lab.reset(42)
        assert await subject.probe("whole") == first


@pytest.mark.slow
async def test_level_options_differ_and_unknown_ones_fail(browser: Browser, subject: Subject):
    game = subject.game
    seen: dict[str, str] = {}
    for options, _ in options_of(game)[1:]:
        async with on_page(browser, subject, options) as there:
            seen[options] = without_date(await there.lab.run())
            await there.probe("wander", subject.moves, 60, 2)
    await subject.lab.reset(42)
    seen[game.tasks[0].options] = without_date(await subject.lab.run())
    assert len(set(seen.values())) == len(seen), "two options give the same start"
    for wrong in {_unknown(o) for o in seen if o}:
        with pytest.raises(GameError, match="allowed"):
            await (await Labs(browser).open(game, wrong)).close()


def _unknown(options: str) -> str:
    """The options with a first value that no game has."""
    if options.startswith("#"):
        return "#nosuch/99"
    first, _, rest = options.partition("&")
    return f"{first.partition('=')[0]}=997" + (f"&{rest}" if rest else "")


@pytest.mark.slow
async def test_waiting_solves_no_task(browser: Browser, subject: Subject):
    game = subject.game
    waits = [next((c.id for c in r.controls if c.wait), None) for r in game.roles]
    idle = timeline(game, waits) if all(waits) else [{"at_ms": game.roles[0].hold_ms, "kind": "end"}]
    for options, tasks in options_of(game):
        async with on_page(browser, subject, options) as there:
            solved = await there.probe("reached", [idle] * 100, [rules(t) for t in tasks])
            assert [t.id for t, done in zip(tasks, solved, strict=True) if done] == []


@pytest.mark.slow
async def test_the_committed_solutions_reach_their_targets_in_the_lab(browser: Browser, subject: Subject):
    game = subject.game
    solutions = read_solutions(game)
    for options, tasks in options_of(game):
        async with on_page(browser, subject, options) as there:
            for task in (t for t in tasks if t.id in solutions):
                s = solutions[task.id]
                way = [timeline(game, [s.roles[r.name][i] for r in game.roles]) for i in range(s.steps)]
                assert await there.probe("reached", way, [rules(task)]) == [True], task.id


@asynccontextmanager
async def on_page(browser: Browser, subject: Subject, options: str) -> AsyncIterator[Subject]:
    """Opens the game with these options: on the open page if it has them, otherwise on a new one."""
    if options == subject.game.tasks[0].options:
        yield subject
        return
    lab = await Labs(browser).open(subject.game, options)
    yield replace(subject, lab=lab)
    await lab.close()


@pytest.mark.slow
async def test_input_is_reproducible_in_page_and_lab(browser: Browser, subject: Subject):
    game = subject.game
    draw = random.Random(game.id)
    way = [draw.choice(subject.moves) for _ in range(STEPS)]
    options, canvas = game.tasks[0].options, game.capture == "canvas"
    source = PageSource(game.site, game.page_path, options, 42, game.viewport, canvas)
    played: list[tuple[list[str], list[bytes]]] = []
    for _ in range(2):
        lane = await browser.open(source, image="png")
        states, pictures = [without_date((await lane.read()).state)], []
        for i, line in enumerate(way):
            look = i == STEPS // 2 or i == STEPS - 1
            reading, frame = await lane.step([Event.model_validate(e) for e in line], observe=look)
            states.append(without_date(reading.state))
            pictures += [frame.data] if frame else []
        played.append((states, pictures))
        await lane.close()
    assert played[0][0] == played[1][0]
    assert played[0][1] == played[1][1]
    await subject.lab.reset(42)
    assert [without_date(await subject.lab.run(line)) for line in [[], *way]] == played[0][0]
