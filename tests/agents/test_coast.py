"""COAST without an environment: its schedule, its memory, and when a goal counts as reached."""

from __future__ import annotations

import json
from itertools import count, groupby
from typing import Any

import pytest
from agents.conftest import MADE_OF
from agents.test_modules import Fake, logging, looking, played, player, role_context, words

from gwray.agents import Prompt, make_agent, note_history
from gwray.errors import UsageError

PARTS = {name: modules for name, modules in MADE_OF.items() if name.startswith("coast")}
FLAP = '{"action": "flap", "arguments": {}}'


def reported(report: str) -> str:
    """A reply that reports, and then acts."""
    return f"Let me see.\n<report>{report}</report>\n{FLAP}"


SUCCESS = reported('{"result": "success", "changed": "item"}')


def coast(name: str = "coast", **agent: Any):
    return player(name, **{"modules": PARTS[name], **agent})


def clue(name: str = "key", **more: Any) -> str:
    answer_text = {"clue": name, "description": f"a rusty {name}", "location": "hall", "type": "item", **more}
    return reported(json.dumps({"clues": [answer_text]}))


def matches(*names: str) -> str:
    found = [{"clue": n, "related_memory": "the door", "expected_action": f"use {n}"} for n in names]
    return "I think:\n```json\n" + json.dumps({"matches": found}) + "\n```"


def mapped(*answers: str) -> dict[str, Any]:
    """Answers of the mapper, one a map; then nothing fits."""
    left = iter(answers)
    return {"seek": clue(), "map": lambda: next(left, "[Nobody]")}


def shape(turns: list[list[str]]) -> str:
    """`k` seek, `m` map, `s` solve, one word a run of equal turns: `15k 1ms`."""
    short = ["".join(dict(seek="k", map="m", solve="s", merged="g")[m] for m in turn) for turn in turns]
    return " ".join(f"{len([*same])}{turn}" for turn, same in groupby(short))


def acting(fake: Fake) -> list[Prompt]:
    return [p for p, _ in fake.asked if p.module != "map"]


def goal(prompt: Prompt) -> str:
    """The name of the clue of the goal in a prompt; empty: it seeks."""
    return words(prompt).partition("Your goal now:\n1. Clue: ")[2].partition(" ")[0].rstrip(".")


async def test_it_seeks_fifteen_maps_and_gives_each_goal_five():
    fake = Fake(mapped(matches("key", "rope")))
    turns = await played(coast(), fake, *map(looking, range(42)))
    assert shape(turns) == "15k 1ms 9s 15k 1mk 1k", "one question a decision, and the maps"
    runs = [(g, len([*same])) for g, same in groupby(map(goal, acting(fake)))]
    assert runs == [("", 15), ("key", 5), ("rope", 5), ("", 17)]
    assert "Related memory: the door. Expected action: use key." in words(acting(fake)[15])


@pytest.mark.parametrize(("genre", "expected"), [("visual-novel", "5k 1ms 1s 1k"), ("management", "5k 1ms 1s 1k"),
                                                 ("runner", "8k")])  # fmt: skip
async def test_quick_pace_in_novels_and_kingdoms(genre, expected):
    place = role_context()
    object.__setattr__(place, "game", place.game.model_copy(update={"genre": genre}))
    agent, fake = make_agent(coast(), place), Fake(mapped(matches("key")))
    turns = []
    for n in range(8):
        before = len(fake.asked)
        await agent.act(looking(n), fake)
        turns.append(fake.modules()[before:])
    assert shape(turns) == expected


async def test_the_pace_can_be_set_and_a_block_can_share_its_steps():
    fast = {"seek_steps": 2, "solve_steps": 3}
    turns = await played(coast(options=fast), Fake(mapped(matches("a", "b"))), *map(looking, range(9)))
    assert shape(turns) == "2k 1ms 5s 1k"
    shared = {**fast, "solve_scope": "per_block"}
    turns = await played(coast(options=shared), Fake(mapped(matches("a", "b"))), *map(looking, range(7)))
    assert shape(turns) == "2k 1ms 2s 2k"


