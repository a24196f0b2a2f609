"""The Models table: the model that answered under each name, with the settings of its requests."""

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass, replace
from urllib.parse import urlsplit

import polars as pl
from pydantic import ValidationError

from gwray.analysis.cells import PlannedTasks
from gwray.pages import NO_VALUE, Column, Table, text_cell
from gwray.settings import LOCAL_PLAYERS, CellSpec, ModelSpec, model_label, model_of

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", "0.0.0.0")


@dataclass(frozen=True)
class ModelFacts:
    """One model of a run, under one set of request settings. Texts are empty where unknown or without meaning."""

    model: str
    """Label."""
    weights: str = ""
    """"open" or "closed"."""
    description: str = ""
    model_id: str = ""
    served: str = ""
    """Model names that the provider reported; only for cells with a single model."""
    provider: str = ""
    endpoint: str = ""
    """Kind of endpoint; never its address."""
    sampling: str = ""
    image: str = ""
    """Size of the sent images."""
    price: str = ""
    played: str = ""
    """First and last day."""


def model_facts(frame: pl.DataFrame, plan: PlannedTasks, prices: Mapping[str, str]) -> list[ModelFacts]:
    """Returns the models of all cells, in the order of the cells, without duplicates.

    Args:
        frame: Episodes, with or without the column `finished_at`.
        plan: The cells.
        prices: Source and date of each model's price, by the name of its profile (`RunManifest.prices`).
    """
    found: dict[tuple, tuple[ModelFacts, set[str], set[str]]] = {}
    dated = "finished_at" in frame.columns
    for cell in plan.cells.values():
        rows = frame.filter(pl.col("cell") == cell.id)
        days = {d[:10] for d in rows["finished_at"].drop_nulls() if d} if dated else set()
        try:
            spec = CellSpec.model_validate(cell.spec)
        except ValidationError:
            facts = [ModelFacts(model_of(cell.spec, cell.model))]
        else:
            facts = [_model_facts(m, spec, prices) for m in spec.models()]
        served = {n for s in rows["served_model"].drop_nulls() for n in s.split(", ") if n} if len(facts) == 1 else ()
        for fact in facts:
            _, names, played = found.setdefault(astuple(fact), (fact, set(), set()))
            names.update(served)
            played.update(days)
    return [
        replace(f, served=", ".join(sorted(names)), played=" – ".join(sorted({min(days), max(days)})) if days else "")
        for f, names, days in found.values()
    ]


def _model_facts(model: ModelSpec, spec: CellSpec, prices: Mapping[str, str]) -> ModelFacts:
    """Returns a model's row. `prices` as in `model_facts`; a price in the profile comes first."""
    if model.provider in LOCAL_PLAYERS:
        return ModelFacts(model_label(model), provider="no model")
    from gwray.catalog import describe_model  # imported late: it takes 0.1 s, and local players need no description

    grid, own, known = model.image, model.prices, describe_model(model)
    size = f"up to {grid.max_pixels:,} pixels" if grid.max_pixels else "as on screen"
    price = f"${own.input:g} in, ${own.output:g} out, {own.as_of}" if own else prices.get(model.name, "")
    return ModelFacts(
        model_label(model), known.weights, known.description, model.model_id,
        provider=model.provider, endpoint=_endpoint(model),
        sampling=str(model.with_thinking(spec.thinking).sampling),
        image=size if spec.observation.pictures else "none", price=price,
    )  # fmt: skip


def _endpoint(model: ModelSpec) -> str:
    if model.base_url:
        local = urlsplit(model.base_url).hostname in LOCAL_HOSTS
        return "server on the same computer" if local else "given address"
    return "hosted by the run" if model.self_hosted else "the provider's"


def _column(name: str, get: Callable[[ModelFacts], str], hint: str = "") -> Column:
    return Column.text(name, lambda m: text_cell(get(m)) if get(m) else NO_VALUE, hint=hint)


COLUMNS = (
    _column("model", lambda m: m.model),
    _column("weights", lambda m: m.weights, "whether anyone can host the model"),
    _column("description", lambda m: m.description, "of the paper's base models"),
    _column("model id", lambda m: m.model_id),
    _column("served as", lambda m: m.served, "model names that the provider reported"),
    _column("provider", lambda m: m.provider, "client that sent the requests"),
    _column("endpoint", lambda m: m.endpoint),
    _column("sampling", lambda m: m.sampling),
    _column("images", lambda m: m.image, "size of the sent images"),
    _column("USD per million tokens", lambda m: m.price, "or the source of the price"),
    _column("played", lambda m: m.played),
)


def model_table(frame: pl.DataFrame, plan: PlannedTasks, prices: Mapping[str, str]) -> Table | None:
    """Returns the Models table; None if no model answered (see `model_facts` for the arguments)."""
    found = model_facts(frame, plan, prices)
    if all(m.provider in ("", "no model") for m in found):
        return None
    return Table.build("models", "Models", COLUMNS, found).without_empty_columns()
