"""Judges on real runs: their inputs, their answers, and that they write only to `judgements/`."""

from __future__ import annotations

import asyncio
import io
import json
import pickle
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pipelines.conftest import play
from rich.console import Console
from shared_browser import run_async, viewer
from standin import Say, Standin

from gwray.cli.judging import judge_episodes
from gwray.cli.verification import find, show_findings
from gwray.errors import UsageError
from gwray.judges import (
    JudgeSpec,
    compare_judge,
    compare_judges,
    judge_labels,
    judge_run,
    read_judge,
    verify_judgements,
)
from gwray.pipelines.run import RunOutcome
from gwray.places import GAMES
from gwray.plugins.annotation.commands import annotate
from gwray.records import Judgement
from gwray.store import RunDir
from gwray.verification import Verification
from gwray.verification.replays import InlineReplays

pytestmark = pytest.mark.slow

FIELD = "metrics.distance"
JUDGED = """
    judge: {mode: single, budget: 1, score: gates that are behind the bird, tolerance: 0.5, say: Look at the top.}"""
"""How judges are to find out how far an episode got."""


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    """A bird that passes gates; who does nothing passes the first one, falls, and passes none in its last attempt."""
    root = tmp_path_factory.mktemp("library")
    folder = root / "gates"
    shutil.copytree(GAMES / "gameworld" / "13_flappy-bird", folder)
    text = (folder / "game.yaml").read_text().replace("id: 13_flappy-bird", "id: gates")
    gates = "".join(
        f'\n      - {{name: gate{n}, field: {FIELD}, at_least: {far}, text: "Gate {n} is behind the bird."}}'
        for n, far in ((1, 150), (2, 450), (3, 2000))
    )
    (folder / "game.yaml").write_text(
        re.sub(r"(\n    start: )", rf"\n    max_steps: 12{JUDGED}\n    milestones:{gates}\1", text)
    )
    return root


@pytest.fixture(scope="module")
def played(tmp_path_factory, library) -> RunOutcome:
    """An episode that passes gates, and one that passes none."""
    base = {"game": "gates", "task": "2", "libraries": str(library), "executor": {"name": "inline", "lanes": 1}}
    return run_async(play(tmp_path_factory.mktemp("run"), *({**base, "model": m} for m in ("scripted", "noop"))))


@pytest.fixture
def run(played, tmp_path) -> RunDir:
    """The run in a folder of this test's own."""
    shutil.copytree(played.run.local_path, tmp_path / "run")
    return RunDir.open(tmp_path / "run")


@pytest.fixture
def standin() -> Iterator[Standin]:
    with Standin() as server:
        yield server


def judge(name: str, *words: str) -> JudgeSpec:
    return read_judge(name, ["judge.model=scripted", *words])


def remote(standin: Standin, name: str, **changes: Any) -> JudgeSpec:
    """A judge behind a provider."""
    model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}
    return JudgeSpec.model_validate({**judge(name).model_dump(), "model": model, **changes})


def question_text(body: dict[str, Any]) -> str:
    return "\n".join(p["text"] for p in body["messages"][-1]["content"] if p["type"] == "text")


def pictures(body: dict[str, Any]) -> list[str]:
    return [p["image_url"]["url"] for p in body["messages"][-1]["content"] if p["type"] == "image_url"]


def truth(run: RunDir) -> dict[str, tuple[str, ...]]:
    """Milestones of the last attempt."""
    rows = {r.key: run.read_steps(r.key, images=False) for r in run.results()}
    return {
        k: tuple(m for row in steps if row.attempt == steps[-1].attempt for m in row.milestones)
        for k, steps in rows.items()
    }


def labels_by_key(judgements: tuple[Judgement, ...]) -> dict[str, tuple[str, ...]]:
    return {j.key: j.labels for j in judgements}


def files(run: RunDir) -> dict[str, bytes]:
    root = Path(run.url)
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()
            and "judgements" not in p.parts and p.name != "driver.lock"}  # fmt: skip


