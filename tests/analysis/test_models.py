"""The Models table: facts of each model, in any number of cells."""

import polars as pl

from gwray.analysis import Cell, PlannedTasks, episode_frame, model_table
from gwray.catalog import describe_model, published_protocol, read_model
from gwray.settings import AgentSpec, CellSpec, ImageGrid, ModelSpec, ObservationSpec, Prices, Sampling, TimingSpec


def _cell(id: str, model: ModelSpec, **more) -> Cell:
    spec = CellSpec(model=model, agent=AgentSpec(), timing=TimingSpec(), observation=ObservationSpec(), **more)
    return Cell(id, id, model.name, "semantic", spec=spec.model_dump(mode="json"))


def test_models_table_has_one_row_per_model_and_settings():
    own = ModelSpec(
        name="openai-compatible", provider="openai_chat", model_id="her-vlm", base_url="http://127.0.0.1:8000/v1",
        sampling=Sampling(temperature=0), image=ImageGrid(max_pixels=1_000_000),
        prices=Prices(input=1.5, output=6, as_of="2026-01-01"),
    )  # fmt: skip
    hosted = ModelSpec(name="qwen", provider="openai_chat", self_hosted=True)
    cells = [_cell("a", own), _cell("b", own), _cell("c", own, helpers={"critic": hosted})]
    cells.append(_cell("d", ModelSpec(name="random", provider="random")))
    rows = [
        {"key": c, "cell": c, "game": "g", "task": "t", "model": "m", "served_model": served, "finished_at": day}
        for c, served, day in (("a", "her-2", "2026-01-02T00"), ("b", "her-1, her-2", "2026-01-03T00"), ("c", "x", ""))
    ]
    frame = episode_frame(pl.DataFrame(rows))
    table = model_table(frame, PlannedTasks({c.id: c for c in cells}, pl.DataFrame()), {"qwen": "genai-prices 1"})
    assert table is not None
    assert table.to_csv().splitlines() == [
        "model,weights,model id,served as,provider,endpoint,sampling,images,USD per million tokens,played",
        'her-vlm,,her-vlm,"her-1, her-2",openai_chat,server on the same computer,"temperature 0, 2,048 tokens",'
        '"up to 1,000,000 pixels","$1.5 in, $6 out, 2026-01-01",2026-01-02 – 2026-01-03',
        'qwen,open,,,openai_chat,hosted by the run,"default temperature, 2,048 tokens",as on screen,genai-prices 1,',
        "random,,,,no model,,,,,",
    ]
    assert model_table(frame, PlannedTasks({"d": cells[3]}, pl.DataFrame()), {}) is None
    alone = model_table(frame.filter(pl.col("cell") == "a"), PlannedTasks({"a": cells[0]}, pl.DataFrame()), {})
    assert alone and [c.name for c in alone.factored().columns] == ["model"]
    assert alone.factored().note.startswith("model id: her-vlm · served as: her-2 · provider: openai_chat")


def test_base_models_have_weights_and_a_description():
    """The paper's 13 base models have profiles; their descriptions change no identity."""
    base = published_protocol().base_models
    assert len(base) == 13 and [facts.weights for facts in base.values()].count("open") == 3
    for name, facts in base.items():
        model = read_model(name)
        assert describe_model(model) == facts and facts.description
        assert model.self_hosted == (facts.weights == "open")
    assert not {"weights", "description"} & {*ModelSpec.model_fields}
