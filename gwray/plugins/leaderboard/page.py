"""A leaderboard: one static page of packs, which ranks only results that were verified by replay.

Packs are untrusted: each is read separately, so that none can replace another's episodes, and all its texts are shown
as text. Models are ranked within a group: the same tasks and seeds, under the same timing, interface, observation,
actions and nudges. Other groups have tables of their own, as have the boards of `leaderboard_boards`. Copies of a play
have one rank, and row labels do not depend on other packs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import polars as pl

from gwray import __version__
from gwray.analysis import MAIN_COLUMNS, TABLED, Cell, MainRow, episode_frame, main_table, plan_of
from gwray.catalog import Catalog
from gwray.errors import UsageError
from gwray.pages import SHORT, Column, Table, TableCell, counted, safe_text, text_cell
from gwray.pages.rendering import STATIC_POLICY, render
from gwray.plugins.leaderboard.boards import DEFAULT, BoardEntry, board_entries
from gwray.plugins.leaderboard.proof import Proof
from gwray.report import asset
from gwray.settings import LOCAL_PLAYERS, CellSpec, ModelSpec, Value, axes, axis_value, axis_words, family, model_label
from gwray.store import UNPROVABLE, ManifestCell, PlannedEpisodes, RunManifest

MARKER = ".gwray-leaderboard"
"""Written first: only a folder that contains it may be overwritten."""
PLAYERS = ("agent", "memory_rounds", "memory_format", "sampling", "thinking")
"""Axis families that belong to the player; all others define its group."""
SHOWN = TABLED | {"state_chain"}
"""Columns of a pack's results that the page uses. Metrics are none of them: a pack chooses their names and types."""


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

    main: MainRow
    """Its row of the main table."""
    player: str
    provider: str
    """Who answered, with the host if the profile names one."""
    model_id: str
    served_model: str
    """As the provider named it."""
    agent: str
    unproven: str
    """Why the result is not verified; empty if it is."""
    note: str
    entry: PackEntry

    @property
    def verified(self) -> bool:
        return not self.unproven

    @property
    def replayed(self) -> str:
        """When it was replayed, and by which versions."""
        p = self.entry.proof
        return (
            f"{p.at[:10]}, gwray {p.gwray} (code {p.code}), Chromium {', '.join(safe_text(b, 80) for b in p.browsers)}"
        )


def _main(*names: str) -> tuple[Column, ...]:
    """Returns columns of the main table for rows of a leaderboard."""
    columns = (MAIN_COLUMNS[name] for name in names)
    return tuple(replace(c, cell=lambda r, cell=c.cell: cell(r.main)) for c in columns)


COLUMNS = (
    *_main("rank"), Column.text("player", lambda r: text_cell(r.player, sub=r.note)),
    Column.text("provider", "provider"), Column.text("model id", "model_id"),
    Column.text("served model", "served_model"), Column.text("agent", "agent"),
    *_main("success %", "progress %", "invalid %", "finished", "planned"),
)  # fmt: skip
"""Columns of the CSV, and of the page, which adds proof and packs."""
EPISODES = Column.text("episodes", lambda r: f"{r.main.counts.finished} of {r.main.counts.planned}")
"""Instead of the last two of `COLUMNS` on the page, which is narrow."""
PROOF_COLUMNS = (
    Column("verified", lambda r: TableCell(str(r.verified))), Column.text("when", "entry.proof.at"),
    Column.text("gwray", "entry.proof.gwray"), Column.text("pack", "entry.name"),
    Column.text("sha256", "entry.proof.pack"), Column.text("seal", "entry.seal"),
    Column.text("note", lambda r: r.unproven or r.note),
)  # fmt: skip


@dataclass(frozen=True)
class ComparisonGroup:
    """Players with the same tasks and conditions, and their results."""

    title: str
    settings: tuple[str, ...]
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
        "gwray.plugins.leaderboard", "leaderboard", unprovable=UNPROVABLE, title=safe_text(title, SHORT), root="",
        policy=STATIC_POLICY, pages=(), groups=groups, columns=(*COLUMNS[:-2], EPISODES),
        refused=[safe_text(r, SHORT) for r in refused], version=__version__,
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
    by_key: dict[Any, list[str]] = {}
    for cell in plan.cells.values():
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
    return [_make_group(entries, packs, frame, proofs[key], key) for key in ordered]


def _pack_of(entries: Sequence[PackEntry], id: str) -> PackEntry:
    return entries[int(id.partition(".")[0])]


