"""What a user can say, as frozen models.

Hydra composes `conf/` and the command line into a config; at the edge (`gwray.pipelines.plan`) it becomes one of
these, and no DictConfig goes further. The sentence under a field is its documentation: `docs/configuration.md` is
generated from it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

PROTOCOL_VERSION = 1
"""Raised whenever the loop, the clock or the legality rules change what an episode can be."""

Interface = Literal["semantic", "computer_use"]


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class Sampling(_Spec):
    """How the model samples; None leaves the provider's default."""

    temperature: float | None = None
    top_p: float | None = None
    max_output_tokens: int = Field(default=2048, gt=0)
    """Replies longer than this are cut by the provider."""
    reasoning_effort: str | None = None
    """Provider's own word (low, medium, high, …)."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Merged into the request body as it is."""


class Prices(_Spec):
    """USD per million tokens; overrides what `genai-prices` knows."""

    input: float
    cached: float | None = None
    output: float
    as_of: str
    """Date the price was read."""


class ImageGrid(_Spec):
    """What the model sees and in which coordinates it answers. All mapping is done in the client."""

    coordinates: Literal["viewport", "thousand", "resized"] = "viewport"
    """viewport: pixels of the screenshot as taken; thousand: a 0–1000 grid; resized: pixels of the resized image."""
    factor: int = Field(default=1, gt=0)
    """Both sides of the sent image are multiples of this."""
    min_pixels: int | None = Field(default=None, gt=0)
    max_pixels: int | None = Field(default=None, gt=0)
    """The sent image has at most this many pixels; None: sent as taken."""


class ModelSpec(_Spec):
    """A profile in `conf/model/`: one player, real or scripted."""

    name: str
    provider: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    """Which client speaks to it: random, noop, scripted, human, openai_chat, openai_responses, anthropic, gemini."""
    model_id: str = ""
    """The provider's name for it."""
    interfaces: tuple[Interface, ...] = ("semantic", "computer_use")
    """What it can play."""
    base_url: str | None = None
    """Endpoint; None: the SDK's own, or the deployment when self-hosted."""
    api_key_env: str | None = None
    """Name of the environment variable with the key; the key itself is never written anywhere."""
    self_hosted: bool = False
    """Served by `gwray.serving` (see `conf/serving/`)."""
    semantic_format: str = "tools"
    """How a semantic action is asked for: tools (native function calling) or a text format of `agents/formats`."""
    computer_use_format: str = "json"
    """How a raw action is asked for: native, or a text format of `agents/formats`."""
    image: ImageGrid = ImageGrid()
    """Applies to computer_use coordinates and to the image that is sent."""
    sampling: Sampling = Sampling()
    prices: Prices | None = None
    """Override of `genai-prices`."""
    max_in_flight: int = Field(default=8, gt=0)
    """No more requests at once than this."""
    requests_per_minute: float | None = Field(default=None, gt=0)
    """Requests are spread so that no more than this many start in a minute; None: no limit but `max_in_flight`."""
    timeout_s: float = Field(default=120, gt=0)
    """One request may take this long."""
    structured: bool = False
    """Constrain replies to legal actions by a JSON schema (never in the published protocol)."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Provider-specific settings."""
    source: str = ""
    """Where the facts in this profile come from."""


class AgentSpec(_Spec):
    """Everything between the screenshot and the action except the model."""

    interface: Interface = "semantic"
    memory_rounds: int = Field(default=0, ge=0, le=50)
    """How many past rounds the prompt repeats."""
    memory_format: Literal["text", "images", "both"] = "both"
    """What of a past round is repeated."""
    memory_fields: tuple[Literal["user_prompt", "screenshot", "reasoning", "action"], ...] = (
        "user_prompt", "screenshot", "reasoning", "action",
    )  # fmt: skip
    """Which parts of a round are kept, in the protocol's order."""
    prompt_version: int = 1
    """Version of the wording."""


class TimingSpec(_Spec):
    """How game time relates to thinking time."""

    mode: Literal["paused", "realtime", "wallclock"] = "paused"
    """paused: thinking costs no game time. realtime: the reply's latency is charged to the game clock.
    wallclock: the native browser clock runs; not reproducible."""
    latency: str = "measured"
    """What realtime charges: `measured`, `fixed:250` (ms), `uniform:100,400`, `normal:300,50`, `lognormal:300,0.5`
    (median ms, sigma), `exponential:300`."""
    latency_seed: int = 0
    """Seed of the named distribution."""


