"""Usage: tokens, cost, time and invalid replies, by cell and by module of an agent. Rates by cell are over finished
episodes; only `spent_usd` includes failed ones. Usage by module is counted from the reply logs of all episodes."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from gwray.analysis.cells import TOKENS, Cell, Counts, PlannedTasks, counts
from gwray.pages import NO_VALUE, SHORT, Column, Table, TableCell, money_cell, safe_text, text_cell
from gwray.records import LoggedReply
from gwray.settings import CellSpec


@dataclass(frozen=True)
class UsageTable:
    """Rates of one cell."""

    cell: str
    counts: Counts
    steps: int
    proposals: int
    iar: float | None
    """Invalid action rate: (no_tool_call + out_of_space) / proposals. Repaired replies count as invalid."""
    repaired: int
    """Number of decisions that were read leniently and played."""
    efficiency: float | None
    """Action efficiency: steps of the best known solution of a task / steps used, mean over its successes."""
    no_tool_call: float | None
    out_of_space: float | None
    input_tokens: float | None
    """Per step, like all values below unless stated otherwise."""
    cached_tokens: float | None
    output_tokens: float | None
    reasoning_tokens: float | None
    latency_s: float | None
    served_model: str
    """Exact model names that the provider reported; empty if it reported none."""
    in_flight: int
    """Maximum number of concurrent requests to the model; 0: none, or not recorded."""
    charged_s: float | None
    """Game time charged for thinking (real-time mode)."""
    seconds_per_step: float | None
    """Game seconds between steps: charged thinking time plus the duration of the action."""
    thinking_s: float | None
    """Seconds of thinking: as charged where the game's clock goes on meanwhile, otherwise until the reply arrived."""
    turn_s: float | None
    """Seconds between steps: thinking plus the duration of the action (the published seconds per step)."""
    wall_s: float | None
    cost_usd: float | None
    """USD per step; None if an episode's price is unknown."""
    task_usd: float | None
    """USD of one repeat of a task, mean over tasks; None if an episode's price is unknown."""
    task_tokens: float | None
    """Input and output tokens of one repeat of a task, mean over tasks."""
    spent_usd: float
    """Known cost of all episodes, including failed ones, like all values below."""
    unpriced: int
    """Episodes that used tokens of unknown price."""
    tokens: int
    """Input and output tokens."""
    retries: int
    waited_s: float
    """Requests that were repeated, after an error or a rate limit."""
    gpu_hours: float
    """GPU-hours of the models that the run hosted, divided among their cells by tokens."""


def usage(frame: pl.DataFrame, plan: PlannedTasks, cell: str) -> UsageTable:
    """Returns the rates of one cell: Σ quantity / Σ steps over finished episodes; IAR as in the published table 11.
    Cost of a task = (1/T) Σ_t mean_r cost, so that partial and repeated cells are comparable."""
    rows = frame.filter(pl.col("cell") == cell)
    done = rows.filter(pl.col("status") == "finished")
    steps = int(done["steps"].sum() or 0)
    proposals = int(done["proposals"].sum() or 0)

    def per_step(column: str, scale: float = 1.0) -> float | None:
        unknown = column in TOKENS and done[column].null_count()
        return float(done[column].fill_null(0).sum()) * scale / steps if steps and not unknown else None

    def share(column: str) -> float | None:
        return float(done[column].fill_null(0).sum()) / proposals if proposals else None

    none, outside = share("no_tool_call"), share("out_of_space")
    tokens = pl.sum_horizontal("input_tokens", "output_tokens")
    unknown = pl.col("cost_usd").is_null() & ((tokens > 0) | pl.col("input_tokens").is_null())
    task_means = done.group_by("game", "task").agg(
        pl.col("cost_usd").fill_null(0).mean(), tokens.mean().alias("tokens")
    )
    priced = done.height > 0 and done.filter(unknown).is_empty()
    thinking_s = per_step("charged_ms" if plan.cells[cell].latency else "latency_ms", 1e-3)
    return UsageTable(
        cell=cell,
        counts=counts(frame, plan, cell),
        steps=steps,
        proposals=proposals,
        iar=_sum(none, outside),
        repaired=int(done["repaired"].fill_null(0).sum() or 0),
        efficiency=_efficiency(done.filter(pl.col("success")), plan.games),
        no_tool_call=none,
        out_of_space=outside,
        input_tokens=per_step("input_tokens"),
        cached_tokens=per_step("cached_tokens"),
        output_tokens=per_step("output_tokens"),
        reasoning_tokens=per_step("reasoning_tokens"),
        latency_s=per_step("latency_ms", 1e-3),
        served_model=", ".join(sorted({n for s in rows["served_model"].unique() if s for n in s.split(", ")})),
        in_flight=int(rows["in_flight"].max() or 0),  # type: ignore[arg-type]
        charged_s=per_step("charged_ms", 1e-3),
        seconds_per_step=per_step("game_time_ms", 1e-3),
        thinking_s=thinking_s,
        turn_s=_sum(thinking_s, per_step("game_time_ms", 1e-3), per_step("charged_ms", -1e-3)),
        wall_s=per_step("wall_s"),
        cost_usd=per_step("cost_usd") if priced else None,
        task_usd=_mean(task_means["cost_usd"]) if priced else None,
        task_tokens=_mean(task_means["tokens"]) if done.height and not done["input_tokens"].null_count() else None,
        spent_usd=float(rows["cost_usd"].fill_null(0).sum()),
        unpriced=rows.filter(unknown).height,
        tokens=int(rows.select(tokens.sum()).item() or 0),
        retries=int(rows["retries"].sum() or 0),
        waited_s=float(rows["waited_s"].sum() or 0),
        gpu_hours=math.fsum(_gpu_hours(frame, plan, cell)),
    )


