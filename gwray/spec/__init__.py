"""Settings of a run, as frozen models. Hydra composes `conf/` and the command line into a config, which
`gwray.pipelines.settings` validates as `RunSettings` and completes to a `RunSpec`; no DictConfig goes further. The
docstring of a field is its documentation: `docs/configuration.md` is generated from it."""

from gwray.spec.cell import (
    CALLS_PROMPT_VERSION,
    CHARGING,
    DEFAULT_ACTION,
    DEFAULT_PROMPT_VERSIONS,
    FINISH_PROMPT_VERSION,
    MAX_PER_REPLY,
    PROMPT_VERSION,
    PROTOCOL_VERSION,
    READABLE_PROTOCOLS,
    TEXT_PROMPT_VERSION,
    TEXT_PROMPT_VERSIONS,
    VIEWS_PROMPT_VERSION,
    ActionSpec,
    AgentSettings,
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
from gwray.spec.model import (
    LOCAL_PLAYERS,
    ImageGrid,
    Interface,
    ModelSpec,
    Prices,
    Sampling,
    Thinking,
    ThinkingOverrides,
)  # fmt: skip
from gwray.spec.run import TOP_LEVEL, BudgetSpec, ExecutorSpec, RunSettings, RunSpec, ServingChoice, TrackingSpec
