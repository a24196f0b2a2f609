"""An interrupted verification resumes, and repeats what has changed since."""

import contextlib
import io
import json
import shutil
from pathlib import Path

import pytest
from pipelines.conftest import play
from rich.console import Console
from shared_browser import run_async

from gwray.cli import runs as commands
from gwray.store import RunDir, read_seal, seal_run
from gwray.verification import (
    InlineReplays,
    ResumeCache,
    Verification,
    cache_path,
    episode_specs,
    rescore_run,
    resume_cache,
    verify,
    verify_run,
)

pytestmark = pytest.mark.slow


class Interrupted(Exception):
    """Stands in for Ctrl-C in the middle of a job."""


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory) -> tuple[Path, bytes]:
    """A run of three episodes, and the cache of a verification that was interrupted after two of them."""
    folder = tmp_path_factory.mktemp("interrupted")
    run = run_async(play(folder, {"game": "short-sums", "task": "1,2,3", "model": "noop"})).run
    resume = ResumeCache(folder / "cache.jsonl")
    assert not verified(run, resume, stop_after=2)[0]
    return run.local_path, resume.path.read_bytes()


@pytest.fixture
def resume(tmp_path, monkeypatch, interrupted) -> ResumeCache:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    resume = ResumeCache(cache_path("verifying", str(tmp_path / "run"), str(None)))
    resume.path.parent.mkdir(parents=True)
    resume.path.write_bytes(interrupted[1])
    return resume


@pytest.fixture
def run(tmp_path, interrupted) -> RunDir:
    return RunDir.open(str(shutil.copytree(interrupted[0], tmp_path / "run")))


def verified(
    run: RunDir, resume: ResumeCache, stop_after: int = 99, executor: InlineReplays | None = None
) -> tuple[set[str], list[str], list[Verification]]:
    """Returns cached keys, replayed keys and all findings."""
    cached, played, found = set(), [], []

    def on_finding(one: Verification) -> None:
        played.append(one.key)
        if len(played) == stop_after:
            raise Interrupted

    how = {"executor": executor or InlineReplays(1), "on_finding": on_finding, "resume": resume}
    with contextlib.suppress(Interrupted):
        found = run_async(verify_run(run, **how, on_cached=lambda c: cached.update(v.key for v in c)))
    return cached, played, found


def test_resume_replays_only_the_rest(run, resume):
    keys = [r.key for r in run.results()]
    cached, played, found = verified(run, resume)
    assert len(cached) == 2 and sorted([*cached, *played]) == sorted(keys)
    assert [f.key for f in found] == keys and {f.verdict for f in found} == {"identical"}
    assert not resume.path.exists(), "a complete verification leaves nothing: the next one starts over"


def test_changed_inputs_are_replayed(run, resume, monkeypatch):
    lines = {r.key: [r] for r in run.results()}

    def cached(trusted: tuple[str, ...] = ()) -> set[str]:
        records = {r.key: [r] for r in run.results()}
        specs = {k: s for k, s in planned.items() if k in records}
        library = verify.load_catalog(run.manifest().libraries)
        items = {k: (specs[k], records[k]) for k in specs}
        return set(verify._cached(resume, items, verify.InputDigest(run, planned, library, trusted)))

    planned = episode_specs(run)
    one, other = cached()
    assert cached(trusted=("my_agent.Agent",)) == set(), "other trusted code"
    with monkeypatch.context() as patch:
        patch.setattr(verify, "game_digest", lambda game: "other rules")
        assert cached() == set(), "other game files or rules"
    dropped = next(key for key in planned if key not in (one, other))
    spec = planned.pop(dropped)
    assert cached() == set(), "fewer episodes in the plan"
    planned[dropped] = spec
    log = run.local_path / "replies" / f"{one}.jsonl"
    replies = log.read_bytes()
    log.write_bytes(replies.replace(b'"latency_ms":', b'"latency_ms": ', 1))
    assert cached() == {other}, "other replies"
    log.write_bytes(replies)
    assert cached() == {one, other}
    true = [record for of_key in lines.values() for record in of_key]
    run.rewrite_results([r.model_copy(update={"score": 77.0}) if r.key == other else r for r in true])
    assert cached() == {one}, "another result"
    run.rewrite_results(true)
    (run.local_path / "episodes" / f"{one}.parquet").open("ab").write(b" ")
    assert cached() == {other}, "other steps"
    (run.local_path / "episodes" / f"{other}.parquet").unlink()
    assert cached() == set(), "steps are missing"


