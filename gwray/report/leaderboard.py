"""A leaderboard: one static page of packs, which ranks only results that were verified by replay.

Packs are untrusted: each is read separately, so that none can replace another's episodes, and all its texts are shown
as text. Models are ranked within a group: the same tasks and seeds, under the same timing, interface, observation,
actions and nudges. Other groups have tables of their own, as have the boards of `leaderboard_boards`. Nothing on the
page depends on how many packs a submitter sends: equal rows are one, copies under another name are marked, row labels
and comparisons do not depend on other packs, and ranks count levels of players, not players.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import polars as pl

from gwray.analysis import (
    LEAST_GAMES,
    TABLED,
    Cell,
    Interval,
    MainRow,
    compare_all,
    episode_frame,
    main_table,
    plan_of,
    tiers,
)
from gwray.axes import Value, axes, family, model_label, reader_words
from gwray.catalog import Catalog
from gwray.errors import UsageError
from gwray.pages import STATIC_POLICY
from gwray.pipelines import Proof
from gwray.report.leaderboard_arenas import arena_tables
from gwray.report.leaderboard_boards import DEFAULT, BoardEntry, board_entries
from gwray.report.leaderboard_copies import copy_notes, recordings
from gwray.report.pages import asset, render
from gwray.spec import LOCAL_PLAYERS, CellSpec, ModelSpec
from gwray.store import ManifestCell, PlannedEpisodes, RunManifest, seal_gap
from gwray.version import __version__
from gwray.visible_text import SHORT, counted, csv_text, safe_text

MARKER = ".gwray-leaderboard"
"""Written first: only a folder that contains it may be overwritten."""
PLAYERS = ("agent", "memory_rounds", "memory_format", "sampling", "thinking")
"""Axis families that belong to the player; all others define its group."""
NO_RANK = "–"
SHOWN = TABLED | {"state_chain"}
"""Columns of a pack's results that the page uses. Metrics are none of them: a pack chooses their names and types."""
COLUMNS = ("test", "rank", "player", "provider", "model id", "served model", "agent", "success %", "low", "high",
           "progress %", "low", "high", "invalid %", "finished", "planned", "verified", "when", "gwray", "pack",
           "sha256", "seal", "note")  # fmt: skip


@dataclass(frozen=True)
class PackEntry:
    """One pack."""

    name: str
    frame: pl.DataFrame
    manifest: RunManifest
    """Without forks."""
    proof: Proof

    @property
    def seal(self) -> str:
        return safe_text(self.manifest.seal, 80)


@dataclass(frozen=True)
class LeaderboardRow:
    """One player of a group."""

    rank: str
    player: str
    provider: str
    """Who answered, with the host if the profile names one."""
    model_id: str
    served_model: str
    """As the provider named it."""
    agent: str
    sr: Interval | None
    pg: Interval | None
    iar: float | None
    finished: int
    planned: int
    verified: bool
    unproven: str
    """Why the result is not verified."""
    note: str
    packs: tuple[PackEntry, ...]
    """The packs that this row is of; several if they differ in nothing that is shown."""

    @property
    def entry(self) -> PackEntry:
        return self.packs[0]

    @property
    def replayed(self) -> str:
        """When it was replayed, and by which versions."""
        p = self.entry.proof
        return (
            f"{p.at[:10]}, gwray {p.gwray} (code {p.code}), Chromium {', '.join(safe_text(b, 80) for b in p.browsers)}"
        )


@dataclass(frozen=True)
class ComparisonGroup:
    """Players with the same tasks and conditions, and their results."""

    title: str
    settings: tuple[str, ...]
    tasks: str
    """Number of tasks of each library."""
    rows: tuple[LeaderboardRow, ...]


def leaderboard_folder(out: Path) -> Path:
    """Creates the folder of a leaderboard. `UsageError` if it contains something else."""
    # A command that was killed may have left empty folders.
    files = any(not found.is_dir() for found in out.rglob("*"))
    if out.exists() and (not out.is_dir() or (files and not (out / MARKER).is_file())):
        raise UsageError(f"{out} exists and contains no leaderboard. Choose another folder, or empty it.")
    (out / "assets").mkdir(parents=True, exist_ok=True)
    (out / MARKER).write_text("Written by gwray leaderboard, which may overwrite it.\n", encoding="utf-8")
    return out


