"""Agents made of modules in real episodes: real pages, a real wire, and the log that proves every question.

What each module asks and reads is in `tests/agents/test_modules.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from standin import Say, Standin

from gwray.agents import note_history
from gwray.pipelines.run import RunOutcome
from gwray.places import CONF
from gwray.records import LoggedReply
from gwray.settings import AgentSpec
from gwray.store import RunDir
from gwray.verification.verify import verify_run
from pipelines.conftest import STEPS, play, short_library

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
AGENTS = ("reflection", "planning", "reflection_planning")
RARE = pytest.mark.whole
"""Cases whose claims another case covers."""


def thinker(wire: str, body: dict[str, Any], session: str) -> Say:
    """Acts where it has tools, alternating with its own history; otherwise thinks, and finds each third thing bad."""
    thoughts = text_of(body)
    if body.get("tools"):
        return Say(text="So be it.", calls=[("flap" if len(thoughts) % 2 else "wait", {"reasoning": "Because."})])
    bad = len(thoughts) % 3 == 0
    return Say(text=f"I have read {len(thoughts)} letters.\nVerdict: {'failed' if bad else 'worked'}")


def text_of(body: dict[str, Any]) -> str:
    return "\n".join(p["text"] for p in body["messages"][-1]["content"] if p["type"] == "text")


def conf(name: str, **changes: Any) -> dict[str, Any]:
    """An agent as the command line composes it."""
    return {**yaml.safe_load((CONF / "agent" / f"{name}.yaml").read_text()), **changes}


def job(standin: Standin, agent: dict[str, Any], **more: Any) -> dict[str, Any]:
    model = {"name": "m", "provider": "openai_chat", "base_url": standin.base_url("openai_chat"), "model_id": "x"}
    return {"model": model, "agent": agent, **more}


def log_of(ended: RunOutcome) -> list[LoggedReply]:
    (record,) = ended.run.results()
    return ended.run.log(record.key).read()


@pytest.fixture
def standin() -> Iterator[Standin]:
    with Standin() as server:
        server.answer = thinker
        yield server


@pytest.mark.parametrize("name", [*(pytest.param(a, marks=RARE) for a in AGENTS[:2]), AGENTS[2]])
async def test_modular_episode_replays_without_a_model(tmp_path, standin, name):
    ended = await play(tmp_path, job(standin, conf(name)))
    (record,) = ended.run.results()
    log = log_of(ended)
    asked = [Counter(line.module or "act" for line in log if line.decision == d) for d in range(STEPS)]
    assert record.decisions == STEPS and record.calls == len(log) == standin.answered
    assert all(turn["act"] == 1 for turn in asked)
    if "reflection" in name:
        assert [turn["reflection"] for turn in asked] == [0] + [1] * (STEPS - 1)
    if "planning" in name:
        assert asked[0]["planning"] == 1
    if name == "planning":
        assert [d for d, turn in enumerate(asked) if turn["planning"]] == [0, 5, 10, 15]
    rows = ended.run.read_steps(record.key)
    assert [row.calls for row in rows] == [turn.total() for turn in asked]

    (finding,) = await verify_run(ended.run)
    assert (finding.verdict, finding.pictures) == ("identical", True), finding
    assert standin.answered == len(log), "nobody was asked"


def detective(wire: str, body: dict[str, Any], session: str) -> Say:
    """Acts where it has tools; finds a clue on every screen, a use for the newest, and each goal reached at once."""
    received = text_of(body)
    system = body["messages"][0]["content"]
    if body.get("tools"):
        clue = {"clue": f"pipe {len(received)}", "description": "a gap", "location": "sky", "type": "visual cue"}
        seen = {"clues": [clue]} if '"clues"' in system else {"result": "success", "changed": "stat"}
        report = f"<report>{json.dumps(seen)}</report>" if "<report>" in system else ""
        return Say(
            text=f"So be it. {report}", calls=[("flap" if len(received) % 2 else "wait", {"reasoning": "Because."})]
        )
    if '"matches"' in system:
        newest = (
            received.partition("Clues until now:\n")[2]
            .partition("\nWhat was done")[0]
            .splitlines()[-1]
            .partition(". ")[2]
        )
        return Say(text=json.dumps({"matches": [{"clue": newest[:9], "expected_action": "pass it"}]}))
    if '"skills"' in system:
        return Say(text='{"skills": [{"name": "gap", "how": "climb: flap before the gap"}]}')
    return Say(text="add: the pipe is low -> flap -> or fall\nVerdict: worked")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("coast", {"seek_steps": 3, "solve_steps": 2}),
        ("pokegym_reflection", {"reflect_every": 3}),
        pytest.param("coast_seek_solve", {"seek_steps": 3, "solve_steps": 2}, marks=RARE),
        ("cradle", {"reflect_every": 3}),
    ],
)
async def test_note_keeping_agent_replays_without_a_model(tmp_path, standin, name, options):
    standin.answer = detective
    ended = await play(tmp_path, job(standin, conf(name, options=options)))
    (record,), log = ended.run.results(), log_of(ended)
    asked = Counter(line.module for line in log)
    notes = note_history(AgentSpec.model_validate(conf(name, options=options)), log)
    found = {(n.kind, n.text, n.place) for n in notes if n.until is None}
    if name == "pokegym_reflection":
        assert asked["trajectory"] == asked["refine"] == 5 and found == {
            ("rule", "the pipe is low -> flap -> or fall", "")
        }
    elif name == "cradle":
        assert asked["gather"] == asked["infer"] == STEPS and asked["memory"] == 5 and asked["curate"] == STEPS - 1
        assert found == {("skill", "climb: flap before the gap", "gap")}
    else:
        assert (
            asked["seek"] > 3
            and asked["solve"]
            and bool(asked["map"]) == (name == "coast")
            and "clue" in {kind for kind, *_ in found}
        )
    (finding,) = await verify_run(ended.run)
    assert (finding.verdict, finding.detail) == ("identical", ""), finding
    assert standin.answered == len(log) == record.calls, "nobody was asked"


def leader(wire: str, body: dict[str, Any], session: str) -> Say:
    """Leads by a list, clicks on what it names; each third time a subgoal is done, and at last all is."""
    received = text_of(body)
    if "You lead " in body["messages"][0]["content"]:
        return Say(text=f"1. Take thing {len(received)}.")
    n = int(received.partition("Step ")[2].partition(".")[0])
    done = "Subgoal: done\n" if n % 3 == 0 else ""
    named = {"action": "click", "target": f"thing {n} of {len(received)}"}
    return Say(text=done + json.dumps(named if n < 5 else {"action": "finish"}))


async def test_resume_with_grounder_asks_only_missing_questions(tmp_path, standin, monkeypatch):
    standin.answer = leader
    with Standin() as other:
        other.answer = lambda wire, body, session: Say(
            text=f"<point>{len(json.dumps(body)) % 1000} {30 * other.answered}</point>"
        )
        profile = {"name": "pointing", "provider": "openai_chat", "model_id": "p", "max_in_flight": 1,
                   "base_url": other.base_url("openai_chat"), "image": {"coordinates": "thousand"},
                   "prices": {"input": 1.0, "output": 1.0, "as_of": "2026-11-01"}}  # fmt: skip
        (tmp_path / "conf" / "model").mkdir(parents=True)
        (tmp_path / "conf" / "model" / "pointing.yaml").write_text(yaml.safe_dump(profile))
        monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
        agent = conf("agent_s2", models={"grounder": "pointing"})
        here = {"game": "c05_flea-market", "interface": "computer_use", "libraries": ""}
        played = job(standin, agent, **here)
        played["model"]["prices"] = {"input": 0.0, "output": 0.0, "as_of": "2026-11-01"}
        ended = await play(tmp_path, played)
        (record,), log = ended.run.results(), log_of(ended)
        turn = [("", ""), ("grounder", "grounder")]
        assert [(x.module, x.by) for x in log if x.module != "manager"] == [*turn * 4, ("", "")]
        assert [x.decision for x in log if x.module == "manager"] == [0, 3]
        assert (record.ended_by, record.out_of_space, other.answered) == ("finish", 0, 4)
        spent = sum(x.reply.usage.input + x.reply.usage.output for x in log if x.by) / 1e6
        assert spent and record.cost_usd == pytest.approx(spent), "what the grounder costs is the episode's"
        found = [row.action for row in ended.run.read_steps(record.key)][:4]
        assert [json.loads(a)["y"] for a in found if a] == [pytest.approx(30 * n * 0.72) for n in range(4)]

        folder = tmp_path / "run"
        (folder / "results.jsonl").write_text("")
        file = folder / "replies" / f"{record.key}.jsonl"
        file.write_text("".join(file.read_text().splitlines(keepends=True)[:5]))
        (again,) = (await play(tmp_path, played)).run.results()
        assert standin.answered + other.answered == 2 * len(log) - 5
        assert [x.words_hash for x in log_of(ended)] == [x.words_hash for x in log]
        assert again.calls == record.calls
        (finding,) = await verify_run(ended.run)
        assert (finding.verdict, finding.pictures) == ("identical", True), finding
        assert standin.answered + other.answered == 2 * len(log) - 5, "nobody was asked"


async def test_helper_gets_only_its_modules_questions(tmp_path, standin, monkeypatch):
    with Standin() as other:
        other.answer = thinker
        profile = {"name": "critic", "provider": "anthropic", "model_id": "critic-1", "base_url": other.url,
                   "sampling": {"max_output_tokens": 300}}  # fmt: skip
        (tmp_path / "conf" / "model").mkdir(parents=True)
        (tmp_path / "conf" / "model" / "critic.yaml").write_text(yaml.safe_dump(profile))
        monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
        ended = await play(tmp_path, job(standin, conf("reflection_planning", models={"reflection": "critic"})))
        assert {s.wire for s in other.seen} == {"anthropic"} and other.answered == STEPS - 1
        log = log_of(ended)
        assert {(line.module, line.by) for line in log} == {("reflection", "reflection"), ("planning", ""), ("", "")}
        assert standin.answered == len(log) - other.answered
        (finding,) = await verify_run(ended.run)
        assert finding.verdict == "identical"
        assert other.answered == STEPS - 1, "nobody was asked"


COUNCIL = """
from gwray.agents import Prompt

