"""Rules that an agent learns: schedule of the questions, effect of the answers."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pytest
from agents.test_modules import Fake, logging, looking, pictures, played, player, role_context, words

from gwray.agents import NoteStore, make_agent, note_history
from gwray.errors import UsageError
from gwray.records import LoggedReply
from gwray.studies.pokegym.rules import apply

PARTS = ("trajectory", "refine", "revise", "act")
A = "The pipe is low -> flap early -> falling takes long"
B = "The pipe is high -> wait -> flapping overshoots"


def learner(**agent: Any):
    return player("pokegym_reflection", **{"modules": PARTS, **agent})


def filled(*rules: str) -> NoteStore:
    store = NoteStore()
    for rule in rules:
        store.add(rule)
    return store


def texts(store: NoteStore) -> list[str]:
    return [n.text for n in sorted(store, key=lambda n: n.number)]


async def test_self_reflection_asks_every_five_decisions():
    turns = await played(learner(), Fake({"refine": f"add: {A}"}), *map(looking, range(12)))
    assert [i for i, turn in enumerate(turns) if turn != ["act"]] == [5, 10]
    assert turns[5] == turns[10] == ["trajectory", "refine", "revise", "act"]


async def test_summary_prompt_has_both_screens_actions_and_last_summary():
    answer_text = (f"Summary {n}." for n in count(1))
    fake = Fake({"trajectory": lambda: next(answer_text)})
    await played(learner(), fake, *map(looking, range(11)))
    first, second = fake.of("trajectory")
    assert pictures(first) == ["front 0", "front 5"] and pictures(second) == ["front 5", "front 10"]
    assert words(first).count("- flap") == words(second).count("- flap") == 5
    assert "Summary 1." in words(second) and "Summary 1." not in words(first)


async def test_reasoning_before_the_changes_changes_no_rule():
    """Reasoning whose lines begin like operations; `revise` is shown what `refine` did."""
    thinking = f"Delete 1 would be too much.\nadd: {B}\n"
    fake = Fake({"refine": f"{thinking}### Changes\nadd: {A}", "revise": "keep in mind all.\n### Changes\nkeep"})
    await played(learner(), fake, *map(looking, range(7)))
    assert f"1. {A}" in words(fake.of("")[-1]) and B not in words(fake.of("")[-1])
    (asked,) = fake.of("revise")
    assert f"Changes that were made to the rules just now:\nadd: {A}" in words(asked)
    assert "Changes that were made" not in words(fake.of("refine")[0])


async def test_who_acts_reads_summary_and_rules_from_then_on():
    fake = Fake({"trajectory": "The pipe was low.", "refine": f"add: {A}", "revise": "keep"})
    await played(learner(), fake, *map(looking, range(7)))
    shown = ["The pipe was low." in words(p) and f"1. {A}" in words(p) for p in fake.of("")]
    assert shown == [False] * 5 + [True] * 2


async def test_many_rules_are_shown_and_long_answers_are_cut():
    rules = "\n".join(f"add: case {n} {'x ' * 20}-> do {n} -> because" for n in range(500))
    fake = Fake({"refine": rules, "revise": "keep", "trajectory": "so " * 500_000})
    await played(learner(options={"updates": 400}), fake, *map(looking, range(6)))
    prompt_text = words(fake.of("")[5])
    assert (
        len(re.findall(r"^\d+\. case", prompt_text, re.MULTILINE)) == 30
        and "case 499" in prompt_text
        and len(prompt_text) < 9000
    )


@pytest.mark.parametrize(
    ("answer", "rules", "why"),
    [
        (f"add: {B}", [A, B], ""),
        (f"ADD {B.replace('->', '→')}", [A, B], ""),
        (f"- **modify 1**: {B}", [B], ""),
        (f"modify #1: {B}", [B], ""),
        ("delete 1", [], ""),
        ("keep", [A], ""),
        ("keep 1", [A], ""),
        (f"add: {A.upper()}", [A], ""),
        ("", [A], ""),
        ("add: flap early", [A], "Condition -> Action -> Reason"),
        ("add: -> ... -> !", [A], "Condition -> Action -> Reason"),
        (f"add: {'very ' * 31} low -> flap -> so", [A], "at most 32 words, this one has 34"),
        (f"modify 7: {B}", [A], "there is no rule 7"),
        (f"modify: {B}", [A], "modify names 1 rules"),
        (f"merge 1: {B}", [A], "merge names 2 or more"),
        (f"merge 1, 1: {B}", [A], "merge names 2 or more"),
        ("delete 999999999999999999999", [A], "there is no rule"),
        ("what a day", [A], "no operation"),
        ('{"op": 5}', [A], "no operation"),
    ],
)
def test_rule_operations_apply_or_are_refused_with_reason(answer, rules, why):
    store = filled(A)
    refused = apply(answer, store, ("add", "modify", "merge", "delete", "keep"), 2)
    assert texts(store) == rules
    assert [why in r.why for r in refused] == ([True] if why else [])


def test_rule_changes_are_limited_and_no_ops_do_not_count():
    store = filled(A)
    answer = f"keep\nadd: {A}\nadd: a -> b -> c\nadd: d -> e -> f\nadd: g -> h -> i"
    (refused,) = apply(answer, store, ("add", "keep"), 2)
    assert texts(store) == [A, "a -> b -> c", "d -> e -> f"] and "g -> h" in refused.line


@pytest.mark.parametrize(
    "options", [{"reflect_every": 0}, {"updates": "two"}, {"max_rules": True}, {"reflect_evry": 3}]
)
async def test_a_wrong_setting_is_refused_with_its_name(options):
    with pytest.raises(UsageError, match=f"options.*{next(iter(options))}"):
        await played(learner(options=options), Fake(), *map(looking, range(1)))


async def test_what_was_learned_is_known_from_the_replies_alone():
    lessons = (f"add: case {n} -> do {n} -> so\nadd: a -> b -> c\nadd: too -> many -> now" for n in count())
    merges = (s for s in ("merge 1, 2: a -> d -> e", *["keep"] * 9))
    fake = Fake({"refine": lambda: "<think>add: x -> y -> z</think>" + next(lessons), "revise": lambda: next(merges)})
    kept: list[LoggedReply] = []

    agent = make_agent(learner(options={"reflect_every": 2}), role_context())
    for turn in range(7):
        await agent.act(looking(turn), logging(fake, kept, turn))
    shown = words(fake.of("")[-1]).partition("Rules that you have learned:\n")[2].splitlines()
    history = note_history(learner(options={"reflect_every": 2}).agent, kept)
    rules = {n.text for n in history if n.until is None}
    # The third line is one change too many the first time; later the second one changes nothing.
    learned = {"a -> d -> e", "a -> b -> c", "case 1 -> do 1 -> so", "case 2 -> do 2 -> so", "too -> many -> now"}
    assert rules == learned
    assert {line.partition(". ")[2] for line in shown if re.match(r"\d+\. ", line)} == rules
    assert note_history(learner().agent, []) == ()