def build_leaderboard(
    entries: Sequence[PackEntry],
    out: Path,
    catalog: Catalog,
    *,
    title: str = "Leaderboard",
    refused: Sequence[str] = (),
) -> Path:
    """Writes the page into a folder from `leaderboard_folder`; returns its `index.html`. `refused`: why other packs
    could not be read, a sentence each."""
    groups = comparison_groups(entries, catalog)
    page = render(
        "leaderboard", title=safe_text(title, SHORT), root="", policy=STATIC_POLICY, pages=(), groups=groups,
        arenas=arena_tables(entries),
        refused=[safe_text(r, SHORT) for r in refused], version=__version__, least_games=LEAST_GAMES,
    )  # fmt: skip
    for name in ("style.css", "theme.js"):
        (out / "assets" / name).write_bytes(asset(name))
    (out / "leaderboard.csv").write_text(_csv(groups), encoding="utf-8")
    (out / "index.html").write_text(page, encoding="utf-8")
    return out / "index.html"


def comparison_groups(entries: Sequence[PackEntry], catalog: Catalog) -> list[ComparisonGroup]:
    """Groups players by tasks and conditions, most tasks first. Raises `UsageError` as `episode_frame`."""
    read = [_unique_keys(n, entry, catalog) for n, entry in enumerate(entries)]
    if not read:
        return []
    packs = [(pack_frame, manifest) for pack_frame, manifest, _ in read]
    found = {f"{n}.{e.cells[0]}": e for n, (_, _, pack) in enumerate(read) for e in pack}
    frame = episode_frame(pl.concat([f for f, _ in packs], how="diagonal_relaxed"))
    plan = plan_of(frame, [m for _, m in packs])
    unproven = {id: _unproven(entries, id, found[id]) if id in found else "unknown" for id in plan.cells}
    tasks = {
        cell: frozenset(rows.select("game", "task", "seed", "repeat").iter_rows())
        for (cell,), rows in plan.episodes.group_by("cell")
    }
    recorded = recordings(frame)
    shown: dict[Any, str] = {}
    packs_of: dict[str, tuple[PackEntry, ...]] = {}
    by_key: dict[Any, list[str]] = {}
    for cell in plan.cells.values():
        pack = entries[int(cell.id.partition(".")[0])]
        same = unproven[cell.id], tasks.get(cell.id), recorded.get(cell.id, cell.id), *_who(cell, frame).values()
        first = shown.setdefault(same, cell.id)
        packs_of[first] = (*packs_of.get(first, ()), pack)
        if first != cell.id:
            continue
        group = {a: v for a, v in cell.axes.items() if not _own(a)}
        words = tuple(sorted((a, str(v)) for a, v in group.items()))
        key = (
            tasks.get(cell.id, frozenset()),
            cell.rank_group,
            words,
            found[cell.id].board if cell.id in found else "",
        )
        by_key.setdefault(key, []).append(cell.id)
    ordered = sorted(by_key, key=lambda g: (-len(g[0]), g[1:], sorted(map(str, g[0]))))
    proofs = {key: {id: unproven[id] for id in ids} for key, ids in by_key.items()}
    # Of a result that was not replayed, anyone can write the states of another's.
    models = [id for id in packs_of if not unproven[id] and not _local_players(_spec(plan.cells[id]))]
    copies = copy_notes(frame, {id: packs_of[id][0].name for id in models})
    return [_make_group(packs_of, copies, packs, frame, proofs[key], key, catalog) for key in ordered]


def _unproven(entries: Sequence[PackEntry], id: str, entry: BoardEntry) -> str:
    """Returns why an entry is not proven; empty if all its cells are."""
    proof = entries[int(id.partition(".")[0])].proof.cells
    return "; ".join(dict.fromkeys(filter(None, (proof.get(cell, "unknown") for cell in entry.cells))))


