"""Programs: code of an agent runs in an interpreter without clock, chance or host, and every limit is a count."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from gwray.agents import Call, Refused, Semantic
from gwray.catalog import load_catalog
from gwray.environments import CommandAnswer, Opening, open_environment
from gwray.environments.programs import ProgramEnd
from gwray.errors import GameError
from gwray.records import Command
from gwray.settings import ObservationSpec
from gwray.studies.orak import programs
from gwray.studies.orak.programs import run_program

pytestmark = pytest.mark.asyncio(loop_scope="session")

API = "(call, chat) => ({ chat, add: async (n) => call('add', { n }), other: async () => call('other') })"
DEEP = "RangeError: Maximum call stack size exceeded (line 2)"
FLOOD = "it was stopped after writing 1,000,000 bytes"
LOOP = "it was stopped after 20,000,000 instructions; is there an endless loop?"


@pytest.fixture(autouse=True)
def _little_fuel(monkeypatch: pytest.MonkeyPatch):
    """A fiftieth of the usual limit, so that a test of an endless loop takes milliseconds."""
    monkeypatch.setattr(programs, "FUEL", 20_000_000)


async def run(body: str, call: Any = None, now_ms: float = 0.0) -> ProgramEnd:
    async def answer(name: str, args: dict[str, Any]) -> CommandAnswer:
        return CommandAnswer(True, f"{name} {args}")

    return await run_program(API, f"async function f(bot) {{\n{body}\n}}", {"add"}, call or answer, now_ms)


async def test_program_gives_commands_and_gets_answers():
    end = await run("const r = await bot.add(3); bot.chat(r.ok, r.feedback); console.log('x');")
    assert end == ProgramEnd("", ("true add {'n': 3}", "x"))
    assert end.feedback == "The program ran to its end. Chat log: true add {'n': 3} | x"
    assert (await run("bot.chat((await bot.other()).feedback)")).chat == ("there is no command 'other'",)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("await bot.add(1);\nnull.x", "TypeError: cannot read property 'x' of null (line 3)"),
        ("x y", "SyntaxError: expecting ';' (line 2)"),
        ("throw 'no'", "the program threw no"),
        ("throw { toString() { throw 1 } }", "the program threw something that cannot be shown"),
        ("for (;;);", LOOP),
        ("for (;;) await null", LOOP),
        ("for (;;) await bot.add(1)", "it was stopped after 1,000 commands"),
        ("const g = () => { Promise.resolve().then(g); queueMicrotask(g) }; g(); await new Promise(() => 0)", LOOP),
        ("await new Promise(() => 0)", LOOP),
        ("/(a+)+$/.test('a'.repeat(40) + 'b')", LOOP),
        ("Array.prototype.indexOf.call({ length: 2 ** 52 }, 1)", LOOP),
        ("let x = 3n; for (;;) x = x * x", LOOP),
        ("const a = []; for (;;) a.push('x'.repeat(1e6) + a.length)", LOOP),
        ("new Uint8Array(2 ** 30)", "InternalError: out of memory (line 2)"),
        ("new Array(1e8).fill(0)", "InternalError: out of memory (line 2)"),
        ("const g = () => g() + 1; g()", DEEP),
        ("new Proxy({}, { get: (t, k, r) => r[k] }).x", DEEP),
        ("eval('('.repeat(1e5))", DEEP),
        ("(await import('qjs:std')).exit(0)", "it ended the interpreter"),
        ("(await import('qjs:std')).out.puts('x'.repeat(30000) + '\\n')", "it wrote more than 20,000 bytes at once"),
        ("const { out } = await import('qjs:std'), b = new ArrayBuffer(1e6 + 1); out.write(b, 0, 1e6 + 1)", FLOOD),
        ("const { err } = await import('qjs:std'), b = new ArrayBuffer(1e6); for (;;) err.write(b, 0, 1e6)", FLOOD),
        ("await import('./secret.js')", "ReferenceError: could not load module filename 'secret.js'"),
        ("fetch('http://127.0.0.1')", "ReferenceError: fetch is not defined (line 2)"),
        ("setTimeout(() => 0, 1)", "ReferenceError: setTimeout is not defined (line 2)"),
        ("JSON.parse = JSON.stringify = Promise.prototype.then = null; throw 1", "the program threw 1"),
        ("Object.prototype.then = (resolve) => resolve(1); await bot.add(1); throw 2", "the program threw 2"),
    ],
)  # fmt: skip
async def test_attack_ends_as_feedback(monkeypatch: pytest.MonkeyPatch, body: str, problem: str):
    if any(part in body for part in ("fill(0)", "repeat(1e5)", "for (;;) await bot")):
        monkeypatch.setattr(programs, "FUEL", 1_000_000_000)
    end = await run(body)
    assert end.problem == problem
    assert (await run("bot.chat(1)")).chat == ("1",), "the next program runs as ever"


async def test_program_sees_no_clock_files_or_environment():
    body = """
        const std = await import('qjs:std'), os = await import('qjs:os');
        os.sleep(1e9);
        bot.chat(Date.now(), performance.now(), Math.random(), std.open('/etc/passwd', 'r'), std.getenv('HOME'));
        bot.chat(os.readdir('/')[0]);
        bot.chat(os.exec ?? 'no exec', os.Worker ?? 'no worker', std.popen ?? 'no popen');
    """
    end = await run(body, now_ms=1500)
    first, *second = end.chat
    assert first.startswith("1500 ") and first.endswith(" null undefined") and second == ["no exec no worker no popen"]
    assert await run(body, now_ms=1500) == end
    assert (await run(body, now_ms=1517)).chat[0] != first, "its random numbers follow the game's time"


async def test_program_without_a_function_and_long_talk_are_cut():
    for code in ("nothing", "function f(bot) {}", "  async function inner(bot) {}"):
        end = await run_program(API, code, (), lambda *_: asyncio.sleep(0))  # type: ignore[arg-type]
        assert end.problem == "it has no `async function name(bot) { … }` that begins a line"
    end = await run("for (let i = 0; i < 100; i++) bot.chat('x'.repeat(100))")
    assert sum(map(len, end.chat)) == programs.MAX_CHAT and not end.problem


async def test_error_of_the_game_is_raised_and_a_cancelled_program_ends():
    async def broken(name: str, args: dict[str, Any]) -> CommandAnswer:
        raise GameError("the page broke")

    with pytest.raises(GameError, match="the page broke"):
        await run("try { await bot.add(1) } catch { } for (;;);", broken)
    begun = asyncio.Event()

    async def slow(name: str, args: dict[str, Any]) -> CommandAnswer:
        begun.set()
        await asyncio.sleep(60)
        return CommandAnswer(True, "")

    task = asyncio.create_task(run("await bot.add(1); for (;;) await bot.add(2)", slow))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("loop", ["for (;;);", "while (Date.now() < 1e15);", "for (;;) console.log()"])
async def test_cancelled_program_frees_its_thread(monkeypatch, loop):
    """Also one that calls no command."""
    monkeypatch.setattr(programs, "FUEL", 10**15)
    monkeypatch.setattr(programs, "MAX_OUTPUT", 10**15)
    begun = asyncio.Event()

    async def called(name: str, args: dict[str, Any]) -> CommandAnswer:
        begun.set()
        return CommandAnswer(True, "")

    task = asyncio.create_task(run(f"await bot.add(1); {loop}", called))
    await begun.wait()
    await asyncio.sleep(0.2)
    threads = [t for t in threading.enumerate() if t.name == "program"]
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    for thread in threads:
        await asyncio.to_thread(thread.join, 20)
    assert threads and not any(thread.is_alive() for thread in threads)


async def test_calls_of_the_host_count_as_instructions(monkeypatch):
    read, reads = programs._Host._clock_time_get, []

    def clock(*arguments: Any) -> int:
        reads.append(1)
        return read(*arguments)

    monkeypatch.setattr(programs._Host, "_clock_time_get", clock)
    assert (await run("while (Date.now() < 1e15);")).problem == LOOP
    assert 0 < len(reads) <= programs.FUEL / programs.HOST_CALL


async def test_instructions_are_counted_as_when_this_was_written():
    """A change here means that recorded programs may be stopped elsewhere: it needs a new protocol version."""
    body = "let n = 0; try { for (;; n++) if (n % 1000 === 0) bot.chat(n); } finally { }"
    assert [(await run(body)).chat[-1] for _ in range(2)] == ["34000"] * 2


BODY = "await mineBlock(bot, 'dirt', 1); bot.chat(bot.count('dirt')); for (;;);"


async def test_endless_program_is_stopped_and_the_game_goes_on(browser):
    game = load_catalog().game("p12_bare-hands")
    space = Semantic.for_role(game.roles[0], game.viewport)

    def action(code: str) -> Command:
        found = space.to_action(Call("code", {"code": code}))
        assert not isinstance(found, Refused) and isinstance(found.action, Command)
        return found.action

    environment = await open_environment(Opening(game, game.tasks[0], 42, browser, observation=ObservationSpec()))
    try:
        played = []
        for _ in range(2):
            await environment.reset(42)
            for body in (BODY, "bot.chat(bot.count('dirt'))"):
                reading = await environment.step({"player": action(f"async function f(bot) {{ {body} }}")}, look=False)
                played.append((reading.answers["player"], reading.state["game_state"]))
        assert played[:2] == played[2:]
        assert [answer for answer, _ in played[:2]] == [
            CommandAnswer(False, f"The program failed: {LOOP} Chat log: mined 1 dirt. | 2"),
            CommandAnswer(True, "The program ran to its end. Chat log: 2"),
        ]
    finally:
        await environment.close()
