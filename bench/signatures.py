"""Measures state by memory signature: what reading costs a step, whether it is what the page says, how it is found.

    python bench/signatures.py town            the harbor town, over its committed solutions
    python bench/signatures.py emulator        a Game Boy emulator from npm (wasmboy, compiled to WebAssembly), which
                                               tells no state, with a little game of ours for it
    python bench/signatures.py large           what a search costs in a memory as large as is searched at all

`emulator` asks npm for one pinned package and looks at nothing else of it than its core; nothing of it is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median

from gwray.catalog import Game, Signature, load_catalog, read_game, read_solutions
from gwray.environments import Opening, Pattern, open_environment
from gwray.environments.browser import BrowserEnvironment
from gwray.plugins.authoring.lab import joint_action
from gwray.plugins.authoring.signatures import ProbeControls, find_signature
from gwray.sandbox import BrowserOnDemand, PageSource
from gwray.settings import ObservationSpec

PACKAGE = "wasmboy@0.7.1"
SHA256 = "77fdf75c751801c956fd9ad3f7aea73cc151ab4ca18fb807f14028a4e81d3fe9"
CORE = "package/dist/core/core.untouched.wasm"
X = 0xC108
"""Where the little game keeps how far right its figure stands, in the emulated machine."""
GAME = """\
id: pocket
title: Pocket
summary: A figure that walks left and right, in an emulator.
rules: You walk left and right.
uses: []
roles:
  - name: player
    description: You are the figure.
    keys: [ArrowLeft, ArrowRight]
    controls:
      - {id: left, description: Walk left., press: ArrowLeft}
      - {id: right, description: Walk right., press: ArrowRight}
      - {id: stay, description: Stay., wait: true}
tasks:
  - id: walk
    instruction: Walk to the right edge.
    goal: {field: game_state.player.x, at_least: 160}
