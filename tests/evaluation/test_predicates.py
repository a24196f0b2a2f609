"""The language of goals: what holds, what is a mistake, and that the game's page agrees."""

import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.async_api import async_playwright
from pydantic import TypeAdapter, ValidationError

from gwray.catalog import Task, read_game
from gwray.catalog.predicates import Predicate
from gwray.errors import GameError
from gwray.evaluation import BestSoFar, evaluate_step, holds
from gwray.plugins.authoring.lab import LAB_JS, rules
from gwray.records import non_defaults
from gwray.sandbox import find_browser

READ = TypeAdapter(Predicate).validate_python
STATE = {"items": {"newspaper": True, "lamp": 1}, "player": {"x": 4, "bag": ["key", 2]}, "status": "at the pier"}


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ({"field": "items.newspaper", "is": True}, True),
        ({"field": "items.lamp", "is": True}, False),
        ({"field": "items.lamp", "is": 1.0}, True),
        ({"field": "player.bag", "is": ["key", 2]}, True),
        ({"field": "player.x", "between": [3, 5]}, True),
        ({"field": "player.x", "between": [4, 4]}, True),
        ({"field": "player.x", "at_least": 4}, True),
        ({"field": "player.x", "at_most": 3.9}, False),
        ({"field": "status", "one_of": ["at home", "at the pier"]}, True),
        ({"field": "player.bag", "contains": "key"}, True),
        ({"field": "player.bag", "contains": True}, False),
        ({"field": "items", "contains": "lamp"}, True),
        ({"field": "status", "contains": "pier"}, True),
        ({"field": "player.hat", "exists": False}, True),
        ({"field": "player.bag", "exists": True}, True),
        ({"not": {"field": "player.x", "is": 4}}, False),
        ({"any": [{"field": "player.x", "is": 4}, {"field": "no.such", "is": 1}]}, True),
        ({"all": [{"field": "player.hat", "exists": True}, {"field": "player.hat", "is": "red"}]}, False),
    ],
)
def test_predicates(predicate, expected):
    assert holds(READ(predicate), STATE) is expected


def test_missing_field_is_named():
    with pytest.raises(GameError, match=r"'items.hat' is missing: items has newspaper, lamp"):
        holds(READ({"field": "items.hat", "is": True}), STATE)


@pytest.mark.parametrize("operator", [{"at_least": 1}, {"at_most": 1}, {"between": [0, 1]}, {"contains": 1}])
def test_unsupported_type_is_an_error(operator):
    with pytest.raises(GameError, match="status"):
        holds(READ({"field": "status", **operator}), STATE)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"field": "a"}, "exactly one of is, one_of, .*; found none among field"),
        ({"field": "a", "is": 1, "at_least": 1}, "exactly one of .*; found is and at_least"),
        ({"field": "a", "between": [5, 3]}, "give the smaller bound first"),
        ({"field": "a", "at_least": "3"}, "valid number"),
        ({"field": "a", "at_least": math.nan}, "finite"),
        ({"all": []}, "empty"),
        ("a > 3", "a predicate is a mapping such as"),
    ],
)
def test_invalid_predicate_is_explained(wrong, message):
    with pytest.raises(ValidationError, match=message):
        READ(wrong)


def test_predicate_descriptions_are_distinct():
    one = {"field": "a", "value": True}
    field = [{"field": "a", o: v} for o, v in (("is", True), ("exists", True), ("contains", True), ("one_of", [True]))]
    numbers = [{"field": "a", "at_least": 1}, {"field": "a", "at_most": 1}, {"field": "a", "is": 1}]
    several = [{"all": [numbers[0]]}, {"any": [numbers[0]]}, {"not": numbers[0]}]
    dumped = [json.dumps(non_defaults(READ(p)), sort_keys=True) for p in (*field, *numbers, *several)]
    assert len({*dumped, json.dumps(one, sort_keys=True)}) == len(dumped) + 1


def test_invalid_predicate_is_located_in_game_yaml(tmp_path):
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "index.html").write_text("")
    (folder / "game.yaml").write_text(
        """\
id: odd
title: Odd
genre: puzzle
level: 1
summary: s
rules: r
roles: [{name: p, description: d, controls: [{id: wait, description: d, wait: true}]}]
tasks:
  - id: t
    instruction: i
    goal:
      all:
        - {field: a, is: 1}
        - not:
            field: b
            at_least: soon
"""
    )
    with pytest.raises(GameError) as caught:
        read_game(folder / "game.yaml")
    assert str(caught.value) == (
        f"{folder}/game.yaml:16: tasks.0.goal.all.1.not.at_least: must be a number (given: 'soon')"
    )