def _gpu_hours(frame: pl.DataFrame, plan: PlannedTasks, cell: str) -> Iterator[float]:
    """Yields the GPU-hours that a cell took of each hosted model: its share of the tokens of all cells that use it."""
    used = {id: {m.get("name") for m in _models(c.spec)} | {c.model} for id, c in plan.cells.items()}
    for model, hours in plan.gpu_hours.items():
        if model in used[cell]:
            rows = frame.filter(pl.col("cell").is_in([id for id, names in used.items() if model in names]))
            tokens = rows.select("cell", n=pl.sum_horizontal("input_tokens", "output_tokens"))
            every, own = (int(x["n"].sum()) for x in (tokens, tokens.filter(pl.col("cell") == cell)))
            yield hours * own / every if every else 0.0


def _models(spec: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yields the model profiles in a cell's specification."""
    yield spec.get("model") or {}
    for part in ("roles", "helpers"):
        yield from (spec.get(part) or {}).values()


def spent_cell(*found: UsageTable) -> TableCell:
    """Returns what some cells spent: GPU-hours of hosted models, which have no price, and USD, with `≥` if a price is
    missing in a cell without GPU-hours; a dash if nothing was used."""
    if not any(u.tokens or u.spent_usd for u in found):
        return NO_VALUE
    usd, hours = sum(u.spent_usd for u in found), math.fsum(u.gpu_hours for u in found)
    unpriced = any(u.unpriced and not u.gpu_hours for u in found)
    cell = money_cell(usd, least=unpriced)
    parts = [f"{hours:,.3g} GPU-hours"] if hours else []
    return replace(cell, text=" + ".join([*parts, cell.text] if usd or unpriced or not hours else parts))


def _efficiency(won: pl.DataFrame, played: Mapping[str, str]) -> float | None:
    """Returns the mean action efficiency of successful episodes of tasks with a known solution; None if there are none.
    `played`: hash of the files of each game."""
    if won.is_empty():
        return None
    from gwray.catalog import best_steps  # imported late: a table without successes needs no games

    best = {game: best_steps(game, played.get(game, "")) for game in won["game"].unique()}
    rows = won.select("game", "task", "steps").iter_rows()
    found = [best[game][task] / n for game, task, n in rows if task in best[game] and n]
    return math.fsum(found) / len(found) if found else None


def _sum(*parts: float | None) -> float | None:
    return None if None in parts else math.fsum(p for p in parts if p is not None)


def load_caveat(cell: Cell, used: UsageTable) -> str:
    """Returns a caveat about the load under which the latencies of a real-time cell were measured; empty for the
    published load or less, and where no measured latency is charged."""
    kind, _, rest = cell.latency.partition(":")
    measured_with = rest.partition(":")[0]
    if kind == "table" and measured_with.isdecimal():
        level = int(measured_with)
    else:
        level = used.in_flight if kind == "measured" else 0
    if not level:
        return ""
    from gwray.catalog import published_protocol  # imported late: a table without measured latencies needs no games

    most = published_protocol().in_flight
    if level <= most:
        return ""
    how = "with" if kind == "table" else "with up to"
    return f"latencies were measured {how} {level} requests in flight (published: at most {most})"


def load_notes(loads: Mapping[str, str]) -> list[str]:
    """Returns a sentence for each caveat of `load_caveat`, by name of the cell: with the names of up to two cells that
    share it, or with their number. Cells without a caveat are left out."""
    cells: dict[str, list[str]] = {}
    for name, load in loads.items():
        if load:
            cells.setdefault(load, []).append(name)
    return [f"{' and '.join(n) if len(n) <= 2 else f'{len(n)} cells'}: {load}" for load, n in cells.items()]


def _mean(s: pl.Series) -> float:
    return math.fsum(s.to_list()) / len(s)


@dataclass(frozen=True)
class ModuleUsage:
    """Usage of one model by one module of a cell's agent."""

    cell: str
    model: str
    by: str
    """Name of the helper; empty: the agent's own model."""
    module: str
    """Name of the module; empty: the part of the agent that acts."""
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    """None: the provider did not count those of a reply."""
    cost_usd: float | None
    """USD; None if a reply has no known price."""
    latency_s: float
    """Mean over the calls."""
    served_model: str = ""
    """As in `UsageTable`."""


def usage_by_module(replies: Iterable[tuple[str, LoggedReply]], specs: Mapping[str, CellSpec]) -> list[ModuleUsage]:
    """Returns calls, tokens, cost and time by cell, model and module.

    Args:
        replies: Lines of reply logs, each with the cell of its episode; read once, and only sums are kept.
        specs: The cells, in the order of the rows. Within a cell, rows are in the order of the first call.
    """
    models: dict[tuple[str, str, str], str] = {}
    sums: dict[tuple[str, str, str, str], _Sums] = {}
    for cell, line in replies:
        asked = (cell, line.role, line.by)
        if asked not in models:
            models[asked] = specs[cell].player(line.role).model_for(line.by).name
        sums.setdefault((cell, models[asked], line.by, line.module), _Sums()).add(line)
    order = {cell: n for n, cell in enumerate(specs)}
    return [
        ModuleUsage(
            *group,
            s.calls,
            s.input_tokens if s.known else None,
            s.output_tokens if s.known else None,
            s.cost_usd,
            s.latency_ms / s.calls / 1000,
            ", ".join(sorted(s.served - {""})),
        )
        for group, s in sorted(sums.items(), key=lambda item: order[item[0][0]])
    ]


def module_table(usages: Iterable[ModuleUsage], name: Callable[[str], str]) -> Table:
    """Returns a table of model calls by module. `name`: of a cell, by its id."""
    columns = (
        Column.text("cell", lambda u: name(u.cell)),
        Column("model", lambda u: text_cell(u.model, sub=f"as {safe_text(u.by, SHORT)}" if u.by else ""), False),
        Column.text("served model", "served_model"),
        Column.text("module", "module", hint="the part of the agent that calls the model; empty: the one that acts"),
        *(Column.number(x.replace("_", " "), lambda u, x=x: getattr(u, x), 0)
          for x in ("calls", "input_tokens", "output_tokens")),
        Column.money("USD", "cost_usd"),
        Column.number("s / call", "latency_s", 2, hint="mean time to a reply"),
    )  # fmt: skip
    note = "Every reply in the logs, also of failed and unfinished episodes."
    return Table.build("asked-table", "Calls by module", columns, usages, note=note)


@dataclass
class _Sums:
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    latency_ms: float = 0.0
    known: bool = True
    served: set[str] = field(default_factory=set)

    def add(self, line: LoggedReply) -> None:
        reply = line.reply
        self.calls += 1
        self.known = self.known and reply.usage.known
        self.served.add(reply.served_model)
        self.input_tokens += reply.usage.input
        self.output_tokens += reply.usage.output
        if self.cost_usd is None or reply.cost_usd is None:
            self.cost_usd = None
        else:
            self.cost_usd += reply.cost_usd
        self.latency_ms += reply.latency_ms
