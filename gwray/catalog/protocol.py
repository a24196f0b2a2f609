"""The model profiles of `conf/model/`; the published protocol, as `conf/published_protocol.yaml` states it, and a
profile under its sampling."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from gwray.errors import UsageError, choose
from gwray.places import CONF, conf_files, yaml12
from gwray.places.validation import read_model_file
from gwray.settings import LOCAL_PLAYERS, Durations, ModelSpec

Pair = Literal["semantic", "computer_use"]


class PublishedSampling(BaseModel):
    """Sampling settings of all models."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    temperature: float
    max_output_tokens: int


class BaseModelFacts(BaseModel):
    """What the paper's table of base models says of one."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    weights: Literal["open", "closed", ""] = ""
    description: str = ""


class PublishedProtocol(BaseModel):
    """Settings of the published runs."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    memory_rounds: dict[Pair, int]
    memory_fields: tuple[str, ...]
    memory_format: str
    memory_prompt: dict[Pair, Literal["line", "full"]]
    tool_argument: str
    sampling: PublishedSampling
    no_temperature: tuple[str, ...]
    """Model profiles without a temperature."""
    durations: Durations
    hold_ms: tuple[float, float]
    """Shortest and longest default hold of a role."""
    computer_use: tuple[str, ...]
    """Action types of the computer-use interface."""
    actions_per_reply: int
    max_steps: int
    seed: int
    timing: str
    speed: float
    """Speed of the games."""
    repeats: dict[str, int]
    in_flight: int
    """Maximum number of concurrent requests to one model."""
    base_models: dict[str, BaseModelFacts]
    """By profile."""

    def axes(self, interface: str) -> dict[str, Any]:
        """Returns the settings of a cell of these runs for an interface, apart from model, interface and timing."""
        rounds = self.memory_rounds.get(interface, 0)  # type: ignore[call-overload]
        return {"sampling": "published", **({"memory_rounds": rounds} if rounds else {})}

    def sampled(self, model: ModelSpec) -> ModelSpec:
        """Returns the profile with the published sampling settings; a local player is returned unchanged."""
        if model.provider in LOCAL_PLAYERS:
            return model
        kept = {k: v for k, v in model.sampling.extra.items() if k not in ("top_k", "min_p")}
        sampling = model.sampling.model_copy(
            update={
                "temperature": None if model.name in self.no_temperature else self.sampling.temperature,
                "top_p": None,
                "max_output_tokens": self.sampling.max_output_tokens,
                "extra": kept,
            }
        )
        return model.model_copy(update={"sampling": sampling})


@cache
def published_protocol() -> PublishedProtocol:
    """Returns the protocol of the published runs. The file is read once per process."""
    return PublishedProtocol.model_validate(yaml12.load((CONF / "published_protocol.yaml").read_text("utf-8")))


def describe_model(model: ModelSpec) -> BaseModelFacts:
    """Returns the weights and description of a model, empty unless it is a base model of the paper. The weights of any
    model that runs host are open."""
    known = published_protocol().base_models.get(model.name)
    return known or BaseModelFacts(weights="open" if model.self_hosted else "")


def read_model(name: str) -> ModelSpec:
    """Returns the profile `conf/model/<name>.yaml`. Raises `UsageError` if it does not exist or is invalid."""
    files = conf_files("model")
    if name not in files:
        raise choose("model", name, list(files), "`gwray models` lists them; a new model is one file in conf/model/.")
    return _read(files[name])


def read_models() -> list[ModelSpec]:
    """Returns all profiles of `conf/model/`. Raises `UsageError` if one is invalid."""
    return [_read(f) for f in conf_files("model").values()]


def _read(file: Path) -> ModelSpec:
    model = read_model_file(file, ModelSpec)
    if model.name != file.stem:
        raise UsageError(f"{file}: name is '{model.name}' but must equal the file name, '{file.stem}'")
    return model
