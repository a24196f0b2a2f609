"""State → score → progress → ending."""

import pytest

from gwray.catalog import Task, load_catalog
from gwray.errors import GameError
from gwray.evaluation import BestSoFar, active_tags, check_start, evaluate_step
from gwray.evaluation.scoring import progress


def task(**changes) -> Task:
    facts = {"id": "t", "instruction": "do it", "score": "game_state.score", "target": 10}
    return Task.model_validate(facts | changes)


def state(value: float = 0, outcome: str | None = None, **more) -> dict:
    terminal = {"isTerminal": outcome is not None, "outcome": outcome, "reason": None}
    return {"status": "playing", "terminal": terminal, "game_state": {"score": value, **more}}


@pytest.mark.parametrize(
    ("value", "start", "target", "expected"),
    [(0, 0, 10, 0), (5, 0, 10, 0.5), (25, 0, 10, 1), (-5, 0, 10, 0), (2, 1, 2, 1), (7, 10, 0, 0.3), (-1, 10, 0, 1)],
)
def test_progress_is_clipped(value, start, target, expected):
    assert progress(state(value), task(start=start, target=target)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("now", "left", "changes", "then", "by"),
    [
        (state(10, "fail"), 0, {}, "end", "target"),
        (state(3, "fail"), 5, {}, "reset", None),
        (state(3, "fail"), 5, {"reset_on_fail": False}, "end", "terminal"),
        (state(3, "fail"), 0, {}, "end", "budget"),
        (state(3), 0, {}, "end", "budget"),
        (state(3, "win"), 5, {"end": {"field": "terminal.isTerminal", "value": True}}, "end", "end_field"),
        (state(3, "quit"), 5, {}, "end", "terminal"),
        (state(3), 5, {}, "go on", None),
    ],
)
def test_endings_come_in_the_protocols_order(now, left, changes, then, by):
    verdict, _ = evaluate_step(now, task(**changes), left, BestSoFar())
    assert (verdict.then, verdict.ended_by) == (then, by)


@pytest.mark.parametrize(("value", "success"), [(3, False), (0, True), (-1, True)])
def test_target_below_start(value, success):
    verdict, standing = evaluate_step(state(value), task(start=10, target=0), 5, BestSoFar())
    assert (standing.success, verdict.ended_by) == (success, "target" if success else None)


def test_the_best_progress_survives_a_reset():
    _, standing = evaluate_step(state(6, "fail"), task(), 5, BestSoFar())
    _, standing = evaluate_step(state(2), task(), 4, standing)
    assert (standing.best, standing.best_score, standing.resets) == (0.6, 6, 1)


def holding(field: str):
    return goal(goal={"field": field, "is": True}).goal


NEWS = {"field": "game_state.items", "contains": "newspaper"}
MILESTONES = [
    {"name": "awake", "field": "game_state.awake", "is": True},
    {"name": "outside", "when": {"field": "game_state.x", "at_least": 5}, "hint": "Try the door."},
]


def goal(**changes) -> Task:
    return Task.model_validate({"id": "t", "instruction": "do it", "goal": NEWS} | changes)


def day(x: float = 0, awake: bool = False, items=(), **more) -> dict:
    return state(x, x=x, awake=awake, items=list(items), **more)


def play(task: Task, *states: dict, left: int = 9, **flags):
    standing, results = BestSoFar(), []
    for now in states:
        result, standing = evaluate_step(now, task, left, standing, **flags)
        results.append(result)
    return results, standing


def test_milestone_progress():
    """The goal is the last part, so all milestones without it are not everything."""
    results, standing = play(goal(milestones=MILESTONES), day(), day(awake=True), day(awake=False), day(6, awake=True))
    assert [r.progress for r in results] == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3])
    assert [r.milestones for r in results] == [(), ("awake",), (), ("outside",)]
    assert results[2].scores == {"": pytest.approx(1 / 3), "awake": 1, "outside": 0}
    assert not standing.success and standing.best == pytest.approx(2 / 3) and standing.best_score == 2


def test_a_milestone_that_is_the_goal_counts_once():
    """With `check: reply`, a goal that is undone by the end of the reply leaves the progress below 1."""
    task = goal(milestones=[*MILESTONES, {"name": "news", **NEWS}], check="reply")
    results, standing = play(task, day(6, awake=True), day(6, items=["newspaper"]), last_of_reply=False)
    assert [r.progress for r in results] == pytest.approx([2 / 3, 1])
    result, standing = evaluate_step(day(6), task, 5, standing)
    assert result.progress == standing.best == pytest.approx(2 / 3) and not standing.success


