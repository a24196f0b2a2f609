"""Settings of a run, as frozen models. Hydra composes `conf/` and the command line into a config, which
`gwray.pipelines.settings` validates as `RunSettings` and completes to a `RunSpec`; no DictConfig goes further. The
docstring of a field is its documentation: `docs/configuration.md` is generated from it."""

from gwray.settings.axes import (
    AS_READ,
    FACTS,
    Value,
    axes,
    axes_of_facts,
    axis_title,
    axis_value,
    axis_words,
    cell_labels,
    default,
    distinct_names,
    factors,
    family,
    in_order,
    model_label,
    model_of,
    modules_of,
)
from gwray.settings.cell import (
    CHARGING,
    DEFAULT_ACTION,
    MAX_PER_REPLY,
    PROTOCOL_VERSION,
    ActionSpec,
    AgentSpec,
    CellSpec,
    Durations,
    EpisodeSpec,
    LimitSpec,
    NudgeSpec,
    ObservationSpec,
    PlayerSpec,
    TimingSettings,
    TimingSpec,
)
from gwray.settings.model import (  # fmt: skip
    LOCAL_PLAYERS,
    ImageGrid,
    Interface,
    ModelSpec,
    Prices,
    Sampling,
    Spec,
    Thinking,
    ThinkingOverrides,
)
from gwray.settings.run import TOP_LEVEL, BudgetSpec, ExecutorSpec, RunSettings, RunSpec, ServingChoice, TrackingSpec
