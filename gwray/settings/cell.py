"""Everything that identifies an episode: agent, timing, observation, actions, nudges and limits."""

from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from gwray.settings.model import Interface, ModelSpec, Spec, Thinking

PROTOCOL_VERSION = 1
"""Increment it whenever the loop, the clock, the legality rules, a prompt or a default changes what an episode can be.
Identities hash only the values that differ from their default (`gwray.records.identity`), so a changed default is a
changed protocol. Runs of another version cannot be verified, resumed or rescored."""

Durations = Literal["fixed", "free"]
MAX_PER_REPLY = 40
"""Most actions of a reply; as a game's default it means a list of any length."""


class AgentSpec(Spec):
    """The code between observation and action, without the models."""

    name: str = "direct"
    """Name of the agent: its file in `conf/agent/`, or an entry point of the group `gwray.agents`."""
    target: str = Field(default="", alias="_target_")
    """A custom agent, as `package.Class`; it has `async def act(self, observation, ask)`."""
    modules: tuple[str, ...] = ()
    """Modules of the agent, in the order in which they ask."""
    models: dict[str, str] = Field(default_factory=dict)
    """Helper models by name (`agent.models.critic=gpt-5.2`). The role's model answers questions to other names."""
    max_calls: int = Field(default=50, gt=0)
    """Maximum number of questions per decision; one more fails the episode as the agent's error."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings that the agent defines."""
    interface: Interface = "semantic"
    memory_rounds: int = Field(default=0, ge=0, le=50)
    """Number of past rounds that the prompt repeats."""
    memory_format: Literal["text", "images", "both"] = "both"
    """Parts of a past round that are repeated."""
    memory_fields: tuple[Literal["user_prompt", "screenshot", "reasoning", "action"], ...] = (
        "user_prompt", "screenshot", "reasoning", "action",
    )  # fmt: skip
    """Fields of a round that are kept, in the protocol's order."""
    memory_prompt: Literal["line", "full"] = "line"
    """Prompt text of a past round: its one line, or also the static text, as in the published computer-use protocol."""
    repair: bool = True
    """Whether a reply that its format cannot read is repaired, by one short grammar. Repaired replies count as invalid
    in the invalid action rate either way; with `agent.repair=false` they are not played."""

    @property
    def code(self) -> str:
        """Name of the agent's code: built-in, entry point or `package.Class`."""
        return self.target or self.name


CHARGING = ("realtime", "adaptive")
"""Timing modes that charge thinking time to the game clock."""


class TimingSettings(Spec):
    """Relation between game time and thinking time."""

    mode: Literal["paused", "realtime", "adaptive", "wallclock"] = "paused"
    """paused: thinking costs no game time. realtime: the reply's latency is charged to the game clock.
    adaptive: charged too, but the game waits while one of the situations in `paused_in` holds.
    wallclock: the native browser clock runs, so episodes are not reproducible."""
    paused_in: tuple[str, ...] = ()
    """For adaptive: task tags, such as `combat`, whose conditions `game.yaml` defines. They are checked every 100 ms of
    game time; as soon as one holds, the game waits for the reply. Tasks without any of these tags are charged
    throughout."""
    latency: str = "measured"
    """Latency that realtime and adaptive charge: `measured`, `fixed:250` (ms), `uniform:100,400`, `normal:300,50`,
    `lognormal:300,0.5` (median ms, sigma), `exponential:300`, or `table:FILE`, which `gwray latency` measured for the
    same cell with 5 requests in flight (`table:FILE@3`: with 3)."""
    latency_seed: int = 0
    """Seed of the latency distribution or table draws."""
    speed: float = Field(default=1.0, gt=0, le=10)
    """Game time per unit of real time: at 0.5 the game runs at half speed, and key holds and charged thinking take half
    as much game time. wallclock supports 1 only."""

    @property
    def charge(self) -> str:
        """The charged latency, as written; empty where none is charged."""
        return self.latency if self.mode in CHARGING else ""

    @model_validator(mode="after")
    def _require_native_speed(self) -> Self:
        if self.mode == "wallclock" and self.speed != 1:
            raise ValueError(
                f"timing.speed={self.speed:g} with timing=wallclock: the native clock only runs at speed 1. "
                "Omit timing.speed, or use timing=paused or timing=realtime"
            )
        return self

    @model_validator(mode="after")
    def _require_pause_conditions(self) -> Self:
        if self.mode == "adaptive" and not self.paused_in:
            raise ValueError(
                "timing=adaptive needs at least one task tag in which the game waits. Set for example "
                "timing.paused_in=[combat], or use timing=realtime"
            )
        if self.mode != "adaptive" and self.paused_in:
            raise ValueError(
                f"timing.paused_in=[{','.join(self.paused_in)}] with timing={self.mode}: only timing=adaptive uses it. "
                "Use timing=adaptive, or omit timing.paused_in"
            )
        return self


class TimingSpec(TimingSettings):
    """A timing as it is played: its settings, and the latencies that were read from a table. `latency` then has a
    fingerprint of them, so a recorded cell needs no file."""

    latencies: tuple[float, ...] = ()
    """Milliseconds; each is drawn with the same probability."""


