"""Reads the serving profiles of `conf/deployment/` into frozen models. A profile in `conf/model/` describes how to talk
to a model; the file of the same name in `conf/deployment/` describes the resources to run it. `source` must name where
its values come from. Imports no engine."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gwray.errors import UsageError, choose
from gwray.places import conf_files
from gwray.places.validation import all_in_words, read_model_file

OUTCOME = (
    "model_source", "revision", "tensor_parallel", "max_model_len", "hf_overrides", "mm_processor_kwargs",
    "structured_outputs", "engine_kwargs",
)  # fmt: skip
"""Fields that decide what is computed for a prompt, so they are part of an episode's identity. All others only decide
where, when and beside which other requests it is computed."""
ENGINE_RESOURCES = frozenset((
    "block_size", "cpu_offload_gb", "disable_log_stats", "distributed_executor_backend", "enable_chunked_prefill",
    "enable_prefix_caching", "gpu_memory_utilization", "kv_cache_memory_bytes", "limit_mm_per_prompt", "load_format",
    "max_num_batched_tokens", "max_num_seqs", "max_parallel_loading_workers", "mm_processor_cache_gb",
    "scheduling_policy", "swap_space",
))  # fmt: skip
"""Keys of `engine_kwargs` that decide memory and batching only, so they are not part of an episode's identity."""
HUB_ID = re.compile(r"^[\w.-]+/[\w.-]+$")
"""Form of `model_source` that names a model on the hub: ORG/MODEL."""


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Resources(_Spec):
    """Resources of one replica."""

    gpus: int = Field(default=1, ge=0)
    """GPUs of one replica, all on one node: its tensor parallelism. 0: the CPU engine."""
    gpu_memory_gb: float = 0
    """Memory each of these GPUs must have."""
    cpus: float = Field(default=1, gt=0)
    """CPU cores Ray reserves for one replica."""
    memory_gb: float = 0
    """Main memory of one replica, for loading weights and the image cache."""
    accelerator_type: str | None = None
    """Ray's name of the required GPU (H100, A100-80G, …); None: any."""


class DeploymentSpec(_Spec):
    """A profile in `conf/deployment/`: one model, one deployment."""

    name: str
    """Equal to the name of the profile in `conf/model/`."""
    engine: Literal["gpu", "cpu"] = "gpu"
    """cpu: vLLM's CPU build, for tests and tiny models."""
    model_source: str
    """Folder, fsspec or bucket URL, hub id, or `tiny:SEED` for the test model, which is built where it runs."""
    revision: str = ""
    """Commit of a hub id's weights, empty: the newest; or digest of the weights in a folder, empty: of those that are
    there. 40 hex digits. A setting `deployment.model_source` without `deployment.revision` empties it, because it
    belongs to the profile's weights."""
    resources: Resources = Resources()
    tensor_parallel: int = Field(default=1, ge=1)
    """GPUs that hold one copy together."""
    max_model_len: int = Field(ge=512)
    """Context length in tokens, images included."""
    images_per_prompt: int = Field(default=4, ge=1)
    """The current frame and those of the memory rounds; unused for a model without image input."""
    max_num_seqs: int = Field(default=64, ge=1)
    """Requests that one replica accepts and processes at once."""
    replicas_min: int = Field(default=1, ge=1)
    replicas_max: int = Field(default=1, ge=1)
    """If more than the minimum: adds replicas while each has more than `requests_per_replica` in flight."""
    requests_per_replica: float = Field(default=16, gt=0)
    """Requests in flight per replica that autoscaling aims at."""
    hf_overrides: dict[str, Any] = Field(default_factory=dict)
    """Corrections to the model's own config."""
    mm_processor_kwargs: dict[str, Any] = Field(default_factory=dict)
    """Corrections to the model's image processor."""
    structured_outputs: dict[str, Any] = Field(default_factory=dict)
    """Engine settings of structured replies (backend and its options)."""
    engine_kwargs: dict[str, Any] = Field(default_factory=dict)
    """Any further vLLM engine argument."""
    env: dict[str, str] = Field(default_factory=dict)
    """Environment of the engine's processes."""
    start_timeout_s: float = 1800
    """Seconds for loading; large weights load slowly. The first chat then has a quarter of that, at least 180 s."""
    weights_gb: float
    """Size of the weights, which are downloaded first and must fit into the GPUs."""
    source: str
    """Source of the values above."""

    @model_validator(mode="after")
    def _consistent(self) -> "DeploymentSpec":
        if self.replicas_max < self.replicas_min:
            raise ValueError("replicas_max is smaller than replicas_min")
        if "pipeline_parallel_size" in self.engine_kwargs:
            raise ValueError("a replica is on one node: remove engine_kwargs.pipeline_parallel_size")
        if self.engine == "gpu" and self.resources.gpus != self.tensor_parallel:
            raise ValueError(
                f"resources.gpus is {self.resources.gpus}, but a replica uses {self.tensor_parallel}: tensor_parallel"
            )
        if not re.fullmatch(r"([0-9a-f]{40})?", self.revision):
            raise ValueError(
                f"revision '{self.revision}' is not a commit. Give its 40 hex digits; a branch or a tag can move"
            )
        if self.revision and not (self.in_folder or HUB_ID.match(self.model_source)):
            raise ValueError(
                f"revision is the commit of a hub id (ORG/MODEL) or the digest of a folder; '{self.model_source}' is "
                "neither"
            )
        if self.engine == "cpu" and self.resources.gpus:
            raise ValueError("the CPU engine uses no GPUs: resources.gpus must be 0")
        return self

    @property
    def in_folder(self) -> bool:
        """Whether the weights are in a folder of the engine's node."""
        return self.model_source.startswith(("/", ".", "~"))

    def outcome(self, revision: str) -> dict[str, Any]:
        """Returns the values that can change replies. `revision`: of the weights; it replaces the path of a folder."""
        values = decisive({name: value for name in OUTCOME if (value := getattr(self, name))})
        if self.in_folder and revision:
            del values["model_source"]
            values["revision"] = revision
        return values

    @property
    def most_pixels(self) -> int | None:
        """Pixels above which the engine makes an image smaller; None: unknown."""
        size = self.mm_processor_kwargs.get("size", {})
        return size.get("longest_edge") if isinstance(size, Mapping) else None

    def engine_arguments(self, *, pictures: bool = True) -> dict[str, Any]:
        """Returns the arguments of vLLM's engine. `pictures`: whether the model accepts images."""
        arguments: dict[str, Any] = {"max_model_len": self.max_model_len, "max_num_seqs": self.max_num_seqs}
        if self.revision and not self.in_folder:
            arguments["revision"] = self.revision
        if pictures:
            arguments["limit_mm_per_prompt"] = {"image": self.images_per_prompt, "video": 0}
        if self.engine == "gpu":
            arguments["tensor_parallel_size"] = self.tensor_parallel
        if self.hf_overrides:
            arguments["hf_overrides"] = self.hf_overrides
        if self.mm_processor_kwargs:
            arguments["mm_processor_kwargs"] = self.mm_processor_kwargs
        if self.structured_outputs:
            arguments["structured_outputs_config"] = self.structured_outputs
        return arguments | self.engine_kwargs


