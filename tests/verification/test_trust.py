"""Code of other people: it is stored with a run, never replaced by another version, and imported only when a person
says so."""

from __future__ import annotations

import importlib
import io
import json
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
from pipelines.conftest import BASE, make_executor, plan_of, play, quiet, short_library
from rich.console import Console
from shared_browser import run_async
from standin import Say, Standin

from gwray.agents import ClientPool, Observation, Situation
from gwray.catalog import load_catalog
from gwray.cli import runs as commands
from gwray.cli.commands import fork
from gwray.errors import UsageError
from gwray.pipelines import Replies, RoleAsk, Worker, make_role_agents, run_spec
from gwray.pipelines.foreign import ForeignCode
from gwray.pipelines.plan import Plan
from gwray.pipelines.run import RunOutcome, open_run, run_plan
from gwray.places import NotTrusted
from gwray.records import EpisodeRecord, StepRecord, digest
from gwray.settings import AgentSpec, ModelSpec, PlayerSpec
from gwray.store import Episode, EpisodeMeta, RunDir
from gwray.verification import Verification, episode_specs, plan_fork, verify_run
from gwray.verification.verify import RecordedAgent

pytestmark = pytest.mark.slow

SOURCE = '''
import re
from pathlib import Path

from gwray.agents import Call, Prompt, Semantic, Text
from gwray.agents.formats import Format

with (Path(__file__).parent / "imported").open("a") as imported:
    imported.write("x")


class Thinker:
    """Thinks before it acts."""

    def __init__(self, context, spec):
        self.context = context

    async def act(self, seen, ask):
        (thought,) = await ask(Prompt("Think.", (Text(f"turn {seen.decision}"),), module="thought", neutral="hm"))
        (reply,) = await ask(self.context.action_prompt(seen))
        return self.context.decide(reply)


class Plain(Semantic):
    """As the semantic space."""


class Shout(Format):
    """Calls between exclamation marks."""

    templates = {"*": "Shout one of the controls, like this: !{{ example.name }}!"}

    def parse_calls(self, reply):
        return [Call(name) for name in re.findall(r"!(\\w+)!", reply.text)]

    def parse_reasoning(self, reply):
        return ""


def shots(steps, record, task):
    return {"fired": float(len(steps))}
'''
NAME = "their_code"


@dataclass
class Theirs:
    """A module that is not ours and says each time when it is imported."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / f"{NAME}.py"

    @property
    def imports(self) -> int:
        mark = self.folder / "imported"
        return len(mark.read_text()) if mark.exists() else 0

    def forget(self) -> None:
        """Removes the import, as in a new process."""
        sys.modules.pop(NAME, None)
        (self.folder / "imported").unlink(missing_ok=True)
        importlib.invalidate_caches()

    def leave(self) -> None:
        """Removes the module, as on a machine without it."""
        self.forget()
        sys.path.remove(str(self.folder))
        importlib.invalidate_caches()


@pytest.fixture(scope="module")
def theirs(tmp_path_factory) -> Iterator[Theirs]:
    made = Theirs(tmp_path_factory.mktemp("theirs"))
    made.file.write_text(SOURCE)
    sys.path.insert(0, str(made.folder))
    yield made
    if str(made.folder) in sys.path:
        made.leave()


@pytest.fixture
def own(tmp_path) -> Iterator[Theirs]:
    """The only copy on this machine, which a test may change and take away."""
    made = Theirs(tmp_path / "theirs")
    made.folder.mkdir()
    made.file.write_text(SOURCE)
    path = [*sys.path]
    sys.path[:] = [str(made.folder), *(p for p in path if not (Path(p) / f"{NAME}.py").exists())]
    made.forget()
    yield made
    sys.path[:] = path
    made.forget()


AGENT, SPACE, FORMAT, METRIC = (f"{NAME}.{n}" for n in ("Thinker", "Plain", "Shout", "shots"))
BY_AGENT = {"agent": {"_target_": AGENT}}


@pytest.fixture(scope="module")
def played(theirs, tmp_path_factory) -> RunOutcome:
    """Plays an episode with another person's agent, action space, format and metric."""
    with Standin(keep_bodies=False) as standin:
        standin.answer = lambda wire, body, session: Say(text="!flap!" if len(str(body)) % 3 else "nothing")
        model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x",
                 "semantic_format": FORMAT}  # fmt: skip
        job = {"model": model, **BY_AGENT, "interface": SPACE, "metrics": [METRIC]}
        ended = run_async(play(tmp_path_factory.mktemp("played"), job))
    assert ended.complete and ended.run.results()[0].metrics["shots.fired"]
    return ended


@pytest.fixture
def untouched(theirs) -> Iterator[None]:
    """Checks that none of their code is imported in this test."""
    theirs.forget()
    yield
    assert theirs.imports == 0


