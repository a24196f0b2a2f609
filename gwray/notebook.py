"""Reading and playing runs from Python: the API of `import gwray`. Frames are polars; `.to_pandas()` converts them.
Runs are played by the code of `gwray run` into ordinary run directories, so `gwray verify` checks them. This module
computes nothing that another package does not compute."""

from __future__ import annotations

import base64
import html
import io
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import polars as pl

from gwray.analysis import Comparison, arenas, cell_table, compare, episode_frame, main_table, plan_of, run_verdict
from gwray.cli.console import shown_work
from gwray.errors import GwrayError, UsageError, choose
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord
from gwray.records.columns import table
from gwray.settings import cell_labels
from gwray.store import RunDir, results_frame

if TYPE_CHECKING:
    from PIL.Image import Image

T = TypeVar("T")


def load_run(path: str) -> Run:
    """Opens a run directory: a path or an fsspec URL. Raises `UsageError` if there is none.

    Example: `gwray.load_run("runs/demo").table()`
    """
    with shown_work(f"reading {path}"):
        run = Run(RunDir.open(path))
        _ = run.episodes  # read now, while a line says so
        return run


def sweep(*words: str, **settings: Any) -> Run:
    """Plays a sweep and returns its run. Finished episodes are not played again.

    Args:
        words: settings as on the command line, such as `"model=random,scripted"`.
        settings: settings by name; a list is swept. Dots in names are two underscores: `executor__lanes=2`.

    Raises:
        UsageError: invalid settings.
        GwrayError: an episode failed; the run directory has all others.

    Example: `sweep(model=["random", "scripted"], game="13_flappy-bird", executor="inline")`
    """
    from gwray.cli.launch import play_sweep

    overrides = [*words, *(_override(name, value) for name, value in settings.items())]
    ended = _run_in_thread(lambda: play_sweep(overrides))
    run = Run(ended.run)
    if not ended.complete:
        failures = ended.run.failures()
        why = f": {failures[0].error_class}: {failures[0].error_message}" if failures else ""
        raise GwrayError(
            f"{ended.tally.finished} of {ended.tally.planned} episodes finished{why}. The same call resumes the run; "
            f"gwray.load_run({run.path!r}) reads the finished ones."
        )
    return run


def play(game: str, task: int | str = 1, model: str = "random", **settings: Any) -> Episode:
    """Plays one task once, in this process, and returns the episode. `settings`: as in `sweep`.

    Example: `gwray.play("13_flappy-bird", 1, model="scripted").frame(3)`
    """
    usual = {"executor": "inline", "executor__lanes": 1, "tracking__mode": "disabled"}
    run = sweep(game=game, task=task, model=model, **{**usual, **settings})
    planned = run.manifest.jobs[-1]
    key = run.episodes.filter(pl.col("seed") == planned["seed"]).row(-1, named=True)["key"]
    return run.episode(key)


