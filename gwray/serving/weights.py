"""Finds a model's weights and checks that they can be had before anything is started.

`model_source` is a folder, a hub id, a bucket or `tiny:SEED`. The engine itself reads folders, hub ids and buckets
(s3:// and the like). Tiny models are built on each node on which a replica is placed: see `weights_node`.
"""

import importlib.util
import json
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


TRAINED_ON = "trained_on.json"
"""File beside weights in a folder: the games, levels, scenarios and seeds that they have learned from."""


@dataclass(frozen=True)
class Weights:
    """Source of the weights, as the engine is given it."""

    source: str
    offline: bool
    """Whether the engine must not access the network."""
    built_from: str | None = None
    """`tiny:SEED` of a model that each node builds in the folder `source` before its engine starts."""


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
        build(source, folder)
        return Weights(str(folder), offline=True, built_from=source)
    if source.startswith(ENGINE_READS):
        return Weights(source, offline=False)
    if spec.in_folder:
        folder = Path(source) if elsewhere and source.startswith("/") else Path(source).expanduser().resolve()
        if not elsewhere and not (folder / "config.json").exists():
            problem = "has no config.json" if folder.is_dir() else "does not exist on this machine"
            raise ServingError(f"{spec.name}: the weights folder {folder} {problem}. {_prefetch(spec, 'ORG/MODEL')}")
        return Weights(str(folder), offline=True)
    if not HUB_ID.match(source):
        raise UsageError(
            f"conf/deployment/{spec.name}.yaml: model_source '{source}' is neither a path (/… or ./…), a bucket "
            f"({', '.join(ENGINE_READS)}), a hub id (ORG/MODEL) nor tiny:SEED."
        )
    return _from_hub(spec, elsewhere)


def _from_hub(spec: DeploymentSpec, elsewhere: bool) -> Weights:
    """Returns the source of a hub id. Raises `ServingError` if neither this machine's cache nor the hub has it."""
    source = spec.model_source
    if not _has_hub():
        return Weights(source, offline=False)  # the nodes of the engine have the library
    from huggingface_hub import is_offline_mode

    cached = _cached(source, spec.revision)
    if is_offline_mode():
        if cached is None and not elsewhere:
            raise ServingError(
                f"{spec.name}: HF_HUB_OFFLINE is set and the weights of {source} ({spec.weights_gb:g} GB"
                f"{f', commit {spec.revision}' if spec.revision else ''}) are not in the cache. "
                f"{_prefetch(spec, source)}"
            )
        return Weights(str(cached or source), offline=True)
    if cached is None and (problem := _hub_problem(source)):
        raise ServingError(f"{spec.name}: {problem}. {_prefetch(spec, source)}")
    return Weights(source, offline=False)


def _prefetch(spec: DeploymentSpec, source: str) -> str:
    """Returns how to download weights by hand."""
    commit = f" --revision {spec.revision}" if spec.revision and source == spec.model_source else ""
    return (
        f"Download them on a machine with network access: `hf download {source}{commit} --local-dir "
        f"/models/{spec.name}`, copy or mount the folder on every node, and set model_source=/models/{spec.name} in "
        f"conf/deployment/{spec.name}.yaml."
    )


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gwray"


def _has_hub() -> bool:
    """Whether `huggingface_hub` is installed: it belongs to the extra `serving`."""
    return importlib.util.find_spec("huggingface_hub") is not None


def _cached(source: str, commit: str = "") -> Path | None:
    """Returns this machine's snapshot of a hub id at a commit (empty: the newest), with weights; None without one."""
    if not _has_hub():
        return None
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(source, revision=commit or None, local_files_only=True))
    except LocalEntryNotFoundError:
        return None
    return folder if any(folder.glob("*.safetensors")) else None


def revision(spec: DeploymentSpec, say: Callable[[str], None] = lambda _: None) -> str:
    """Returns the revision of the weights that a profile serves, as far as this machine knows it; otherwise empty. Of a
    hub id, the commit that the profile names, or that of the newest snapshot here; of a folder, the digest of its
    content. `say` receives a message if that takes a while. Raises `UsageError` if the profile names another digest."""
    if not spec.in_folder:
        cached = _cached(spec.model_source) if HUB_ID.match(spec.model_source) and not spec.revision else None
        return cached.name if cached else spec.revision
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


def trained_on(spec: DeploymentSpec) -> dict[str, list[str | int]]:
    """Returns what the weights in a folder have learned from: `game`, `level`, `scenario`, `seed` → values; empty:
    nothing is recorded beside them. Raises `UsageError` for a file that is not JSON."""
    file = Path(spec.model_source).expanduser() / TRAINED_ON
    try:
        return json.loads(file.read_text(encoding="utf-8")) if spec.in_folder and file.is_file() else {}
    except ValueError as e:
        raise UsageError(f"{file}: not valid JSON: {e}. Train again, or delete the file if you do not know") from e


def _hub_problem(source: str) -> str | None:
    """Returns why the hub refuses a model; None if it does not."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, RepositoryNotFoundError

    hub = HfApi()
    try:
        hub.auth_check(source)
    except GatedRepoError:
        return f"{hub.endpoint}/{source} is gated: accept its licence there, then set HF_TOKEN"
    except RepositoryNotFoundError:
        return f"{hub.endpoint} has no model {source}, or it is private and HF_TOKEN is not set"
    except HfHubHTTPError:  # a server error of the hub: the engine will retry
        return None
    except Exception as e:
        return f"{hub.endpoint} cannot be reached ({type(e).__name__}: {' '.join(str(e).split())[:200]})"
    return None


def build(source: str, folder: Path) -> None:
    """Builds the test model `tiny:SEED` or `tiny:SEED:LAYERS` in `folder`, unless it exists. The bytes are equal on
    every node."""
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
