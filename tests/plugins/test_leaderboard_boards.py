"""The boards of a leaderboard: models under default strategies, and strategies that are the same in all games."""

from __future__ import annotations

import io

import polars as pl
from report.runs_to_report import HOSTILE
from rich.console import Console

from gwray.catalog import load_catalog
from gwray.cli.compose import job_specs
from gwray.pipelines.plan import make_plan
from gwray.plugins.leaderboard.boards import DEFAULT, MODELS, STRATEGIES
from gwray.plugins.leaderboard.packs import _Prover, make_leaderboard
from gwray.plugins.leaderboard.page import PackEntry, comparison_groups
from gwray.plugins.leaderboard.proof import Proof

GIVEN = ["game=[p01_twofold,p03_thirteen-days,p04_say-so]", "scenario=seen", "observation=text"]
PROOF = {"at": "2026-11-25", "gwray": "1", "code": "c", "protocol": 2, "browsers": (), "drawn_anew": 0, "games": {}}


def pack(progress: float, *words: str, unproven: int = 0, game: str = "") -> PackEntry:
    """A pack of one command, with the same progress in all its episodes; `unproven` of its cells are not proven."""
    given = [f"game={game}", "task=1", "observation=text"] if game else GIVEN
    manifest = make_plan(job_specs([*given, *words])).manifest()
    rows = [
        {"key": e.key, "cell": e.cell, "game": e.game, "task": e.task, "seed": e.seed, "repeat": e.repeat, "steps": 9,
         "status": "finished", "success": False, "progress": progress, "sees_text": True, "state_chain": e.key,
         "latency_ms": progress, "model": "m", "interface": "semantic", "genre": "puzzle", "proposals": 9,
         "input_tokens": 9, "output_tokens": 1}
        for e in manifest.episodes
    ]  # fmt: skip
    cells = {c.id: HOSTILE if n < unproven else "" for n, c in enumerate(manifest.cells)}
    return PackEntry("p", pl.DataFrame(rows), manifest, Proof(pack=str(progress), cells=cells, **PROOF))


def boards(*packs: PackEntry) -> dict[str, list[tuple]]:
    found = comparison_groups(packs, load_catalog())
    return {g.title: [(r.player, r.agent, r.main.counts.planned, r.main.pg and round(r.main.pg.value, 2), r.verified)
                      for r in g.rows]
            for g in found}  # fmt: skip


def test_models_and_strategies_have_a_board_each():
    defaults = "game_defaults=[agent,sampling]"
    found = boards(
        pack(0.4, "model=gpt-4o", defaults),
        pack(0.2, "model=gpt-4o-mini", defaults),
        pack(0.1, "model=random"),
        pack(0.3, "model=gpt-4o", "agent=orak_planning", "game_defaults=[sampling]"),
    )
    assert found == {
        f"{MODELS}: 3 tasks of 3 games": [
            (f"gpt-4o · agent {DEFAULT}", DEFAULT, 3, 0.4, True),
            (f"gpt-4o-mini · agent {DEFAULT}", DEFAULT, 3, 0.2, True),
            ("random", "direct", 3, 0.1, True),
        ],
        f"{STRATEGIES}: 3 tasks of 3 games": [("gpt-4o · agent orak_planning", "orak_planning", 3, 0.3, True)],
    }


def test_titles_of_boards_have_words_for_observations():
    """Settings of a title come from a pack as text; they read as words all the same."""
    packs = pack(0.4, "model=gpt-4o"), pack(0.4, "model=gpt-4o", "observation=both")
    shown = [g.settings[:3] for g in comparison_groups(packs, load_catalog())]
    assert sorted(shown) == [("paused", "named controls", x) for x in ("pictures + text", "text")]


def test_one_agent_in_all_games_is_a_strategy():
    (title,) = boards(pack(0.3, "model=gpt-4o", "agent=orak_planning"), pack(0.2, "model=gpt-4o", "agent=direct"))
    assert title.startswith(STRATEGIES), "direct is the default of one game only"


def test_entry_is_unproven_if_one_of_its_cells_is():
    (rows,) = boards(pack(0.4, "model=gpt-4o", "game_defaults=[agent,sampling]", unproven=1)).values()
    assert [(planned, verified) for _, _, planned, _, verified in rows] == [(3, False)]


def test_terminal_counts_rows_of_the_page(tmp_path, monkeypatch):
    """Several cells of one submission are one row on the page, so the terminal counts them once too."""
    entry = pack(0.4, "model=gpt-4o", "game_defaults=[agent,sampling]")
    monkeypatch.setattr(_Prover, "entry", lambda self, pack, digest: (entry, True))
    (tmp_path / "p.tar").touch()
    console = Console(file=io.StringIO(), width=200)
    assert make_leaderboard([tmp_path / "p.tar"], tmp_path / "out", console, title="", libraries=(), trusted=(),
                executor=lambda: None, restart=False)  # fmt: skip
    assert len(entry.proof.cells) > 1
    assert "p.tar: 1 of 1 row verified, replayed now" in console.file.getvalue()


def test_games_without_default_agents_have_no_board():
    entry = pack(0.4, "model=gpt-4o", game="13_flappy-bird")
    assert list(boards(entry)) == ["1 task of 1 game"]