class Council:
    calls_per_decision = 3

    def __init__(self, context, spec):
        self.context = context
        self.system = context.instructions_for("Say in one sentence what matters most on the screen now.")

    async def act(self, seen, ask):
        parts = tuple(self.context.observation_parts(seen))
        await ask(Prompt(self.system, parts, module="near"), Prompt(self.system, parts, module="far"), by="critic")
        (reply,) = await ask(self.context.action_prompt(seen))
        return self.context.decide(reply)
"""


async def test_custom_agent_asks_three_questions_of_two_models(tmp_path, standin, monkeypatch):
    with Standin() as other:
        other.answer = thinker
        profile = {"name": "critic", "provider": "anthropic", "model_id": "critic-1", "base_url": other.url}
        (tmp_path / "conf" / "model").mkdir(parents=True)
        (tmp_path / "conf" / "model" / "critic.yaml").write_text(yaml.safe_dump(profile))
        (tmp_path / "their_council.py").write_text(COUNCIL)
        monkeypatch.setenv("GWRAY_HOME", str(tmp_path))
        monkeypatch.syspath_prepend(str(tmp_path))
        agent = {"_target_": "their_council.Council", "models": {"critic": "critic"}}
        ended = await play(tmp_path, job(standin, agent))
        log = sorted(log_of(ended), key=lambda line: (line.decision, line.call))  # two at once come in any order
        turn = [("near", "critic"), ("far", "critic"), ("", "")]
        assert [(line.module, line.by) for line in log] == turn * STEPS
        assert (standin.answered, other.answered) == (STEPS, 2 * STEPS)
        for trusted in ((), ("their_council.Council",)):
            (finding,) = await verify_run(ended.run, trusted=trusted)
            assert finding.verdict == "identical", finding
        assert (standin.answered, other.answered) == (STEPS, 2 * STEPS), "nobody was asked"


CRITIC_LAST = """
from gwray.agents import Prompt

