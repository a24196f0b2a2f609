"""What a user can say, as frozen models.

Hydra composes `conf/` and the command line into a config; at the edge (`gwray.pipelines.settings`) it becomes one of
these, and no DictConfig goes further. The sentence under a field is its documentation: `docs/configuration.md` is
generated from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

PROTOCOL_VERSION = 2
"""Raised whenever the loop, the clock, the legality rules or a default change what an episode can be: identities are
made of what was said (`gwray.identity.said`), so a changed default is a changed protocol."""

PROMPT_VERSION = 2
"""The newest wording: what models are told in a run that does not name another."""

Interface = str
"""Name of an action space: semantic, parametric, computer_use, or the path `package.Class` of one's own."""

Durations = Literal["fixed", "free"]


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


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


Thinking = Literal["min", "default", "max"]


class ThinkingWords(_Spec):
    """What a model is sent so that it thinks as little, or as much, as its service lets it; the rest of its profile
    stays."""

    reasoning_effort: str | None = None
    """In place of `sampling.reasoning_effort`."""
    max_output_tokens: int | None = Field(default=None, gt=0)
    """In place of `sampling.max_output_tokens`: what is thought counts as output."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Beside `sampling.extra`."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Beside `options`."""


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
    pictures: bool = True
    """Whether it can see pictures. One that cannot plays with observation=text, and is never sent one."""
    base_url: str | None = None
    """Endpoint; None: the SDK's own, or the deployment when self-hosted."""
    api_key_env: str | None = None
    """Name of the environment variable with the key; the key itself is never written anywhere."""
    self_hosted: bool = False
    """Served by `gwray.serving` (see `conf/deployment/`)."""
    semantic_format: str = "tools"
    """How a semantic action is asked for: tools (native function calling) or a text format of `agents/formats`."""
    computer_use_format: str = "json"
    """How a raw action is asked for: native, or a text format of `agents/formats`."""
    image: ImageGrid = ImageGrid()
    """Applies to computer_use coordinates and to the image that is sent."""
    sampling: Sampling = Sampling()
    thinking: dict[Literal["min", "max"], ThinkingWords] = Field(default_factory=dict)
    """What `thinking=min` and `thinking=max` are with this model; what is not here it cannot be told."""
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
    retired: str = ""
    """Since when the service no longer answers with this model, and what it does instead: earlier results cannot be
    reproduced. Empty: not known to be gone."""
    source: str = ""
    """Where the facts in this profile come from."""

    def thinks(self, how: Thinking) -> ModelSpec:
        """The profile as it is when it thinks so much; the same where it has no words for that."""
        if how == "default" or how not in self.thinking:
            return self
        words = self.thinking[how]
        sampling = self.sampling.model_copy(
            update={
                "reasoning_effort": words.reasoning_effort or self.sampling.reasoning_effort,
                "max_output_tokens": words.max_output_tokens or self.sampling.max_output_tokens,
                "extra": {**self.sampling.extra, **words.extra},
            }
        )
        return self.model_copy(update={"sampling": sampling, "options": {**self.options, **words.options}})


class AgentSpec(_Spec):
    """Everything between what is seen and the action, except the models."""

    name: str = "direct"
    """Which agent, by its file in `conf/agent/` or by an entry point of the group `gwray.agents`."""
    target: str = Field(default="", alias="_target_")
    """An agent of one's own, as `package.Class`; it has `async def act(self, observation, ask)`."""
    modules: tuple[str, ...] = ()
    """What the agent is made of, in the order in which its parts are asked."""
    models: dict[str, str] = Field(default_factory=dict)
    """Helper models by the name they are asked under (`agent.models.critic=gpt-5.2`); the role's own model answers
    what no helper is named for."""
    max_calls: int = Field(default=50, gt=0)
    """Questions in one decision; one more is the agent's error."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of the agent's own."""
    library: str = ""
    """A file of rules that an agent which learns some begins with, as `gwray notes` writes it; in a plan the digest of
    what it said. Empty: it begins with none."""
    rules: tuple[str, ...] = ()
    """The rules of that file; filled in by the plan."""

    interface: Interface = "semantic"
    memory_rounds: int = Field(default=0, ge=0, le=50)
    """How many past rounds the prompt repeats."""
    memory_format: Literal["text", "images", "both"] = "both"
    """What of a past round is repeated."""
    memory_fields: tuple[Literal["user_prompt", "screenshot", "reasoning", "action"], ...] = (
        "user_prompt", "screenshot", "reasoning", "action",
    )  # fmt: skip
    """Which parts of a round are kept, in the protocol's order."""
    memory_prompt: Literal["line", "full"] = "line"
    """What a past round repeats of its prompt: its one line, or the static text too, as the published computer-use
    players were sent it."""
    prompt_version: int = 1
    """Version of the wording. A run that does not say it plays the newest one, 2, where a model is asked; players that
    read no words stay with 1."""

    @property
    def code(self) -> str:
        """The name of the code that plays."""
        return self.target or self.name


CHARGING = ("realtime", "adaptive")
"""Timings in which thinking is charged to the game clock."""