def answers(standin: Standin, say: Callable[[dict[str, Any]], str | None]) -> None:
    """Says that where the judge is asked, and flaps where it acts (`None` means a broken answer)."""

    def answer(wire: str, body: dict[str, Any], session: str) -> Say:
        return Say(calls=[("flap", {"reasoning": "Now."})]) if body.get("tools") else Say(text=say(body) or "…")

    standin.answer = answer


def seeing(run: RunDir, miscounts: int = 0) -> Callable[[dict[str, Any]], str]:
    """A judge that looks once before it says anything, and then knows gates behind the bird by its record."""
    best = max(len(names) for names in truth(run).values())

    def say(body: dict[str, Any]) -> str:
        statement = int(re.findall(r"Gate (\d)", question_text(body))[0])
        if '{"look"' in body["messages"][0]["content"] and "What you did to find out" not in question_text(body):
            return '{"look": "the score"}'
        return json.dumps({"reached": [1] if statement <= best - miscounts else []})

    return say


async def test_scripted_milestone_judge_agrees_with_states(run):
    before = files(run)
    for mode in ("sequential", "single"):
        spec = judge("milestones", f"judge.mode={mode}", f"judge.name={mode}")
        done = await judge_run(run, spec)
        assert labels_by_key(done.judgements) == truth(run) and done.failed == {}
        assert any(j.labels for j in done.judgements) and all(j.steps == 0 for j in done.judgements)
        agreement = compare_judge(run, spec, done.judgements)["state"]
        assert (agreement.episodes, agreement.exact, agreement.micro_f1) == (2, 1, 1)
    found = {(j.judge, j.kind, j.model, j.reference): j.agreement.exact for j in compare_judges(run)}
    assert found == {(mode, "milestones", "scripted", "state"): 1 for mode in ("sequential", "single")}
    calls = {j.key: j.calls for j in run.judgements("single")}
    assert set(calls.values()) == {1}
    assert [j.calls for j in run.judgements("sequential") if not j.labels] == [1], "it stops at the first unmet"
    assert files(run) == before, "judging changes nothing else"
    assert {f.verdict for f in await verify_judgements(run)} == {"identical"}


class Elsewhere(InlineReplays):
    """As in another process: what goes there is pickled."""

    played = 0

    async def start(self, job, items):
        await super().start(pickle.loads(pickle.dumps(job)), items)

    async def replay(self, item):
        self.played += 1
        return await super().replay(pickle.loads(pickle.dumps(item)))


async def test_milestone_judge_does_not_see_the_state(run, standin):
    answers(standin, seeing(run))
    spec = remote(standin, "milestones", budget=2, mode="sequential")
    before = files(run)
    done = await judge_run(run, spec, lanes=1)
    assert files(run) == before
    asked = [s.body for s in standin.seen]
    assert all(len(pictures(b)) == 1 for b in asked)
    everything = json.dumps([question_text(b) for b in asked])
    assert "Gate 1 is behind the bird" in everything
    assert not re.search(r"gate1|at_least|isTerminal|\"score\"", everything), "neither names nor predicates nor states"
    assert all(j.steps == 2 or j.calls <= 4 for j in done.judgements) and any(j.steps == 2 for j in done.judgements)
    answered, elsewhere = standin.answered, Elsewhere(2)
    found = await verify_judgements(run, executor=elsewhere)
    assert elsewhere.played == len(done.judgements) and {f.verdict for f in found} == {"identical"}
    assert standin.answered == answered
    assert (await judge_run(run, spec)).judgements == done.judgements and standin.answered == answered, "judged once"


async def test_task_decides_mode_budget_and_advice(run, standin):
    """The profile leaves the mode to the task: one question about all milestones, at most one step, with advice."""

    def say(body: dict[str, Any]) -> str:
        return '{"reached": []}' if "What you did" in question_text(body) else '{"look": "the score"}'

    answers(standin, say)
    done = await judge_run(run, remote(standin, "milestones"), lanes=1)
    assert all(j.steps == 1 and j.malformed == 0 for j in done.judgements)
    asked = [question_text(s.body) for s in standin.seen if not s.body.get("tools")]
    assert all(
        "1. Gate 1" in text and "3. Gate 3" in text and "In this game: Look at the top." in text for text in asked
    )


