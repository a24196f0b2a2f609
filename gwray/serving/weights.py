"""Finds a model's weights and checks that they can be had before anything is started.

`model_source` is a folder, `tiny:SEED`, a bucket or fsspec URL, or a hub id. The engine itself reads folders, hub ids
and buckets (s3:// and the like). Other fsspec URLs are copied to a local cache first, and tiny models are built there,
on each node on which a replica is placed: see `weights_download`.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gwray.errors import UsageError
from gwray.places import BUNDLED
from gwray.serving.probe import ServingError
from gwray.serving.profile import HUB_ID, DeploymentSpec
from gwray.serving.weights_digest import folder_digest

ENGINE_READS = ("s3://", "gs://", "abfss://", "azure://")
TINY_MODEL = BUNDLED / "scripts" / "tiny_model.py"
"""The program that builds the test model; it needs torch and transformers."""
_PREFETCH = (
    "Download them on a machine with network access: `hf download {source} --local-dir /models/{name}`, copy or mount "
    "the folder on every node, and set model_source=/models/{name} in conf/deployment/{name}.yaml."
)


@dataclass(frozen=True)
class Weights:
    """Source of the weights, as the engine is given it."""

    source: str
    offline: bool
    """Whether the engine must not access the network."""
    fetched_from: str | None = None
    """URL from which each node fills the folder `source` before its engine starts, or `tiny:SEED`."""


def resolve(spec: DeploymentSpec, *, elsewhere: bool = False) -> Weights:
    """Returns the engine's model source. `elsewhere`: the engine runs on other nodes, which may have a folder or a hub
    cache that this machine lacks; the engine then reports weights that are missing there.

    Raises:
        ServingError: The weights cannot be had; the message tells how to download them.
        UsageError: `model_source` is malformed.
    """
    source = spec.model_source
    if source.startswith("tiny:"):
        folder = _cache() / f"tiny-vl-1-{source.removeprefix('tiny:').replace(':', '-')}"
        _build(source, folder)
        return Weights(str(folder), offline=True, fetched_from=source)
    if source.startswith(ENGINE_READS):
        return Weights(source, offline=False)
    if "://" in source:
        return Weights(str(_reachable(spec)), offline=True, fetched_from=source)
    if spec.in_folder:
        folder = Path(source) if elsewhere and source.startswith("/") else Path(source).expanduser().resolve()
        if not elsewhere and not (folder / "config.json").exists():
            problem = "has no config.json" if folder.is_dir() else "does not exist on this machine"
            raise ServingError(f"{spec.name}: the weights folder {folder} {problem}. {_prefetch(spec, 'ORG/MODEL')}")
        return Weights(str(folder), offline=True)
    if not HUB_ID.match(source):
        raise UsageError(
            f"conf/deployment/{spec.name}.yaml: model_source '{source}' is neither a path (/… or ./…), a URL (s3://…), "
            "a hub id (ORG/MODEL) nor tiny:SEED."
        )
    if cached := _cached(source, spec.revision):
        return Weights(str(cached) if _offline() else source, offline=_offline())
    if _offline() and elsewhere:
        return Weights(source, offline=True)
    if _offline():
        raise ServingError(
            f"{spec.name}: HF_HUB_OFFLINE is set and the weights of {source} ({spec.weights_gb:g} GB) are not in "
            f"the cache {_hub_cache()}{_other(spec)}. {_prefetch(spec, source)}"
        )
    if problem := _hub_problem(source):
        raise ServingError(f"{spec.name}: {problem}. {_prefetch(spec, source)}")
    return Weights(source, offline=False)


def _prefetch(spec: DeploymentSpec, source: str) -> str:
    if spec.revision and source == spec.model_source and not spec.in_folder:
        source += f" --revision {spec.revision}"
    return _PREFETCH.replace("{source}", source).replace("{name}", spec.name)


def _other(spec: DeploymentSpec) -> str:
    """Returns how to use another commit of these weights that is in the cache; empty if there is none."""
    cached = _cached(spec.model_source)
    if not spec.revision or not cached:
        return ""
    return (
        f" in the commit {spec.revision} that the profile names; the cache has {cached.name}: add "
        f"deployment.revision={cached.name} to use it"
    )


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").lower() in ("1", "true", "yes", "on")


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gwray"


def _hub_cache() -> Path:
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    return Path(os.environ.get("HF_HUB_CACHE") or home / "hub")


def _cached(source: str, revision: str = "") -> Path | None:
    """Returns this machine's complete snapshot of a hub id at a commit; empty: the newest one."""
    snapshots = _hub_cache() / f"models--{source.replace('/', '--')}" / "snapshots"
    configs = snapshots.glob(f"{revision or '*'}/config.json")
    complete = [file.parent for file in configs if any(file.parent.glob("*.safetensors"))]
    return max(complete, key=lambda s: s.stat().st_mtime, default=None)


