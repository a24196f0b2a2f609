"""Nudges are due by a rule over the rows so far."""

import json

import pytest
import yaml

from gwray.catalog import Game, Task
from gwray.errors import UsageError
from gwray.evaluation import check_nudge, nudge
from gwray.evaluation.nudges import NudgeEffect
from gwray.places import CONF
from gwray.records import StepRecord
from gwray.settings import NudgeSpec

TASK = Task.model_validate(
    {
        "id": "t",
        "instruction": "go",
        "milestones": [
            {"name": "one", "field": "n", "at_least": 1, "hint": "Open the door."},
            {"name": "two", "field": "n", "at_least": 2},
        ],
    }
)
GAME = Game.model_validate(
    {
        "id": "g", "title": "G", "genre": "puzzle", "level": 1, "summary": "s", "rules": "r",
        "motion": {"position": ["x", "room"], "controls": ["forward", "back"], "eps": 0.1},
        "roles": [
            {
                "name": "p", "description": "d", "keys": ["w", "s", "a"],
                "controls": [
                    {"id": "forward", "description": "d", "press": "w"},
                    {"id": "back", "description": "d", "press": "s"},
                    {"id": "press", "description": "d", "press": "a"},
                ],
            }
        ],
        "tasks": [TASK.model_dump(mode="json", by_alias=True)],
    }
)  # fmt: skip
(WALK,) = GAME.tasks
BACK = NudgeSpec(when="ineffective", count=3, force=("back",))


def rows(*turns: str, start: str | None = "0", role: str = "p") -> list[StepRecord]:
    """Turns as `control x`: `!` before it is a forced row, `*` after it a reset, `+name` a milestone."""
    out: list[StepRecord] = []
    attempt = 0
    for step, turn in enumerate(turns):
        control, x, *more = turn.split()
        first = not out or out[-1].reset
        out.append(
            StepRecord(
                step=step,
                decision=step,
                attempt=attempt,
                role=role,
                control=control.lstrip("!"),
                forced=control.startswith("!"),
                before=state(start) if first and start is not None else "",
                state=state(x),
                reset="*" in more,
                milestones=tuple(m[1:] for m in more if m.startswith("+")),
            )
        )
        attempt += "*" in more
    return out


def state(x: str) -> str:
    return json.dumps({"x": float(x), "room": "hall"})


def pushed(*turns: str, **more) -> bool:
    return nudge(BACK, rows(*turns, **more), WALK, "p") is not None


def test_third_ineffective_move_triggers_the_nudge():
    assert not pushed()
    assert not pushed("forward 0", "forward 0")
    assert pushed("forward 0", "forward 0", "forward 0")
    assert pushed("forward 1", "forward 1", "forward 1.05", "forward 1.05")
    assert nudge(BACK, rows(*["forward 0"] * 3), WALK, "p") == NudgeEffect("", ("back",))


def test_forced_rows_do_not_trigger_a_nudge():
    stuck = ["forward 0"] * 3
    assert not pushed(*stuck, "!back 0")
    assert pushed(*stuck, "!back 0", "forward 0")
    assert not pushed(*stuck, "!back -1", "forward -1")
    assert not pushed(*stuck, "!back -1", "forward 0", "forward 0", "forward 0")
    assert pushed(*stuck, "!back -1", "forward 0", "forward 0", "forward 0", "forward 0")


def test_reply_of_several_actions_is_one_decision():
    several = [
        r.model_copy(update={"decision": i // 2, "index": i % 2})
        for i, r in enumerate(rows(*["forward 1", "back 0"] * 3))
    ]
    assert nudge(BACK, several, WALK, "p")
    assert not nudge(BACK, several[:-1], WALK, "p"), "the last reply has moved on"


def test_hints_until_all_milestones_are_reached():
    hint = NudgeSpec(when="no_milestone", count=3, say="A hint: {hint}")
    steps = ["forward 0"] * 7
    due = [n for n in range(8) if nudge(hint, rows(*steps[:n]), WALK, "p")]
    assert due == [3, 6]
    assert nudge(hint, rows(*steps[:3]), WALK, "p") == NudgeEffect("A hint: Open the door.", ())
    assert not nudge(hint, rows("forward 0 +one", *steps[:3]), WALK, "p"), "the second milestone has no hint"
    late = [n for n in range(8) if nudge(hint, rows("press 0", "press 0", "press 0 +x", *steps)[: 3 + n], WALK, "p")]
    assert late == [3, 6]


def test_hint_names_a_field_of_the_state():
    task = WALK.model_copy(update={"milestones": (WALK.milestones[0].model_copy(update={"hint": "Go from {x}."}),)})
    hint = NudgeSpec(when="every", count=1, say="{hint}")
    assert nudge(hint, rows("forward 4"), task, "p").say == "Go from 4.0."


def test_every_counts_own_decisions():
    every = NudgeSpec(when="every", count=2, say="Look.", force=("back",))
    assert nudge(every, rows("press 0", "press 0"), WALK, "p")
    assert not nudge(every, rows("press 0", "press 0", "!back 0"), WALK, "p")
    assert not nudge(every, rows("press 0", "press 0", "!back 0", "press 0"), WALK, "p")
    assert nudge(every, rows("press 0", "press 0", "!back 0", "press 0", "press 0"), WALK, "p")


def test_nudge_without_effect_is_refused():
    check_nudge(BACK, GAME, GAME.roles[0])
    with pytest.raises(UsageError, match=r"'jump' does not exist.*Allowed: forward, back, press"):
        check_nudge(NudgeSpec(when="every", force=("jump",)), GAME, GAME.roles[0])
    still = GAME.model_copy(update={"motion": None})
    with pytest.raises(UsageError, match=r"g does not define movement.*nudge=none"):
        check_nudge(BACK, still, GAME.roles[0])
    aimless = GAME.model_copy(update={"tasks": tuple(t.model_copy(update={"milestones": ()}) for t in GAME.tasks)})
    with pytest.raises(UsageError, match=r"no task of g has milestones.*nudge.when=every"):
        check_nudge(NudgeSpec(when="no_milestone", say="On."), aimless, GAME.roles[0])
    hint = NudgeSpec(when="every", say="Hint: {hint}")
    check_nudge(hint, GAME, GAME.roles[0])
    with pytest.raises(UsageError, match=r"no milestone of g has a hint"):
        check_nudge(hint, aimless, GAME.roles[0])
    with pytest.raises(UsageError, match=r"nudge.say has the unknown placeholder {hints}.*Allowed: {hint}"):
        check_nudge(NudgeSpec(when="every", say="{hints}"), GAME, GAME.roles[0])


@pytest.mark.parametrize("words", [{"when": "every"}, {"say": "x"}, {"force": ["a"]}, {"when": "every", "count": 0}])
def test_incomplete_nudge_is_refused(words):
    with pytest.raises(ValueError):
        NudgeSpec.model_validate(words)


def test_bundled_nudges_are_valid():
    files = {f.stem: NudgeSpec.model_validate(yaml.safe_load(f.read_text())) for f in (CONF / "nudge").glob("*.yaml")}
    assert {n: f.when for n, f in files.items()} == {
        "none": None, "tell": "ineffective", "back": "ineffective", "back_rotate": "ineffective",
        "hints_stalled": "no_milestone", "hints_periodic": "every",
    }  # fmt: skip
    assert len(files["back"].force) == 3 == len(files["back_rotate"].force) and files["none"] == NudgeSpec()