def _unique_keys(n: int, pack: PackEntry, catalog: Catalog) -> tuple[pl.DataFrame, RunManifest, list[BoardEntry]]:
    """Returns a pack's rows and plan, with keys that are unique among packs; each of its entries is the cell of its
    first."""
    m = pack.manifest
    specs = {c.id: CellSpec.model_validate(c.spec) for c in m.cells}
    games: dict[str, set[str]] = {id: set() for id in specs}
    for part in m.episodes.parts:
        games.setdefault(part.cell, set()).add(part.game)
    found = board_entries(specs, games, catalog)
    first = {c: f"{n}.{e.cells[0]}" for e in found for c in e.cells}
    cells = []
    for e in found:  # only the specification is trusted, not the other fields of run.json
        spec = specs[e.cells[0]]
        own = axes(spec)
        if e.agent == DEFAULT:
            own = {"agent": DEFAULT, **{a: v for a, v in own.items() if family(a) != "agent"}}
        about = {"model": _named(spec.model), "interface": spec.agent.interface, "axes": own}
        cells.append(ManifestCell(id=first[e.cells[0]], spec=spec.model_dump(mode="json"), **about))
    renamed = (e._replace(key=f"{n}.{e.key}", cell=first.get(e.cell, f"{n}.{e.cell}")) for e in m.episodes)
    planned = pl.col("key").is_in([*m.episodes.episode_keys()])
    rows = pack.frame.select(name for name in SHOWN if name in pack.frame.columns).filter(planned)
    ids = {name: pl.format("{}.{}", pl.lit(n), pl.col(name)) for name in ("cell", "key")}
    unique = rows.with_columns(ids["key"].alias("key"), pl.col("cell").replace_strict(first, default=ids["cell"]))
    return unique, RunManifest(cells=tuple(cells), episodes=PlannedEpisodes.group(renamed)), found


def _make_group(
    packs_of: Mapping[str, tuple[PackEntry, ...]],
    copies: Mapping[str, str],
    packs: Sequence[tuple[pl.DataFrame, RunManifest]],
    frame: pl.DataFrame,
    unproven: Mapping[str, str],
    key: tuple[frozenset[tuple], tuple[bool, str, str], tuple[tuple[str, str], ...], str],
    catalog: Catalog,
) -> ComparisonGroup:
    """Returns a group with its tables. `packs_of`: the packs of each row; `copies`: what else has the same play;
    `unproven`: why each entry of the group is not proven; empty if it is."""

    def table(some: Sequence[str]) -> tuple[list[MainRow], dict[str, tuple[int, int]]]:
        if not some:
            return [], {}
        manifests = [
            RunManifest(
                cells=tuple(cell for cell in m.cells if cell.id in some),
                episodes=m.episodes.select(lambda part: part.cell in some),
            )
            for _, m in packs
        ]
        rows = frame.filter(pl.col("cell").is_in(list(some)))
        plan = plan_of(rows, manifests)
        found = main_table(rows, plan, comparisons=(), iqm=False)
        ranked = [r for r in found if r.pg is not None and r.cell.ranked and not _local_players(_spec(r.cell))]
        best_first = [r.cell.id for r in sorted(ranked, key=lambda r: -r.pg.value if r.pg else 0)]
        found.sort(key=lambda r: r.cell.id not in best_first)
        return found, tiers(best_first, compare_all(rows, plan, cells=best_first))

    verified, ranks = table([id for id, why in unproven.items() if not why])
    others, _ = table([id for id, why in unproven.items() if why])
    rows = [
        _row(packs_of[r.cell.id], frame, r, _rank(ranks.get(r.cell.id)), unproven[r.cell.id], copies.get(r.cell.id, ""))
        for r in (*verified, *others)
    ]
    tasks, (_, timing, interface), group_axes, board = key
    words = reader_words({a: safe_text(v, 80) for a, v in group_axes if a != "timing"})
    settings = (timing, interface.replace("_", " "), *words)
    games = {game for game, *_ in tasks}
    title = f"{counted(len({t[:2] for t in tasks}), 'task')} of {counted(len(games), 'game')}"
    title = f"{board}: {title}" if board else title
    return ComparisonGroup(title, tuple(safe_text(s, 120) for s in settings), _share(tasks, catalog), tuple(rows))


def _row(
    packs: tuple[PackEntry, ...], frame: pl.DataFrame, row: MainRow, rank: str, unproven: str, copy: str
) -> LeaderboardRow:
    spec, notes = _spec(row.cell), [row.note, copy]
    if (local := _local_players(spec)) and not row.cell.person:
        renamed = [f"'{m.name}'" for m in spec.models() if m.provider in LOCAL_PLAYERS and m.name != m.provider]
        named = f"{' and '.join(renamed)} is " if renamed else ""
        notes.append(f"{named}played without a model ({', '.join(local)}): not ranked")
    measured = row.cell.latency == "measured"
    if row.cell.timing == "wallclock" or measured:
        notes.append("reply latencies are as logged: a replay cannot verify them")
    notes += dict.fromkeys(seal_gap(pack.manifest.seal) for pack in packs)
    return LeaderboardRow(
        rank=rank,
        **_who(row.cell, frame),
        sr=row.sr,
        pg=row.pg,
        iar=row.iar,
        finished=row.counts.finished,
        planned=row.counts.planned,
        verified=not unproven,
        unproven=safe_text(unproven, SHORT),
        note=safe_text("; ".join(filter(None, notes)), SHORT),
        packs=packs,
    )


