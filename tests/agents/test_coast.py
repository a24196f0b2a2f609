"""COAST without an environment: its schedule, its memory, and when a goal counts as reached."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, groupby
from typing import Any

import pytest
import yaml
from agents.test_modules import Fake, at, looking, played, player, role_context, words

from gwray.agents import AGENTS, Image, calls_per_decision, final_notes, make_agent, note_history
from gwray.errors import UsageError
from gwray.places import CONF
from gwray.records import LoggedReply

PARTS = {
    "coast": ("seek", "map", "solve", "act"),
    "coast_seek": ("seek", "act"),
    "coast_seek_solve": ("seek", "solve", "act"),
    "coast_merged": ("strategy", "act"),
}
SUCCESS = '{"result": "success", "changed": "item"}'


def coast(name: str = "coast", **agent: Any):
    return player(name, **{"modules": PARTS[name], **agent})


def clue(name: str = "key", **more: Any) -> str:
    answer_text = {"clue": name, "description": f"a rusty {name}", "location": "hall", "type": "item", **more}
    return json.dumps({"clues": [answer_text]})


def matches(*names: str) -> str:
    found = [{"clue": n, "related_memory": "the door", "expected_action": f"use {n}"} for n in names]
    return "I think:\n```json\n" + json.dumps({"matches": found}) + "\n```"


def mapped(*answers: str) -> dict[str, Any]:
    """Answers of the mapper, one a map; then nothing fits."""
    left = iter(answers)
    return {"seek": clue(), "map": lambda: next(left, "[Nobody]")}


def shape(turns: list[list[str]]) -> str:
    """`k` seek, `m` map, `s` solve before the action, one word a run of equal turns: `15k 1mk`."""
    short = ["".join(dict(seek="k", map="m", solve="s")[m] for m in turn[:-1]) or "-" for turn in turns]
    return " ".join(f"{len([*same])}{turn}" for turn, same in groupby(short))


async def test_it_seeks_fifteen_maps_and_gives_each_goal_five():
    fake = Fake(mapped(matches("key", "rope")))
    turns = await played(coast(), fake, *map(looking, range(42)))
    # The turn of the map plays the first goal's first action; a goal's last action is reported on in the turn after it.
    assert shape(turns) == "15k 1m 9s 1sk 14k 1mk 1k"
    goals = [words(p).split("Your goal now:\n")[1].splitlines()[0] for p in fake.of("")]
    runs = [(g.partition(":")[0][:8], len([*same])) for g, same in groupby(goals)]
    assert runs == [("Look for", 15), ("key", 5), ("rope", 5), ("Look for", 17)]


@pytest.mark.parametrize(("genre", "expected"), [("visual-novel", "5k 1m 1s 1sk"), ("management", "5k 1m 1s 1sk"),
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
    assert shape(turns) == "2k 1m 5s 1sk"
    shared = {**fast, "solve_scope": "per_block"}
    turns = await played(coast(options=shared), Fake(mapped(matches("a", "b"))), *map(looking, range(7)))
    assert shape(turns) == "2k 1m 2s 1sk 1k"


async def test_after_the_last_cycle_it_only_seeks():
    fast = {"seek_steps": 1, "solve_steps": 1, "max_cycles": 1}
    fake = Fake({"seek": clue(), "map": matches("a")})
    assert shape(await played(coast(options=fast), fake, *map(looking, range(6)))) == "1k 1m 1sk 3k"


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
    goals = [words(p).split("Your goal now:\n")[1][:1] for p in fake.of("")]
    assert goals == ["L", "a", "b", "c", "d", "e", "L", "a"]


async def test_a_goal_that_was_reached_is_never_tried_again():
    names = (f"clue{n}" for n in count())
    fake = Fake({"seek": clue(), "map": lambda: matches("key", next(names)), "solve": SUCCESS})
    await played(coast(options={"seek_steps": 1, "solve_steps": 4}), fake, *map(looking, range(10)))
    goals = [words(p).split("Your goal now:\n")[1].splitlines()[0] for p in fake.of("")]
    tried = [g.partition(":")[0] for g in goals if not g.startswith("Look")]
    assert tried == ["key", "clue0", "clue1", "clue2", "clue3", "clue4"][: len(tried)] and len(tried) >= 4
    assert "1. key: use key" in words(fake.of("map")[1]), "the map prompt has it"


@pytest.mark.parametrize(
    ("answer", "screens_differ", "believed"),
    [
        (SUCCESS, True, True),
        ('{"result": "Success", "changed": "Area"}', True, True),
        (SUCCESS, False, False),
        ('{"result": "success", "changed": "nothing"}', True, False),
        ('{"result": "success"}', True, False),
        ('{"result": ["success"], "changed": "item"}', True, False),
        ('{"result": "fail", "changed": "item"}', True, False),
        ("Success!", True, False),
    ],
)
async def test_success_is_believed_only_if_the_game_has_changed(answer, screens_differ, believed):
    screens = [looking(n) for n in (range(4) if screens_differ else (0, 0, 0, 0))]
    fake = Fake({"seek": clue(), "map": matches("key"), "solve": answer})
    turns = await played(coast(options={"seek_steps": 1, "solve_steps": 9}), fake, *screens)
    assert (turns[2] == ["solve", "seek", "act"]) == believed


async def test_changed_text_counts_as_a_change():
    for second, believed in (("a door", False), ("an open door", True)):
        fake = Fake({"seek": clue(), "map": matches("key"), "solve": SUCCESS})
        screens = [at(0, "a door"), at(1, "a door"), at(2, second)]
        turns = await played(coast(options={"seek_steps": 1, "solve_steps": 9}), fake, *screens)
        assert (turns[2] == ["solve", "seek", "act"]) == believed


async def remembered(*answers: str, **options: Any) -> str:
    """The clues that are shown after so many answers of the seeker."""
    left = iter(answers)
    fake = Fake({"seek": lambda: next(left, "")})
    await played(coast("coast_seek", options=options), fake, *map(looking, range(len(answers))))
    return words(fake.of("")[-1]).partition("Clues that you have:\n")[2]


async def test_clue_with_same_name_and_place_is_replaced():
    prompt_text = await remembered(
        clue(), clue("Key!", description="a bent key", location="Hall"), clue(location="attic")
    )
    assert prompt_text.splitlines()[:2] == ["1. Key! (item): a bent key (hall)", "2. key (item): a rusty key (attic)"]


@pytest.mark.parametrize(
    "answer",
    [
        "There is a key.",
        '{"clues": {"clue": "key"}}',
        '{"clues": ["key", null, 3]}',
        clue(""),
        clue(description=""),
        clue(description={"a": 1}),
        clue(type="weapon"),
        '{"clue": "key", "description": "rusty", "type": "item"}',
        '{"clues": [',
        "\ud800" * 10,
    ],
)
async def test_what_is_not_of_the_form_is_dropped(answer):
    assert await remembered(answer) == ""


async def test_clue_hints_codes_and_surrogates_are_kept_as_text():
    prompt_text = await remembered(clue("code", type="code", description="4 1 3 \ud800", usage_hint="the safe"))
    assert prompt_text.startswith("1. code (code): 4 1 3 ? Perhaps: the safe (hall)")


async def test_no_answer_swells_what_follows():
    many = json.dumps({"clues": [{"clue": f"c{n}", "description": "x", "type": "item"} for n in range(200)]})
    prompt_text = await remembered(many, clue("long", description="so " * 9000), max_clues=30)
    assert len(prompt_text) < 4000


async def test_what_was_done_is_remembered_for_a_while():
    numbers = count()
    fake = Fake(
        {"seek": lambda: json.dumps({"clues": [], "done": {"action": f"walk {next(numbers)}", "place": "hall"}})}
    )
    await played(coast("coast_seek", options={"episodic_window": 3}), fake, *map(looking, range(6)))
    prompt_text = words(fake.of("seek")[-1])
    assert "walk 4 [hall]" in prompt_text and "walk 2 [hall]" in prompt_text and "walk 1" not in prompt_text


async def test_the_mapper_sees_no_picture_and_may_be_another_model():
    fake = Fake(mapped(matches("key")))
    await played(coast(models={"map": "small"}, options={"seek_steps": 1}), fake, *map(looking, range(3)))
    ((prompt, by),) = [(p, by) for p, by in fake.asked if p.module == "map"]
    assert by == "map" and not any(isinstance(part, Image) for part in prompt.parts)
    assert "a rusty key" in words(prompt)
    assert {b for p, b in fake.asked if p.module != "map"} == {""}


async def test_the_seeker_alone_never_maps_nor_solves():
    assert shape(await played(coast("coast_seek"), Fake({"seek": clue()}), *map(looking, range(20)))) == "20k"


async def test_without_map_all_clues_are_one_goal():
    fast = {"seek_steps": 3, "solve_steps": 2}
    fake = Fake({"seek": clue(), "solve": SUCCESS})
    turns = await played(coast("coast_seek_solve", options=fast), fake, *map(looking, range(7)))
    assert shape(turns) == "3k 1- 1s 1sk 1k"
    assert "try what they say" in words(fake.of("")[3]) and "a rusty key" in words(fake.of("")[3])
    turns = await played(coast("coast_seek_solve", options=fast), Fake(), *map(looking, range(7)))
    assert shape(turns) == "7k"


async def test_merged_it_is_one_question_with_all_three_instructions():
    fake = Fake()
    assert shape(await played(coast("coast_merged"), fake, *map(looking, range(4)))) == "4-"
    assert all(w in words(fake.of("")[3]) for w in ("Seek:", "Map:", "Solve:"))


def test_calls_per_decision_before_the_run():
    assert [calls_per_decision(coast(name)) for name in PARTS] == [2, 2, 2, 1]


@pytest.mark.parametrize("name", PARTS)
async def test_local_players_ignore_module_questions(name):
    def neutral() -> Iterator[str]:
        while True:
            yield fake.asked[-1][0].neutral or '{"action": "flap", "arguments": {}}'

    answers = neutral()
    fake = Fake(dict.fromkeys(("seek", "map", "solve"), lambda: next(answers)))
    turns = await played(coast(name, options={"seek_steps": 2} if "merged" not in name else {}), fake,
                         *map(looking, range(6)))  # fmt: skip
    assert all(turn[-1] == "act" for turn in turns)


@pytest.mark.parametrize("name", PARTS)
def test_the_files_of_conf_are_these_agents(name):
    answer_text = yaml.safe_load((CONF / "agent" / f"{name}.yaml").read_text())
    assert answer_text == {"name": name, "modules": [*PARTS[name]]} and name in AGENTS.names()


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ({"modules": ("map", "act")}, "COAST needs seek"),
        ({"modules": ("seek", "map", "act")}, "map needs solve"),
        ({"options": {"seek_steps": 0}}, "seek_steps '0'"),
        ({"options": {"solve_steps": "2"}}, "solve_steps '2'"),
        ({"options": {"matches": 0}}, "matches '0'"),
        ({"options": {"max_cycles": -1}}, "max_cycles '-1'"),
        ({"options": {"solve_scope": "all"}}, "solve_scope 'all' .*per_goal, per_block"),
        ({"options": {"n_seek": 3}}, "agent.options 'n_seek' .*seek_steps"),
        ({"rules": ("a -> b -> c",)}, "learns no rules"),
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

    async def ask(*prompts, by=""):
        replies = await fake(*prompts, by=by)
        kept.extend(
            LoggedReply(decision=turn, role="player", call=len(kept), module=p.module, words_hash="", reply=r, at="")
            for p, r in zip(prompts, replies, strict=True)
        )
        return replies

    for turn in range(20):
        await agent.act(looking(turn), ask)
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
    assert sum(n.kind == "goal" for n in notes) == 2 and len(final_notes(player_spec.agent, kept)["clue"]) == 3