class TimingSpec(_Spec):
    """How game time relates to thinking time."""

    mode: Literal["paused", "realtime", "adaptive", "wallclock"] = "paused"
    """paused: thinking costs no game time. realtime: the reply's latency is charged to the game clock.
    adaptive: charged too, but the game waits while one of the situations in `paused_in` holds.
    wallclock: the native browser clock runs; not reproducible."""
    paused_in: tuple[str, ...] = ()
    """Of adaptive: tags of tasks, such as `combat`; `game.yaml` says when they hold. From the moment at which one of
    them does (looked for every 100 ms of game time) the game waits for the reply. Tasks that have none of them are
    charged throughout."""
    latency: str = "measured"
    """What realtime and adaptive charge: `measured`, `fixed:250` (ms), `uniform:100,400`, `normal:300,50`,
    `lognormal:300,0.5` (median ms, sigma), `exponential:300`, `table:FILE`: what `gwray latency` measured of the same
    cell, alone and with 5 requests in flight, or with as many as `table:FILE@3` says."""
    latency_seed: int = 0
    """Seed of the named distribution, or of the draws from a table."""
    latencies: tuple[float, ...] = ()
    """Milliseconds that a table has, each as likely as the others; filled in by the plan."""
    speed: float = Field(default=1.0, gt=0, le=10)
    """Game time that passes in one unit of the player's time: with 0.5 the game runs at half its speed, and both holds
    and charged thinking take half as much of it. Only 1 with wallclock."""

    @property
    def charge(self) -> str:
        """The latency that is charged, as written; empty where thinking costs no game time, or its own."""
        return self.latency if self.mode in CHARGING else ""

    @model_validator(mode="after")
    def _nobody_holds_the_native_clock(self) -> TimingSpec:
        if self.mode == "wallclock" and self.speed != 1:
            raise ValueError(
                f"timing.speed={self.speed:g} with timing=wallclock: the native clock runs by itself, at speed 1. "
                "Leave timing.speed out, or choose timing=paused or timing=realtime"
            )
        return self

    @model_validator(mode="after")
    def _adaptive_says_when_it_waits(self) -> TimingSpec:
        if self.mode == "adaptive" and not self.paused_in:
            raise ValueError(
                "timing=adaptive with timing.paused_in=[]: no situation is named in which the game waits. Name a tag "
                "of the tasks, such as timing.paused_in=[combat], or choose timing=realtime"
            )
        if self.mode != "adaptive" and self.paused_in:
            raise ValueError(
                f"timing.paused_in=[{','.join(self.paused_in)}] with timing={self.mode}: only timing=adaptive waits in "
                "some situations and not in others. Choose it, or leave timing.paused_in out"
            )
        return self


class ObservationSpec(_Spec):
    """What an agent gets to see."""

    views: tuple[str, ...] = ("front",)
    """Pictures by name: front (the screen), previous (the screen one decision before), and what the game offers."""
    text: bool = False
    """The screen in words, from games that offer it."""
    format: Literal["jpeg", "png", "none"] = "jpeg"
    """none: no picture is taken (for players that read the state)."""
    quality: int = Field(default=80, ge=1, le=100)
    """JPEG quality."""
    blind: bool = False
    """Score, best progress and steps left are hidden from a person who plays. A model is never shown them."""

    @model_validator(mode="after")
    def _something_new_in_each(self) -> ObservationSpec:
        if len(set(self.views)) < len(self.views):
            raise ValueError(f"views [{', '.join(self.views)}] name one picture twice")
        if self.views == ("previous",) and not self.text:
            raise ValueError("views [previous] show nothing before the second decision; add front, or text")
        return self

    @property
    def mime(self) -> str:
        """Of the pictures."""
        return "image/png" if self.format == "png" else "image/jpeg"

    @property
    def pictures(self) -> bool:
        """Whether any picture is taken."""
        return self.format != "none" and bool(self.views)


class ActionSpec(_Spec):
    """What one reply may do."""

    per_reply: int | None = Field(default=None, ge=1, le=20)
    """Actions of one reply that are played, in order; further ones are ignored and noted. None: the game's own
    default, which is 1 unless its library says another."""
    durations: Durations | None = None
    """fixed: every raw input lasts what the role says, whatever a reply names (the published protocol). free: a reply
    may name a duration of up to 2 s. None: fixed, but free in the first wording (`agent.prompt_version=1`), which
    offers durations."""
    hold_scale: float = Field(default=1.0, gt=0, le=10)
    """Multiplies every hold: the frame-budget experiment."""


