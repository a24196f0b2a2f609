"""The knowledge judge: its questions, its scoring, and how a known case shows."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from judges.test_judging import files, pictures, question_text
from pipelines.conftest import play
from rich.console import Console
from shared_browser import run_async
from standin import Say, Standin

from gwray.catalog import load_catalog
from gwray.cli.judging import judge_episodes
from gwray.errors import UsageError
from gwray.judges import JudgeSpec, judge_run, read_judge, verify_judgements
from gwray.store import RunDir
from gwray.studies.flashadventure import knowledge
from gwray.studies.flashadventure.adventures import contamination_p
from gwray.studies.flashadventure.knowledge import Question, probe_results, read_truth, same_answer

ENDS_AT_ONCE = {"model": {"name": "scripted", "provider": "scripted", "options": {"finish_after": 0}}}
HERE = {**ENDS_AT_ONCE, "observation": {"text": True, "format": "none"}, "libraries": ""}


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """The published case of two games, one of them played by two, and a generated one of the first."""
    folder, games = tmp_path_factory.mktemp("played"), "c01_opal-eye,c09_second-light"
    another = {"model": {**ENDS_AT_ONCE["model"], "name": "another"}, "game": "c01_opal-eye"}
    jobs = [{**HERE, "game": games}, {**HERE, "game": "c01_opal-eye", "seed": 43}, {**HERE, **another}]
    assert run_async(play(folder, *jobs)).complete
    return folder / "run"


@pytest.fixture
def run(played, tmp_path) -> RunDir:
    shutil.copytree(played, tmp_path / "run")
    return RunDir.open(tmp_path / "run")


def probe(standin: Standin, name: str = "probe") -> JudgeSpec:
    model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}
    given = read_judge("probe", ["judge.model=scripted"]).model_dump()
    return JudgeSpec.model_validate({**given, "model": model, "name": name})


def well_read(wire: str, body: dict[str, Any], session: str) -> Say:
    """Has read the walkthrough of seed 42, and says the same of every other case."""
    text = question_text(body)
    if "- conclusion:" in text:
        return Say(text='{"answers": {"conclusion": "the button"}}')
    return Say(text='I remember.\n{"answers": {"thief": "Doctor Pym", "chest": 762}}')


async def test_contaminated_model_knows_the_published_case(run):
    before = files(run)
    with Standin() as standin:
        standin.answer = well_read
        done = await judge_run(run, probe(standin))
        assert not done.failed and files(run) == before
        answered = standin.answered
        assert {f.verdict for f in await verify_judgements(run)} == {"identical"} and standin.answered == answered
    seeds = {r.key: (r.game[:3], r.seed) for r in run.results()}
    assert {seeds[j.key]: j.labels for j in done.judgements} == {
        ("c01", 42): ("thief", "chest", "conclusion"), ("c01", 43): (), ("c09", 42): ()
    }  # fmt: skip
    found = {(k.game[:3], k.level, k.published): (k.right, k.asked) for k in probe_results(run)}
    assert found == {
        ("c01", "solution", True): (2, 2), ("c01", "solution", False): (0, 2), ("c01", "conclusion", True): (1, 1),
        ("c09", "solution", True): (0, 1),
    }  # fmt: skip


async def test_behavior_is_what_the_model_did_in_the_published_case(run, monkeypatch):
    """Behavior counts the milestones that a question names, in episodes with the judge's model."""
    judge = read_judge("probe", ["judge.model=scripted", "judge.model.name=another"])
    await judge_run(run, judge)
    for reached, right in (((), 0), (("button", "ledger"), 1), (("button", "solved"), 2)):
        monkeypatch.setattr(knowledge, "reached_milestones", lambda rows, reached=reached: frozenset(reached))
        assert [(k.game[:3], k.right, k.asked) for k in probe_results(run) if k.level == "behavior"] == [
            ("c01", right, 2)
        ]


def test_milestones_and_conclusions_fit_the_games():
    """A conclusion that the question's own text gives away would show nothing."""
    catalog = load_catalog()
    truth = read_truth(catalog.game("c01_opal-eye"))
    for name, given in truth.games.items() if truth else ():
        game = catalog.game(name)
        assert {q.milestone for q in given.solution.values()} <= {"", *(m.name for m in game.tasks[0].milestones)}
        if given.conclusion:
            told = f"{game.title} {game.tasks[0].instruction} {given.conclusion.ask}".lower()
            assert given.conclusion.answer.lower() not in told and len(given.conclusion.choices) >= 3


def test_missing_game_is_skipped_in_probe_results(run, monkeypatch):
    judge_episodes(run, "probe", ["judge.model=scripted"], Console(quiet=True), lanes=1, trusted=(), as_json=False)
    assert {k.game[:3] for k in probe_results(run)} == {"c01", "c09"}
    left = {name: game for name, game in load_catalog([]).games.items() if name != "c09_second-light"}
    monkeypatch.setattr(knowledge, "load_catalog", lambda _: SimpleNamespace(games=left))
    assert {k.game[:3] for k in probe_results(run)} == {"c01"}


