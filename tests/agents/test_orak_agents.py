"""Orak's modules without an environment: what they ask, in which order, and what they keep."""

from __future__ import annotations

import pytest
from agents.test_modules import Fake, at, played, player, words

from gwray.agents import final_notes
from gwray.agents.embedding import similarity
from gwray.agents.notes import NoteStore
from gwray.agents.sections import read_sections
from gwray.axes import MADE_OF
from gwray.records import LoggedReply, Reply
from gwray.spec import TEXT_PROMPT_VERSION, AgentSpec

CRITIQUE = "### Self_reflection\nIt was to fly.\n### Success\n{}\n### Self_reflection_summary\nThe gate is low."
SUBTASK = "### Subtask_reasoning\nUnder way.\n### Subtask\n{}"
SKILL = '{{"skills": [{{"name": "{0}", "how": "flap before {0}"}}]}}'


def agent(name: str, **more):
    return player(name, modules=MADE_OF[name], prompt_version=TEXT_PROMPT_VERSION, **more)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("orak_reflection", ["act"], ["critique", "act"]),
        ("orak_planning", ["subtask", "act"], ["subtask", "act"]),
        ("orak_reflection_planning", ["subtask", "act"], ["critique", "subtask", "act"]),
        ("orak_skills", ["knowledge", "subtask", "act"], ["critique", "knowledge", "subtask", "skills", "act"]),
        ("orak_memory", ["long_memory", "act"], ["critique", "long_memory", "act"]),
        ("orak_history", ["subtask", "act"], ["history", "critique", "subtask", "act"]),
    ],
)
async def test_modules_ask_in_the_papers_order(name, first, second):
    fake = Fake({"critique": CRITIQUE.format("yes"), "subtask": SUBTASK.format("Reach the gate.")})
    turns = await played(agent(name), fake, at(0, "gate far"), at(1, "gate near", notes=("What the game answered",)))
    assert turns == [first, second]
    (act,) = fake.of("")[1:]
    shown = words(act)
    assert "Your last actions:\nflap" in shown or name in ("orak_memory",)
    if "critique" in second:
        asked = words(fake.of("critique")[0])
        order = ["gate far", "Your last actions:\nflap", "What the game answered", "gate near"]
        assert [asked.index(part) for part in order] == sorted(asked.index(part) for part in order)
        assert ("Your subtask:\nReach the gate." in asked) == ("subtask" in first)
        assert "What you found about your last actions:\nThe gate is low." in shown


async def test_actions_that_the_game_answered_are_named_once():
    fake = Fake({"critique": CRITIQUE.format("yes"), "subtask": SUBTASK.format("Reach the gate.")})
    answers = "What the game answered to your last actions:\n- flap: ok. Up."
    await played(agent("orak_reflection_planning"), fake, at(0, "gate far"), at(1, "gate near", notes=(answers,)))
    for prompt in (fake.of("critique")[0], fake.of("subtask")[1], fake.of("")[1]):
        assert "Your last actions:" not in words(prompt) and words(prompt).count("- flap: ok. Up.") == 1


async def test_subtask_is_kept_until_an_answer_has_another():
    answers = iter([SUBTASK.format("Reach the gate."), "Well.", "### Subtask:\nPass it."])
    fake = Fake({"subtask": lambda: next(answers)})
    await played(agent("orak_planning"), fake, *(at(n, "gate") for n in range(3)))
    kept = [words(p).partition("Your subtask now:\n")[2].splitlines()[0] for p in fake.of("")]
    assert kept == ["Reach the gate.", "Reach the gate.", "Pass it."]
    assert "Your subtask until now:\nReach the gate." in words(fake.of("subtask")[2])


async def test_knowledge_is_asked_for_again_only_for_another_subtask():
    answers = iter(["Reach it.", "Reach it.", "Pass it.", "Pass it."])
    fake = Fake({"subtask": lambda: SUBTASK.format(next(answers)), "knowledge": "### Knowledge\nGates open."})
    turns = await played(agent("orak_skills"), fake, *(at(n, "gate") for n in range(4)))
    assert [("knowledge" in turn) for turn in turns] == [True, True, False, True]


