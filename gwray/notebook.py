"""Runs from Python: read one, play one. What `import gwray` offers.

Frames are polars; `.to_pandas()` makes pandas of them. A run is played here by the code that `gwray run` uses, into a
run directory like any other, so `gwray verify` checks what a notebook has made. Nothing is computed here that another
room does not compute.
"""

from __future__ import annotations

import base64
import html
import io
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import polars as pl

from gwray.analysis import Comparison, MainRow, compare, main_table
from gwray.columns import table
from gwray.errors import GwrayError, UsageError, choose
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord
from gwray.store import RunDir, results_frame

if TYPE_CHECKING:
    from PIL.Image import Image

T = TypeVar("T")


def load_run(path: str) -> Run:
    """A run directory: a path, or an fsspec URL. `UsageError` if there is none.

    Example: `gwray.load_run("runs/demo").table()`
    """
    return Run(RunDir.open(path))


def sweep(*words: str, **settings: Any) -> Run:
    """Play a sweep and return its run; what is finished already is not played again.

    `words` are settings as on the command line (`"model=random,scripted"`), `settings` the same by name, where a list
    is swept: `sweep(model=["random", "scripted"], game="13_flappy-bird", executor="inline")`. A setting with a dot in
    its name is written with two underscores: `executor__lanes=2`. Raises `UsageError` for wrong settings, and
    `GwrayError` if an episode failed; its run is in the run directory all the same.
    """
    from gwray.cli.launch import play_sweep

    said = [*words, *(_word(name, value) for name, value in settings.items())]
    ended = _apart(lambda: play_sweep(said))
    run = Run(ended.run)
    if not ended.complete:
        failures = ended.run.failures()
        why = f": {failures[0].error_class}: {failures[0].error_message}" if failures else ""
        raise GwrayError(
            f"{ended.tally.finished} of {ended.tally.planned} episodes finished{why}. The same call goes on with them; "
            f"gwray.load_run({run.path!r}) has what is there."
        )
    return run


def play(game: str, task: int | str = 1, model: str = "random", **settings: Any) -> Episode:
    """Play one task once, in this process, and return the episode; `settings` as in `sweep`.

    Example: `gwray.play("13_flappy-bird", 1, model="scripted").frame(3)`
    """
    usual = {"executor": "inline", "executor__lanes": 1, "tracking__mode": "disabled"}
    run = sweep(game=game, task=task, model=model, **{**usual, **settings})
    planned = run.manifest.jobs[-1]
    key = run.episodes.filter(pl.col("seed") == planned["seed"]).row(-1, named=True)["key"]
    return run.episode(key)


class Run:
    """A run that was played. Frames are read when they are asked for first."""

    def __init__(self, directory: RunDir):
        self._run = directory
        self.path = directory.url
        self.manifest = directory.manifest()
        """What `run.json` says: cells, planned episodes, hashes of games, versions."""

    @cached_property
    def episodes(self) -> pl.DataFrame:
        """A row an episode, finished or failed: who played what, and how it went. Forks are left out."""
        return results_frame(self._run)

    @cached_property
    def steps(self) -> pl.DataFrame:
        """A row per episode, environment step and role; `episode(key)` has the pictures too."""
        keys = [k for k in self.episodes["key"] if self._run.has_episode(k)]
        rows = [(key, row) for key in keys for row in self._run.iter_steps(key, images=False)]
        return _keyed(rows, StepRecord).drop("screenshot")

    @cached_property
    def calls(self) -> pl.DataFrame:
        """A row per reply of a model: what it said, its tokens, and how long it took."""
        rows = [(key, line) for key in self._run.logged_keys() for line in self._run.log(key).read()]
        keys = [key for key, _ in rows]
        said = [line.model_dump(exclude={"reply"}) for _, line in rows]
        told = [line.reply.model_dump(exclude={"tool_calls", "usage"}) for _, line in rows]
        used = [{f"{name}_tokens": n for name, n in line.reply.usage.model_dump().items()} for _, line in rows]
        if not rows:
            names = [*LoggedReply.model_fields, *Reply.model_fields]
            return pl.DataFrame(schema=["key", *(n for n in names if n not in ("reply", "tool_calls", "usage"))])
        columns = [{"key": k, **a, **b, **c} for k, a, b, c in zip(keys, said, told, used, strict=True)]
        return pl.DataFrame(columns, infer_schema_length=None)

    @property
    def cells(self) -> dict[str, str]:
        """The name of each cell, by its id."""
        return {c.id: c.name for c in self.manifest.cells}

    def table(self, *, allow_incomplete: bool = False) -> pl.DataFrame:
        """The main table, a row a cell: success rate and progress in percent, each with its 95 % interval, the share
        of invalid replies, and counts. An incomplete cell has no headline unless that is asked for."""
        rows = main_table(self.episodes, [self.manifest.without_forks()], allow_incomplete=allow_incomplete)
        return pl.DataFrame([_line(row) for row in rows], infer_schema_length=None)

    def compare(self, a: str, b: str, metric: Literal["pg", "sr"] = "pg") -> Comparison:
        """Cell `a` minus cell `b`, paired by task and seed; cells by name or id. `UsageError` if they share none."""
        found = compare(self.episodes, self._cell(a), self._cell(b), metric)
        if found is None:
            raise UsageError(f"'{a}' and '{b}' have no episode of the same task, seed and repeat")
        return found

    def _cell(self, word: str) -> str:
        known = {**{id: id for id in self.cells}, **{name: id for id, name in self.cells.items()}}
        if word not in known:
            raise choose("cell", word, [*self.cells.values()])
        return known[word]

    def episode(self, key: str) -> Episode:
        """One episode with its pictures, by its key or the beginning of one."""
        return Episode(self._run, self._run.find(key, self._run.episode_keys()))

    def __repr__(self) -> str:
        return f"Run({self.path!r}: {len(self.episodes)} episodes in {len(self.cells)} cells)"

    def _repr_html_(self) -> str:
        name = html.escape(self.manifest.name or self.path)
        return f"<p><b>{name}</b>, {len(self.episodes)} episodes</p>{self.table()._repr_html_()}"