def found(ended: RunOutcome, *trusted: str) -> Verification:
    (finding,) = run_async(verify_run(ended.run, trusted=trusted))
    return finding


def test_untrusted_code_verifies_the_game_only(played, untouched):
    finding = found(played)
    assert finding.verdict == "identical" and finding.pictures
    assert finding.detail.startswith(f"game verified, agent not: agent '{AGENT}' is not part of gwray")
    assert f"metric not compared: '{METRIC}'" in finding.detail and f"--trust {METRIC}" in finding.detail


def test_trusted_code_verifies_agent_and_metric(played, theirs):
    theirs.forget()
    assert found(played, AGENT, SPACE, FORMAT, METRIC).detail == ""
    assert theirs.imports == 1


@pytest.mark.parametrize("missing", [AGENT, SPACE, FORMAT])
def test_untrusted_code_is_named(played, theirs, missing):
    trusted = {AGENT, SPACE, FORMAT} - {missing}
    spec = next(iter(episode_specs(played.run).values()))
    game = load_catalog([short_library()]).game(spec.game)
    with pytest.raises(NotTrusted, match=missing):
        make_role_agents(spec, game, game.task(spec.task), Replies([], None), ClientPool(), trusted=trusted)


def test_forged_record_is_found_without_trust(played, untouched, tmp_path):
    shutil.copytree(played.run.local_path, tmp_path / "run")
    run = RunDir.open(tmp_path / "run")
    (record,) = run.results()
    run.rewrite_results([record.model_copy(update={"score": 99.0})])
    (finding,) = run_async(verify_run(run))
    assert finding.verdict == "different" and "score" in finding.detail


async def test_recorded_agent_keeps_finish_and_drop_reasons():
    rows = [
        StepRecord(step=0, decision=0, attempt=0, role="p", action='{"action":"wait"}'),
        StepRecord(step=1, decision=0, index=1, attempt=0, role="p", action='{"action":"wait"}', reason="1 dropped"),
        StepRecord(step=2, decision=1, attempt=1, role="p"),
    ]
    for ended_by, done in (("finish", [False, True]), ("budget", [False, False])):
        record = EpisodeRecord(key="k", cell="c", game="g", task="t", ended_by=ended_by)
        spec = PlayerSpec(model=ModelSpec(name="m", provider="fixed"), agent=AgentSpec())
        ask = RoleAsk("p", spec, {}, Replies([], None), "k")
        agent = RecordedAgent("p", Episode(rows, EpisodeMeta(record=record)), ask)
        decisions = []
        for n in (0, 1):
            seen = Observation(n)
            ask.begin(Situation(seen, {}, ""))
            decisions.append(await agent.act(seen, ask))
        assert [d.finish for d in decisions] == done
        assert (len(decisions[0].actions), decisions[0].reason) == (2, "1 dropped")


def cut(run: RunDir, folder: Path) -> RunDir:
    """A copy whose episode was broken off."""
    shutil.copytree(run.local_path, folder)
    key = run.results()[0].key
    for name in ("results.jsonl", f"episodes/{key}.parquet"):
        (folder / name).unlink()
    return RunDir.open(folder)


def verified(run: str) -> None:
    commands.verify(run)


def printed(run: str) -> None:
    for form in ("table", "json", "csv"):
        commands.results(run, format=form)


def reported(run: str) -> None:
    commands.report([run], out=Path(run).parent / "site", images=False)


@pytest.mark.parametrize(
    "command", [verified, printed, reported, commands.rescore, commands.sync], ids=lambda c: c.__name__
)
def test_reading_commands_import_no_foreign_code(played, untouched, command: Callable, tmp_path):
    shutil.copytree(played.run.local_path, tmp_path / "run")
    command(str(tmp_path / "run"))


def test_fork_of_foreign_agent_imports_nothing(played, untouched, tmp_path):
    (record,) = played.run.results()
    with pytest.raises(typer.Exit) as ended:
        words = ["model=noop", f"run_dir={tmp_path / 'fork'}"]
        fork(str(played.run.url), record.key, "2", words, port=0, open_page=False)
    assert ended.value.exit_code == 0
    (forked,) = RunDir.open(tmp_path / "fork").results()
    assert forked.forked_at == 2 and forked.agent == "direct"


WORLDS = Path(__file__).parents[1] / "environments" / "worlds"
KIND = "environments.grid_world.GridWorld"