async def test_score_judge_has_the_accuracy_of_its_answers(run, standin):
    """A canned judge that is right within the tolerance for one of two episodes: half of the game is right."""
    scores = {
        r.key: json.loads(run.read_steps(r.key, images=False)[-1].state)["game_state"]["score"] for r in run.results()
    }
    assert len(set(scores.values())) == 2, "one episode passed gates"
    low = min(scores.values())
    answers(standin, lambda body: json.dumps({"score": low + 0.4}))
    spec = remote(standin, "score")
    done = await judge_run(run, spec)
    found = compare_judge(run, spec, done.judgements)["state"]
    assert (found.exact, found.by_game) == (0.5, {"gates": (1, 2)})
    assert all(j.labels == () and j.score == pytest.approx((low + 0.4) / 3) for j in done.judgements)
    scripted = judge("score", "judge.name=other")
    right = compare_judge(run, scripted, (await judge_run(run, scripted)).judgements)["state"]
    assert right.exact == 1
    assert {f.verdict for f in await verify_judgements(run)} == {"identical"}


async def test_agreement_finds_planted_errors(run, standin):
    answers(standin, seeing(run, miscounts=1))
    spec = remote(standin, "milestones", budget=0, mode="sequential")
    (good,) = (key for key, names in truth(run).items() if names)
    n = len(truth(run)[good])
    done = await judge_run(run, spec)
    agreement = compare_judge(run, spec, done.judgements)["state"]
    given = labels_by_key(done.judgements)
    assert given[good] == truth(run)[good][:-1]
    wrong = sum(given[key] != names for key, names in truth(run).items())
    assert agreement.exact == (2 - wrong) / 2 and agreement.confusion[f"{n / 3:.3g}", f"{(n - 1) / 3:.3g}"] == 1


async def test_killed_judge_resumes_from_its_log(run, standin):
    answers(standin, seeing(run))
    spec = remote(standin, "milestones", budget=1)
    complete = await judge_run(run, spec, lanes=1)
    asked = standin.answered
    kept = Path(run.url) / "judgements" / "milestones"
    first = complete.judgements[0].key
    log = kept / "replies" / f"{first}.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:2]) + lines[2][:9])
    (kept / "verdicts.jsonl").write_bytes(
        b"".join((kept / "verdicts.jsonl").read_bytes().splitlines(keepends=True)[1:])
    )
    findings = {f.key: f for f in await verify_judgements(run)}
    assert findings[f"judgements/milestones/{first}"].verdict == "skipped"
    again = await judge_run(run, spec, lanes=1)
    assert labels_by_key(again.judgements) == labels_by_key(complete.judgements)
    assert standin.answered == asked + len(lines) - 2, "nothing is asked twice"


async def test_verify_finds_changed_judgements(run, standin):
    answers(standin, lambda body: '{"labels": ["lost"]}')
    await judge_run(run, remote(standin, "failure", of="all"))
    folder = Path(run.url) / "judgements" / "failure"
    log = next((folder / "replies").iterdir())
    changes = {
        folder / "verdicts.jsonl": [('["lost"]', '["unaware_deadlock"]', False), ('"calls":1', '"calls":2', True)],
        log: [("lost", "execution_failure", True), ('"words_hash":"', '"words_hash":"0', False)],
        folder.with_suffix(".json"): [("Your Part Now", "Your Part", False)],
    }
    for file, each in changes.items():
        was = file.read_text()
        for old, new, shows_stored in each:
            assert old in was
            file.write_text(was.replace(old, new, 1))
            verdicts = [{f.verdict for f in await verify_judgements(run, stored=stored)} for stored in (True, False)]
            assert [bool(v & {"different", "error"}) for v in verdicts] == [shows_stored, True], (file, old)
            file.write_text(was)
    log.write_text("")
    how = {"stored": True, "sample": None, "trusted": (), "restart": False}
    found = await asyncio.to_thread(find, run, executor=InlineReplays(1), **how)
    assert any(f.key.startswith("judgements/") and not f.holds for f in found), "gwray verify covers them"