class Episode:
    """One episode that was played to its end."""

    def __init__(self, run: RunDir, key: str):
        found = run.read_episode(key)
        self.key = key
        self.record: EpisodeRecord = found.meta.record
        self.prompts = found.meta.prompts
        """The static text of the prompts, by role."""
        self.rows = found.steps
        """As they are stored, pictures included."""
        self._last = found.meta.final_frame

    @cached_property
    def steps(self) -> pl.DataFrame:
        """A row per environment step and role, without the pictures."""
        return table(self.rows, StepRecord).drop("screenshot")

    @property
    def pictures(self) -> list[bytes]:
        """What was seen before each decision, as JPEG or PNG, and the screen at the end."""
        return [p for p in (*(row.screenshot for row in self.rows), self._last) if p]

    def frame(self, n: int) -> Image:
        """Picture `n` of `pictures`; -1 is the end."""
        from PIL import Image

        return Image.open(io.BytesIO(self.pictures[n]))

    @property
    def frames(self) -> list[Image]:
        """All of `pictures`, opened."""
        return [self.frame(n) for n in range(len(self.pictures))]

    def __repr__(self) -> str:
        r = self.record
        outcome = "solved" if r.success else "not solved"
        return f"Episode({r.task} by {r.model}: {outcome}, progress {100 * (r.progress or 0):.0f} %, {r.steps} steps)"

    def _repr_html_(self) -> str:
        said = f"<p>{html.escape(repr(self))}</p>"
        if not self.pictures:
            return said
        kind = "png" if self.pictures[-1].startswith(b"\x89PNG") else "jpeg"
        data = base64.b64encode(self.pictures[-1]).decode()
        return f'{said}<img width="480" alt="the screen at the end" src="data:image/{kind};base64,{data}">'


def _keyed(rows: Sequence[tuple[str, StepRecord]], model: type[StepRecord]) -> pl.DataFrame:
    keys = pl.Series("key", [key for key, _ in rows], pl.String)
    return table([row for _, row in rows], model).insert_column(0, keys)


def _line(row: MainRow) -> dict[str, Any]:
    def percent(name: str, value: Any) -> dict[str, float | None]:
        ends = (value.value, value.low, value.high) if value else (None, None, None)
        shown = (None if v is None else round(100 * v, 1) for v in ends)
        return dict(zip((name, f"{name} low", f"{name} high"), shown, strict=True))

    return {
        "cell": row.cell.name,
        **percent("success %", row.sr),
        **percent("progress %", row.pg),
        "invalid %": None if row.iar is None else round(100 * row.iar, 1),
        "rank": row.rank,
        "planned": row.counts.planned,
        "finished": row.counts.finished,
        "failed": row.counts.failed,
        "note": row.note,
    }


def _word(name: str, value: Any) -> str:
    def text(v: Any) -> str:
        return "null" if v is None else str(v).lower() if isinstance(v, bool) else str(v)

    listed = isinstance(value, list | tuple)
    return f"{name.replace('__', '.')}={','.join(map(text, value)) if listed else text(value)}"


def _apart(work: Callable[[], T]) -> T:
    """Call it in a thread of its own: a notebook has a running event loop in this one."""
    done: Future[T] = Future()

    def call() -> None:
        try:
            done.set_result(work())
        except BaseException as e:
            done.set_exception(e)

    threading.Thread(target=call, name="gwray", daemon=True).start()
    return done.result()