FIELDS = st.sampled_from(["a", "b", "c.d", "c.e", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from([0.5, -1.5]) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)
NUMBERS = st.integers(-3, 3) | st.sampled_from([0.5, -1.5])
PREDICATES = st.recursive(
    st.one_of(
        st.builds(lambda f, v: {"field": f, "is": v}, FIELDS, VALUES),
        st.builds(lambda f, v: {"field": f, "one_of": v}, FIELDS, st.lists(VALUES, min_size=1, max_size=3)),
        st.builds(lambda f, v: {"field": f, "contains": v}, FIELDS, VALUES),
        st.builds(lambda f, v: {"field": f, "exists": v}, FIELDS, st.booleans()),
        st.builds(lambda f, v: {"field": f, "between": sorted(v)}, FIELDS, st.tuples(NUMBERS, NUMBERS)),
        st.builds(lambda f, o, v: {"field": f, o: v}, FIELDS, st.sampled_from(["at_least", "at_most"]), NUMBERS),
    ),
    lambda inner: st.one_of(
        st.builds(lambda k, v: {k: v}, st.sampled_from(["all", "any"]), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda v: {"not": v}, inner),
    ),
    max_leaves=5,
)
STATES = st.fixed_dictionaries(
    {
        "score": st.integers(-2, 6),
        "terminal": st.sampled_from(
            [{"isTerminal": False, "outcome": None}] * 3 + [{"isTerminal": True, "outcome": o} for o in ("fail", "win")]
        ),
    },
    optional={
        "a": VALUES, "b": VALUES, "c": st.fixed_dictionaries({}, optional={"d": VALUES, "e": VALUES}) | VALUES,
    },
)  # fmt: skip
PASSED_BY = {"field": "score", "at_least": 5}
TASKS = st.one_of(
    st.builds(
        lambda n: {"goal": {"field": "score", "at_least": n}, "milestones": [{"name": "m", **PASSED_BY}]},
        st.integers(1, 4),
    ),
    st.builds(lambda goal: {"goal": goal}, PREDICATES),
    st.builds(
        lambda start, cap, rule: {"score": {"field": "score", "cap": cap}, "start": start, "target": 4} | rule,
        st.integers(-2, 3), st.none() | st.integers(4, 5),
        st.sampled_from([{}, {"progress": {"cap": None}}, {"progress": {"cap": None, "take": "last"}}]),
    ),
    st.builds(
        lambda ms, more: {"milestones": [{"name": f"m{i}", "when": m} for i, m in enumerate(ms)], **more},
        st.lists(PREDICATES, min_size=1, max_size=3), st.sampled_from([{}, {"score": "score", "target": 4}]),
    ),
)  # fmt: skip


@given(PREDICATES, STATES)
@settings(max_examples=300, deadline=None)
def test_not_negates_and_predicates_round_trip(predicate, state):
    read = READ(predicate)
    assert READ(read.model_dump(mode="json", by_alias=True)) == read
    try:
        answer = holds(read, state)
    except GameError:
        with pytest.raises(GameError):
            holds(READ({"not": predicate}), state)
    else:
        assert holds(READ({"not": predicate}), state) is not answer


@pytest.mark.slow
async def test_page_scoring_equals_python():
    fail = {"isTerminal": True, "outcome": "fail"}
    going = {"isTerminal": False, "outcome": None}
    uncapped = {"id": "t", "instruction": "i", "score": "score", "target": 4, "progress": {"cap": None}}
    cases: list[tuple[dict, list]] = [
        (uncapped, [{"score": 2, "terminal": fail}, {"score": 6, "terminal": going}, {"score": 1, "terminal": going}]),
        ({**uncapped, "progress": {}}, [{"score": 4, "terminal": fail}]),
        (uncapped, [{"score": None, "terminal": going}]),
    ]

    @given(TASKS, st.none() | PREDICATES, st.lists(STATES, min_size=1, max_size=4))
    @settings(max_examples=300, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    def collect(task, end, states):
        cases.append(({"id": "t", "instruction": "i", "end": end, **task}, states))

    collect()
    expected = [in_python(Task.model_validate(task), states) for task, states in cases]
    assert expected[:3] == [
        {"success": True, "progress": 1.5, "steps": 3, "resets": 1},
        {"success": True, "progress": 1.0, "steps": 1, "resets": 0},
        None,
    ]
    script = f"""cases => {{ {LAB_JS}
      return cases.map(([task, states]) => {{
        let i = 0;
        const lab = {{ reset() {{}}, restore() {{}}, snapshot: () => ({{}}), run: () => states[i++] }};
        try {{ return playEpisode(lab, task, 1, states); }} catch {{ return null; }}
      }}); }}"""
    async with async_playwright() as p:
        browser = await p.chromium.launch(executable_path=find_browser().path)
        page = await browser.new_page()
        found = await page.evaluate(script, [[rules(Task.model_validate(task)), states] for task, states in cases])
        await browser.close()
    for case, there, here in zip(cases, found, expected, strict=True):
        assert there == here, case


def in_python(task: Task, states: list) -> dict | None:
    standing = BestSoFar()
    for step, state in enumerate(states, 1):
        try:
            result, standing = evaluate_step(state, task, len(states) - step, standing)
        except GameError:
            return None
        if result.then == "end":
            break
    return {"success": standing.success, "progress": standing.best, "steps": step, "resets": standing.resets}
