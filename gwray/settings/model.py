"""Model profiles."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

LOCAL_PLAYERS = frozenset({"random", "noop", "scripted", "fixed", "human"})
"""Providers of profiles whose replies are computed in the process that plays."""

Interface = str
"""Name of an action space: semantic, parametric, computer_use, or the path `package.Class` of a custom one."""


class Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)


class Sampling(Spec):
    """Sampling parameters; None uses the provider's default."""

    temperature: float | None = None
    top_p: float | None = None
    max_output_tokens: int = Field(default=2048, gt=0)
    """The provider truncates longer replies."""
    reasoning_effort: str | None = None
    """A value that the provider defines (low, medium, high, …)."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Merged into the request body unchanged."""

    def __str__(self) -> str:
        temperature = "default temperature" if self.temperature is None else f"temperature {self.temperature:g}"
        top_p = [] if self.top_p is None else [f"top_p {self.top_p:g}"]
        effort = [] if self.reasoning_effort is None else [f"effort {self.reasoning_effort}"]
        return ", ".join([temperature, *top_p, *effort, f"{self.max_output_tokens:,} tokens"])


Thinking = Literal["min", "default", "max"]


class ThinkingOverrides(Spec):
    """Request settings that make a model think as little, or as much, as its service allows; they override its
    profile."""

    reasoning_effort: str | None = None
    """Replaces `sampling.reasoning_effort`."""
    max_output_tokens: int | None = Field(default=None, gt=0)
    """Replaces `sampling.max_output_tokens`; thinking tokens count as output."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Merged into `sampling.extra`."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Merged into `options`."""


class Prices(Spec):
    """USD per million tokens; overrides the prices of `genai-prices`."""

    input: float
    cached: float | None = None
    output: float
    as_of: str
    """Date the price was read."""


class ImageGrid(Spec):
    """Size of the sent images and the coordinate system of the model's answers. The client converts both."""

    coordinates: Literal["viewport", "thousand", "resized"] = "viewport"
    """viewport: pixels of the screenshot; thousand: a 0–1000 grid; resized: pixels of the sent image."""
    factor: int = Field(default=1, gt=0)
    """Width and height of the sent image are multiples of this."""
    min_pixels: int | None = Field(default=None, gt=0)
    max_pixels: int | None = Field(default=None, gt=0)
    """Maximum number of pixels of the sent image; null: not resized."""


class ModelSpec(Spec):
    """A profile in `conf/model/`: a model, or a player without one."""

    name: str
    provider: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.]+$")]
    """Client that sends its requests: openai_chat, openai_responses, anthropic, gemini, mcp, or `package.Class` of your
    own; or a player without a model: random, noop, fixed, scripted, human."""
    model_id: str = ""
    """The model's name at the provider."""
    label: Annotated[str, Field(max_length=80)] = ""
    """Name in tables and figures. Empty: the profile's name, or the model id of a profile for any server."""
    interfaces: tuple[Interface, ...] = ("semantic", "computer_use")
    """Action spaces that it supports."""
    pictures: bool = True
    """Whether it accepts images. A model that does not needs observation=text, and is never sent one."""
    base_url: str | None = None
    """Endpoint; null: the SDK's default, or the deployment of a self-hosted model."""
    api_key_env: str | None = None
    """Environment variable that holds the key. The key itself is never written."""
    self_hosted: bool = False
    """Served by `gwray.serving` (see `conf/deployment/`)."""
    deployment: dict[str, Any] = Field(default_factory=dict)
    """What the run serves: the values of its file in `conf/deployment/` that can change replies (weights, engine
    arguments). The plan fills them in for a model that the run hosts; empty: served by others."""
    semantic_format: str = "tools"
    """Format of semantic actions: tools (native function calling) or a text format of `agents/formats`."""
    computer_use_format: str = "json"
    """Format of computer-use actions: native, or a text format of `agents/formats`."""
    image: ImageGrid = ImageGrid()
    """Applies to computer_use coordinates and to sent images."""
    sampling: Sampling = Sampling()
    thinking: dict[Literal["min", "max"], ThinkingOverrides] = Field(default_factory=dict)
    """Request settings for `thinking=min` and `thinking=max`. A level that is missing is not supported."""
    prices: Prices | None = None
    """Override the prices of `genai-prices`."""
    max_in_flight: int = Field(default=8, gt=0)
    """Maximum number of concurrent requests."""
    requests_per_minute: float | None = Field(default=None, gt=0)
    """Maximum number of requests that start per minute; null: limited by `max_in_flight` alone."""
    timeout_s: float = Field(default=120, gt=0)
    """Timeout of one request, in seconds."""
    structured: bool = False
    """Constrain replies to legal actions with a JSON schema (not part of the published protocol)."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Provider-specific settings."""
    retired: str = ""
    """Date since which the service no longer offers this model, and its replacement: earlier results cannot be
    reproduced. Empty: not known to be retired."""
    source: str = ""
    """Sources of this profile's values."""

    @property
    def identity(self) -> tuple[str, str, str]:
        """Returns name, provider and model id, which together identify a model of a run: several can share a profile's
        name."""
        return self.name, self.provider, self.model_id

    @property
    def key(self) -> str:
        """Returns the key of the rate limits that apply: provider, model, base URL and API key variable.

        Profiles of the same model share a key, whatever their names; different models never do.
        """
        name = self.model_id or self.name
        return " ".join((self.provider, name, self.base_url or "", self.api_key_env or ""))

    def with_thinking(self, level: Thinking) -> "ModelSpec":
        """Returns the profile with its overrides for a thinking level applied; unchanged where it has none."""
        if level == "default" or level not in self.thinking:
            return self
        overrides = self.thinking[level]
        sampling = self.sampling.model_copy(
            update={
                "reasoning_effort": overrides.reasoning_effort or self.sampling.reasoning_effort,
                "max_output_tokens": overrides.max_output_tokens or self.sampling.max_output_tokens,
                "extra": {**self.sampling.extra, **overrides.extra},
            }
        )
        return self.model_copy(update={"sampling": sampling, "options": {**self.options, **overrides.options}})