class ObservationSpec(_Spec):
    """The screenshot."""

    format: Literal["jpeg", "png", "none"] = "jpeg"
    """none: no picture is taken (for players that read the state)."""
    quality: int = Field(default=80, ge=1, le=100)
    """JPEG quality."""
    hold_scale: float = Field(default=1.0, gt=0, le=10)
    """Multiplies every hold: the frame-budget experiment."""


class ExecutorSpec(_Spec):
    """Where episodes run."""

    name: Literal["inline", "ray"] = "ray"
    lanes: int = Field(default=4, ge=1)
    """Browser contexts per actor, each playing one episode at a time."""
    actors: int | None = Field(default=None, ge=1)
    """Sandbox actors (one browser each); None: as many as the cluster's CPUs carry."""
    address: str | None = None
    """Ray cluster to join; None: one is started here."""
    cpus_per_actor: float = 1.0
    episodes_per_browser: int = Field(default=200, gt=0)
    """The browser is replaced after this many episodes."""
    browser_memory_mb: int = Field(default=4000, gt=0)
    """… or when it grows past this."""
    tries: int = Field(default=3, gt=0)
    """Times an episode is tried when the machine is to blame."""
    live: bool = False
    """Write each lane's latest frame into the run directory, for `gwray view --live`."""


class TrackingSpec(_Spec):
    """Weights & Biases."""

    mode: Literal["auto", "online", "offline", "disabled"] = "auto"
    """auto: online when a key is configured, otherwise offline."""
    project: str = "gwray"
    entity: str | None = None
    screenshots: int = 4
    """Episodes per cell that get pictures in the table."""


class BudgetSpec(_Spec):
    """Limits of one run; new episodes stop before one is passed."""

    usd: float | None = Field(default=None, gt=0)
    tokens: int | None = Field(default=None, gt=0)


class ServingChoice(_Spec):
    """Who serves the self-hosted models."""

    name: Literal["auto", "ray", "vllm_cpu", "external", "none"] = "auto"
    """auto: Ray Serve when a model needs it; vllm_cpu: the CPU engine (tiny models); external: a running server."""
    base_url: str | None = None
    """Of the external server."""


class CellSpec(_Spec):
    """One point of the sweep."""

    model: ModelSpec
    agent: AgentSpec
    timing: TimingSpec
    observation: ObservationSpec
    roles: dict[str, ModelSpec] = Field(default_factory=dict)
    """Other models for named roles; the cell's model plays the rest."""


class EpisodeSpec(_Spec):
    """One episode of the plan; everything the loop needs to know besides the game itself."""

    key: str
    cell_id: str
    cell: CellSpec
    game: str
    task: str
    seed: int
    repeat: int


class RunSpec(_Spec):
    """One job of the command line: what to play, with whom, how often, where."""

    game: tuple[str, ...] = ("all",)
    """Game ids, `all`, `genre:puzzle`, `level:2`."""
    task: tuple[str, ...] = ("all",)
    """Task ids, numbers within the game (1–5), `all`, `genre:…`, `level:…`."""
    model: ModelSpec
    roles: dict[str, str] = Field(default_factory=dict)
    """Model names for single roles of multi-role games, such as `{fireboy: scripted}`."""
    interface: Interface = "semantic"
    memory_rounds: int = Field(default=0, ge=0, le=50)
    memory_format: Literal["text", "images", "both"] = "both"
    timing: TimingSpec = TimingSpec()
    observation: ObservationSpec = ObservationSpec()
    repeats: int = Field(default=1, ge=1)
    """Episodes per task."""
    seed: int = 42
    """Seed of the games."""
    seed_policy: Literal["fixed", "per_repeat"] = "fixed"
    """fixed: every repeat has the same game seed; per_repeat: one seed per repeat, drawn from `seed`."""
    executor: ExecutorSpec = ExecutorSpec()
    serving: ServingChoice = ServingChoice()
    tracking: TrackingSpec = TrackingSpec()
    budget: BudgetSpec = BudgetSpec()
    libraries: tuple[str, ...] = ()
    """Further folders of game folders."""
    name: str | None = None
    """Name of the sweep; None: made from what is swept, so that the same command finds its run directory again."""
    run_dir: str | None = None
    """Path or fsspec URL; None: `runs/<name>`."""
    dry_run: bool = False
    """Print the plan and stop."""
    report: bool = False
    """Write the report site into the run directory at the end."""