class NudgeSpec(_Spec):
    """A word or a push for a player that gets nowhere; files in `conf/nudge/`. All counts are decisions of the role."""

    when: Literal["ineffective", "no_milestone", "every"] | None = None
    """ineffective: after `count` moves in a row that moved nothing (`motion` in `game.yaml` says what moving is).
    no_milestone: after each `count` decisions since the last milestone. every: after each `count` decisions.
    None: never."""
    count: int = Field(default=3, gt=0)
    """How many decisions it takes."""
    say: str = ""
    """What the agent is told with its next observation; `{hint}` is the hint of the next milestone, and where that
    has none, nothing happens."""
    force: tuple[str, ...] = ()
    """Controls that are played in the agent's place first; each costs what a decision with one action costs."""

    @model_validator(mode="after")
    def _whole(self) -> NudgeSpec:
        if (self.when is None) == bool(self.say or self.force):
            raise ValueError("a nudge has `when` and something to say or to force; without `when`, neither")
        return self


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
    max_lanes: int | None = Field(default=None, ge=1)
    """At most so many episodes at a time, in all actors together; None: as many as there are lanes."""
    autoscale: bool = False
    """Ask a cluster that scales itself (`ray up`, KubeRay) for the machines that would have something to play. Of all
    programs on a cluster, the last that asks is heard."""
    episodes_per_browser: int = Field(default=200, gt=0)
    """The browser is replaced after this many episodes."""
    browser_memory_mb: int = Field(default=4000, gt=0)
    """… or when it grows past this, in MB. A page that alone takes more is ended: its episode is tried again, alone."""
    tries: int = Field(default=3, gt=0)
    """Times an episode is tried when the machine is to blame."""
    live: bool = False
    """Write each lane's latest frame into the run directory, shown by `gwray view`."""


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


class PlayerSpec(_Spec):
    """Who plays one role."""

    model: ModelSpec
    agent: AgentSpec
    helpers: dict[str, ModelSpec] = Field(default_factory=dict)

    def behind(self, by: str) -> ModelSpec:
        """The model that answers when the agent asks `by`; the role's own where no helper has that name."""
        return self.helpers.get(by, self.model)


class CellSpec(_Spec):
    """One point of the sweep."""

    model: ModelSpec
    agent: AgentSpec
    timing: TimingSpec
    observation: ObservationSpec
    action: ActionSpec = ActionSpec()
    nudge: NudgeSpec = NudgeSpec()
    roles: dict[str, ModelSpec] = Field(default_factory=dict)
    """Other models for named roles; the cell's model plays the rest."""
    helpers: dict[str, ModelSpec] = Field(default_factory=dict)
    """The models behind `agent.models`, by the name they are asked under."""
    sampling: Literal["profile", "published"] = "profile"
    """Where the models' sampling comes from; what it comes to is in their profiles."""
    thinking: Thinking = "default"
    """How much the models think; what they are told for that is in their profiles."""
    metrics: tuple[str, ...] = ()
    """Further metrics of an episode: entry points of the group `gwray.metrics`, or paths `package.function`."""
    code: dict[str, str] = Field(default_factory=dict)
    """What identifies the code that is not ours, by its name; filled in by the plan."""

    def player(self, role: str) -> PlayerSpec:
        """Who plays a role."""
        helpers = {by: model.thinks(self.thinking) for by, model in self.helpers.items()}
        return PlayerSpec(
            model=self.roles.get(role, self.model).thinks(self.thinking), agent=self.agent, helpers=helpers
        )

    def models(self) -> tuple[ModelSpec, ...]:
        """Every distinct model that may be asked, as it is asked, helpers included."""
        everybody = (self.model, *self.roles.values(), *self.helpers.values())
        return tuple({m.name: m.thinks(self.thinking) for m in everybody}.values())


SAYS_NOTHING = ActionSpec()


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """One episode of the plan; everything the loop needs to know besides the game itself. There may be a million."""

    key: str
    cell_id: str
    cell: CellSpec
    game: str
    task: str
    seed: int
    repeat: int
    action: ActionSpec = SAYS_NOTHING
    """As the cell says it, with the defaults of the game and its library filled in."""
    prefix: str = ""
    """Hash of the recorded steps that are played first; empty: the episode begins at the task's beginning."""


TOP_LEVEL = ("agent.interface", "agent.memory_rounds", "agent.memory_format")
"""Settings of an agent that a command line says without `agent.`."""


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
    """How the player acts: semantic, parametric, computer_use, or the path `package.Class` of an action space."""
    memory_rounds: int = Field(default=0, ge=0, le=50)
    """How many past rounds the prompt repeats."""
    memory_format: Literal["text", "images", "both"] = "both"
    """What of a past round is repeated."""
    sampling: Literal["profile", "published"] = "profile"
    """How models sample: as their profiles say, or all alike, as `conf/published_protocol.yaml` says (temperature 0
    where the service takes one, 2,048 tokens)."""
    thinking: Thinking = "default"
    """How much models think before they answer: as little as their service lets them, as much, or as they do when they
    are told nothing. What that is for a model stands in its profile, and one that cannot be told is refused."""
    agent: AgentSpec = AgentSpec()
    timing: TimingSpec = TimingSpec()
    observation: ObservationSpec = ObservationSpec()
    action: ActionSpec = ActionSpec()
    nudge: NudgeSpec = NudgeSpec()
    metrics: tuple[str, ...] = ()
    """Further metrics of every episode, by entry point or path `package.function`."""
    repeats: int = Field(default=1, ge=1, le=100_000)
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
    check_endpoints: bool = True
    """Check before the run starts that a server answers at each `model.base_url`."""
    dry_run: bool = False
    """Print the plan and stop."""
    report: bool = False
    """Write the report site into the run directory at the end."""
