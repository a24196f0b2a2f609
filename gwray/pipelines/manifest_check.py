"""Checks `run.json` against its specifications, and which episodes have which files. Names, axes, cell ids and episode
keys follow from specifications and games, so they are recomputed and compared. Plays nothing, and imports no code that
the run names."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields
from itertools import product

from pydantic import ValidationError

from gwray.catalog import Catalog
from gwray.errors import GwrayError, UsageError
from gwray.identity import non_defaults
from gwray.pipelines.cells import Keys, PlannedCell, cell_of, describe, game_seed, picture_problem
from gwray.pipelines.findings import Verification, difference, differing_field
from gwray.pipelines.game_defaults import tasks_of
from gwray.pipelines.outcome import label
from gwray.records import EpisodeRecord, ascii_json, digest
from gwray.redaction import HIDDEN
from gwray.serving import deployment_name
from gwray.spec import READABLE_PROTOCOLS, ActionSpec, CellSpec, EpisodeSpec, RunSpec
from gwray.store import ManifestCell, RunDir, RunManifest

MOST_PLANNED = 2_000_000
"""Number of planned episodes that are checked: a hostile `run.json` may plan any number."""

REDACTED = "its cell has a redacted value, so its cell id and key were not recomputed"

RESCORED = "it was rescored with other rules than it was played with, so its key was not recomputed"


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


def refuse_other_protocol(manifest: RunManifest, allowed: Collection[int] = READABLE_PROTOCOLS) -> None:
    """Raises `UsageError` for a run of a protocol version that is not `allowed`."""
    if manifest.protocol_version not in allowed:
        raise UsageError(
            f"the run was played under protocol version {manifest.protocol_version}, allowed here: "
            f"{', '.join(map(str, allowed))}; use the gwray that played it (commit {manifest.git_commit})"
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
        key = "" if rescored else self.key_mismatch(spec)
        return self._cells[spec.cell_id] or key or self._game_mismatch(spec.game)

    def unproven(self, spec: EpisodeSpec, rescored: bool) -> str:
        """Returns what was not compared, and why; empty if everything was."""
        if spec.cell_id in self._redacted:
            return REDACTED
        return RESCORED if rescored and self.key_mismatch(spec) else ""

    def key_mismatch(self, spec: EpisodeSpec) -> str:
        """Returns how the key differs from the one computed from cell, game, task and seed; empty if it does not."""
        if spec.cell_id in self._redacted:
            return ""
        try:
            game = self._library.game(spec.game)
            task = game.task(spec.task)
        except GwrayError as e:
            return str(e)
        cell = PlannedCell(spec.cell_id, "", spec.cell)
        action, keys = self._keys_of(spec.prefix).for_task(cell, game, task)
        key = keys.key(spec.seed, spec.repeat)
        if key != spec.key:
            why = self._game_mismatch(spec.game) or "run.json or the episode's name was changed"
            return f"key: recorded {spec.key}, its cell, game, task and seed make {key}: {why}"
        recorded = self._actions.get(spec.key, {})
        return (
            ""
            if recorded == non_defaults(action)
            else difference("run.json: action", recorded, non_defaults(action), says="made")
        )

    def unused_entries(self) -> list[Verification]:
        """Returns a finding per game or kind in `run.json` that no episode uses."""
        played = {*self._manifest.episodes.games()}
        kinds = {self._library.games[g].kind for g in played if g in self._library.games}
        return [
            Verification("run.json", "", "", "different", None, f"{name}.{one[:80]}: no episode of the run uses it")
            for name, listed, used in (("games", self._manifest.games, played), ("kinds", self._manifest.kinds, kinds))
            for one in sorted({*listed} - used)
        ]

    def missing_episodes(self) -> list[Verification]:
        """Returns a finding per episode that the run's commands plan, in its cells and games, but `run.json` lacks."""
        found: dict[str, Verification] = {}
        checked = 0
        specs = {c.id: CellSpec.model_validate(c.spec) for c in self._manifest.cells}
        have = {(e.cell, e.game, e.task, e.seed, e.repeat) for e in self._manifest.episodes}
        try:
            jobs = [*self._jobs()]
        except ValidationError as e:
            where = ".".join(map(str, e.errors()[0]["loc"]))
            detail = f"jobs: {where} is not valid, so it is unknown which episodes the commands planned"
            return [Verification("run.json", "", "", "error", None, detail)]
        for job in jobs:
            cells = [(id, spec) for id, spec in specs.items() if _made_by(spec, job)]
            try:
                planned = tasks_of(job, self._library)
            except GwrayError as e:
                detail = f"a command of the run plans games or tasks that are missing here: {e}"
                found[f"run.json {len(found)}"] = Verification("run.json", "", "", "error", None, detail)
                continue
            pairs = [p for p in planned if p[0].id in self._manifest.games]
            checked += len(cells) * len(pairs) * job.repeats
            if checked > MOST_PLANNED:
                detail = f"its commands plan more than {MOST_PLANNED:,} episodes; not all were checked"
                found["run.json"] = Verification("run.json", "", "", "error", None, detail)
                break
            for id, spec in cells:
                for (game, task), repeat in product(pairs, range(job.repeats)):
                    seed = game_seed(job, repeat)
                    if (id, game.id, task.id, seed, repeat) in have or picture_problem(spec, game):
                        continue
                    _, keys = self._keys_of("").for_task(PlannedCell(id, "", spec), game, task)
                    key = keys.key(seed, repeat)
                    detail = "a command of the run plans it, but run.json does not have it"
                    found[key] = Verification(key, task.id, id, "missing", None, detail)
        return [*found.values()]

    def _jobs(self) -> Iterator[RunSpec]:
        """Yields the distinct commands of the run that plan complete cells. Raises `ValidationError` for one that is no
        command."""
        for words in {ascii_json(words): words for words in self._manifest.jobs}.values():
            job = RunSpec.from_record(words)
            if job.model.provider != "human":  # people add attempts one by one
                yield job

    def _keys_of(self, prefix: str) -> Keys:
        return self._keys.setdefault(prefix, Keys(prefix, self._kinds, self._manifest.protocol_version))

    def _game_mismatch(self, game: str) -> str:
        """Returns why a game here is not that of the run; empty if it is."""
        recorded, here = self._manifest.games.get(game), self._library.games.get(game)
        if here is None:
            return f"game {game} is not in the library"
        if recorded != here.files_hash:
            return f"game {game} has other files than in the run (run.json {recorded}, here {here.files_hash})"
        return ""


