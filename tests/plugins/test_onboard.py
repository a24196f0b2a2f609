"""`gwray onboard` makes games of pages that know nothing of gwray, and says truly how they play."""

from __future__ import annotations

import json
import re
import shutil
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import jsonschema
import pytest
from engines import GAMES
from typer.testing import CliRunner

from gwray.catalog import read_game
from gwray.catalog.library import read_yaml
from gwray.cli import app
from gwray.errors import UsageError
from gwray.plugins.authoring.onboarding import trying
from gwray.plugins.authoring.onboarding.onboard import bring_in
from gwray.plugins.authoring.onboarding.sources import bring, name_of
from gwray.plugins.authoring.repeatability import check_repeatability

MENU = """<!doctype html><title>Menu game</title><button id="go">Play</button><p id="points">Points: 0</p>
<script>
let game = null;
go.onclick = () => { go.remove(); game = { score: 0, at: Math.random() }; };
addEventListener('keydown', (e) => {
  if (!game || e.key !== 'ArrowRight') return;
  game.score += 1;
  points.textContent = `Points: ${game.score}`;
});
</script>"""
REMOTE = """<!doctype html><title>Remote</title><p id="n">0</p><script src="lib/local.js"></script>
<script src="//127.0.0.1:PORT/cdn/engine.js"></script>
<script>addEventListener('keydown', () => { n.textContent = add(local, +n.textContent); });</script>"""
SIZE = (320, 240)
ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "docs" / "game.schema.json").read_text())
pytestmark = pytest.mark.own_browser


@pytest.fixture(autouse=True)
def few_keys(monkeypatch):
    monkeypatch.setattr(trying, "KEYS", ("ArrowLeft", "ArrowRight", "Enter"))


@pytest.mark.slow
async def test_menu_is_passed_and_only_working_controls_are_kept(tmp_path):
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "index.html").write_text(MENU)
    game = await bring_in(str(tmp_path / "page"), tmp_path / "lib", "menu", viewport=SIZE)
    (start,) = game.start.inputs
    assert start.click and game.title == "Menu game"
    assert [c.id for c in game.roles[0].controls] == ["wait", "arrow_right"]
    assert game.probe["score"] == "game.score" and game.tasks[0].score[0].field == "score"
    written = (game.folder / "game.yaml").read_text().splitlines()
    assert any("points" in line and "parseFloat" in line for line in written)
    assert (game.folder / ".onboard" / "start.png").stat().st_size > 100
    (card,) = await check_repeatability([game], steps=6)
    rows = dict(card.rows(game))
    assert card.verdict == "repeatable" and rows["reacts to"] == "arrow_right"
    assert rows["states"] == rows["pictures"] == "two plays, one under load: equal"


@pytest.mark.slow
async def test_url_is_fetched_with_its_files_and_those_of_other_sites_on_request(tmp_path):
    site = tmp_path / "site"
    (site / "cdn").mkdir(parents=True)
    (site / "a" / "lib").mkdir(parents=True)
    (site / "cdn" / "engine.js").write_text("function add(a, b) { return a + b; }")
    (site / "a" / "lib" / "local.js").write_text("const local = 5;")
    handler = partial(SimpleHTTPRequestHandler, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        (site / "a" / "index.html").write_text(REMOTE.replace("PORT", str(server.server_port)))
        url = f"http://localhost:{server.server_port}/a/"
        fetched = [
            await bring_in(url, tmp_path / "lib", name, viewport=SIZE, vendor=name == "with")
            for name in ("with", "without")
        ]
        server.shutdown()
    vendored = fetched[0].folder / "vendor" / "127.0.0.1" / "cdn" / "engine.js"
    assert vendored.is_file()
    assert 'src="/vendor/127.0.0.1/cdn/engine.js"' in (fetched[0].folder / "index.html").read_text()
    assert [len(game.roles[0].controls) for game in fetched] == [4, 1]
    cards = await check_repeatability(fetched, steps=6)
    rows = [dict(card.rows(game)) for card, game in zip(cards, fetched, strict=True)]
    assert [card.verdict for card in cards] == ["repeatable", "no effect"]
    assert [r["missing"] for r in rows] == ["none", "none"] and [r["blocked"][:1] for r in rows] == ["n", "1"]


def test_zip_is_unpacked_inside_its_folder(tmp_path):
    with zipfile.ZipFile(tmp_path / "My Game.zip", "w") as archive:
        archive.writestr("build/index.html", MENU)
        archive.writestr("../../escaped.txt", "x")
    assert name_of(str(tmp_path / "My Game.zip")) == "my-game"
    assert bring(str(tmp_path / "My Game.zip"), tmp_path / "lib" / "zip") == "build/index.html"
    assert {f.name for f in tmp_path.iterdir()} == {"My Game.zip", "lib"}
    assert not (tmp_path / "lib/escaped.txt").exists()


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("nothing", "", "no folder, HTML file, ZIP file or web address"),
        ("empty", "", "has no index.html"),
        (".", "in", "copied into itself"),
        ("empty", "A B", "lower-case letters"),
        ("empty", "taken", "exists; remove it"),
    ],
)
async def test_refused_sources(source, name, message, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "lib" / "taken").mkdir(parents=True)
    with pytest.raises(UsageError, match=message):
        await bring_in(str(tmp_path / source), tmp_path / "lib", name)
    assert not (tmp_path / "lib" / "empty").exists()


@pytest.mark.slow
def test_dead_page_exits_with_1(tmp_path):
    (tmp_path / "dead").mkdir()
    (tmp_path / "dead" / "index.html").write_text("<p>boot</p><script src='gone.js'></script><script>boom()</script>")
    words = f"onboard {tmp_path / 'dead'} --library {tmp_path / 'lib'} --viewport 320x240 --steps 5"
    done = CliRunner().invoke(app, words.split())
    assert done.exit_code == 1, done.output
    assert "no effect" in done.output and "gone.js" in done.output and "boom is not defined" in done.output


@pytest.mark.slow
async def test_documented_game_plays(tmp_path):
    """The example of docs/your-games.md: a page that hides its state in a module, and starts with a button."""
    shutil.copytree(ROOT / "tests/sandbox/pages/meadow", tmp_path / "meadow")
    (text,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/your-games.md").read_text(), re.DOTALL)
    (tmp_path / "meadow" / "game.yaml").write_text(text)
    game = read_game(tmp_path / "meadow" / "game.yaml")
    (card,) = await check_repeatability([game], steps=20)
    rows = dict(card.rows(game))
    assert card.verdict == "repeatable" and rows["seeds"] == "differ", rows
    jsonschema.validate(read_yaml(tmp_path / "meadow" / "game.yaml")[0], SCHEMA)


@pytest.mark.slow
def test_schema_accepts_every_game_and_no_unknown_key():
    files = [*ROOT.glob("games/*/*/game.yaml"), *GAMES.glob("*.yaml")]
    assert len(files) > 50
    validator = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)
    for file in files:
        validator.validate(json.loads(json.dumps(read_yaml(file)[0])))
    data = read_yaml(files[0])[0]
    with pytest.raises(jsonschema.ValidationError, match="controlls"):
        jsonschema.validate({**data, "controlls": []}, SCHEMA)