class ObservationSpec(Spec):
    """Observation settings: what an agent sees of the game."""

    views: tuple[str, ...] = ("front",)
    """Views by name: front (the screen), previous (the screen one decision before), and those that the game offers."""
    text: bool = False
    """Include a description of the screen in words, from games that offer it."""
    format: Literal["jpeg", "png", "none"] = "jpeg"
    """Image format; none: take no screenshots (for players that read the state)."""
    quality: int = Field(default=80, ge=1, le=100)
    """JPEG quality."""

    @model_validator(mode="after")
    def _validate_views(self) -> "ObservationSpec":
        if len(set(self.views)) < len(self.views):
            raise ValueError(f"views [{', '.join(self.views)}] has a duplicate")
        if self.views == ("previous",) and not self.text:
            raise ValueError("views [previous] is empty at the first decision; add front, or text")
        return self

    @property
    def mime(self) -> str:
        """MIME type of the screenshots."""
        return "image/png" if self.format == "png" else "image/jpeg"

    @property
    def pictures(self) -> bool:
        """Whether screenshots are taken."""
        return self.format != "none" and bool(self.views)

    @property
    def text_only(self) -> bool:
        """Whether agents get text and no images."""
        return self.text and not self.pictures


class ActionSpec(Spec):
    """Actions of a reply."""

    per_reply: int | None = Field(default=None, ge=1, le=MAX_PER_REPLY)
    """Maximum number of actions per reply, played in order; further ones are ignored and recorded. null: the game's
    default, which is 1 unless its library sets another."""
    exact: bool | None = None
    """Whether a model's reply with fewer than `per_reply` actions is not possible. null: the game's default, which is
    false unless its library sets it."""
    durations: Durations | None = None
    """fixed: every input has the duration that the role defines (the published protocol). free: a reply may set a
    duration of up to 2 s. null: fixed."""
    hold_scale: float = Field(default=1.0, gt=0, le=10)
    """Factor for the duration of every hold (the frame-budget experiment)."""


class NudgeSpec(Spec):
    """A hint or forced actions for a player that makes no progress; files in `conf/nudge/`. Counts are decisions of
    the role."""

    when: Literal["ineffective", "no_milestone", "every"] | None = None
    """ineffective: after `count` consecutive moves without an effect (defined by `motion` in `game.yaml`).
    no_milestone: after every `count` decisions without a new milestone. every: after every `count` decisions.
    null: never."""
    count: int = Field(default=3, gt=0)
    """Number of decisions."""
    say: str = ""
    """Text added to the agent's next observation. `{hint}` is the hint of the next milestone; without one there is no
    nudge."""
    force: tuple[str, ...] = ()
    """Controls that are played first, in place of the agent; each costs as much as a decision with one action."""

    @model_validator(mode="after")
    def _validate_effect(self) -> "NudgeSpec":
        if (self.when is None) == bool(self.say or self.force):
            raise ValueError("nudge.when needs nudge.say or nudge.force, and these need nudge.when")
        return self


class LimitSpec(Spec):
    """Limits of an episode below the budget of its task, for trials. Part of the identity."""

    steps: int | None = Field(default=None, ge=1)
    """Maximum number of environment steps of an episode (of decisions, for a task whose budget counts decisions).
    null: the task's budget."""
    unlimited: bool = False
    """No budget of steps; for people only, to measure how far they get with enough time."""

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if self.unlimited and self.steps is not None:
            raise ValueError("limit.unlimited=true has no limit.steps; set one of the two")
        return self


class PlayerSpec(Spec):
    """Model and agent of one role."""

    model: ModelSpec
    agent: AgentSpec
    helpers: dict[str, ModelSpec] = Field(default_factory=dict)
    text_only: bool = False
    """Whether the agent gets text and no images: its prompts then never mention a screen."""

    def model_for(self, by: str) -> ModelSpec:
        """Returns the model that answers questions to `by`: the helper of that name, or the role's model."""
        return self.helpers.get(by, self.model)


class CellSpec(Spec):
    """One point of the sweep."""

    model: ModelSpec
    agent: AgentSpec
    timing: TimingSpec
    observation: ObservationSpec
    action: ActionSpec = ActionSpec()
    nudge: NudgeSpec = NudgeSpec()
    limit: LimitSpec = LimitSpec()
    scenario: Literal["seen", "unseen"] | None = None
    """The cell has only the tasks of this scenario."""
    roles: dict[str, ModelSpec] = Field(default_factory=dict)
    """Models of named roles; `model` plays the others."""
    helpers: dict[str, ModelSpec] = Field(default_factory=dict)
    """Profiles of `agent.models`, by name."""
    sampling: Literal["profile", "published"] = "profile"
    """Source of the sampling parameters, which are already applied to the profiles."""
    thinking: Thinking = "default"
    """Thinking level; the profiles have its request settings."""
    metrics: tuple[str, ...] = ()
    """Further metrics of an episode: entry points of the group `gwray.metrics`, or paths `package.function`."""
    code: dict[str, str] = Field(default_factory=dict)
    """Version or digest of third-party code that the cell uses, by name."""

    def player(self, role: str) -> PlayerSpec:
        """Returns the model and agent of a role."""
        helpers = {by: model.with_thinking(self.thinking) for by, model in self.helpers.items()}
        return PlayerSpec(
            model=self.roles.get(role, self.model).with_thinking(self.thinking),
            agent=self.agent,
            helpers=helpers,
            text_only=self.observation.text_only,
        )

    def models(self) -> tuple[ModelSpec, ...]:
        """Returns every distinct model of the cell, helpers included, with its thinking level applied."""
        profiles = (self.model, *self.roles.values(), *self.helpers.values())
        return tuple({m.identity: m.with_thinking(self.thinking) for m in profiles}.values())


DEFAULT_ACTION = ActionSpec()


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """One planned episode: everything the loop needs besides the game. A dataclass, since a plan may have a million."""

    key: str
    cell_id: str
    cell: CellSpec
    game: str
    task: str
    seed: int
    repeat: int
    action: ActionSpec = DEFAULT_ACTION
    """The cell's action settings, completed with the defaults of the game and its library."""
    prefix: str = ""
    """Hash of the recorded steps that a fork replays first; empty: the episode starts at the task's start."""