@pytest.mark.parametrize("library", ["gameworld", "harbor", "casebook", "parlor"])
def test_full_progress_needs_success(library):
    """All milestones and a full score, without the goal: progress stays below 1 in every task of every library."""
    catalog = load_catalog()
    tasks = [t for g in catalog.selected(f"library:{library}") for t in g.tasks]
    assert tasks
    for one in tasks:
        if one.goal is not None:
            # A goal that no state reaches; a milestone with the same predicate follows it.
            never = holding("never")
            milestones = [m.model_copy(update={"when": never} if m.when == one.goal else {}) for m in one.milestones]
            one = one.model_copy(update={"goal": never, "milestones": tuple(milestones)})
            assert progress({"never": False}, one, [m.name for m in milestones if m.when != never]) < 1, one.id
        elif one.milestones and one.target is None:
            assert progress({}, one, [m.name for m in one.milestones[1:]]) < 1, one.id


def test_uncapped_progress_continues_past_the_target():
    open_end = task(progress={"cap": None})
    results, standing = play(open_end, state(5), state(12), state(8))
    assert [r.progress for r in results] == [0.5, 1.2, 0.8] and {r.then for r in results} == {"go on"}
    assert (standing.best, standing.best_score, standing.success) == (1.2, 12, True)


def test_progress_is_a_share_of_the_maximum_where_a_lower_score_is_a_success():
    results, standing = play(task(progress={"cap": None, "maximum": 20}), state(5), state(12))
    assert [r.progress for r in results] == [0.25, 0.6] and standing.success
    casebook = {t.id: t.progress.maximum for g in load_catalog().selected("library:casebook") for t in g.tasks}
    assert casebook["c11_01"] == casebook["c12_01"] == 100


def test_last_progress():
    last = task(progress={"cap": None, "take": "last"})
    _, standing = play(last, state(5), state(12), state(8))
    assert (standing.best, standing.best_score, standing.success) == (0.8, 8, False)


def test_check_reply_ignores_targets_inside_a_reply():
    for check, success in (("action", True), ("reply", False)):
        checked = task(check=check)
        result, standing = evaluate_step(state(10), checked, 5, BestSoFar(), last_of_reply=False)
        assert (standing.success, result.then) == (success, "end" if success else "go on"), check
        if not success:
            result, standing = evaluate_step(state(4), checked, 4, standing)
            assert (standing.best, standing.success, result.then) == (0.4, False, "go on")


@pytest.mark.parametrize(("left", "outcome", "by"), [(0, None, "target"), (5, "fail", "target"), (5, "quit", "target")])
def test_early_end_of_a_reply_is_checked(left, outcome, by):
    result, standing = evaluate_step(state(10, outcome), task(check="reply"), left, BestSoFar(), last_of_reply=False)
    assert (result.ended_by, standing.success) == (by, True)


def test_finish_ends_the_episode():
    task = goal(finish=True)
    (result,), standing = play(task, day(items=["newspaper"]))
    assert (result.then, standing.success) == ("go on", True), "only the agent or the game ends it"
    for now, by in ((day(), "finish"), (day(items=["newspaper"]), "finish")):
        (result,), _ = play(task, now, finish=True)
        assert (result.then, result.ended_by) == ("end", by)
    (result,), _ = play(goal(), day(), finish=True)
    assert result.then == "go on", "a task that does not ask for it hears no done"


def test_end_predicate():
    task = goal(end={"all": [{"field": "game_state.x", "at_least": 3}, {"not": NEWS}]})
    assert [r.ended_by for r in play(task, day(2), day(3))[0]] == [None, "end_field"]


def test_solved_start_is_a_game_error():
    check_start(day(), goal(milestones=MILESTONES))
    with pytest.raises(GameError, match="task t is already solved at its start"):
        check_start(day(items=["newspaper"]), goal())
    with pytest.raises(GameError, match="milestone awake of task t is already reached"):
        check_start(day(awake=True), goal(milestones=MILESTONES))


def test_active_tags():
    task = goal(tags={"far": {"field": "game_state.x", "at_least": 5}, "home": {"field": "game_state.x", "is": 0}})
    assert (active_tags(day(), task), active_tags(day(7), task), active_tags(day(2), task)) == (("home",), ("far",), ())


def test_budget_in_steps_or_decisions():
    steps, decisions = task(budget={"steps": 6}), task(budget={"decisions": 6})
    assert (steps.remaining(5, 2), steps.budget, steps.steps_allowed(3)) == (1, 6, 6)
    assert (decisions.remaining(5, 2), decisions.budget, decisions.steps_allowed(3)) == (4, 6, 18)
    assert task(budget={"steps": 6}) == task(max_steps=6)
