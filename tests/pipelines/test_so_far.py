"""A verification that was broken off goes on where it was, and believes nothing that has changed since."""

import asyncio
import contextlib
import io

import pytest
from rich.console import Console

from gwray.catalog import load_catalog
from gwray.cli import runs as commands
from gwray.pipelines import Verification, begin_anew, episode_specs, so_far, verify_run
from gwray.pipelines.so_far import SoFar, file_of
from gwray.store import RunDir
from pipelines.conftest import play, short_library


class Broken(Exception):
    """As Ctrl-C does, in the middle."""


@pytest.fixture
def run(tmp_path, monkeypatch) -> RunDir:
    """Three episodes, of which two were found to hold before it was broken off."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run = asyncio.run(play(tmp_path, {"game": "short-sums", "task": "1,2,3", "model": "noop"})).run
    assert run.id and not list(verified(run, stop_after=2)[0])
    return run


def verified(run: RunDir, stop_after: int = 99) -> tuple[list[str], list[str], list[Verification]]:
    """Keys that held before, keys that were played, and what came of all."""
    before, played, found = [], [], []

    def on_finding(one: Verification) -> None:
        played.append(one.key)
        if len(played) == stop_after:
            raise Broken

    with contextlib.suppress(Broken):
        found = asyncio.run(
            verify_run(run, on_finding=on_finding, on_resumed=lambda held: before.extend(one.key for one in held))
        )
    return before, played, found


def test_it_goes_on_and_the_next_one_begins_anew(run):
    keys = [r.key for r in run.results()]
    before, played, found = verified(run)
    assert len(before) == 2 and sorted(before + played) == sorted(keys)
    assert [f.key for f in found] == keys and {f.verdict for f in found} == {"identical"}
    assert not file_of(run).exists()
    assert sorted(verified(run)[1]) == sorted(keys)


def test_what_has_changed_since_is_played_again(run):
    def held() -> set[str]:
        records = {r.key: r for r in run.results()}
        library = load_catalog([short_library()])
        specs = {s.key: s for s in episode_specs(run).values()}
        return {f.key for f in SoFar(run, library, [(specs[k], [r]) for k, r in records.items()]).read()}

    one, other = held()
    path = run.local_path / "replies" / f"{one}.jsonl"
    reply = path.read_bytes()
    path.write_bytes(reply.replace(b'"latency_ms":', b'"latency_ms": ', 1))
    assert held() == {other}, "its replies are not those that were played"
    path.write_bytes(reply)
    assert held() == {one, other}
    records = run.results()
    run.rewrite_results([r.model_copy(update={"score": 77.0}) if r.key == other else r for r in records])
    assert held() == {one}, "its result is another"
    run.rewrite_results(records)
    manifest = run.manifest()
    run.write_manifest({**manifest, "name": "another"})
    assert held() == set(), "the plan is another"
    run.write_manifest(manifest)
    assert held() == {one, other}
    (run.local_path / "episodes" / f"{one}.parquet").unlink()
    assert held() == {other}, "its steps are gone"


def test_another_gwray_plays_everything_again(run, monkeypatch):
    monkeypatch.setattr(so_far, "code_hash", lambda: "of another commit")
    before, played, _ = verified(run)
    assert not before and len(played) == 3


def test_lines_that_are_damaged_or_tell_of_others_are_passed_over(run):
    file = file_of(run)
    lines = file.read_text().splitlines()
    first = lines[0].replace('"identical"', '"different"')
    other = lines[0].replace(lines[0][2:34], lines[1][2:34])
    file.write_text("\n".join([first, other, "[1, 2]", "{", lines[1], lines[1][:40]]))
    before, played, found = verified(run)
    assert len(before) == 1 and len(played) == 2 and len(found) == 3


def test_a_file_that_cannot_be_written_is_done_without(run, monkeypatch, tmp_path):
    begin_anew(run)
    (tmp_path / "flat").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "flat"))
    before, played, found = verified(run)
    assert not before and len(played) == len(found) == 3


def test_the_command_says_what_held_and_plays_it_again_when_told(run, monkeypatch, capsys):
    said = io.StringIO()
    monkeypatch.setattr(commands, "console", Console(file=said, width=200))
    commands.verify(run.url, executor="inline")
    assert "2 episodes held before it was broken off; --anew plays them again" in capsys.readouterr().err
    assert "3 episodes replayed: 3 identical" in said.getvalue()
    verified(run, stop_after=1)
    commands.verify(run.url, executor="inline", anew=True)
    assert "held before" not in capsys.readouterr().err and not file_of(run).exists()
