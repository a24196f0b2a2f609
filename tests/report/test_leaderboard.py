"""The leaderboard: only replayed results have a badge and a rank, regardless of the pack's claims."""

import asyncio
import csv
import json
import shutil
import zipfile
from pathlib import Path

import pytest
import typer
from accessibility import barriers
from pipelines.conftest import play, short_library
from runs_to_report import HOSTILE

from gwray.errors import UsageError
from gwray.plugins.leaderboard.commands import leaderboard as command
from gwray.plugins.leaderboard.proof import digest_of, prove_pack
from gwray.store import RunDir, pack_run, seal_run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> RunDir:
    """Two players paused, and one of them in real time."""
    paused = [{"game": "short-flight", "task": "1", "model": m} for m in ("random", "noop")]
    charged = {**paused[0], "timing": {"mode": "realtime", "latency": "fixed:50"}}
    ended = asyncio.run(play(tmp_path_factory.mktemp("played"), *paused, charged))
    assert ended.complete
    return ended.run


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def leaderboard(site: Path, *packs: Path) -> int:
    """The command's exit code."""
    library = [str(short_library())]
    try:
        command(list(packs), site, "Leaderboard", False, 2, "inline", None, [], library)
    except typer.Exit as e:
        return e.exit_code
    except UsageError:
        return 2
    return 0


def lines(site: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((site / "leaderboard.csv").read_text().splitlines()))


def packed(run: RunDir, folder: Path, change=lambda run: None) -> Path:
    """Its pack, after it was changed and sealed again as if nothing had been."""
    shutil.copytree(run.local_path, folder / "copy")
    copy = RunDir.open(folder / "copy")
    change(copy)
    seal_run(copy)
    pack_run(copy, folder / "run.gwray")
    return folder / "run.gwray"


async def test_players_are_ranked_within_one_test(played, tmp_path, monkeypatch, watched):
    file, site = packed(played, tmp_path), tmp_path / "site"
    assert await asyncio.to_thread(leaderboard, site, file) == 0
    found = lines(site)
    assert {line["verified"] for line in found} == {"True"}
    assert [line["player"] for line in found if "paused" in line["test"]] == ["random", "noop"]
    (charged,) = [line for line in found if "real time" in line["test"]]
    assert "delay 50 ms" in charged["test"]
    assert {line["rank"] for line in found} == {""}, "players without a model are shown, and not ranked"
    assert all(f"played without a model ({line['provider']}): not ranked" in line["note"] for line in found)
    page = await watched.open(site / "index.html", "")
    assert await page.locator("section table").count() == 2
    assert await page.locator(".tag.good").all_inner_texts() == ["verified by replay"] * 3
    assert await barriers(page) == []
    assert digest_of(file)[:12] in await page.inner_text("main")
    assert watched.problems == []
    for width in (1360, 375):
        await page.set_viewport_size({"width": width, "height": 700})
        for shown in ("document.documentElement", "document.querySelector('.scroll')"):
            assert await page.evaluate(f"{shown}.scrollWidth <= {shown}.clientWidth"), "the proof is not cut"

    # What was proven of a file is read_agent_notes, and of that file only.
    async def never(*_, **__):
        raise AssertionError("it was played again")

    monkeypatch.setattr("gwray.plugins.leaderboard.packs.prove_pack", never)
    assert await asyncio.to_thread(leaderboard, site, file, file) == 0
    assert len(lines(site)) == 3, "one pack counts once"


def raised(run: RunDir) -> None:
    better = {"success": True, "progress": 1.0, "score": 1.0}
    run.rewrite_results([r.model_copy(update=better if r.model == "noop" else {}) for r in run.results()])


def renamed(run: RunDir) -> None:
    manifest = run.manifest()
    first, second, third = manifest.cells
    second = second.model_copy(update={"model": "the best model", "name": "the best model"})
    run.write_manifest(manifest.model_copy(update={"cells": (first, second, third)}))


@pytest.mark.parametrize(
    ("change", "why", "left"),
    [(raised, "differs from the result", ["random", "random"]), (renamed, "run.json: name", ["random", "random"])],
)
def test_forged_result_is_unverified_and_unranked(played, tmp_path, change, why, left):
    file, site = packed(played, tmp_path, change), tmp_path / "site"
    assert leaderboard(site, file) == 1
    found = lines(site)
    assert [line["player"] for line in found if line["verified"] == "True"] == left
    assert all(line["rank"] == "" and why in line["note"] for line in found if line["verified"] == "False")
    assert "the best model" not in (site / "index.html").read_text().split("not verified")[0]


async def test_pack_cannot_bring_games_or_proofs(played, tmp_path):
    own = tmp_path / "games"
    shutil.copytree(short_library(), own)

    def elsewhere(run: RunDir) -> None:
        run.write_manifest(run.manifest().model_copy(update={"libraries": (str(own),)}))

    file = packed(played, tmp_path, elsewhere)
    _, proof = await prove_pack(file, str(tmp_path / "played"), libraries=[str(short_library())])
    assert set(proof.cells.values()) == {""}, "played with the games that are here"
    _, elsewhere = await prove_pack(file, str(tmp_path / "other"))
    assert all("short-flight" in why for why in elsewhere.cells.values()), "a folder that it names is none of ours"
    with zipfile.ZipFile(file, "a") as pack:
        pack.writestr("proofs/x.json", json.dumps({"cells": {}}))
    site = tmp_path / "site"
    assert await asyncio.to_thread(leaderboard, site, file) == 1
    assert lines(site) == [] and "is no file of a pack" in (site / "index.html").read_text()


async def test_hostile_names_are_text_and_foreign_folder_is_kept(played, tmp_path, watched):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "index.html").write_text("mine")
    assert leaderboard(theirs, tmp_path / "none.gwray") == 2
    assert [f.name for f in theirs.iterdir()] == ["index.html"]

    def hostile(run: RunDir) -> None:
        manifest = run.manifest()
        manifest.cells[0].spec["model"]["name"] = HOSTILE.replace("\ud800", "")
        run.write_manifest(manifest)

    file, site = packed(played, tmp_path, hostile), tmp_path / "site"
    assert await asyncio.to_thread(leaderboard, site, file) == 1
    await watched.page.goto((site / "index.html").as_uri())
    assert "<script>window.pwned=1" in await watched.page.inner_text("main")
    assert await watched.page.evaluate("window.pwned") is None
    assert watched.problems == []