@pytest.mark.parametrize(
    "answer_text", ["[Nobody]", "", "{", '{"matches": 3}', '{"matches": [3, {"clue": "key"}]}', "key!"]
)
async def test_no_match_or_malformed_answer_seeks_again(answer_text):
    turns = await played(
        coast(options={"seek_steps": 3}), Fake({"seek": clue(), "map": answer_text}), *map(looking, range(8))
    )
    assert shape(turns) == "3k 1mk 2k 1mk 1k"


async def test_matches_are_limited_and_tried_once():
    fake = Fake({"seek": clue(), "map": matches(*"abacdefgh")})
    fast = {"seek_steps": 1, "solve_steps": 1}
    await played(coast(options=fast), fake, *map(looking, range(8)))
    assert [goal(p) for p in acting(fake)] == ["", "a", "b", "c", "d", "e", "", "a"]


async def test_a_goal_that_was_reached_is_never_tried_again():
    names = (f"clue{n}" for n in count())
    fake = Fake({"seek": clue(), "map": lambda: matches("key", next(names)), "solve": SUCCESS})
    await played(coast(options={"seek_steps": 1, "solve_steps": 4}), fake, *map(looking, range(10)))
    tried = [g for p in acting(fake) if (g := goal(p))]
    assert tried.count("key") == 2, "the second reply reports on the first one's action"
    assert "1. key: use key" in words(fake.of("map")[1]), "the map prompt has it"


@pytest.mark.parametrize(
    ("answer", "screens_differ", "believed"),
    [
        (SUCCESS, True, True),
        (reported('{"result": "Success", "changed": "Area"}'), True, True),
        (SUCCESS, False, False),
        (reported('{"result": "success", "changed": "nothing"}'), True, False),
        (reported('{"result": "success"}'), True, False),
        (reported('{"result": ["success"], "changed": "item"}'), True, False),
        (reported('{"result": "fail", "changed": "item"}'), True, False),
        ('{"result": "success", "changed": "item"} ' + FLAP, True, False),
        ("Success!", True, False),
    ],
)
async def test_success_is_believed_only_if_the_game_has_changed(answer, screens_differ, believed):
    screens = [looking(n) for n in (range(4) if screens_differ else (0, 0, 0, 0))]
    fake = Fake({"seek": clue(), "map": matches("key"), "solve": answer})
    turns = await played(coast(options={"seek_steps": 2, "solve_steps": 9}), fake, *screens[:2], *screens[1:])
    assert (turns[4] == ["seek"]) == believed


async def remembered(*answers: str, **options: Any) -> str:
    """The clues that are shown after so many answers of the seeker."""
    left = iter(answers)
    fake = Fake({"seek": lambda: next(left, "")})
    await played(coast("coast_seek", options=options), fake, *map(looking, range(len(answers) + 1)))
    return words(fake.of("seek")[-1]).partition("Clues that you have:\n")[2]


async def test_clue_with_same_name_and_place_is_replaced():
    prompt_text = await remembered(
        clue(), clue("Key!", description="a bent key", location="Hall"), clue(location="attic")
    )
    assert prompt_text.splitlines()[:2] == ["1. Key! (item): a bent key (hall)", "2. key (item): a rusty key (attic)"]


@pytest.mark.parametrize(
    "answer",
    [
        "There is a key.",
        clue().replace("<report>", ""),
        reported('{"clues": {"clue": "key"}}'),
        reported('{"clues": ["key", null, 3]}'),
        clue(""),
        clue(description=""),
        clue(description={"a": 1}),
        clue(type="weapon"),
        reported('{"clue": "key", "description": "rusty", "type": "item"}'),
        reported('{"clues": ['),
        "\ud800" * 10,
    ],
)
async def test_what_is_not_of_the_form_is_dropped(answer):
    assert await remembered(answer) == ""


