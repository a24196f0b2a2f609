"""Where a model's weights come from, checked before anything is started.

`model_source` is a folder, `tiny:SEED`, a bucket or fsspec path, or a hub id. What the engine can read itself (folders,
hub ids, s3:// and the like) is handed on. Other fsspec paths are copied to a local cache first, and tiny models built
there, by each node on which a replica is placed (`fetching`): this machine may be none of them.
"""

from __future__ import annotations

import fcntl
import os
import re
from dataclasses import dataclass
from pathlib import Path

from gwray.errors import UsageError
from gwray.serving.faults import ServingError
from gwray.serving.profile import DeploymentSpec

ENGINE_READS = ("s3://", "gs://", "abfss://", "azure://")
_HUB_ID = re.compile(r"^[\w.-]+/[\w.-]+$")
_PREFETCH = (
    "Pre-fetch them on a machine with network: `hf download {source} --local-dir /models/{name}`, copy or mount the "
    "folder on every node, and set model_source=/models/{name} in conf/deployment/{name}.yaml."
)


@dataclass(frozen=True)
class Weights:
    """What the engine is given. `offline`: it must not ask the network."""

    source: str
    offline: bool
    fetched_from: str | None = None
    """Address whose files each node copies to the folder `source` before its engine starts, or `tiny:SEED`."""


def resolve(spec: DeploymentSpec) -> Weights:
    """The engine's model source. Raises `ServingError` that says how to pre-fetch, `UsageError` for a malformed one."""
    source = spec.model_source
    if source.startswith("tiny:"):
        try:
            return Weights(str(_built(source)), offline=True, fetched_from=source)
        except ImportError as e:
            raise ServingError(
                f"{spec.name}: the test model is built with torch and transformers, which this Python lacks ({e}). Run "
                "make setup-vllm, then start with .venv-vllm/bin/python."
            ) from e
    if source.startswith(ENGINE_READS):
        return Weights(source, offline=False)
    if "://" in source:
        return Weights(str(_reachable(spec)), offline=True, fetched_from=source)
    if source.startswith(("/", ".", "~")):
        folder = Path(source).expanduser().resolve()
        if not (folder / "config.json").exists():
            what = "has no config.json" if folder.is_dir() else "does not exist on this machine"
            raise ServingError(f"{spec.name}: the weights folder {folder} {what}. {_prefetch(spec, 'ORG/MODEL')}")
        return Weights(str(folder), offline=True)
    if not _HUB_ID.match(source):
        raise UsageError(
            f"conf/deployment/{spec.name}.yaml: model_source '{source}' is neither a path (/… or ./…), a URL (s3://…), "
            "a hub id (ORG/MODEL) nor tiny:SEED."
        )
    if cached := _cached(source):
        return Weights(str(cached) if _offline() else source, offline=_offline())
    if _offline():
        raise ServingError(
            f"{spec.name}: HF_HUB_OFFLINE is set and the weights of {source} ({spec.weights_gb:g} GB) are not in "
            f"the cache {_hub_cache()}. {_prefetch(spec, source)}"
        )
    if why := _refused(source):
        raise ServingError(f"{spec.name}: {why}. {_prefetch(spec, source)}")
    return Weights(source, offline=False)


def _prefetch(spec: DeploymentSpec, source: str) -> str:
    return _PREFETCH.replace("{source}", source).replace("{name}", spec.name)


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").lower() in ("1", "true", "yes", "on")


def _hub_cache() -> Path:
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or home / "hub")


def _cached(source: str) -> Path | None:
    """The newest complete snapshot of a hub id on this machine."""
    snapshots = _hub_cache() / f"models--{source.replace('/', '--')}" / "snapshots"
    if not snapshots.is_dir():
        return None
    found = [s for s in snapshots.iterdir() if (s / "config.json").exists() and any(s.glob("*.safetensors"))]
    return max(found, key=lambda s: s.stat().st_mtime, default=None)


def _refused(source: str) -> str | None:
    """Why the hub would not hand out a model; None when it would, or when its library is not here to ask."""
    try:
        from huggingface_hub import HfApi  # pyright: ignore[reportMissingImports]
        from huggingface_hub.errors import (  # pyright: ignore[reportMissingImports]
            GatedRepoError,
            HfHubHTTPError,
            RepositoryNotFoundError,
        )
    except ImportError:
        return None
    hub = (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")
    try:
        HfApi(endpoint=hub).auth_check(source)
    except GatedRepoError:
        return f"{hub}/{source} needs its licence to be accepted there, and then HF_TOKEN to be set"
    except RepositoryNotFoundError:
        return f"{hub} has no model {source}, or shows it only to those who set HF_TOKEN"
    except HfHubHTTPError:  # it is there, and has trouble of its own: the engine will try again
        return None
    except Exception as e:
        return f"{hub} cannot be reached ({type(e).__name__}: {' '.join(str(e).split())[:200]})"
    return None


def _reachable(spec: DeploymentSpec) -> Path:
    """The folder to which the files behind an fsspec URL are copied. Raises `ServingError` when there is no model."""
    import fsspec

    from gwray.records import digest

    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gwray" / "weights"
    folder = cache / f"{spec.name}-{digest(spec.model_source)[:8]}"
    try:
        fs, path = fsspec.core.url_to_fs(spec.model_source)
        if not fs.exists(f"{path.rstrip('/')}/config.json"):
            raise FileNotFoundError(f"no config.json in {spec.model_source}")
    except Exception as e:  # every fsspec backend has its own errors; all mean that the weights cannot be had
        raise ServingError(
            f"{spec.name}: the weights could not be fetched from {spec.model_source}: {type(e).__name__}: {e}. "
            f"{_prefetch(spec, 'ORG/MODEL')}"
        ) from e
    return folder


def fetch(url: str, folder: Path) -> None:
    """Copy the folder behind an fsspec URL, once; what was interrupted goes on with the file it was at. A tiny model is
    built, with the same bytes on every node."""
    if url.startswith("tiny:"):
        _built(url, folder)
        return
    import fsspec

    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(folder.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two replicas of one node
        if (folder / "config.json").exists():
            return
        partial = folder.with_name(folder.name + ".partial")
        fs, path = fsspec.core.url_to_fs(url)
        for remote in fs.find(path):
            local = partial / str(remote)[len(path.rstrip("/")) + 1 :]
            local.parent.mkdir(parents=True, exist_ok=True)
            if not local.exists() or local.stat().st_size != fs.size(remote):
                fs.get_file(remote, str(local))
        partial.rename(folder)


def _built(source: str, folder: Path | None = None) -> Path:
    """The folder of the model `tiny:SEED` or `tiny:SEED:LAYERS`, made if it is not there."""
    from gwray.serving.tiny import LAYERS, build

    seed, _, layers = source.removeprefix("tiny:").partition(":")
    return build(int(seed), folder, int(layers or LAYERS))