def revision(spec: DeploymentSpec, say: Callable[[str], None] = lambda _: None) -> str:
    """Returns the revision of the weights that a profile serves, as far as this machine knows it; otherwise empty. Of a
    hub id, the commit that the profile names, or that of the newest snapshot here; of a folder, the digest of its
    content. `say` receives a message if that takes a while. Raises `UsageError` if the profile names another digest."""
    if not spec.in_folder:
        cached = _cached(spec.model_source) if HUB_ID.match(spec.model_source) else None
        return spec.revision or (cached.name if cached else "")
    folder = Path(spec.model_source).expanduser()
    if not folder.is_dir():
        return spec.revision
    found = folder_digest(folder, _cache() / "weights-digests", say)
    if spec.revision not in ("", found):
        raise UsageError(
            f"{spec.name}: the weights in {folder} have the digest {found}, not revision {spec.revision}. Correct "
            "model_source or revision, or leave out revision."
        )
    return found


def _hub_problem(source: str) -> str | None:
    """Returns why the hub refuses a model; None if it does not, or if its library is not installed."""
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
        return f"{hub}/{source} is gated: accept its licence there, then set HF_TOKEN"
    except RepositoryNotFoundError:
        return f"{hub} has no model {source}, or it is private and HF_TOKEN is not set"
    except HfHubHTTPError:  # a server error of the hub: the engine will retry
        return None
    except Exception as e:
        return f"{hub} cannot be reached ({type(e).__name__}: {' '.join(str(e).split())[:200]})"
    return None


def _reachable(spec: DeploymentSpec) -> Path:
    """Returns the cache folder of an fsspec URL. Raises `ServingError` if there is no model behind the URL."""
    import fsspec

    from gwray.records import digest

    try:
        fs, path = fsspec.core.url_to_fs(spec.model_source)
        if not fs.exists(f"{path.rstrip('/')}/config.json"):
            raise FileNotFoundError(f"no config.json in {spec.model_source}")
    except Exception as e:  # each fsspec backend raises its own errors
        raise ServingError(
            f"{spec.name}: the weights could not be fetched from {spec.model_source}: {type(e).__name__}: {e}. "
            f"{_prefetch(spec, 'ORG/MODEL')}"
        ) from e
    return _cache() / "weights" / f"{spec.name}-{digest(spec.model_source)[:8]}"


def download(url: str, folder: Path) -> None:
    """Copies the folder behind an fsspec URL once; an interrupted copy resumes with the file it was at. A tiny model
    (`tiny:SEED`) is built instead, with the same bytes on every node."""
    if url.startswith("tiny:"):
        _build(url, folder)
        return
    import fsspec

    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(folder.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two replicas on one node
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


def _build(source: str, folder: Path) -> None:
    """Builds the test model `tiny:SEED` or `tiny:SEED:LAYERS` in `folder` unless it exists."""
    if (folder / "model.safetensors").exists():
        return
    seed, _, layers = source.removeprefix("tiny:").partition(":")
    command = [sys.executable, str(TINY_MODEL), "--seed", seed, "--into", str(folder), "--layers", layers or "2"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        error = (done.stderr.strip() or "no output").splitlines()[-1]
        raise ServingError(
            f"the test model {source} could not be built with {sys.executable}: {error}. It needs torch and "
            "transformers: run make setup-vllm, then start with .venv-vllm/bin/python."
        )
