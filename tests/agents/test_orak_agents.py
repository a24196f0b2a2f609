"""Orak's modules without an environment: what they ask, in which order, and what they keep."""

from __future__ import annotations

import pytest
from agents.conftest import MADE_OF
from agents.test_modules import Fake, at, played, player, words

from gwray.agents import note_history
from gwray.records import LoggedReply, Reply
from gwray.settings import AgentSpec

CRITIQUE = "### Self_reflection\nIt was to fly.\n### Success\n{}\n### Self_reflection_summary\nThe gate is low."
SUBTASK = "### Subtask_reasoning\nUnder way.\n### Subtask\n{}"
SKILL = '{{"skills": [{{"name": "{0}", "how": "flap before {0}"}}]}}'


def agent(name: str, **more):
    return player(name, text_only=True, modules=MADE_OF[name], **more)


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("orak_reflection", ["act"], ["critique", "act"]),
        ("orak_planning", ["subtask", "act"], ["subtask", "act"]),
        ("orak_reflection_planning", ["subtask", "act"], ["critique", "subtask", "act"]),
        ("orak_skills", ["subtask", "knowledge", "act"], ["critique", "subtask", "skills", "act"]),
        ("orak_memory", ["long_memory", "act"], ["critique", "long_memory", "act"]),
        ("orak_history", ["long_memory", "subtask", "act"], ["history", "critique", "long_memory", "subtask", "act"]),
    ],
)
async def test_modules_ask_in_the_papers_order(name, first, second):
    fake = Fake({"critique": CRITIQUE.format("yes"), "subtask": SUBTASK.format("Reach the gate.")})
    turns = await played(agent(name), fake, at(0, "gate far"), at(1, "gate near", notes=("What the game answered",)))
    assert turns == [first, second]
    (act,) = fake.of("")[1:]
    shown = words(act)
    if "knowledge" in first:
        assert "Your subtask:\nReach the gate." in words(fake.of("knowledge")[0])
    assert "Your last actions:\nflap" in shown or name in ("orak_memory",)
    if "critique" in second:
        asked = words(fake.of("critique")[0])
        order = ["gate far", "Your last actions:\nflap", "What the game answered", "gate near"]
        assert [asked.index(part) for part in order] == sorted(asked.index(part) for part in order)
        assert ("Your subtask:\nReach the gate." in asked) == ("subtask" in first)
        assert "What you found about your last actions:\nThe gate is low." in shown


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


async def test_history_gives_each_verdict_to_the_actions_that_it_judged():
    verdicts = iter(["first", "second", "third"])
    fake = Fake({"critique": lambda: f"### Success\nno\n### Self_reflection_summary\nThe {next(verdicts)}."})
    await played(agent("orak_history"), fake, *(at(n, "gate", notes=(f"answer {n}",)) for n in range(4)))
    first, second, third = (words(p) for p in fake.of("history"))
    assert "What you found" not in first
    assert second.index("answer 1") < second.index("What you found about it: The first.") < second.index("answer 2")
    assert third.index("about it: The first.") < third.index("answer 2") < third.index("about it: The second.")
    assert all("What you found about your last actions" not in asked for asked in (first, second, third))


async def test_history_keeps_at_most_five_lessons():
    lessons = "\n".join(f"{n}. lesson {n}" for n in range(1, 9))
    answer = f"### State_summary\nHalf way.\n### Lessons\n{lessons}\n### Tool_evaluation\nflap works."
    fake = Fake({"history": answer})
    await played(agent("orak_history"), fake, *(at(n, "gate", notes=(f"answer {n}",)) for n in range(3)))
    shown = words(fake.of("")[2])
    assert "What happened until now:\nHalf way.\nflap works." in shown and "- lesson 5" in shown
    asked = words(fake.of("history")[1])
    assert "lesson 6" not in shown and "flap\nanswer 1\n  Then: Half way." in asked and asked.count("answer 2") == 1
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
    assert [(n.kind, n.text) for n in note_history(spec, log)] == [("lesson", f"lesson {n}") for n in range(1, 6)]