async def test_skills_are_stored_on_success_only_and_retrieved_later():
    verdicts, named = iter(["no", "yes", "unsure", "yes"]), iter(["low gates", "high gates"])
    fake = Fake(
        {"critique": lambda: CRITIQUE.format(next(verdicts)), "skills": lambda: SKILL.format(next(named)),
         "subtask": SUBTASK.format("Pass the high gate")}
    )  # fmt: skip
    turns = await played(agent("orak_skills"), fake, *(at(n, "gate") for n in range(5)))
    assert [("skills" in turn) for turn in turns] == [False, False, True, False, True]
    shown = [words(p).partition("What you know how to do:\n")[2] for p in fake.of("")]
    assert shown[1] == "" and shown[2].startswith("1. flap before low gates (low gates)")
    assert "2. flap before high gates (high gates)" in shown[4]
    assert all(p.neutral is not None for p, _ in fake.asked if p.module)


def test_five_nearest_skills_are_retrieved_by_hashed_ngrams():
    store = NoteStore()
    for topic in (
        "plant parsnips",
        "water crops",
        "sell parsnips",
        "catch fish",
        "cut wood",
        "open chests",
        "mine stone",
    ):
        store.add(f"how to {topic}", topic=topic)
    picked = [n.topic for n in store.pick(5, "planting a parsnip", similar=similarity)]
    assert len(picked) == 5 and picked[:2] == ["plant parsnips", "sell parsnips"]
    assert similarity("planting", "planting") == 1 and similarity("planting", "") == 0
    assert similarity("planting", "plant") == pytest.approx(0.6325, abs=0.0001), "the same on every machine"


async def test_long_memory_saves_what_is_said_and_shows_what_passes_the_gate():
    said = iter(["The clock was slow|yes", "The door was shut|no", "The clock was slow!|no", "A cat sat|yes"])
    answer = lambda: "### Clue\n{}\n### Save\n{}".format(*next(said).split("|"))  # noqa: E731
    fake = Fake({"long_memory": answer, "critique": CRITIQUE.format("yes")})
    await played(agent("orak_memory"), fake, *(at(n, "court") for n in range(4)))
    shown = [words(p).partition("What you remember:\n")[2].splitlines()[:1] for p in fake.of("")]
    assert shown == [[], [], ["1. The clock was slow"], []], "only clues of earlier turns"


async def test_history_keeps_at_most_five_lessons():
    lessons = "\n".join(f"{n}. lesson {n}" for n in range(1, 9))
    answer = f"### State_summary\nHalf way.\n### Lessons\n{lessons}\n### Tool_evaluation\nflap works."
    fake = Fake({"history": answer})
    await played(agent("orak_history"), fake, *(at(n, "gate", notes=(f"answer {n}",)) for n in range(3)))
    shown = words(fake.of("")[2])
    assert "What happened until now:\nHalf way.\nflap works." in shown and "- lesson 5" in shown
    asked = words(fake.of("history")[1])
    assert "lesson 6" not in shown and "flap\nanswer 1" in asked and asked.count("answer 2") == 1
    spec = AgentSpec(name="orak_history", modules=MADE_OF["orak_history"])
    log = [
        LoggedReply.model_validate(
            {
                "decision": 1,
                "role": "player",
                "module": "history",
                "words_hash": "",
                "at": "",
                "reply": Reply(text=answer),
            }
        )
    ]
    assert final_notes(spec, log)["lesson"] == [f"lesson {n}" for n in range(1, 6)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("### Subtask\nGo.", {"": "", "subtask": "Go."}),
        ("Hm.\n**### Self reflection:** no\nmore\n## self-reflection\nyes", {"": "Hm.", "selfreflection": "yes"}),
        ("### Subtask: Go.\n### Reasoning\n", {"": "", "subtask": "Go.", "reasoning": ""}),
        ("no header", {"": "no header"}),
        ("", {"": ""}),
        ("#!/bin/sh\n### \n#", {"": "#!/bin/sh\n### \n#"}),
    ],
)
def test_sections_are_read_however_they_are_written(text, found):
    assert read_sections(text) == found
