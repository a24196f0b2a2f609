"""Pages that were not made for gwray: no contract, reloads, parts of files, compressed files."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import time
from dataclasses import replace

import pytest
from sandbox.conftest import page

from gwray.records import Event, PressKey, events
from gwray.sandbox import PageSource
from gwray.sandbox.free_turns import FORGOTTEN

PROBE = (
    ("score", "dom:#score"), ("best", "storage:best"), ("game.moves", "moves"), ("part", "game.part"),
    ("luck", "game.luck"), ("none", "missing.name"), ("over", "moves > 2"),
)  # fmt: skip
STRANGER = replace(page("stranger/index.html"), probe=PROBE, ready="game.ready")


@pytest.mark.slow
async def test_probe_reads_a_page_without_a_contract(browser):
    lane = await browser.open(STRANGER)
    try:
        first = (await lane.read()).state
        assert first["status"] == "playing" and first["part"].startswith("206 ")
        assert (first["score"], first["best"], first["game"], first["none"]) == (0, None, {"moves": 0}, None)
        for _ in range(3):
            await lane.perform(events(PressKey(key="a"), 50))
        last = (await lane.read()).state
        assert (last["score"], last["best"], last["game"]) == (30, 3, {"moves": 3})
        assert last["terminal"] == {"isTerminal": True, "outcome": "fail"}
        began = time.monotonic()
        for _ in range(3):
            await lane.reset(7)
        assert time.monotonic() - began < 10, "nothing waits for the document that is gone"
        assert not lane.diagnostics().irreproducible
        again = await lane.read()
        assert (again.state["score"], again.state["best"]) == (0, 3)
        assert again.game_time_ms > 250, "game time goes on"
    finally:
        await lane.close()
    native = await browser.open(STRANGER, clock="native")
    await native.reset(7)
    assert (await native.read()).state["score"] == 0
    await native.close()


async def test_reload_is_a_restart_at_the_same_instant(browser):
    """The old document gets no time after it has asked to be loaded again, however long that takes."""
    chains = []
    for pause in (0, 0.05):
        lane = await browser.open(STRANGER)
        states = []
        for key in ("a", "Enter", "a", "Enter", "Enter", "a"):
            reading, frame = await lane.step(events(PressKey(key=key), 200), observe=True)
            await asyncio.sleep(pause)
            states.append((str(reading.state), reading.game_time_ms, hashlib.sha256(frame.data).hexdigest()))
        assert lane.diagnostics().console.count("the page loaded itself again: a restart") == 3
        assert not lane.diagnostics().irreproducible
        await lane.close()
        chains.append(states)
    assert chains[0] == chains[1]


@pytest.mark.slow
async def test_reload_ends_the_commands_of_the_old_document(browser, tmp_path):
    """With `turns: free`, too. The command that a second role sends to the new document is not ended."""
    (tmp_path / "index.html").write_text("""<script>
      gameAPI = {
        init() {}, reset() {}, getState: () => ({ status: 'playing', terminal: { isTerminal: false } }),
        command: (role, name) => new Promise((done) => {
          if (name === 'again') location.reload();
          else setTimeout(() => done({ ok: true, feedback: 'done' }), 300);
        }),
      }</script>""")
    source = PageSource((("", tmp_path),), "index.html", "", 1, (320, 200), False)

    def command(role: str, name: str) -> list[Event]:
        return [Event(at_ms=0, kind="command", role=role, command=name, max_ms=5000)]

    lane = await browser.open(source)
    try:
        answers = await lane.perform(command("a", "again"))
        assert answers["a"] == FORGOTTEN
        assert (await lane.perform(command("a", "wait")))["a"].ok
        began = (await lane.read()).game_time_ms
        lane.turns.start("a", command("a", "again"))
        lane.turns.start("b", command("b", "wait"), 1000)
        assert await lane.turns.run() == {"a": FORGOTTEN}
        assert lane.turns.busy == {"b"} and (await lane.read()).game_time_ms - began < 1000
        assert (await lane.turns.run())["b"].ok and not lane.turns.busy
    finally:
        await lane.close()


async def test_frames_per_second_of_game_time(browser, tmp_path):
    html = "<script>let n = 0; const f = () => { n += 1; requestAnimationFrame(f) }; f()</script>"
    (tmp_path / "index.html").write_text(html)
    for fps in (30, 60, 120):
        probe = (("n", "n"),)
        source = PageSource((("", tmp_path),), "index.html", "", 1, (320, 200), False, probe=probe, fps=fps)
        lane = await browser.open(source)
        first = (await lane.read()).state["n"]
        await lane.advance(1000)
        assert (await lane.read()).state["n"] - first == fps
        await lane.close()


async def test_root_addresses_and_compressed_files(browser, tmp_path):
    """A game's own folder is the root of its site, and a compressed file is served as what it contains."""
    (tmp_path / "data.json.gz").write_bytes(gzip.compress(b'{"a": 5}'))
    (tmp_path / "index.html").write_text(
        "<script>let got; (async () => { got = (await (await fetch('/data.json.gz')).json()).a; })()</script>"
    )
    site = (("lib/game", tmp_path), ("", tmp_path))
    source = PageSource(site, "lib/game/index.html", "", 1, (320, 200), False, probe=(("got", "got"),))
    lane = await browser.open(source)
    assert (await lane.read()).state["got"] == 5
    await lane.close()