def test_custom_environment_replays_only_if_trusted(tmp_path):
    job = {"game": "grid", "libraries": str(WORLDS), "model": "random"}
    ended = run_async(play(tmp_path, job))
    (record,) = ended.run.results()
    version = ended.run.manifest().kinds[KIND]
    assert ended.run.read_code("environments.grid_world", version)
    finding = found(ended)
    assert finding.verdict == "error" and f"--trust {KIND}" in finding.detail
    assert (found(ended, KIND).verdict, found(ended, KIND).detail) == ("identical", "")
    spec = run_spec({**BASE, "model": "noop", "run_dir": str(tmp_path / "fork")})
    fork = run_async(run_plan(plan_fork([spec], ended.run, record.key, 3), quiet(), make_executor))
    assert fork.run.results()[0].forked_at == 3 and found(fork, KIND).verdict == "identical"


# Code that travels


def planned(folder: Path, **job: Any) -> Plan:
    return plan_of(folder, {**BY_AGENT, **job})


def test_code_version_is_part_of_the_key(own, tmp_path):
    def keys(**job: Any) -> set[str]:
        return {e.key for e in planned(tmp_path, **job).episodes}

    model = {"name": "m", "provider": "openai_chat", "model_id": "x"}
    jobs: list[dict[str, Any]] = [
        {}, {"agent": {}, "interface": SPACE}, {"agent": {}, "metrics": [METRIC]},
        {"agent": {}, "model": {**model, "semantic_format": FORMAT}},
    ]  # fmt: skip
    ours = {"agent": {}, "model": {**model, "semantic_format": "json"}}
    before = [keys(**job) for job in jobs]
    assert before == [keys(**job) for job in jobs]
    same = keys(**ours)
    own.file.write_text(SOURCE + "# another line\n")
    assert not any(old & keys(**job) for old, job in zip(before, jobs, strict=True))
    assert same == keys(**ours)


async def played_by_worker(run: RunDir, plan: Plan) -> Any:
    worker = Worker(run.url, [str(short_library())])
    try:
        return await worker.play(plan.episodes[0])
    finally:
        await worker.close()


async def test_worker_loads_module_from_the_run(own, tmp_path):
    plan = planned(tmp_path)
    run = open_run(plan)
    own.leave()
    path = [*sys.path]
    record = await played_by_worker(run, plan)
    assert (record.status, record.agent, record.calls) == ("finished", AGENT, 2 * record.decisions)
    assert own.imports == 0, "it was the run's own copy"
    assert sys.path == path
    assert NAME not in sys.modules
    run.append_result(record)
    shutil.rmtree(own.folder)
    (finding,) = await verify_run(run, trusted=[AGENT])
    assert (finding.verdict, finding.detail) == ("identical", "")
    (copy,) = (tmp_path / "run" / "code").rglob("*.py")
    copy.write_text(SOURCE + "# changed\n")
    (finding,) = await verify_run(run, trusted=[AGENT])
    assert finding.verdict == "error" and "was changed" in finding.detail


async def test_other_installed_version_is_refused(own, tmp_path):
    plan = planned(tmp_path)
    run = open_run(plan)
    own.file.write_text(SOURCE + "# another line\n")
    record = await played_by_worker(run, plan)
    assert (record.status, record.error_class, record.retryable) == ("failed", "UsageError", False)
    both = digest(SOURCE.encode()), digest(own.file.read_bytes())
    assert all(word in record.error_message for word in (platform.node(), NAME, *both))


async def test_run_stores_two_versions_of_a_module(own, tmp_path):
    first = planned(tmp_path)
    open_run(first)
    own.file.write_text(SOURCE + "# another line\n")
    run = open_run(planned(tmp_path))
    version = digest(SOURCE.encode())
    assert run.read_code(NAME, version) == SOURCE.encode()
    assert run.read_code(NAME, digest(own.file.read_bytes())) == own.file.read_bytes()
    assert run.read_code("nobody", version) is None


def test_missing_code_and_other_distribution_are_errors(tmp_path):
    code = ForeignCode(RunDir.create(tmp_path / "run"))
    with pytest.raises(UsageError, match=r"no Python module 'their_lost'.*has no copy"):
        code.provide({"their_lost.Agent": "0" * 32})
    with pytest.raises(UsageError, match=r"planned with pytest==0\.1; .* has \d"):
        code.provide({"their-agent": "pytest==0.1"})
    code.provide({"their-agent": f"pytest=={pytest.__version__}"})
    with pytest.raises(UsageError, match="not a Python module that can be stored"):
        RunDir.open(tmp_path / "run").write_code("../up", b"")


async def test_ray_actors_play_code_that_only_the_driver_had(own, tmp_path, marked):
    plan = planned(tmp_path, executor={"name": "ray", "lanes": 1, "actors": 1})
    own.leave()
    own.file.rename(own.folder / "gone.txt")
    ended = await run_plan(plan, Console(file=(output := io.StringIO())), make_executor)
    assert ended.complete, output.getvalue() + json.dumps([r.error_message for r in ended.run.failures()])
    assert ended.run.results()[0].agent == AGENT
