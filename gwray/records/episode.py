"""Records of replies, steps and episodes, as they are passed between packages and stored in the run directory. The
reply log determines an episode; steps and episode records are derived from it and can be recomputed."""

import hashlib
import json
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

Validity = Literal["valid", "no_tool_call", "out_of_space"]
VALIDITIES: tuple[Validity, ...] = get_args(Validity)
Status = Literal["finished", "failed"]
Int64 = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
"""Bounds of a column of whole numbers (64 bits)."""
LONGEST_CHARGE_MS = 30_000_000.0
"""Upper limit, in ms, of a latency and of the game time charged for one step. Larger values are refused as
implausible."""
EndedBy = Literal["target", "budget", "end_field", "terminal", "finish"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Usage(_Record):
    """Tokens of one request. `cached` is the part of `input` read from a prompt cache, `reasoning` the part of
    `output` that was not shown."""

    input: Int64 = 0
    cached: Int64 = 0
    output: Int64 = 0
    reasoning: Int64 = 0
    known: bool = Field(default=True, exclude_if=bool)
    """Whether the provider counted them; otherwise zeros mean nothing. Only False is stored and hashed."""


class ToolCall(_Record):
    """A native tool call, its arguments as the provider gave them (an object or the raw string)."""

    name: str
    arguments: dict[str, Any] | str = Field(default_factory=dict)


class Reply(_Record):
    """A model's reply to one request."""

    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = Usage()
    latency_ms: float = 0.0
    """Wall time in ms from sending the successful request to the end of its reply."""
    cost_usd: float | None = None
    """Price of the request on the day it was made; None: no price is known."""
    requests: Int64 = 1
    """Number of HTTP requests for this reply, retries included."""
    served_model: str = ""
    """Exact name of the model that answered, as the provider reports it."""
    in_flight: Int64 = Field(default=0, exclude=True)
    waited_s: float = Field(default=0.0, exclude=True)
    """Both are passed on to `LoggedReply`. Agents never see them, and they are not stored with the reply."""


class LoggedReply(_Record):
    """One line of the reply log."""

    decision: Int64
    """Turn of the role, counted from 0."""
    role: str
    call: Int64 = 0
    """Question within the turn, counted from 0."""
    batch: Int64 = 0
    """Batch within the turn: questions of one batch were asked at the same time."""
    by: str = ""
    """Name of the helper model that answered; empty: the role's own model."""
    module: str = ""
    """Name of the agent's module that asked."""
    words_hash: str
    """Hash of the question without the content of its images."""
    pictures_hash: str = ""
    reply: Reply
    at: str
    """UTC time of arrival, ISO 8601. No result depends on it."""
    in_flight: Int64 = 0
    """Requests of this run to the same model that were under way when this one was sent, itself included: the load
    under which its latency was measured. 0: no network request, or not recorded."""
    waited_s: float = Field(default=0.0, exclude_if=lambda v: not v)
    """Seconds of wall time that its requests waited for the model's limits: the rate, and the number in flight."""
    browser: str = Field(default="", exclude_if=lambda v: not v)
    """The browser that drew the question's screenshots; an episode may be resumed in another. Empty: not recorded."""


class EngineReading(_Record):
    """One reading of a hosted model's engines; a line of `engines.jsonl`. Rates are since the previous reading."""

    model: str
    at: str
    """UTC time, ISO 8601."""
    replicas: Int64
    running: float
    """Requests being processed, over all replicas."""
    waiting: float
    """Requests queued in the engines."""
    kv_usage: float
    """Share of the key-value cache in use, of the fullest replica."""
    prefix_cache_hit_rate: float | None = None
    generation_tokens_per_s: float | None = None
    requests_per_s: float | None = None
    lanes: Int64 | None = None
    """Episodes of the run that use the model; None: none is played yet."""
    lanes_waiting: Int64 | None = None
    """Idle lanes although episodes are queued, because the model is at its request limit."""

    def words(self) -> str:
        """Returns the load as text, for people."""
        parts = [f"{self.replicas} engine{'s' * (self.replicas != 1)}", f"{self.running:.0f} requests worked on"]
        parts += [f"{self.waiting:.0f} waiting"] if self.waiting else []
        if self.lanes is not None:
            more = f", {self.lanes_waiting} more wait for it" if self.lanes_waiting else ""
            parts.append(f"{self.lanes} lane{'s' * (self.lanes != 1)} play{'s' * (self.lanes == 1)}{more}")
        return f"{self.model}: {' · '.join(parts)}"


class StepRecord(_Record):
    """One role's part of one environment step: a row of the episode's Parquet file. Reply and usage are on the first
    row of a decision only."""

    step: Int64
    """Environment steps, counted from 0: each costs budget."""
    decision: Int64 = 0
    """Turns of the agent, counted from 0."""
    index: Int64 = 0
    """Index of the action within the decision's reply, from 0."""
    forced: bool = False
    """Played by a nudge, not by the agent."""
    attempt: Int64
    """Number of resets of the game before this step."""
    role: str
    screenshot: bytes | None = None
    """The frame the role decided on; stored on the first role's row of the step only."""
    screenshot_hash: str = ""
    words_hash: str = ""
    pictures_hash: str = ""
    replies_hash: str = ""
    """Hash of all replies of the decision, with all their fields, in the order of its questions."""
    text: str = ""
    reasoning: str = ""
    tool_calls: str = "[]"
    """JSON."""
    action: str | None = None
    """JSON of the normalised action; None when the reply was invalid."""
    control: str | None = None
    """The semantic control that the action came from."""
    validity: Validity = "valid"
    reason: str = ""
    """Why the reply was invalid, or what was normalised (an alias, a fallback key)."""
    ok: bool | None = None
    """Whether the command succeeded, by the game's answer; None: the action was no command."""
    feedback: str = ""
    """The game's answer to a command, in words."""
    repaired_from: Literal["", "no_tool_call", "out_of_space"] = ""
    """Validity of the reply as its format reads it, if the repair made the decision; empty: it was not repaired. On the
    first row of a decision only."""
    ignored_calls: Int64 = 0
    """Further actions of the reply that were not played."""
    calls: Int64 = 0
    """Questions that this decision took; the reply log has them one by one."""
    notes: str = ""
    """Notes given to the agent in addition to the observation."""
    observed: str = ""
    """The game's description that the agent got; on the first row of a decision only."""
    before: str = ""
    """JSON of `getState()` before the first action of an attempt; on the attempt's first row only."""
    state: str = "{}"
    """JSON of `getState()` after the step."""
    state_hash: str = ""
    score: float | None = None
    progress: float = 0.0
    """Progress after this step; the episode's progress is the best of them."""
    best_progress: float = 0.0
    milestones: tuple[str, ...] = ()
    """Milestones reached by this step."""
    terminal: str | None = None
    """Outcome, when the state is terminal."""
    reset: bool = False
    """The game was reset after this step."""
    input_tokens: Int64 = 0
    cached_tokens: Int64 = 0
    output_tokens: Int64 = 0
    reasoning_tokens: Int64 = 0
    cost_usd: float | None = None
    latency_ms: float = 0.0
    charged_ms: float = 0.0
    """Game time that passed while the model thought (realtime, adaptive)."""
    game_time_ms: float = 0.0
    """Game clock after the step."""


class PrefixStep(_Record):
    """An environment step that a fork starts from: a line of `prefixes/<hash>.jsonl`."""

    decision: Int64
    """Turns of the agent, counted from 0."""
    actions: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """By role; a role whose reply was invalid has none."""
    charged_ms: float = Field(default=0.0, ge=0, le=LONGEST_CHARGE_MS)
    """Game time that passed before the step, while the model thought."""
    after_ms: dict[str, Annotated[float, Field(ge=0, le=LONGEST_CHARGE_MS)]] = Field(default_factory=dict)
    """By role, in games with `turns: free`: game time between the role's question and its action."""
    forced: bool = False
    """Played by a nudge, not by the agent."""
    last_of_reply: bool = False
    """Whether no reply has further actions after this step, so that another agent can take over."""
    reset: bool = False
    """The game was reset after this step."""
    state_hash: str
    """Hash of the state after the step."""


class EpisodeRecord(_Record):
    """Result of one episode: a line of `results.jsonl` (finished) or `failures.jsonl` (failed)."""

    key: str
    cell: str
    game: str
    task: str
    genre: str = ""
    level: Int64 = 0
    model: str = ""
    interface: str = ""
    timing: str = ""
    latency: str = ""
    """Latency that is charged for thinking, as the user set it: measured, fixed:250, …; empty when paused."""
    memory_rounds: Int64 = 0
    seed: Int64 = 0
    repeat: Int64 = 0
    status: Status = "finished"
    success: bool = False
    progress: float | None = None
    """Best progress, in [0, 1] unless the task has no cap or no floor; None when the episode failed: an outage has no
    score."""
    score: float | None = None
    """The score at the best progress."""
    steps: Int64 = 0
    """Environment steps."""
    decisions: Int64 = 0
    """Turns of the agent."""
    resets: Int64 = 0
    ended_by: EndedBy | None = None
    proposals: Int64 = 0
    """Number of decisions of all roles."""
    calls: Int64 = 0
    """Number of questions to all models of all roles."""
    ignored_calls: Int64 = 0
    """Number of actions that were ignored because their reply had too many."""
    repaired: Int64 = 0
    """Number of decisions that the repair made; each counts in `no_tool_call` or `out_of_space`, too."""
    no_tool_call: Int64 = 0
    """Number of decisions without a call, as their format reads the reply."""
    out_of_space: Int64 = 0
    """Number of decisions with an impossible call, as their format reads the reply."""
    input_tokens: Int64 = 0
    cached_tokens: Int64 = 0
    output_tokens: Int64 = 0
    reasoning_tokens: Int64 = 0
    cost_usd: float | None = None
    latency_ms: float = 0.0
    """Sum of the latencies of all replies, in ms of wall time."""
    in_flight: Int64 = 0
    """Maximum of `LoggedReply.in_flight` over its replies."""
    retries: Int64 = 0
    """Number of requests that were repeated, after an error or a rate limit."""
    waited_s: float = 0.0
    """Sum of `LoggedReply.waited_s` over its replies."""
    served_model: str = ""
    """Exact model names as reported by the provider, separated by commas."""
    charged_ms: float = 0.0
    game_time_ms: float = 0.0
    state_chain: str = ""
    """Hash over all steps' state hashes, in order."""
    frame_chain: str = ""
    """Hash over all screenshots, in order."""
    row_chain: str = ""
    """Hash over all rows with all their columns, in order; screenshots enter with their hashes."""
    shown_hash: str = ""
    """Hash over prompts, console lines and the final frame, which are stored beside the rows."""
    browser: str = ""
    sees_state: bool = False
    sees_text: bool = False
    """The screen was described in text; such cells are ranked separately."""
    agent: str = "direct"
    metrics: dict[str, float] = Field(default_factory=dict)
    """Metrics of the episode, by name."""
    reproducible: bool = True
    caveats: tuple[str, ...] = ()
    """Why it is not reproducible, and other caveats."""
    blocked_requests: Int64 = 0
    page_errors: tuple[str, ...] = ()
    health: tuple[str, ...] = ()
    """Signs that the game did not run: missing files, `BLANK` and `UNMOVED`."""
    prefix: str = ""
    """For a fork: hash of the recorded steps that it starts from (`prefixes/<hash>.jsonl`). Steps, decisions, resets,
    game time and the best progress count them; calls, tokens, cost and charges are the fork's own."""
    forked_at: int | None = Field(default=None, ge=0, le=2**63 - 1)
    """For a fork: number of recorded environment steps that it starts from."""
    error_class: str = ""
    error_message: str = ""
    error_owner: str = ""
    """Owner of the error (see `gwray.errors`): user, game, machine, model, store, agent or gwray."""
    retryable: bool = False
    """Whether a retry of the episode could succeed."""
    costs_try: bool = True
    """Whether the failure counts against the retry limit; failures that hit several episodes at once do not."""
    stops_model: bool = False
    """Whether every further episode with this model would fail in the same way."""
    tries: Int64 = 1
    wall_s: float = 0.0
    finished_at: str = ""
    machine: str = ""
    """Host name of the node that played it."""


class Judgement(_Record):
    """A judge's verdict on one episode: a line of `judgements/<judge>/verdicts.jsonl`. It is determined by the
    episode's record and the judge's replies."""

    key: str
    labels: tuple[str, ...] = ()
    """Labels of the profile, names of reached milestones, or names of correctly answered questions."""
    score: float | None = None
    """Share of milestones that were reached, or of questions that were answered correctly; None for other judges."""
    malformed: Int64 = 0
    """Replies that could not be parsed."""
    steps: Int64 = 0
    """Number of environment steps that the judge played."""
    calls: Int64 = 0
    input_tokens: Int64 = 0
    cached_tokens: Int64 = 0
    output_tokens: Int64 = 0
    reasoning_tokens: Int64 = 0
    cost_usd: float | None = None
    latency_ms: float = 0.0
    replies_hash: str = ""
    """Hash over all replies of the judge, with all their fields."""
    state_chain: str = ""
    """Hash over the states that the judge reached, in order; empty if it did not play."""


OUTCOME_FIELDS = (
    "key", "cell", "game", "task", "model", "agent", "interface", "timing", "latency", "memory_rounds", "seed",
    "repeat", "status", "success", "progress", "score", "steps", "decisions", "resets", "ended_by", "proposals",
    "calls", "ignored_calls", "repaired", "no_tool_call", "out_of_space", "charged_ms", "game_time_ms", "metrics",
    "state_chain", "prefix", "forked_at",
)  # fmt: skip
"""Fields that must be equal when an episode is replayed with the same replies."""


BLANK = "every screenshot is of one colour"
"""Health of an episode whose game shows nothing."""
UNMOVED = "no action had an effect that could be observed"
"""Health of an episode in which nothing that was played had an effect."""
CIRCUMSTANCES = ("tries", "wall_s", "finished_at", "machine")
"""Fields about when and where an episode was played; they follow neither from its inputs nor from its replies."""


def digest(*parts: bytes | str) -> str:
    """Returns the hash used for states, frames, requests and keys: SHA-256, first 16 bytes, hexadecimal."""
    return Digest(*parts).value()


class Digest:
    """A `digest` whose parts are added one by one."""

    def __init__(self, *parts: bytes | str):
        self._hash = hashlib.sha256()
        self.add(*parts)

    def and_then(self, *parts: bytes | str) -> "Digest":
        """Returns the digest with these parts appended; this object is unchanged."""
        more = Digest()
        more._hash = self._hash.copy()
        more.add(*parts)
        return more

    def value(self) -> str:
        return self._hash.hexdigest()[:32]

    def add(self, *parts: bytes | str) -> None:
        for p in parts:
            b = p.encode() if isinstance(p, str) else p
            self._hash.update(len(b).to_bytes(8, "big"))
            self._hash.update(b)


def canonical(value: Any) -> str:
    """Returns JSON with sorted keys and no white space: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def ascii_json(value: Any) -> str:
    """Returns `canonical` JSON in ASCII, for values from a page or a model: it also encodes lone surrogates and
    1e999."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def storable(text: str) -> str:
    """Returns the text without lone surrogates: JSON can spell one (`\\ud800`), but no request or file can contain
    it."""
    return text.encode("utf-8", "replace").decode()
