"""Sweeps against a provider that misbehaves at random, interrupted at random moments: what is lost, how fast it ends.

    python bench/moody_provider.py [EPISODES [INTERRUPTS [SEED]]]

A calm sweep comes first. The stormy one must reach the same results: no reply that failed is a score, no episode is
given up, and every failure shows the provider's words. The world needs no browser; the executor is Ray.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from standin import Fault, Say, Standin  # noqa: E402
from standin.wires import REPLIES  # noqa: E402

from gwray.records import OUTCOME_FIELDS  # noqa: E402
from gwray.store import RunDir  # noqa: E402

WORDS = "the stand-in says no"
FAULT_SHARE = 0.15
CUT = ("truncated", "reset", "timeout", "malformed", "html")
"""Faults whose body has no words."""


def reply(finish: str, tokens: int = 5, **message: Any) -> dict[str, Any]:
    body = REPLIES["openai_chat"](Say(finish=finish, tokens=(100, 0, tokens, 0)))
    body["choices"][0]["message"] |= message
    return body


def raw(body: Any, status: int = 200, **headers: str) -> Fault:
    return Fault("raw", status=status, body=body, headers=headers)


FAULTS = [
    raw({"error": {"message": WORDS}}, 429, **{"retry-after": "0.2"}),
    raw({"error": WORDS}, 500),
    raw({"detail": WORDS}, 503),
    raw(f"<html><title>502 {WORDS}</title></html>", 502),
    raw({"error": {"code": 502, "message": WORDS}}),
    raw(reply("error") | {"error": {"code": 502, "message": WORDS}}),
    raw(reply("network_error")),
    raw(reply("never_seen")),
    raw(reply("", tokens=0)),
    raw({"error": {"message": f"{WORDS}: content policy violation", "code": "content_policy_violation"}}, 400),
    raw({"code": "permission-denied", "error": f"{WORDS}: Content violates usage guidelines"}, 403),
    *(Fault(kind) for kind in CUT),
]
DAILY = raw({"error": {"message": f"{WORDS}: requests per day (RPD): Limit 9, Used 9. Try again in 7h12m."}}, 429)


class Moody(Standin):
    """Fails a share of all requests, and reaches its daily cap once."""

    def __init__(self, seed: int):
        super().__init__(keep_bodies=False)
        self.random = random.Random(seed)
        self.moody = False
        self.cap_at: int | None = None
        self.faults: Counter[str] = Counter()
        self.bad_200 = 0
        """Faults that the server counts as answered."""
        self.answer = lambda wire, body, session: Say(calls=[("right", {"reasoning": "On."})])

    async def _respond(self, wire: str, body: dict[str, Any], headers: dict[str, str], session: str) -> Any:
        if self.moody and self.cap_at is not None and len(self.seen) > self.cap_at:
            self.cap_at = None
            self.faults["daily cap"] += 1
            return await self._fault(wire, DAILY, ""), ""
        if self.moody and self.random.random() < FAULT_SHARE:
            fault = self.random.choice(FAULTS)
            self.bad_200 += fault.status == 200 and fault.kind != "timeout"
            self.faults[fault.kind if fault.kind != "raw" else f"{fault.status} {str(fault.body)[:50]}"] += 1
            return await self._fault(wire, fault, ""), ""
        return await super()._respond(wire, body, headers, session)


def command(provider: Moody, run_dir: Path, episodes: int) -> list[str]:
    return [
        sys.executable, str(ROOT / "launch.py"), "model=openai-compatible", "model.model_id=m", "game=grid",
        f"libraries=[{ROOT}/tests/environments/worlds]", "observation.views=[front]", "observation.text=true",
        f"model.base_url={provider.base_url('openai_chat')}", "model.timeout_s=2", "model.max_in_flight=8",
        f"repeats={episodes}", "limit.steps=8", "executor=ray", "executor.actors=1", "executor.lanes=8",
        "tracking.mode=disabled", "report=false", f"run_dir={run_dir}",
    ]  # fmt: skip


def start(words: list[str]) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    return subprocess.Popen(
        words, cwd=ROOT, text=True, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "PYTHONPATH": path}, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def outcomes(run_dir: Path) -> list[tuple[Any, ...]]:
    rows = sorted(RunDir.open(str(run_dir)).results(), key=lambda r: r.key)
    return [tuple(getattr(r, f) for f in (*OUTCOME_FIELDS, "no_tool_call", "state_chain")) for r in rows]


def interrupted(provider: Moody, words: list[str], at: float) -> tuple[float | None, bool]:
    """Sends Ctrl-C after `at` seconds, or when 25 replies have arrived in the second half of the moments. Returns the
    seconds until the end, None if the command ended by itself before, and whether the run was then complete."""
    process, began, before = start(words), time.monotonic(), provider.answered
    while process.poll() is None and time.monotonic() - began < at * 60:
        if (at < 0.5 and time.monotonic() - began > at * 40) or (at >= 0.5 and provider.answered > before + 50 * at):
            break
        time.sleep(0.05)
    if process.poll() is not None:
        return None, process.returncode == 0
    at_once = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    return time.monotonic() - at_once, False


def sweep(folder: Path, episodes: int, interrupts: int, seed: int) -> dict[str, Any]:
    """Returns what the stormy sweep lost."""
    with Moody(seed) as provider:
        calm = start(command(provider, folder / "calm", episodes))
        printed, _ = calm.communicate(timeout=900)
        assert calm.returncode == 0, printed
        needed = provider.answered
        provider.seen.clear()
        provider.moody, provider.cap_at = True, needed // 2
        words = command(provider, folder / "stormy", episodes)
        ended: list[float] = []
        for _ in range(3 * interrupts):  # a refused prompt ends a command before its moment
            took, done = interrupted(provider, words, provider.random.random())
            if took is not None:
                ended.append(round(took, 1))
            if done or len(ended) == interrupts:
                break
        runs = 0
        while runs < 8:
            runs += 1
            process = start(words)
            printed, _ = process.communicate(timeout=900)
            if process.returncode == 0:
                break
        stormy = RunDir.open(str(folder / "stormy"))
        failures = [r.error_message for r in stormy.each_failure()]
        known = (WORDS, "finish reason", "timed out", "time", "connection", "the response", "the reply is empty")
        silent = [m for m in failures if not any(k in m for k in known)]
        expected, got = outcomes(folder / "calm"), outcomes(folder / "stormy")
        return {
            "episodes": episodes,
            "requests": len(provider.seen),
            "faults": dict(provider.faults),
            "finished": len(got),
            "differ_from_calm": sum(a != b for a, b in zip(expected, got, strict=False)),
            "given_up": episodes - len(got),
            "billed_twice": provider.answered - provider.bad_200 - needed,
            "failures": dict(Counter(m[:160] for m in failures)),
            "silent_failures": silent,
            "interrupts": len(ended),
            "ended_within_s": ended,
            "runs_to_complete": runs,
            "last_output": "" if len(got) == episodes else printed[-1500:],
        }


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[1:]] + [100, 20, 1][len(sys.argv) - 1 :]
    with tempfile.TemporaryDirectory() as made:
        print(json.dumps(sweep(Path(made), *numbers), indent=1))