def test_judgements_do_not_count_as_verified_episodes(run):
    keys = list(truth(run))
    episodes = [Verification(key, "", "", "identical", pictures=True, browser="b") for key in keys]
    judged = [Verification(f"judgements/failure/{key}", "", "", "identical") for key in keys]
    shown = Console(file=io.StringIO(), width=200)
    replayed = run.digest()
    assert show_findings(run, [*episodes, *judged], shown, replayed=replayed, stored=False, as_json=False)
    text = shown.file.getvalue()
    assert "2 episodes replayed: 2 identical" in text and "screenshots compared in 2 of 2" in text
    assert "2 judgements replayed: 2 identical" in text
    assert not show_findings(run, judged, shown, replayed=replayed, stored=False, as_json=False), "no episode is proven"


async def test_failure_judge_sees_the_record_and_is_compared(run, standin):
    spec = remote(standin, "failure", pictures=3, of="all")
    answers(standin, lambda body: 'Well: {"labels": ["lost", "aware_deadlock"], "reasoning": "so"}')
    done = await judge_run(run, spec)
    assert {j.labels for j in done.judgements} == {("aware_deadlock", "lost")}, "in the profile's order"
    body = standin.seen[0].body
    assert (
        len(pictures(body)) == 3
        and "The last screen:" in question_text(body)
        and question_text(body).count("Decision") == 12
    )
    assert "aware_deadlock: it stands" in body["messages"][0]["content"]
    (Path(run.url) / "annotations.csv").write_text(
        "key,cause,failure\n" + "".join(f"{r.key[:9]},perception,{w}\n" for r, w in
                                         zip(run.results(), ("lost", "lost; aware_deadlock"), strict=True))
    )  # fmt: skip
    agreement = compare_judge(run, spec, done.judgements)["annotations"]
    assert (agreement.exact, agreement.jaccard) == (0.5, 0.75) and agreement.micro_f1 == pytest.approx(6 / 7)
    judged, people = judge_labels(run)
    assert (judged.by, people.by) == (spec.model.name, "people") and [*judged.vocabulary] == [*spec.labels]
    assert {k: {*v} for k, v in judged.labels.items()} == {r.key: {"lost", "aware_deadlock"} for r in run.results()}
    assert sorted(map(sorted, people.labels.values())) == [["aware_deadlock", "lost"], ["lost"]]
    (Path(run.url) / "annotations.csv").write_text(f"key,failure\n{run.results()[0].key},tired\n")
    with pytest.raises(UsageError, match=r"failure 'tired' .*unaware_deadlock"):
        compare_judge(run, spec, done.judgements)


def test_people_label_failures_without_a_judge(run):
    assert judge_labels(run) == []
    (Path(run.url) / "annotations.csv").write_text(f"key,failure\n{run.results()[0].key},lost\n")
    (people,) = judge_labels(run)
    assert (people.source, people.by) == ("failure", "people")
    assert people.labels == {run.results()[0].key: {"lost": None}}


async def test_label_verdicts_are_verified(run):
    await judge_run(run, judge("failure"))
    found = await verify_judgements(run)
    assert found and {f.verdict for f in found} == {"identical"}, found


