"""Settings of a run: its cells, and where and how they are played."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from gwray.settings.cell import ActionSpec, AgentSpec, LimitSpec, NudgeSpec, ObservationSpec, TimingSettings, TimingSpec
from gwray.settings.model import Interface, ModelSpec, Spec, Thinking

TOP_LEVEL = ("agent.interface", "agent.memory_rounds", "agent.memory_format")
"""Settings of an agent that the command line spells without `agent.`."""


class ExecutorSpec(Spec):
    """Where and how episodes run."""

    name: Literal["inline", "ray"] = "ray"
    lanes: int = Field(default=4, ge=1)
    """Browser contexts per actor; each plays one episode at a time."""
    actors: int | None = Field(default=None, ge=1)
    """Number of actors, each with one browser; null: as many as the cluster's CPUs allow."""
    address: str | None = None
    """Address of the Ray cluster; null: the one that RAY_ADDRESS names, otherwise start one on this machine; local:
    start one here whatever RAY_ADDRESS says."""
    cpus_per_actor: float = 1.0
    memory_mb: float = Field(default=1000, ge=0)
    """Memory that Ray reserves for each actor, in MB, so that a node gets no more browsers than fit."""
    resources: dict[str, float] = Field(default_factory=dict)
    """Custom Ray resources that each actor takes, for example {sandbox: 1} on nodes started with
    `ray start --resources='{"sandbox": 16}'`: keeps browsers away from GPU nodes."""
    max_lanes: int | None = Field(default=None, ge=1)
    """Maximum number of concurrent episodes over all actors; null: the number of lanes."""
    autoscale: bool = False
    """Request nodes from an autoscaling cluster (`ray up`, KubeRay) for episodes that wait for a lane. A cluster serves
    the most recent request of all its programs."""
    episodes_per_browser: int = Field(default=200, gt=0)
    """Restart the browser after this many episodes …"""
    browser_memory_mb: int = Field(default=4000, gt=0)
    """… or when it uses more memory than this, in MB. A page that alone uses more is closed, and its episode is retried
    in isolation."""
    tries: int = Field(default=3, gt=0)
    """Maximum number of trials of an episode whose failure the environment caused."""
    live: bool = False
    """Write each lane's latest frame into the run directory, for `gwray view`."""


class TrackingSpec(Spec):
    """Weights & Biases."""

    mode: Literal["auto", "online", "offline", "disabled"] = "auto"
    """auto: online if an API key is configured, otherwise offline."""
    project: str = "gwray"
    entity: str | None = None


class BudgetSpec(Spec):
    """Limits of a run. No new episodes start when one would be exceeded."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)


class ServingChoice(Spec):
    """Server of the self-hosted models."""

    name: Literal["auto", "ray", "vllm_cpu", "external", "none"] = "auto"
    """auto: Ray Serve if a model needs it; vllm_cpu: the CPU engine (tiny models); external: a running server."""
    base_url: str | None = None
    """URL of the external server."""


class RunSettings(Spec):
    """Settings of one job of the command line, as the user gave them."""

    game: tuple[str, ...] = ("all",)
    """Game ids, `LIBRARY:ID`, `all`, `library:harbor`, `genre:puzzle`, `level:2`, `visible:parlor` and
    `needs_text:parlor` (by whether pictures show the complete state)."""
    task: tuple[str, ...] = ("all",)
    """Task ids, `GAME:ID`, numbers within the game (1–5), `all`, `genre:…`, `level:…`."""
    scenario: Literal["seen", "unseen"] | None = None
    """Only the tasks of this scenario, in libraries that tell apart what agents may have learned on; null: all."""
    game_defaults: tuple[Literal["agent", "limit", "repeats", "sampling"], ...] = ()
    """Settings whose values come from the game's defaults in its `library.yaml`, if it has any."""
    model: ModelSpec
    roles: dict[str, str] = Field(default_factory=dict)
    """Models of single roles of multi-role games, such as `{fireboy: scripted}`."""
    arena: tuple[str, ...] = ()
    """Models that play against each other in games of two roles with a winner: all pairs, each on both sides,
    `repeats` times. Replaces `model` and `roles`."""
    interface: Interface = "semantic"
    """Action space: semantic, parametric, computer_use, or the path `package.Class` of a custom one."""
    memory_rounds: int = Field(default=0, ge=0, le=50)
    """Number of past rounds that the prompt repeats."""
    memory_format: Literal["text", "images", "both"] = "both"
    """Parts of a past round that are repeated."""
    sampling: Literal["profile", "published"] = "profile"
    """Sampling parameters: those of each profile, or those of `conf/published_protocol.yaml` for all models
    (temperature 0 where the service supports it, 2,048 tokens). `game_defaults=[sampling]` changes both."""
    thinking: Thinking = "default"
    """Thinking level: as little or as much as the model's service allows, or its default. Profiles define the levels; a
    model without the requested level is refused."""
    agent: AgentSpec = AgentSpec()
    timing: TimingSettings = TimingSettings()
    observation: ObservationSpec = ObservationSpec()
    action: ActionSpec = ActionSpec()
    nudge: NudgeSpec = NudgeSpec()
    limit: LimitSpec = LimitSpec()
    metrics: tuple[str, ...] = ()
    """Further metrics of every episode, by entry point or path `package.function`."""
    repeats: int = Field(default=1, ge=1, le=100_000)
    """Episodes per task."""
    seed: int = 42
    """Seed of the games."""
    seed_policy: Literal["fixed", "per_repeat"] = "fixed"
    """fixed: every repeat uses `seed`; per_repeat: every repeat has its own seed, derived from `seed`."""
    executor: ExecutorSpec = ExecutorSpec()
    serving: ServingChoice = ServingChoice()
    deployment: dict[str, Any] = Field(default_factory=dict)
    """Values that replace those of the model's file in `conf/deployment/`, such as `deployment.tensor_parallel=2` or
    `deployment.engine_kwargs.quantization=fp8`; with `-m`, an axis of the sweep. For models that the run hosts."""
    tracking: TrackingSpec = TrackingSpec()
    budget: BudgetSpec = BudgetSpec()
    libraries: tuple[str, ...] = ()
    """Further library folders."""
    name: str | None = None
    """Name of the run; null: derived from its episodes, so that the same command finds its run directory again."""
    run_dir: str | None = None
    """Run directory: a path or fsspec URL; null: `runs/<name>`."""
    skip_unsupported: bool = False
    """Leave out, and list, the cells and games of a sweep that do not fit together, such as a view that a game lacks;
    false: the command stops and names all of them."""
    check_endpoints: bool = True
    """Check before the run starts that a server answers at each `model.base_url`."""
    dry_run: bool = False
    """Print the plan and stop."""
    report: bool = False
    """Write the report site into the run directory when the run ends."""


class RunSpec(RunSettings):
    """One job of a plan: its settings, completed with the contents of the files that they name."""

    timing: TimingSpec = TimingSpec()  # pyright: ignore[reportIncompatibleVariableOverride]

    @classmethod
    def from_record(cls, job: Mapping[str, Any]) -> "RunSpec":
        """Reads a job recorded in `run.json`. Ignores settings that this version no longer has: none of them
        identifies a cell. Raises `ValidationError` for invalid values."""
        return cls.model_validate({name: value for name, value in job.items() if name in cls.model_fields})
