"""What verifies, rescores or checks many episodes goes on where it was broken off, and believes nothing that has
changed since."""

import asyncio
import contextlib
import io
import json
import shutil
from pathlib import Path

import pytest
from rich.console import Console

from gwray.authoring import CheckResult, check_solutions
from gwray.catalog import Game, load_catalog, read_game, read_solutions, write_solutions
from gwray.cli import library as library_commands
from gwray.cli import runs as commands
from gwray.pipelines import (
    InlineReplays,
    SoFar,
    Verification,
    episode_specs,
    kept_at,
    rescore,
    rescore_run,
    so_far,
    verify,
    verify_run,
)
from gwray.pipelines.verify import Held, verified_so_far
from gwray.places import GAMES
from gwray.store import RunDir, read_seal, seal_run
from pipelines.conftest import play, short_library


class Broken(Exception):
    """As Ctrl-C does, in the middle."""


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> tuple[Path, str]:
    """A run of three episodes, and what was noted of it: two were found to hold before it was broken off."""
    folder = tmp_path_factory.mktemp("played")
    run = asyncio.run(play(folder, {"game": "short-sums", "task": "1,2,3", "model": "noop"})).run
    with pytest.MonkeyPatch.context() as elsewhere:
        elsewhere.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        assert run.id and not verified(run, stop_after=2)[0]
        return run.local_path, verified_so_far(run).read_text()