def serving_files() -> dict[str, Path]:
    """Returns profile name → file of `conf/deployment/`, bundled and user-defined."""
    return conf_files("deployment")


def read_deployment(name: str, overrides: Mapping[str, Any] | None = None) -> DeploymentSpec:
    """Reads the serving profile of a model. `overrides` replace its values (settings `deployment.…`). If they can
    change replies, the result has a name of its own, such as `qwen3-vl-30b-a3b+quantization=fp8`. Raises `UsageError`
    if the profile is missing or malformed, or an override does not fit."""
    files = serving_files()
    if name not in files:
        raise choose(
            "serving profile", name, list(files),
            "A self-hosted model needs a file in conf/deployment/, or serving=external with serving.base_url=….",
        )  # fmt: skip
    spec = read_model_file(files[name], DeploymentSpec)
    if spec.name != name:
        raise UsageError(f"{files[name]}: name is '{spec.name}', which must be that of the file: '{name}'")
    overrides = _changes(spec.model_dump(), overrides or {})
    if not overrides:
        return spec
    values = {**_merged(spec.model_dump(), overrides), "name": deployment_name(name, decisive(overrides))}
    if "model_source" in overrides and "revision" not in overrides:
        values["revision"] = ""
    try:
        return DeploymentSpec.model_validate(values)
    except ValidationError as e:
        raise UsageError(f"setting deployment of {name}: {all_in_words(e, DeploymentSpec)}") from e


def effective_overrides(name: str, overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the overrides that change a value of the profile, and not those that repeat it."""
    return _changes(read_deployment(name).model_dump(), overrides)


def decisive(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns those of a profile's values or overrides that can change replies."""
    found = {name: value for name, value in values.items() if name in OUTCOME}
    if "engine_kwargs" in found:
        found["engine_kwargs"] = {k: v for k, v in found["engine_kwargs"].items() if k not in ENGINE_RESOURCES}
    return {name: value for name, value in found.items() if value != {}}


def deployment_name(name: str, overrides: Mapping[str, Any]) -> str:
    """Returns the name of a profile with decisive overrides, as the served model has it in the plan."""
    words = ",".join(f"{key}={value}" for key, value in _leaves(overrides))
    return re.sub(r"[^\w.=,+-]", "-", f"{name}+{words}") if words else name


def _changes(values: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the overrides without those that change nothing, such as `null` for a value that is not there."""
    inner = {k: _changes(values.get(k) or {}, v) if isinstance(v, Mapping) else v for k, v in overrides.items()}
    return {k: v for k, v in inner.items() if v != ({} if isinstance(v, dict) else values.get(k))}


def _merged(values: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the values with overrides, merged mapping by mapping."""
    both = {k: _merged(values[k], v) if isinstance(values.get(k), dict) and isinstance(v, Mapping) else v
            for k, v in overrides.items()}  # fmt: skip
    return {**values, **both}


def _leaves(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields key and value of all nested settings, sorted, without the mappings around them."""
    for key, value in sorted(values.items()):
        if isinstance(value, Mapping):
            yield from _leaves(value)
        else:
            yield key, value