class Run:
    """A recorded run. Frames are read on first access."""

    def __init__(self, directory: RunDir):
        self._run = directory
        self.path = directory.url
        self.manifest = directory.manifest()
        """Contents of `run.json`: cells, planned episodes, hashes of games, versions."""

    @cached_property
    def episodes(self) -> pl.DataFrame:
        """One row per episode, finished or failed, with its cell, task and result. Forks are excluded."""
        return results_frame(self._run)

    @cached_property
    def steps(self) -> pl.DataFrame:
        """One row per episode, environment step and role, without screenshots (see `episode`)."""
        keys = [k for k in self.episodes["key"] if self._run.has_episode(k)]
        rows = [(key, row) for key in keys for row in self._run.iter_steps(key, images=False)]
        frame = table([row for _, row in rows], StepRecord).drop("screenshot")
        return frame.insert_column(0, pl.Series("key", [key for key, _ in rows], pl.String))

    @cached_property
    def calls(self) -> pl.DataFrame:
        """One row per model reply: text, tokens and latency."""
        rows = [(key, line) for key, lines in self._run.logs() for line in lines]
        keys = [key for key, _ in rows]
        lines = [line.model_dump(exclude={"reply"}) for _, line in rows]
        replies = [line.reply.model_dump(exclude={"tool_calls", "usage"}) for _, line in rows]
        used = [{f"{name}_tokens": n for name, n in line.reply.usage.model_dump().items()} for _, line in rows]
        if not rows:
            names = [*LoggedReply.model_fields, *Reply.model_fields]
            return pl.DataFrame(schema=["key", *(n for n in names if n not in ("reply", "tool_calls", "usage"))])
        columns = [{"key": k, **a, **b, **c} for k, a, b, c in zip(keys, lines, replies, used, strict=True)]
        return pl.DataFrame(columns, infer_schema_length=None)

    @property
    def cells(self) -> dict[str, str]:
        """Names of the cells, by id."""
        return cell_labels(self.manifest.named_cells())

    def table(self, *, allow_incomplete: bool = False) -> pl.DataFrame:
        """Returns the main table, one row per cell: its id, which joins with the column `cell` of `episodes`, its name,
        and all columns of `gwray results --by cell --format csv`: success rate and progress in percent with their
        95 % intervals, rank, share of invalid replies, and counts. Incomplete cells have no rates unless
        `allow_incomplete`."""
        rows = main_table(self.episodes, [self.manifest.without_forks()], allow_incomplete=allow_incomplete)
        records = cell_table(rows, "main", "All cells", detailed=True).records()
        return pl.DataFrame(records, infer_schema_length=None, strict=False)

    def verdict(self) -> str:
        """Returns the result in a sentence: which cell is better, by how much, and whether that could be chance."""
        manifest = self.manifest.without_forks()
        frame = episode_frame(self.episodes)
        return run_verdict(frame, plan_of(frame, [manifest]))

    def arena(self) -> pl.DataFrame:
        """Returns the ratings of models that played against each other: game, rank, player, Elo with its 95 % interval,
        wins, draws, losses and mean lead. Raises `UsageError` if none did."""
        frame = episode_frame(self.episodes)
        if not (met := arenas(frame, plan_of(frame, [self.manifest.without_forks()]))):
            raise UsageError(f"{self.path}: no models played against each other; table() has the scores")
        return pl.DataFrame([{"game": title, **asdict(r)} for title, arena in met.items() for r in arena.ratings])

    def compare(self, a: str, b: str, metric: Literal["pg", "sr"] = "pg", *, genre: str = "") -> Comparison:
        """Returns cell `a` minus cell `b`, paired by task, seed and repeat; it prints as a sentence. Cells are given by
        id, or by name as in `table()` or `cells`; `genre`: on its games only. Raises `UsageError` if they share no
        episode."""
        genres = sorted(g for g in self.episodes["genre"].unique() if g)
        if genre and genre not in genres:
            raise choose("genre", genre, genres)
        first, second = self._cell(a), self._cell(b)
        found = compare(self.episodes, first, second, metric, genre=genre)
        if found is None:
            raise UsageError(f"'{a}' and '{b}' have no episode of the same task, seed and repeat")
        return replace(found, a=self.cells[first], b=self.cells[second])

    def _cell(self, word: str) -> str:
        shown = plan_of(episode_frame(self.episodes), [self.manifest]).cells
        names = {cell.name: id for id, cell in shown.items()}
        known = {**{id: id for id in self.cells}, **{name: id for id, name in self.cells.items()}, **names}
        if word not in known:
            raise choose("cell", word, [*names])
        return known[word]

    def episode(self, key: str) -> Episode:
        """Returns one episode with its screenshots, by its key or a prefix of it."""
        return Episode(self._run, self._run.find(key, self._run.episode_keys()))

    def __repr__(self) -> str:
        return f"Run({self.path!r}: {len(self.episodes)} episodes in {len(self.cells)} cells)"

    def _repr_html_(self) -> str:
        name = html.escape(self.manifest.name or self.path)
        return f"<p><b>{name}</b>, {len(self.episodes)} episodes</p>{self.table()._repr_html_()}"


class Episode:
    """A finished episode."""

    def __init__(self, run: RunDir, key: str):
        found = run.read_episode(key)
        self.key = key
        self.record: EpisodeRecord = found.meta.record
        self.prompts = found.meta.prompts
        """The static text of the prompts, by role."""
        self.rows = found.steps
        """Stored rows, screenshots included."""
        self._last = found.meta.final_frame

    @cached_property
    def steps(self) -> pl.DataFrame:
        """One row per environment step and role, without screenshots."""
        return table(self.rows, StepRecord).drop("screenshot")

    @property
    def pictures(self) -> list[bytes]:
        """Screenshots before each decision, as JPEG or PNG, and the final screen."""
        return [p for p in (*(row.screenshot for row in self.rows), self._last) if p]

    def frame(self, n: int) -> Image:
        """Returns image `n` of `pictures`; -1 is the final screen."""
        from PIL import Image

        return Image.open(io.BytesIO(self.pictures[n]))

    @property
    def frames(self) -> list[Image]:
        """All of `pictures`, decoded."""
        return [self.frame(n) for n in range(len(self.pictures))]

    def __repr__(self) -> str:
        r = self.record
        outcome = "solved" if r.success else "not solved"
        return f"Episode({r.task} by {r.model}: {outcome}, progress {100 * (r.progress or 0):.0f} %, {r.steps} steps)"

    def _repr_html_(self) -> str:
        summary = f"<p>{html.escape(repr(self))}</p>"
        if not self.pictures:
            return summary
        kind = "png" if self.pictures[-1].startswith(b"\x89PNG") else "jpeg"
        data = base64.b64encode(self.pictures[-1]).decode()
        return f'{summary}<img width="480" alt="the screen at the end" src="data:image/{kind};base64,{data}">'


def _override(name: str, value: Any) -> str:
    """Returns a keyword argument of `sweep` as an override of the command line."""

    def text(v: Any) -> str:
        return "null" if v is None else str(v).lower() if isinstance(v, bool) else str(v)

    listed = isinstance(value, list | tuple)
    return f"{name.replace('__', '.')}={','.join(map(text, value)) if listed else text(value)}"


def _run_in_thread(work: Callable[[], T]) -> T:
    """Calls `work` in a thread, since a notebook already runs an event loop in the current one."""
    done: Future[T] = Future()

    def call() -> None:
        try:
            done.set_result(work())
        except BaseException as e:
            done.set_exception(e)

    threading.Thread(target=call, name="gwray", daemon=True).start()
    return done.result()