def test_changed_plan_or_code_is_replayed(run, resume, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(resume_cache, "code_hash", lambda: "another version")
        assert not verified(run, resume, stop_after=1)[0]
    manifest = run.manifest()
    run.write_manifest(manifest.model_copy(update={"name": "another"}))
    assert not verified(run, resume, stop_after=1)[0]


def test_damaged_and_foreign_lines_are_ignored(run, resume):
    first, second = (json.loads(line) for line in resume.path.read_bytes().split(b"\n") if line)
    failed = [*first[:2], {**first[2], "verdict": "different"}]
    swapped = [first[0], second[1], first[2]]
    lines = [*map(json.dumps, (failed, swapped)), "[1, 2]", "{", "[" * 200_000, "\xff", json.dumps(second)]
    resume.path.write_bytes("\n".join([*lines, lines[-1][:40]]).encode("latin-1"))
    cached, played, found = verified(run, resume, stop_after=1)
    assert cached == {second[2]["key"]} and len(played) == 1
    cached, played, found = verified(run, resume)
    assert len(cached) == 2 and len(played) == 1 and len(found) == 3


def test_unwritable_cache_is_reported_and_ignored(run, tmp_path):
    (tmp_path / "flat").write_text("")
    resume = ResumeCache(tmp_path / "flat" / "cache.jsonl")
    cached, played, found = verified(run, resume)
    assert not cached and len(played) == len(found) == 3 and str(resume.path) in resume.error


def test_episode_that_changes_while_replayed_is_not_cached(run, tmp_path):
    class Meddler(InlineReplays):
        async def replay(self, item):
            found = await super().replay(item)
            file = run.local_path / "replies" / f"{item[0].key}.jsonl"
            file.write_bytes(file.read_bytes().replace(b'"latency_ms":', b'"latency_ms": ', 1))
            return found

    resume = ResumeCache(tmp_path / "cache.jsonl")
    verified(run, resume, stop_after=1, executor=Meddler(1))
    assert not resume.path.exists()


def test_verify_command_resumes_and_restarts(run, resume, interrupted, monkeypatch, capsys):
    output = io.StringIO()
    monkeypatch.setattr(commands, "console", Console(file=output, width=200))
    monkeypatch.setenv("COLUMNS", "200")
    commands.verify(run.url, executor="inline")
    assert "resumed: 2 episodes already verified; --restart verifies them again" in capsys.readouterr().err
    assert "3 episodes replayed: 3 identical" in output.getvalue()
    resume.path.write_bytes(interrupted[1])
    commands.verify(run.url, executor="inline", restart=True)
    assert "resumed" not in capsys.readouterr().err and not resume.path.exists()


def test_rescore_killed_before_or_after_results_starts_over(run, monkeypatch):
    """The second rescoring gives the result of an undisturbed one; a run is never left with a wrong seal."""
    true = run.results()
    wrong = [r.model_copy(update={"success": True, "ended_by": "target"}) for r in true]
    for record in wrong:
        episode = run.read_episode(record.key)
        run.write_episode(record.key, episode.steps, episode.meta.model_copy(update={"record": record}))
    run.rewrite_results(wrong)
    seal_run(run)
    rewrite = RunDir.rewrite_results
    for after in (False, True):
        killed = RunDir.open(str(shutil.copytree(run.local_path, run.local_path.parent / f"killed-{after}")))

        def dies(run, records, after=after) -> None:
            if after:
                rewrite(run, records)
            raise Interrupted

        with monkeypatch.context() as patch, pytest.raises(Interrupted):
            patch.setattr(RunDir, "rewrite_results", dies)
            run_async(rescore_run(killed))
        assert not read_seal(killed).broken and len(run_async(rescore_run(killed))) == 3
        assert killed.results() == true == [killed.read_meta(r.key).record for r in true]
    run_async(rescore_run(run))
    assert run.results() == true and read_seal(run).recorded and not read_seal(run).broken