@pytest.fixture
def run(tmp_path, monkeypatch, played) -> RunDir:
    """A copy of it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder, noted = played
    run = RunDir.open(str(shutil.copytree(folder, tmp_path / "run")))
    verified_so_far(run).parent.mkdir(parents=True)
    verified_so_far(run).write_text(noted)
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
            verify_run(
                run,
                executor=InlineReplays(1),
                on_finding=on_finding,
                on_resumed=lambda held, kept: before.extend(one.key for one in held),
            )
        )
    return before, played, found


def test_it_goes_on_and_the_next_one_begins_anew(run):
    keys = [r.key for r in run.results()]
    before, played, found = verified(run)
    assert len(before) == 2 and sorted(before + played) == sorted(keys)
    assert [f.key for f in found] == keys and {f.verdict for f in found} == {"identical"}
    assert not verified_so_far(run).exists()
    assert sorted(verified(run)[1]) == sorted(keys)


def test_what_has_changed_since_is_played_again(run):
    specs = dict(episode_specs(run))

    def held() -> set[str]:
        records = {r.key: r for r in run.results() if r.key in specs}
        library = load_catalog([short_library()])
        items = {k: (specs[k], [r]) for k, r in records.items()}
        return set(SoFar(verified_so_far(run), items, Held(run, specs, library)).read())

    one, other = held()
    with pytest.MonkeyPatch.context() as others:
        others.setattr(verify, "definition", lambda game: "with other rules")
        assert held() == set(), "a task's target, a control, a measure"
    planned = episode_specs(run)
    specs.pop(next(key for key in planned if key not in (one, other)))
    assert held() == set(), "its cell has fewer episodes than it says"
    specs |= planned
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


def depends(line: str) -> str:
    """On what a line says that it hangs."""
    return json.loads(line)[1]


def test_lines_that_are_damaged_or_tell_of_others_are_passed_over(run):
    file = verified_so_far(run)
    lines = file.read_text().splitlines()
    first = lines[0].replace('"identical"', '"different"')
    other = lines[0].replace(depends(lines[0]), depends(lines[1]))
    hostile = ["[1, 2]", "{", "[" * 200_000, "\xff", lines[1], lines[1][:40]]
    file.write_bytes("\n".join([first, other, *hostile]).encode("latin-1"))
    before, played, found = verified(run, stop_after=1)
    assert len(before) == 1 and len(played) == 1, "a line that was torn off takes none that comes after it with it"
    before, played, found = verified(run)
    assert len(before) == 2 and len(played) == 1 and len(found) == 3


def test_a_file_that_cannot_be_written_is_done_without(run, monkeypatch, tmp_path):
    verified_so_far(run).unlink()
    (tmp_path / "flat").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "flat"))
    before, played, found = verified(run)
    assert not before and len(played) == len(found) == 3


def test_what_changes_while_it_is_played_is_not_believed(run, tmp_path):
    """It was played as it was, and is written down as it is."""

    class Meddler(InlineReplays):
        async def replay(self, item):
            found = await super().replay(item)
            file = run.local_path / "replies" / f"{item[0].key}.jsonl"
            file.write_bytes(file.read_bytes().replace(b'"latency_ms":', b'"latency_ms": ', 1))
            return found

    verified_so_far(run).unlink()
    with contextlib.suppress(Broken):
        asyncio.run(
            verify_run(run, executor=Meddler(1), on_resumed=lambda had, kept: None, on_finding=lambda one: broken())
        )
    assert not verified_so_far(run).exists()


def broken() -> None:
    raise Broken


def test_another_job_leaves_what_is_kept_of_other_episodes(run):
    def sample(n: int) -> int:
        """How many it went on with."""
        before = []
        how = {"sample": n, "executor": InlineReplays(1)}
        asyncio.run(verify_run(run, **how, on_resumed=lambda had, kept: before.extend(had)))
        return len(before)

    had = sample(1)
    assert len(verified_so_far(run).read_text().splitlines()) == 2 - had


def test_who_cannot_keep_it_does_not_say_that_it_is_kept(run, monkeypatch, tmp_path, capsys):
    def interrupted(run, **how):
        how["on_resumed"]([], so_far := SoFar(verified_so_far(run), {"k": None}, Resumed()))
        so_far.keep(None, "k", so_far.begin(None))
        raise KeyboardInterrupt

    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setattr("gwray.cli.verification.verify_run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        commands.verify(run.url, executor="inline")
    assert "Interrupted; what is verified is kept." in capsys.readouterr().err
    (tmp_path / "flat").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "flat"))
    with pytest.raises(KeyboardInterrupt):
        commands.verify(run.url, executor="inline")
    assert "not all that was verified could be kept" in capsys.readouterr().err


class Resumed:
    """Of a job whose finds are words."""

    found = str

    def depends(self, item) -> str:
        return "nothing"

    def left(self, item) -> str:
        return ""

    def key(self, found) -> str:
        return found

    def worth(self, found) -> bool:
        return True


def test_the_command_says_what_held_and_plays_it_again_when_told(run, monkeypatch, capsys):
    said = io.StringIO()
    monkeypatch.setattr(commands, "console", Console(file=said, width=200))
    commands.verify(run.url, executor="inline")
    assert "verified, before it was broken off: 2 episodes; --anew begins anew" in capsys.readouterr().err
    assert "3 episodes replayed: 3 identical" in said.getvalue()
    verified(run, stop_after=1)
    commands.verify(run.url, executor="inline", anew=True)
    assert "before it was" not in capsys.readouterr().err and not verified_so_far(run).exists()


def rescored(run: RunDir, stop_after: int = 99, **how) -> tuple[list[str], list[str], list]:
    """As `verified`, of rescoring."""
    before, done, found = [], [], []

    def on_rescored(one) -> None:
        done.append(one.before.key)
        if len(done) == stop_after:
            raise Broken

    def on_resumed(had, kept) -> None:
        before.extend(one.before.key for one in had)

    with contextlib.suppress(Broken):
        how = {"executor": InlineReplays(1), **how}
        found = asyncio.run(rescore_run(run, on_rescored=on_rescored, on_resumed=on_resumed, **how))
    return before, done, found


def test_a_rescoring_that_is_killed_anywhere_near_its_end_ends_sealed_and_as_if_nothing_had_happened(run, monkeypatch):
    misjudge(run)
    seal_run(run)
    calm = RunDir.open(str(shutil.copytree(run.local_path, run.local_path.parent / "calm")))
    rescored(calm)
    whole = RunDir.rewrite_results
    for kill, is_whole in (("before", True), ("after", False), ("after", False)):

        def killed(run, records, kill=kill) -> None:
            if kill == "after":
                whole(run, records)
            raise Broken

        with monkeypatch.context() as broken:
            broken.setattr(RunDir, "rewrite_results", killed)
            assert not rescored(run)[2]
        assert read_seal(run).broken != is_whole, "nobody is shown a seal that does not fit"
    tampered = RunDir.open(str(shutil.copytree(run.local_path, run.local_path.parent / "tampered")))
    assert len(rescored(run)[2]) == 3 and not read_seal(run).broken
    for file in ("results.jsonl", "run.json"):
        assert (run.local_path / file).read_bytes() == (calm.local_path / file).read_bytes()
    noted = kept_at("resealing", tampered.url)
    noted.write_text(f"{tampered.manifest()['seal']} {read_seal(tampered).found}\n")
    one, *rest = tampered.results()
    tampered.rewrite_results([one.model_copy(update={"steps": 1}), *rest])
    rescored(tampered)
    assert read_seal(tampered).broken, "what is neither as it was nor as the rescoring left it is not sealed again"


def misjudge(run: RunDir) -> list:
    """Another rule has said of all that they were solved. What is true."""
    true = [r.model_copy(update={"metrics": {"theirs.b": 1, "theirs.a": 2, **r.metrics}}) for r in run.results()]
    wrong = [r.model_copy(update={"success": True, "ended_by": "target"}) for r in true]
    for record in wrong:
        episode = run.read_episode(record.key)
        run.write_episode(record.key, episode.steps, episode.meta.model_copy(update={"record": record}))
    run.rewrite_results(wrong)
    return true


def test_a_rescoring_goes_on_and_the_next_one_begins_anew(run):
    true = misjudge(run)
    keys = [r.key for r in true]
    assert not rescored(run, stop_after=2)[0]
    assert run.results() != true, "the results are written at its end"
    before, done, found = rescored(run)
    assert len(before) == 2 and sorted(before + done) == sorted(keys)
    assert [(d.before.key, d.changed) for d in found] == [(k, True) for k in keys]
    assert run.results() == true == [run.read_meta(k).record for k in keys]
    assert not kept_at("rescoring", run.url).exists()
    assert not rescored(run)[0]


def test_what_was_rescored_is_rescored_again_when_something_else_is_asked_or_there(run):
    misjudge(run)

    def had(**how) -> int:
        """How many are gone on with, by one that is broken off at once."""
        return len(rescored(run, stop_after=1, **how)[0])

    assert had(write=False) == 0 and had(write=False) == 1
    assert had() == 0, "a look has written nothing"
    assert had() == 1
    assert kept_at("rescoring, only to say", run.url).exists() and kept_at("rescoring", run.url).exists()
    with pytest.MonkeyPatch.context() as others:
        others.setattr(rescore, "definition", lambda game: "with other rules")
        assert had() == had(write=False) == 0
    one = rescored(run, stop_after=1)[0][0]
    found = run.read_episode(one)
    run.write_episode(one, found.steps, found.meta.model_copy(update={"console": ("another",)}))
    assert one not in rescored(run, stop_after=1)[0], "its file is another"
    assert had(anew=True) == 0
    one = rescored(run, write=False, stop_after=1)[1][0]
    file = run.local_path / "episodes" / f"{one}.parquet"
    file.write_bytes(file.read_bytes() + b" ")
    assert one not in rescored(run, write=False, stop_after=1)[0], "its steps are others"


def checked(game: Game, stop_after: int = 99) -> tuple[list[str], list[str], list[CheckResult]]:
    """As `verified`, of the solutions of a game."""
    before, done, found = [], [], []

    def on_checked(one: CheckResult) -> None:
        done.append(one.task)
        if len(done) == stop_after:
            raise Broken

    def on_resumed(had, kept) -> None:
        before.extend(one.task for one in had)

    with contextlib.suppress(Broken):
        how = {"executor": InlineReplays(1), "on_checked": on_checked, "on_resumed": on_resumed}
        found = asyncio.run(check_solutions([game], **how))
    return before, done, found


@pytest.mark.slow
def test_a_check_of_solutions_goes_on_and_replays_what_has_changed(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = shutil.copytree(GAMES / "gameworld" / "32_wordle", tmp_path / "32_wordle")
    game = read_game(folder / "game.yaml")
    tasks = [t.id for t in game.tasks]
    solutions = read_solutions(game)
    wrong = {t: s.model_copy(update={"roles": {"player": s.roles["player"][:-1]}}) for t, s in solutions.items()}
    write_solutions(game, {**solutions, tasks[-1]: wrong[tasks[-1]]})
    checked(game, stop_after=4)
    before, done, found = checked(game)
    assert len(before) == 3 and tasks[-1] in done and sorted(before + done) == sorted(tasks)
    assert [(c.task, c.ok) for c in found] == [(t, t != tasks[-1]) for t in tasks]
    assert not checked(game, stop_after=3)[0], "the next one begins anew"
    one = checked(game, stop_after=1)[0][0]
    control = game.roles[0].controls[0].model_copy(update={"hold_ms": 900})
    slow = game.roles[0].model_copy(update={"controls": (control, *game.roles[0].controls[1:])})
    assert not checked(game.model_copy(update={"roles": (slow,)}), stop_after=1)[0], "a control is another"
    checked(game, stop_after=4)
    page = next(folder.glob("*.js"))
    true = page.read_text()
    page.write_text(true + "\n")
    assert not checked(game, stop_after=1)[0], "its page is another, whatever was read at the start"
    page.write_text(true)
    checked(game, stop_after=4)
    write_solutions(game, {**solutions, one: wrong[one]})
    before, done, found = checked(game)
    assert one not in before and one in done and [c.task for c in found if not c.ok] == [one]


@pytest.mark.parametrize("command", ["rescore", pytest.param("check", marks=pytest.mark.slow)])
def test_commands_say_what_they_go_on_with(command, run, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "200")
    if command == "rescore":
        rescored(run, stop_after=2, write=False)
        commands.rescore(run.url, executor="inline", dry_run=True)
        said = "rescored, before it was broken off: 2 episodes; --anew begins anew"
    else:
        game = load_catalog().game("32_wordle")
        checked(game, stop_after=4)
        library_commands.solutions_check(game=[game.id], executor="inline")
        said = "solved, before it was broken off: 4 tasks; --anew begins anew"
    assert said in capsys.readouterr().err