"""
PAGE = """\
<!doctype html>
<title>Pocket</title>
<script type="module">
  const core = (await WebAssembly.instantiateStreaming(fetch('core.wasm'), { env: { abort() {} } })).instance.exports;
  const rom = new Uint8Array(await (await fetch('game.bin')).arrayBuffer());
  const keys = new Set();
  addEventListener('keydown', (e) => keys.add(e.key));
  addEventListener('keyup', (e) => keys.delete(e.key));
  let frames = 0;
  const start = () => {
    frames = 0;
    new Uint8Array(core.memory.buffer).set(rom, core.CARTRIDGE_ROM_LOCATION.value);
    core.config(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  };
  const frame = () => {
    core.setJoypadState(0, +keys.has('ArrowRight'), 0, +keys.has('ArrowLeft'), 0, 0, 0, 0);
    core.executeFrame();
    frames += 1;
    requestAnimationFrame(frame);
  };
  window.where = () => core.getWasmBoyOffsetFromGameBoyOffset(0xc108);
  window.truth = () => new Uint8Array(core.memory.buffer)[window.where()];
  window.gameAPI = {
    init: () => (start(), void requestAnimationFrame(frame)),
    reset: start,
    getState: () => ({ status: frames < 5 ? 'loading' : 'playing', terminal: { isTerminal: false } }),
  };
</script>
"""


LARGE = """\
<!doctype html>
<title>Large</title>
<script>
  const memory = new WebAssembly.Memory({ initial: 255 * 16 });
  const words = new Int32Array(memory.buffer);
  let word = 1;
  for (let i = 0; i < words.length; i++) {
    word = (Math.imul(word, 1664525) + 1013904223) | 0;
    words[i] = word ^ (word >>> 15);
  }
  const mark = [0x51, 0x55, 0x41, 0x59, 0x0d, 0x0a, 0x1a, 0x0a, 1];
  new Uint8Array(memory.buffer).set(mark, memory.buffer.byteLength - 64);
  window.gameAPI = { init() {}, reset() {}, getState: () => ({ status: 'playing', terminal: { isTerminal: false } }) };
</script>
"""


def little_game() -> bytes:
    """32 KiB for the machine: once a picture, right and left move one byte, which is copied for the sprite.

    The byte lies behind a mark of eight bytes, and a copy of both with another mark's end behind it.
    """
    code = bytearray()

    def put(address: int, value: int) -> None:
        code.extend([0x3E, value, 0xEA, address & 255, address >> 8])  # ld a, value; ld (address), a

    code.append(0xF3)  # di
    for n, value in enumerate(b"POCKET\x0d\x01"):
        put(0xC100 + n, value)
    for n, value in enumerate(b"POCKET\x0d\x02"):
        put(0xC300 + n, value)
    put(X, 80)
    again = len(code)
    code += bytes([0xF0, 0x44, 0xFE, 144, 0x20, 0xFA])  # until the picture is drawn: ldh a,(LY); cp 144; jr nz
    code += bytes([0x3E, 0x20, 0xE0, 0x00, 0xF0, 0x00, 0xF0, 0x00, 0x47])  # b: the four directions, 0 is pressed
    code += bytes([0xFA, X & 255, X >> 8])  # ld a, (X)
    code += bytes([0xCB, 0x40, 0x20, 0x01, 0x3C])  # bit 0, b; jr nz, +1; inc a
    code += bytes([0xCB, 0x48, 0x20, 0x01, 0x3D])  # bit 1, b; jr nz, +1; dec a
    code += bytes([0xEA, X & 255, X >> 8, 0xEA, 0x08, 0xC3, 0xEA, 0x01, 0xFE])  # ld (X), a; its copies: map and sprite
    code += bytes([0xF0, 0x44, 0xFE, 144, 0x28, 0xFA])  # until the next line
    code += bytes([0x18, (again - len(code) - 2) & 255])  # jr again
    rom = bytearray(0x8000)
    rom[0x100:0x104] = b"\x00\xc3\x50\x01"  # nop; jp 0150
    rom[0x150 : 0x150 + len(code)] = code
    return bytes(rom)


async def opened(game: Game, task: str, browser: BrowserOnDemand) -> BrowserEnvironment:
    unseen = ObservationSpec(format="none")
    world = await open_environment(Opening(game, game.task(task), 42, browser, observation=unseen))
    assert isinstance(world, BrowserEnvironment)
    return world


async def ms(work: Callable[[], Awaitable[object]], times: int) -> float:
    """Median of several, each alone."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        took.append(time.perf_counter() - began)
    return 1e3 * median(took)


async def costs(world: BrowserEnvironment, signature: Signature, times: int) -> None:
    """What is paid at a start, and at every step."""
    memory, state = world.page.memory, world.memory
    assert state is not None
    print(f"  memory {sum(await memory.find()) / 2**20:.2f} MiB; ms, medians:")
    wanted = Pattern.parse(signature.pattern).values
    print(f"  find the memories {await ms(memory.find, 5):.0f}, "
          f"search them {await ms(lambda: memory.find_bytes(wanted), 5):.0f}")  # fmt: skip
    print(f"  getState {await ms(world.page.read, times):.2f}, read by signature "
          f"{await ms(state.read, times):.2f}")  # fmt: skip


async def town(browser: BrowserOnDemand) -> None:
    game = load_catalog().game("town")
    steps = equal = 0
    for task, solution in read_solutions(game).items():
        world = await opened(game, task, browser)
        for entry in solution.roles["player"]:
            reading = await world.step(joint_action(game, [entry]), look=False)
            equal += reading.state_hash == (await world.page.read()).state_hash
            steps += 1
        if task == game.tasks[0].id:
            await costs(world, game.signatures[0], 200)
        await world.close()
    print(f"  the same state as getState: {equal} of {steps} steps of {len(game.tasks)} tasks")
    await find(game, "m2_goal", ProbeControls("move_left", "move_right"), "game_state.player.z", "f64", browser)
    await find(game, "m2_goal", ProbeControls("move_forward", "move_backward"), "game_state.player.x", "f64", browser)


def pocket_in(folder: Path) -> Path:
    """The emulator's core and the little game for it as a game folder."""
    subprocess.run(["npm", "pack", PACKAGE, "--silent"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    (packed,) = folder.glob("*.tgz")
    if hashlib.sha256(packed.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{PACKAGE} is not the package that was measured")
    pocket = folder / "games" / "pocket"
    pocket.mkdir(parents=True)
    with tarfile.open(packed) as files:
        core = files.extractfile(CORE)
        assert core is not None
        (pocket / "core.wasm").write_bytes(core.read())
    (pocket / "game.bin").write_bytes(little_game())
    (pocket / "index.html").write_text(PAGE)
    (pocket / "game.yaml").write_text(GAME)
    return pocket / "game.yaml"


async def emulator(browser: BrowserOnDemand) -> None:
    with tempfile.TemporaryDirectory() as folder:
        game = read_game(pocket_in(Path(folder)))
        field = "game_state.player.x"
        signature = await find(game, "walk", ProbeControls("right", "left"), field, "u8", browser)
        known = game.model_copy(update={"state": "memory", "signatures": (signature,)})
        world = await opened(known, "walk", browser)
        steps = equal = 0
        for entry in ["right", "right", "left", "stay"] * 8 + ["reset"] + ["left", "left", "right", "stay"] * 7:
            if entry == "reset":
                await world.reset(43)
                continue
            reading = await world.step(joint_action(known, [entry]), look=False)
            equal += reading.state["game_state"]["player"]["x"] == await world.page.page.evaluate("truth()")
            steps += 1
        print(f"  what the machine's memory holds: {equal} of {steps} steps, ended at {reading.state['game_state']}")
        await costs(world, signature, 50)
        await world.close()


async def large(browser: BrowserOnDemand) -> None:
    """255 MiB of noise, with the signature at the end."""
    wanted = list(b"QUAY\x0d\x0a\x1a\x0a\x01")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "page.html").write_text(LARGE)
        source = PageSource(
            site=(("", Path(folder)),), page="page.html", query="", seed=42, viewport=(1280, 720), canvas=False
        )
        page = await (await browser()).open(source)
        print(f"  memory {sum(await page.memory.find()) / 2**20:.0f} MiB; ms, medians:")
        print(f"  find the memories {await ms(page.memory.find, 5):.0f}, "
              f"search them {await ms(lambda: page.memory.find_bytes(wanted), 5):.0f}, "
              f"read them whole {await ms(page.memory.read_all, 1):.0f}")  # fmt: skip
        assert len(await page.memory.find_bytes(wanted)) == 1
        await page.close()


async def find(
    game: Game, task: str, moving: ProbeControls, field: str, kind: str, browser: BrowserOnDemand
) -> Signature:
    began = time.perf_counter()
    found = await find_signature(
        game, game.task(task), moving, browser, field=field, kind=kind, report=lambda text: print(f"  {text}")
    )
    print(f"  {field}: {found.pattern} at {found.offset}, after {time.perf_counter() - began:.0f} s")
    return Signature.model_validate(
        {"pattern": found.pattern, "fields": {field: {"offset": found.offset, "type": kind}}}
    )


async def main() -> None:
    async with BrowserOnDemand() as browser:
        for name in sys.argv[1:] or ["town"]:
            print(name)
            await {"town": town, "emulator": emulator, "large": large}[name](browser)


if __name__ == "__main__":
    asyncio.run(main())