def _originals(frame: pl.DataFrame, cells: Sequence[str]) -> dict[str, str]:
    """Returns for each cell the first of `cells` with exactly its play: copies have one rank, and are compared with
    other players once, so that sending copies changes no rank. Nothing in a file proves which was recorded first."""
    columns = ("game", "task", "seed", "repeat", "status", "state_chain")
    by_cell = frame.select("cell", *columns).group_by("cell")
    played = {cell: frozenset(rows.select(columns).iter_rows()) for (cell,), rows in by_cell}
    first: dict[frozenset, str] = {}
    return {cell: first.setdefault(played.get(cell, frozenset({cell})), cell) for cell in cells}


def _unproven(entries: Sequence[PackEntry], id: str, entry: BoardEntry) -> str:
    """Returns why an entry is not proven; empty if all its cells are."""
    proof = _pack_of(entries, id).proof.cells
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
    entries: Sequence[PackEntry],
    packs: Sequence[tuple[pl.DataFrame, RunManifest]],
    frame: pl.DataFrame,
    unproven: Mapping[str, str],
    key: tuple[frozenset[tuple], tuple[bool, str, str], tuple[tuple[str, str], ...], str],
) -> ComparisonGroup:
    """Returns a group with its tables. `unproven`: why each entry of the group is not proven; empty if it is."""

    def table(some: Sequence[str], ranked: Sequence[str] = ()) -> list[MainRow]:
        if not some:
            return []
        manifests = [
            RunManifest(
                cells=tuple(cell for cell in m.cells if cell.id in some),
                episodes=m.episodes.select(lambda part: part.cell in some),
            )
            for _, m in packs
        ]
        rows = frame.filter(pl.col("cell").is_in(list(some)))
        original = _originals(rows, ranked)
        found = main_table(rows, plan_of(rows, manifests), ranked={*original.values()})
        by_id = {r.cell.id: r for r in found}
        same_rank = (by_id[original.get(r.cell.id, r.cell.id)] for r in found)
        found = [
            replace(r, rank=o.rank, rank_interval=o.rank_interval, best=o.best)
            for r, o in zip(found, same_rank, strict=True)
        ]
        return sorted(found, key=lambda r: (r.rank is None, r.rank or 0))

    proven = [id for id, why in unproven.items() if not why]
    cells = {cell.id: CellSpec.model_validate(cell.spec) for _, m in packs for cell in m.cells}
    models = [id for id in proven if not _local_players(cells[id])]
    found = [*table(proven, models), *table([id for id in unproven if id not in proven])]
    rows = [_row(_pack_of(entries, r.cell.id), frame, r, unproven[r.cell.id]) for r in found]
    tasks, (_, timing, interface), group_axes, board = key
    words = axis_words({a: safe_text(v, 80) for a, v in group_axes if a != "timing"})
    settings = (axis_value("timing", timing), axis_value("interface", interface), *words)
    games = {game for game, *_ in tasks}
    title = f"{counted(len({t[:2] for t in tasks}), 'task')} of {counted(len(games), 'game')}"
    title = f"{board}: {title}" if board else title
    return ComparisonGroup(title, tuple(safe_text(s, 120) for s in settings), tuple(rows))


def _row(entry: PackEntry, frame: pl.DataFrame, row: MainRow, unproven: str) -> LeaderboardRow:
    spec, notes = _spec(row.cell), [row.note]
    if (local := _local_players(spec)) and not row.cell.person:
        renamed = [f"'{m.name}'" for m in spec.models() if m.provider in LOCAL_PLAYERS and m.name != m.provider]
        named = f"{' and '.join(renamed)} is " if renamed else ""
        notes.append(f"{named}played without a model ({', '.join(local)}): not ranked")
    measured = row.cell.latency == "measured"
    if row.cell.timing == "wallclock" or measured:
        notes.append("reply latencies are as logged: a replay cannot verify them")
    return LeaderboardRow(
        main=row,
        **_who(row.cell, frame),
        unproven=safe_text(unproven, SHORT),
        note=safe_text("; ".join(filter(None, notes)), SHORT),
        entry=entry,
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
    return " · ".join([_named(spec.model), *further, *axis_words({a: v for a, v in cell_axes.items() if _own(a)})])


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


def _csv(groups: Sequence[ComparisonGroup]) -> str:
    """Returns all rows as CSV; the first column has the group."""
    heads = {id(row): f"{n}: {g.title}, {', '.join(g.settings)}" for n, g in enumerate(groups, 1) for row in g.rows}
    test = Column.text("test", lambda row: heads[id(row)])
    rows = [row for group in groups for row in group.rows]
    return Table.build("leaderboard", "Leaderboard", (test, *COLUMNS, *PROOF_COLUMNS), rows).to_csv()