async def test_report_before_marked_thoughts_is_read():
    report = json.dumps({"clues": [{"clue": "key", "description": "rusty", "type": "item"}]})
    text = f"<report>{report}</report>\n<think>I take it. <report>{{}}</report></think>\n{FLAP}"
    assert "key (item): rusty" in await remembered(text)


async def test_without_map_all_clues_are_one_goal():
    fast = {"seek_steps": 3, "solve_steps": 2}
    fake = Fake({"seek": clue(), "solve": SUCCESS})
    turns = await played(coast("coast_seek_solve", options=fast), fake, *map(looking, range(7)))
    assert shape(turns) == "3k 2s 2k"
    assert "try what they say" in words(fake.of("solve")[0]) and "a rusty key" in words(fake.of("solve")[0])
    turns = await played(coast("coast_seek_solve", options=fast), Fake(), *map(looking, range(7)))
    assert shape(turns) == "7k"


async def test_merged_it_is_all_three_prompts_one_after_the_other():
    fake = Fake({"merged": SUCCESS})
    assert shape(await played(coast("coast_merged"), fake, *map(looking, range(4)))) == "4g"
    system = fake.of("merged")[3].system
    agent = make_agent(coast(), role_context())
    for part in (agent._seek._part, agent._map._system, agent._solve._part):
        body = [line for line in part.splitlines() if len(line) > 90 and not line.startswith("{")]
        shared = [line for line in body if line in system]
        assert len(shared) >= len(body) - 2 and shared, "but for the sentences that join them"


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ({"modules": ("map",)}, "COAST needs seek"),
        ({"modules": ("seek", "map")}, "map needs solve"),
        ({"options": {"seek_steps": 0}}, "seek_steps '0'"),
        ({"options": {"solve_steps": "2"}}, "solve_steps '2'"),
        ({"options": {"matches": 0}}, "matches '0'"),
        ({"options": {"solve_scope": "all"}}, "solve_scope 'all' .*per_goal, per_block"),
        ({"options": {"n_seek": 3}}, "agent.options 'n_seek' .*seek_steps"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(agent, message):
    with pytest.raises(UsageError, match=message):
        make_agent(coast(**agent), role_context())


async def test_coast_notes_are_computed_from_replies():
    numbers, maps = count(), iter([matches("key 1", "key 3"), "[Nobody]"])
    pulled = '{"result": "fail", "done": {"action": "pull"}}'

    def found() -> str:
        return clue(f"key {next(numbers) % 5}", description=f"at {len(fake.asked)}", usage_hint="door")

    fake = Fake({"seek": found, "map": lambda: next(maps, "[Nobody]"), "solve": pulled})
    player_spec = coast(options={"seek_steps": 4, "solve_steps": 2, "max_clues": 3})
    agent, kept = make_agent(player_spec, role_context()), []

    for turn in range(20):
        await agent.act(looking(turn), logging(fake, kept, turn))
    notes = note_history(player_spec.agent, kept)
    for turn, prompt in enumerate(fake.of("")):
        now = [n for n in notes if n.since <= turn and (n.until is None or turn < n.until)]
        prompt_text = words(prompt)
        shown = prompt_text.partition("Clues that you have:\n")[2].partition("\nWhat you did lately")[0].splitlines()
        clues = {f"{n.text} ({n.place})" for n in now if n.kind == "clue"}
        assert {line.partition(". ")[2] for line in shown if line[:1].isdigit()} == clues and 1 <= len(clues) <= 3
        assert ("pull" in prompt_text) == any(n.kind == "done" for n in now)
        goal = prompt_text.partition("Your goal now:\n")[2].partition("\n")[0]
        goals = [n.text for n in now if n.kind == "goal"]
        assert goal in goals if goals else goal.startswith("Look for")
    assert sum(n.kind == "goal" for n in notes) == 2 and sum((n.kind, n.until) == ("clue", None) for n in notes) == 3