def _who(cell: Cell, frame: pl.DataFrame) -> dict[str, str]:
    """Returns what a row shows of who played."""
    spec = _spec(cell)
    served = frame.filter(pl.col("cell") == cell.id)["served_model"].drop_nulls().unique().sort().to_list()
    words = {
        "player": _player(spec, cell.axes),
        "provider": _each(spec, _provider),
        "model_id": _each(spec, lambda m: m.model_id),
        "served_model": "; ".join(filter(None, served)),
        "agent": DEFAULT if cell.axes.get("agent") == DEFAULT else spec.agent.code,
    }
    return {name: safe_text(text, SHORT) for name, text in words.items()}


def _spec(cell: Cell) -> CellSpec:
    return CellSpec.model_validate(cell.spec)


def _named(model: ModelSpec) -> str:
    """Returns a model's name with its id. A submitter's `label` is not used: it is free text."""
    return model_label(model.model_copy(update={"label": ""}))


def _player(spec: CellSpec, cell_axes: Mapping[str, Value]) -> str:
    """Returns the label of an entry, which does not depend on other entries."""
    further = [f"{name}={_named(m)}" for name, m in (*spec.roles.items(), *spec.helpers.items())]
    return " · ".join([_named(spec.model), *further, *reader_words({a: v for a, v in cell_axes.items() if _own(a)})])


def _own(axis: str) -> bool:
    return family(axis) in PLAYERS


def _local_players(spec: CellSpec) -> list[str]:
    """Returns the kinds of players without a model in a cell."""
    return sorted({m.provider for m in spec.models()} & LOCAL_PLAYERS)


def _each(spec: CellSpec, words: Callable[[ModelSpec], str]) -> str:
    return ", ".join(dict.fromkeys(filter(None, map(words, spec.models()))))


def _provider(model: ModelSpec) -> str:
    host = urlsplit(model.base_url or "").netloc.rpartition("@")[2]
    return f"{model.provider} at {host}" if host else model.provider


def _rank(rank: tuple[int, int] | None) -> str:
    return NO_RANK if rank is None else str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}"


def _share(tasks: frozenset[tuple], catalog: Catalog) -> str:
    """Returns how many tasks of which libraries a group has."""
    out = []
    for library in catalog.libraries.values():
        its = {(g.id, t.id) for g in catalog.games.values() for t in g.tasks if catalog.library_of(g.id) is library}
        there = {t[:2] for t in tasks} & its
        if there:
            out.append(f"{len(there)} of the {len(its)} tasks of {library.title or library.id}")
    known = {(g.id, t.id) for g in catalog.games.values() for t in g.tasks}
    if other := len({t[:2] for t in tasks} - known):
        out.append(f"{counted(other, 'task')} of unknown libraries")
    repeats = len(tasks) / max(1, len({t[:2] for t in tasks}))
    return f"{', '.join(out)}; {repeats:g} {'episode' if repeats == 1 else 'episodes'} a task"


def _csv(groups: Sequence[ComparisonGroup]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for n, group in enumerate(groups, 1):
        for line in group.rows:
            ends = [None if e is None or v is None else round(100 * v, 1)
                    for e in (line.sr, line.pg) for v in ((e.value, e.low, e.high) if e else (None,) * 3)]  # fmt: skip
            p = line.entry.proof
            sources = (
                [e.name for e in line.packs], [e.proof.pack for e in line.packs],
                dict.fromkeys(e.seal for e in line.packs),
            )  # fmt: skip
            row = [
                f"{n}: {group.title}, {', '.join(group.settings)}", line.rank, line.player, line.provider,
                line.model_id, line.served_model, line.agent, *ends,
                None if line.iar is None else round(100 * line.iar, 1), line.finished, line.planned, line.verified,
                p.at, p.gwray, *map("; ".join, sources), line.unproven or line.note,
            ]  # fmt: skip
            writer.writerow([csv_text(v) for v in row])
    return out.getvalue()