async def test_picture_judge_compares_with_reference(run, tmp_path):
    task = run.results()[0].task
    (tmp_path / "references").mkdir()
    (tmp_path / "references" / f"{task}.jpg").write_bytes(run.read_meta(run.results()[0].key).final_frame or b"")
    spec = judge("picture", f"judge.reference={tmp_path / 'references'}")
    done = await judge_run(run, spec)
    assert [j.labels for j in done.judgements] == [("same",), ()]
    bare = await judge_run(run, judge("picture", "judge.name=bare"))
    assert len(bare.failed) == 2 and all("has no image" in why for why in bare.failed.values())
    named = judge("picture", "judge.name=bare", f"judge.reference={tmp_path / 'references'}")
    assert [j.labels for j in (await judge_run(run, named)).judgements] == [("same",), ()]


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("milestone", [], "judge 'milestone' .*milestones"),
        ("failure", [], "has no model"),
        ("failure", ["judge.model=gpt-9"], "model 'gpt-9'"),
        ("failure", ["judge.model=human"], "judge: a person judges in an annotations.csv"),
        ("failure", ["judge.model=random"], "the player 'random' cannot judge; judge.model=scripted"),
        ("failure", ["model=scripted"], "judge.NAME=VALUE"),
        ("failure", ["judge.modle=scripted"], "setting 'judge.modle' .*judge.model"),
        ("failure", ["judge.model=scripted", "judge.pictures=some"], "judge.pictures"),
        (
            "failure",
            ["judge.model=scripted", "judge.model.sampling.temperature=warm"],
            "judge.model.sampling.temperature",
        ),
    ],
)
def test_wrong_setting_is_refused(name, words, message):
    with pytest.raises(UsageError, match=message):
        read_judge(name, words)


async def test_judge_command_output(run, tmp_path):
    def printed(*words: str, judge: str = "picture") -> tuple[int, str]:
        out = Console(file=io.StringIO(), width=120)
        code = judge_episodes(
            run, judge, ["judge.model=scripted", *words], out, lanes=1, trusted=(), as_json=False
        )  # fmt: skip
        return code, out.file.getvalue()  # type: ignore[attr-defined]

    record = run.results()[0]
    (tmp_path / f"{record.task}.jpg").write_bytes(run.read_meta(record.key).final_frame or b"")
    code, text = await asyncio.to_thread(printed, f"judge.reference={tmp_path}")
    assert code == 0 and f"{record.key}: same" in text and "2 episodes judged, 2 questions" in text
    assert re.search(r"state +│ +2 │ +50 \(1 – 99\)", text) and "state: none judged as same: 1" in text
    assert (await asyncio.to_thread(printed, "judge.name=bare"))[0] == 1
    scores = (await asyncio.to_thread(printed, judge="score"))[1]
    assert re.search(rf"{record.key}: \d+ %\n", scores), "a score has no labels"


async def test_people_label_a_sample_on_a_page(run):
    """The page shows the record without verdict or model, and saves the file that the judge is compared with."""
    words, out = ["judge.model=scripted", "judge.of=all"], Console(file=io.StringIO(), width=200)

    def judged() -> int:
        return judge_episodes(run, "failure", words, out, lanes=1, trusted=(), as_json=False)

    assert await asyncio.to_thread(judged) == 0
    await asyncio.to_thread(annotate, run.url, "failure")
    page_file = Path(run.url) / "annotate-failure.html"
    page = await (await viewer()).new_page()
    errors: list[str] = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    await page.goto(page_file.as_uri())
    assert await page.locator("section").count() == 2
    assert await page.locator("section >> nth=0 >> img").count() > 2
    assert not [r.model for r in run.results() if r.model in await page.content()]
    await page.get_by_label("none of these").first.check()
    assert await page.get_by_label("lost").first.is_disabled()
    await page.get_by_label("unaware deadlock").last.check()
    await page.get_by_label("execution failure").last.check()
    assert await page.get_by_label("lost").last.is_disabled(), "at most two"
    await page.reload()
    assert await page.locator("#done").text_content() == "2 of 2 labelled", "kept in the browser"
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Save").click()
    await (await download.value).save_as(Path(run.url) / "annotations.csv")
    await page.close()
    (people,) = [found for found in judge_labels(run) if found.by == "people"]
    assert sorted(map(sorted, people.labels.values())) == [[], ["execution_failure", "unaware_deadlock"]]
    assert await asyncio.to_thread(judged) == 0
    assert "annotations" in out.file.getvalue() and not errors  # type: ignore[attr-defined]
