"""Opening a page: its contract, what it can reach, and what it cannot do to the sandbox."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gwray.errors import BrowserError, GameError
from gwray.records import canonical, digest
from gwray.sandbox import PageSource, find_browser
from gwray.sandbox.files import find_file, mime_type


async def test_a_reading_carries_the_hash_of_its_canonical_state(opened):
    lane = await opened("clock/order.html", seed=5)
    reading = await lane.read()
    assert reading.state["started"] == {"seed": 5, "resets": 0}
    assert reading.state_hash == digest(canonical(reading.state))


async def test_readiness_is_limited_in_game_time(opened):
    lane = await opened("unready/slow.html")
    reading = await lane.read()
    assert (reading.state["status"], reading.game_time_ms) == ("ready", 1000)


async def test_late_modules_load_before_first_frame(opened):
    for _ in range(3):
        lane = await opened("unready/module.html")
        reading = await lane.read()
        assert (reading.game_time_ms, reading.state["frames"]) == (0, 0)
        assert reading.state["data"] == "forty-two"


async def test_module_import_during_play_is_marked(opened):
    lane = await opened("unready/midway.html", query="?import")
    await lane.advance(500)
    assert ["a file was loaded" in mark for mark in lane.diagnostics().irreproducible] == [True]
    lane = await opened("unready/midway.html", query="?element")
    await lane.advance(500)
    assert (await lane.read()).state["log"] == ["most", "more at 50"]
    assert lane.diagnostics().irreproducible == ()


@pytest.mark.parametrize(
    ("path", "query", "says"),
    [
        ("unready/index.html", "", "still in status 'menu' after 1.0 s of game time"),
        ("unready/no-api.html", "", "gameAPI with getState"),
        ("unready/absent.html", "", "does not exist"),
        ("faults/state.html", "?init", "init.. failed: Error: no start today"),
        ("unready/broken.html", "", "blocked: GET https://cdn.*; missing file: .*/absent.js; uncaught .*started"),
    ],
)
async def test_a_page_that_does_not_become_ready_says_why(opened, path, query, says):
    with pytest.raises(GameError, match=says):
        await opened(path, query=query, ready_timeout_ms=1000)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("big", "characters long; 2000000 are allowed"),
        ("deep", "nested deeper than 100"),
        ("deepest", "nested deeper than 100"),
        ("cycle", "circular"),
        ("status", "status must be text, not 7"),
        ("terminal", "isTerminal must be true or false"),
        ("list", "must be an object, not list"),
        ("never", "did not answer within 2 s"),
        ("throws", "no state today"),
        ("nothing", "returned nothing"),
    ],
)
@pytest.mark.slow
async def test_a_bad_state_is_the_games_fault_and_is_named(opened, kind, says):
    lane = await opened("faults/state.html", query=f"?{kind}")
    with pytest.raises(GameError, match=says) as e:
        await lane.read()
    assert "<anonymous>" not in str(e.value)


async def test_a_hostile_page_cannot_disturb_clock_state_or_picture(opened):
    lane = await opened("hostile/index.html", canvas=True, image="png")
    await lane.advance(500)
    state = (await lane.read()).state
    assert (state["ticks"], state["now"], state["terminal"]) == (50, 500, {"isTerminal": False})
    assert (state["nan"], state["big"], state["half"]) == (None, None, "?")
    assert state["listed"] is False
    assert len((await lane.observe()).data) > 1000


async def test_dialogs_popups_and_outside_files_are_blocked(opened):
    lane = await opened("faults/wander.html")
    await lane.advance(100)
    log = (await lane.read()).state["log"]
    assert log == [404, 404, None, False, None, "null", "same page"]
    said = lane.diagnostics()
    assert said.blocked_requests == 1
    assert [c for c in said.console if c.startswith("dialog")] == [
        "dialog dismissed: alert: hi",
        "dialog dismissed: confirm: sure?",
        "dialog dismissed: prompt: name?",
    ]


@pytest.mark.parametrize("where", ["?away", "?out"])
async def test_a_page_that_leaves_is_a_fault_of_the_game(opened, where):
    lane = await opened("faults/wander.html", query=where)
    with pytest.raises(GameError, match="left its page for"):
        await lane.advance(200)
        await lane.advance(200)
        await lane.read()


async def test_no_request_of_a_page_reaches_a_server(opened):
    reached: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.append((await reader.readline()).decode())
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        lane = await opened("faults/network.html", query=f"?{port}")
        await lane.advance(500)
        log = (await lane.read()).state["log"]
    assert reached == []
    assert sorted(log) == ["fetch refused", "image refused", "post refused", "script refused"]
    assert lane.diagnostics().blocked_requests >= 4


async def test_only_files_below_the_root_are_served(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/index.html").write_text("x")
    (tmp_path / "secret.txt").write_text("x")
    (tmp_path / "in/link.txt").symlink_to(tmp_path / "secret.txt")
    root, origin = tmp_path / "in", "http://gwray.localhost"
    site = PageSource((("", root), ("kit", tmp_path / "kit")), "index.html", "", 1, (1, 1), False)
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit/a.js").write_text("x")
    assert find_file(site, f"{origin}/in/../kit/a.js") is None
    assert find_file(site, f"{origin}/kit/a.js") == tmp_path / "kit/a.js"
    assert find_file(site, f"{origin}/kit/../secret.txt") is None
    assert find_file(site, f"{origin}/") == root / "index.html"
    assert find_file(site, f"{origin}/index.html?level=2") == root / "index.html"
    for outside in ("../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "link.txt", "/etc/passwd", "%00"):
        assert find_file(site, f"{origin}/{outside}") is None, outside


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.js", "text/javascript"), ("a.wasm", "application/wasm"), ("a.WebP", "image/webp"), ("a.xyz", "appl")],
)
async def test_files_have_the_types_browsers_insist_on(name, kind):
    assert mime_type(Path(name)).startswith(kind)


async def test_gwray_browser_is_used_or_reported(monkeypatch, tmp_path):
    choice = find_browser()
    monkeypatch.setenv("GWRAY_BROWSER", str(choice.path))
    assert find_browser().how == "GWRAY_BROWSER"
    monkeypatch.setenv("GWRAY_BROWSER", str(tmp_path / "none"))
    with pytest.raises(BrowserError, match="GWRAY_BROWSER is"):
        find_browser()
    monkeypatch.delenv("GWRAY_BROWSER")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("gwray.sandbox.executable.PLACES", ())
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(BrowserError, match=r"1\. .*install(.|\n)*2\. .*playwright install(.|\n)*3\. .*GWRAY_BROWSER"):
        find_browser()
    own = tmp_path / ".cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    assert (find_browser().path, find_browser().how) == (own, "playwright")


async def test_a_query_reaches_the_page(opened):
    lane = await opened("faults/state.html", query="?list")
    with pytest.raises(GameError, match="list"):
        await lane.read()
    assert PageSource((), "a/index.html", "?level=2", 1, (1, 1), True).url.endswith("/a/index.html?level=2")