class CriticLast:
    calls_per_decision = 3

    def __init__(self, context, spec):
        self.context = context

    async def act(self, seen, ask):
        first, other = await ask(self.context.action_prompt(seen), self.context.action_prompt(seen))
        await ask(Prompt("What do you make of it?", (), module="critic", neutral="Fine."))
        return self.context.decide(first)
"""


async def test_untrusted_replay_finds_the_used_reply(tmp_path, monkeypatch):
    (tmp_path / "their_critic.py").write_text(CRITIC_LAST)
    monkeypatch.syspath_prepend(str(tmp_path))
    agent = {"_target_": "their_critic.CriticLast"}
    ended = await play(tmp_path, {"model": "random", "game": "13_flappy-bird", "task": "1", "agent": agent})
    for trusted in ((), ("their_critic.CriticLast",)):
        (finding,) = await verify_run(ended.run, trusted=trusted)
        assert finding.verdict == "identical", finding
        assert bool(finding.detail) != bool(trusted), "game verified, agent not"


DECISIONS = (1, STEPS - 1)


async def test_changed_reply_of_any_module_is_found(tmp_path, standin):
    """To each of them, not just to those that act: what is thought stands in the next question, whose words are hashed.

    The same episode is played once for every question, and in each of them another reply is changed.
    """
    first = await play(tmp_path / "one", job(standin, conf("reflection_planning")))
    questions = [(line.decision, line.call, line.module) for line in log_of(first) if line.decision in DECISIONS]
    asked = Counter(module for _, _, module in questions)
    assert asked[""] == asked["reflection"] == len(DECISIONS) and asked["planning"]

    ended = await play(tmp_path / "all", job(standin, conf("reflection_planning"), repeats=len(questions)))
    changed = dict(zip((r.key for r in ended.run.results()), questions, strict=True))
    for key, (decision, call, _) in changed.items():
        file = Path(ended.run.url) / "replies" / f"{key}.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        (line,) = (one for one in lines if (one["decision"], one["call"]) == (decision, call))
        line["reply"]["text"] += " Or so."
        file.write_text("".join(json.dumps(one) + "\n" for one in lines))
    before = standin.answered
    found = await verify_run(ended.run)
    assert {f.key: (f.verdict, f.step) for f in found} == {k: ("different", d) for k, (d, _, _) in changed.items()}
    assert standin.answered == before, "nobody was asked"


@pytest.fixture
def gossip() -> Iterator[str]:
    """A server that says something else each time."""
    said = count()

    class Talk(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(f"They say {next(said)}.".encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Talk)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("agent", "modules", "where"),
    [
        ("ByChance", [], "decision 0, call 0"),
        pytest.param("ByTheClock", [], "decision 3, call 1", marks=RARE),
        ("ByARequest", ["gossip", "act"], "decision 2, call 0, module 'gossip'"),
    ],
)
async def test_replay_finds_agent_that_bypasses_ask(tmp_path, standin, gossip, agent, modules, where):
    target = f"agents.reaching_agent.{agent}"
    options = {"url": gossip} if modules else {}
    ended = await play(tmp_path, job(standin, {"_target_": target, "modules": modules, "options": options}))
    assert ended.complete, "while it plays, nothing is amiss"
    (finding,) = await verify_run(ended.run, trusted={target})
    assert finding.verdict == "different"
    assert where in finding.detail and "has another text" in finding.detail
    (unread,) = await verify_run(ended.run)
    assert unread.verdict == "identical" and "agent not" in unread.detail, "without trust only the game is verified"


def launch(standin: Standin, run_dir: Path, *settings: str, path: Path | None = None) -> RunDir:
    """Plays a short episode with the command line, in a new process."""
    base = f"model.base_url={standin.base_url('openai_chat')}"
    command = [sys.executable, "launch.py", "model=openai-compatible", base, f"libraries=[{short_library()}]",
               "game=short-flight", "task=1", "executor=inline", "tracking.mode=disabled", f"run_dir={run_dir}",
               *settings]  # fmt: skip
    env = {**os.environ, **({"PYTHONPATH": str(path)} if path else {})}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return RunDir.open(str(run_dir))


async def test_finish_ends_the_episode_even_if_wrong(tmp_path, standin):
    library = shutil.copytree(short_library(), tmp_path / "library")
    game = library / "short-flight" / "game.yaml"
    game.write_text(game.read_text().replace("\n    max_steps:", "\n    finish: true\n    max_steps:", 1))
    asked = count()

    def gives_up(wire: str, body: dict[str, Any], session: str) -> Say:
        assert "finish" in {t["function"]["name"] for t in body["tools"]}
        return Say(calls=[("flap" if next(asked) < 3 else "finish", {})])

    standin.answer = gives_up
    ended = await play(tmp_path, job(standin, conf("direct"), libraries=str(library)))
    (record,) = ended.run.results()
    assert (record.ended_by, record.success, record.steps, record.no_tool_call) == ("finish", False, 4, 0)
    assert [row.control for row in ended.run.read_steps(record.key)] == ["flap"] * 3 + [None]
    (finding,) = await verify_run(ended.run)
    assert (finding.verdict, finding.pictures) == ("identical", True), finding
