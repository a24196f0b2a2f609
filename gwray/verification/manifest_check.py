"""Checks `run.json` against its specifications, and which episodes have which files. Names, axes, cell ids and episode
keys follow from specifications and games, so they are recomputed and compared. Plays nothing, and imports no code that
the run names."""

import json
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import fields

from pydantic import ValidationError

from gwray.catalog import Catalog
from gwray.errors import GwrayError, UsageError
from gwray.pipelines import Keys, PlannedCell, cell_of, describe
from gwray.records import HIDDEN, ascii_json, digest, non_defaults
from gwray.settings import PROTOCOL_VERSION, ActionSpec, CellSpec, EpisodeSpec
from gwray.store import ManifestCell, RunDir, RunManifest
from gwray.verification.findings import Verification, difference

REDACTED = "its cell has a redacted value, so its cell id, key and seed were not recomputed"
RESCORED = "it was rescored with other rules than it was played with, so its key and seed were not recomputed"


def episode_specs(run: RunDir) -> dict[str, EpisodeSpec]:
    """Returns the planned episodes of a run, by key. Raises `UsageError` for a damaged or changed run.json."""
    manifest = run.manifest()
    try:
        cells = {c.id: CellSpec.model_validate(c.spec) for c in manifest.cells}
        return {
            e.key: EpisodeSpec(
                key=e.key,
                cell_id=e.cell,
                cell=cells[e.cell],
                game=e.game,
                task=e.task,
                seed=e.seed,
                repeat=e.repeat,
                action=ActionSpec.model_validate(e.action),
                prefix=e.prefix,
            )
            for e in manifest.episodes
        }
    except (KeyError, ValidationError) as e:
        why = f"{type(e).__name__}: {e}".partition("\n")[0]
        raise UsageError(f"{run.url}/run.json does not describe its cells and episodes ({why})") from e


def spec_text(spec: EpisodeSpec) -> str:
    """Returns an episode's specification as text, without its cell."""
    return repr([getattr(spec, f.name) for f in fields(spec) if f.name != "cell"])


def shared_plan_digest(manifest: RunManifest, specs: Mapping[str, EpisodeSpec]) -> str:
    """Returns a digest of a plan without single episodes and the seal; the number of episodes per cell is included."""
    per_cell = Counter(spec.cell_id for spec in specs.values())
    plan = {name: v for name, v in manifest.stored().items() if name != "seal"}
    return digest(ascii_json({**plan, "cells": [c.stored() for c in manifest.cells], "episodes": per_cell}))


def refuse_other_protocol(manifest: RunManifest) -> None:
    """Raises `UsageError` for a run of another protocol version."""
    if manifest.protocol_version != PROTOCOL_VERSION:
        raise UsageError(
            f"the run was played under protocol version {manifest.protocol_version}, and this gwray supports version "
            f"{PROTOCOL_VERSION} only; use the gwray that played it (commit {manifest.git_commit})"
        )


class ManifestCheck:
    """Recomputes what `run.json` has about each episode, from its specifications and the games on this node."""

    def __init__(self, manifest: RunManifest, specs: Mapping[str, EpisodeSpec], library: Catalog):
        self._manifest, self._library = manifest, library
        self._kinds = manifest.kinds
        self._keys: dict[str, Keys] = {}
        self._actions = {e.key: e.action for e in manifest.episodes if e.action}
        per_cell = Counter(spec.cell_id for spec in specs.values())
        self._cells = {c.id: _cell_mismatch(c, per_cell[c.id]) for c in manifest.cells}
        self._redacted = {c.id for c in manifest.cells if HIDDEN in json.dumps(c.spec)}

    def mismatch(self, spec: EpisodeSpec, rescored: bool) -> str:
        """Returns what in an episode's entry of `run.json` is wrong; empty if nothing is. `rescored`: with other rules
        than those that its key was computed with."""
        return self._cells[spec.cell_id] or self.key_mismatch(spec, rescored) or self._game_mismatch(spec.game)

    def unproven(self, spec: EpisodeSpec, rescored: bool) -> str:
        """Returns what was not compared, and why; empty if everything was."""
        if spec.cell_id in self._redacted:
            return REDACTED
        return RESCORED if rescored and self.key_mismatch(spec) else ""

    def key_mismatch(self, spec: EpisodeSpec, rescored: bool = False) -> str:
        """Returns how key or action differ from those computed from cell, game, task and seed; empty if neither does.
        The key of a cell with a redacted value, or of a rescored episode, is not compared."""
        try:
            game = self._library.game(spec.game)
            task = game.task(spec.task)
        except GwrayError as e:
            return str(e)
        cell = PlannedCell(spec.cell_id, "", spec.cell)
        action, keys = self._keys_of(spec.prefix).for_task(cell, game, task)
        key = keys.key(spec.seed, spec.repeat)
        if key != spec.key and not (rescored or spec.cell_id in self._redacted):
            why = self._game_mismatch(spec.game) or "run.json or the episode's name was changed"
            return f"key: recorded {spec.key}, its cell, game, task and seed make {key}: {why}"
        recorded = self._actions.get(spec.key, {})
        return (
            ""
            if recorded == non_defaults(action)
            else difference("run.json: action", recorded, non_defaults(action), says="made")
        )

    def _keys_of(self, prefix: str) -> Keys:
        return self._keys.setdefault(prefix, Keys(prefix, self._kinds))

    def _game_mismatch(self, game: str) -> str:
        """Returns why a game here is not that of the run; empty if it is."""
        recorded, here = self._manifest.games.get(game), self._library.games.get(game)
        if here is None:
            return f"game {game} is not in the library"
        if recorded != here.files_hash:
            return f"game {game} has other files than in the run (run.json {recorded}, here {here.files_hash})"
        return ""


def _cell_mismatch(cell: ManifestCell, episodes: int) -> str:
    """Returns what in a cell of `run.json` differs from its specification; empty if nothing does."""
    made = {**describe(cell_of(CellSpec.model_validate(cell.spec))), "planned": episodes}
    made = json.loads(json.dumps(made))
    if HIDDEN in json.dumps(cell.spec):
        made["id"] = cell.id
    stored = cell.stored()
    for name in dict.fromkeys([*made, *stored]):
        # The specification is the source of the rest.
        if name != "spec" and stored.get(name) != made.get(name):
            return difference(f"run.json: {name} of cell {cell.id}", stored.get(name), made.get(name), says="made")
    return ""


def find_orphans(run: RunDir, specs: Mapping[str, EpisodeSpec], done: Collection[str]) -> list[Verification]:
    """Returns a finding per planned episode without a result, and per file or result without a planned episode."""
    files, failed = {*run.episode_keys()}, {r.key: r for r in run.failures()}
    found: list[Verification] = []
    for key, spec in specs.items():
        if key in done:
            continue
        verdict, detail = "missing", "it is planned but has no line in results.jsonl"
        if key in files:
            detail = f"{detail}, although it was finished (episodes/{key}.parquet)"
        elif key in failed:
            verdict, detail = "skipped", f"it failed ({failed[key].error_class}): there is nothing to verify"
        found.append(Verification(key, spec.task, spec.cell_id, verdict, None, detail))
    sources = {"results.jsonl": done, "episodes/": files, "replies/": run.logged_keys(), "failures.jsonl": failed}
    known: set[str] = {*specs}
    for source, keys in sources.items():
        for key in sorted({*keys} - known):
            known.add(key)
            found.append(
                Verification(key, "", "", "different", None, f"it is in {source}, but run.json does not plan it")
            )
    return found