def test_missing_state_field_names_its_file():
    with pytest.raises(
        UsageError, match=r"^/lib/truth\.yaml: the state has no field 'case\.thief' \('thief' is missing\)"
    ):
        Question(ask="Who?", field="case.thief").truth({"case": {}}, Path("/lib/truth.yaml"))


async def test_probe_reveals_no_answers(run):
    with Standin() as standin:
        standin.answer = well_read
        await judge_run(run, probe(standin))
        bodies = [s.body for s in standin.seen]
    assert len(bodies) == 4 and not any(pictures(b) or b.get("tools") for b in bodies)
    everything = [b["messages"][0]["content"] + question_text(b) for b in bodies]
    assert not any("762" in text or "choose_cell" in text for text in everything)
    assert [sum(f"case of seed {seed}" in text for text in everything) for seed in (42, 43)] == [2, 1]


async def test_case_is_probed_once(run):
    once = await judge_run(run, read_judge("probe", ["judge.model=scripted"]))
    assert len(run.results()) == 4 and len(once.judgements) == 3
    again = await judge_run(run, read_judge("probe", ["judge.model=scripted"]))
    assert again.judgements == once.judgements and len(run.judgements("probe")) == 3


async def test_malformed_probe_answer_is_wrong(run):
    with Standin() as standin:
        standin.answer = lambda wire, body, session: Say(text="I know it all: {")
        done = await judge_run(run, probe(standin))
    assert sum(j.malformed for j in done.judgements) == 4 and not any(j.labels for j in done.judgements)
    assert sum(k.asked for k in probe_results(run)) == 6


def test_probe_command_output(run):
    console = Console(file=(out := io.StringIO()), width=200)
    assert judge_episodes(run, "probe", ["judge.model=scripted"], console, lanes=1, trusted=(), as_json=False) == 0
    given = out.getvalue()
    assert "conclusions: 1 of 1 (100 %)" in given and "solutions of generated cases: 2 of 2 (100 %)" in given
    assert "p = 1 of" in given and run.judges() == ["probe-scripted"]


@pytest.mark.parametrize(
    ("given", "true", "right"),
    [
        ("The comet!", "comet", True),
        ("dyers door", "The Dyer’s Door", True),
        ("hare, fish, fox and owl", "hare, fish, fox, owl", True),
        (["hare", "fish"], "hare, fish", True),
        (24, "24", True),
        ("fish, hare", "hare, fish", False),
        ("Doctor Pym or Captain Rook", "Doctor Pym", False),
        ("", "comet", False),
        (None, "None", False),
        (True, "True", False),
        ({"a": 1}, "a 1", False),
    ],
)
def test_same_answer(given, true, right):
    assert same_answer(given, true) == right


def test_contamination_p():
    assert contamination_p((8, 10), (2, 40)) < 0.001 and contamination_p((2, 10), (8, 40)) > 0.5  # type: ignore[operator]
    assert contamination_p((0, 0), (2, 40)) is None and contamination_p((1, 1), (0, 0)) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("published: 42", "games"),
        ("published: 42\ngames: {gates: {conclusion: {ask: q}}}", "either `answer` or `field`"),
        ("published: 42\ngames: {gates: {ending: b}}", "ending"),
        ("published: 1\ngames: [", ":3: not valid YAML"),
        ("published: 1\ngames: {g: {conclusion: {ask: q, answer: a, choices: [b]}}}", "contain `answer`"),
    ],
)
def test_invalid_truth_file_is_refused(tmp_path, text, message):
    game = load_catalog([]).game("c01_opal-eye").model_copy(update={"folder": tmp_path / "gates"})
    assert read_truth(game) is None
    (tmp_path / "truth.yaml").write_text(text)
    with pytest.raises(UsageError, match=rf"(?s)truth\.yaml.*{message}"):
        read_truth(game)


@pytest.mark.slow
async def test_games_without_questions_are_refused(tmp_path):
    ended = await play(tmp_path, {"model": "noop"})
    done = await judge_run(ended.run, read_judge("probe", ["judge.model=scripted"]))
    (why,) = done.failed.values()
    assert "no questions about short-flight" in why and "truth.yaml" in why


@pytest.mark.slow
async def test_bundled_truths_match_first_states(tmp_path):
    ended = await play(tmp_path, {**HERE, "game": "library:casebook"})
    done = await judge_run(ended.run, read_judge("probe", ["judge.model=scripted"]))
    library = load_catalog([])
    truth = read_truth(library.game("c01_opal-eye"))
    assert truth is not None and len(done.judgements) == len(truth.games) >= 11 and not done.failed
    assert all(j.score == 1 for j in done.judgements)
    for record in ended.run.results():
        if record.game in truth.games:
            (row,) = ended.run.read_steps(record.key, images=False)
            questions, state = truth.games[record.game], json.loads(row.before)
            assert all(q.truth(state) in q.of.values() for q in questions.solution.values() if q.of)