def _made_by(cell: CellSpec, job: RunSpec) -> bool:
    """Returns whether a command creates this cell. Profiles of further models are compared by name."""
    words = {"interface": job.interface, "memory_rounds": job.memory_rounds, "memory_format": job.memory_format}
    agent = job.agent.model_copy(update=words)
    model, asked = cell.model, job.model
    if model.deployment:  # what the run served, which depends on files of this machine
        if model.name != deployment_name(asked.name, job.deployment):
            return False
        model = model.model_copy(update={"deployment": {}, "name": asked.name, "image": asked.image})
    of_job = (asked, agent, job.timing, job.observation, job.action, job.nudge, job.limit, job.scenario)
    names = {role: m.name for role, m in cell.roles.items()}, {by: m.name for by, m in cell.helpers.items()}
    of_cell = (model, cell.agent, cell.timing, cell.observation, cell.action, cell.nudge, cell.limit, cell.scenario)
    same = of_cell == of_job
    return same and names == (job.roles, job.agent.models) and cell.metrics == job.metrics


def _cell_mismatch(cell: ManifestCell, episodes: int) -> str:
    """Returns what in a cell of `run.json` differs from its specification; empty if nothing does."""
    made = {**describe(cell_of(CellSpec.model_validate(cell.spec))), "planned": episodes}
    made = json.loads(json.dumps(made))
    if HIDDEN in json.dumps(cell.spec):
        made["id"] = cell.id
    stored = cell.stored()
    for name in dict.fromkeys([*made, *stored]):
        # The specification is the source of the rest; an older gwray wrote fewer fields.
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
    for key, record in failed.items():
        if key in specs and key not in done and (detail := _failure_mismatch(record, specs[key])):
            found.append(Verification(key, specs[key].task, specs[key].cell_id, "different", None, detail))
    sources = {"results.jsonl": done, "episodes/": files, "replies/": run.logged_keys(), "failures.jsonl": failed}
    known: set[str] = {*specs}
    for source, keys in sources.items():
        for key in sorted({*keys} - known):
            known.add(key)
            found.append(
                Verification(key, "", "", "different", None, f"it is in {source}, but run.json does not plan it")
            )
    return found


FAILED = (
    "key", "cell", "game", "task", "model", "interface", "timing", "latency", "memory_rounds", "agent", "sees_text",
    "seed", "repeat", "prefix", "status", "success", "progress",
)  # fmt: skip
"""Fields of a failed episode that the plan determines."""


def _failure_mismatch(record: EpisodeRecord, spec: EpisodeSpec) -> str:
    made = label(spec).model_copy(update={"status": "failed"})
    return differing_field(record, made, fields=FAILED, says="in failures.jsonl; planned")
