"""Stores what determines episodes besides their replies, each file under the digest of its bytes: the steps that forks
start from, and custom modules. So a run with forks can be verified without the run that they were forked from. Steps
are written without default values, so fields that are added later do not change the digest."""

import re
from collections.abc import Sequence

from pydantic import ValidationError

from gwray.errors import StoreError, UsageError
from gwray.records import PrefixStep, canonical, digest, non_defaults
from gwray.store.storage import Storage


def encode_prefix(steps: Sequence[PrefixStep]) -> bytes:
    """Returns one line per step. The digest of these bytes is the name of the prefix."""
    return b"".join(canonical(non_defaults(step)).encode() + b"\n" for step in steps)


def write_prefix(storage: Storage, data: bytes) -> None:
    storage.replace(_path(digest(data)), data)


def read_prefix(storage: Storage, name: str) -> list[PrefixStep]:
    data = storage.read(_path(name))
    if data is None:
        raise StoreError(f"{storage.root}/{_path(name)} does not exist: the steps that a fork starts from are missing.")
    if digest(data) != name:
        raise StoreError(
            f"{storage.root}/{_path(name)} has the digest {digest(data)}, not that of its name: it was changed, "
            "so its forks cannot be verified. Fork again into another run_dir."
        )
    try:
        return [PrefixStep.model_validate_json(line) for line in data.splitlines()]
    except ValidationError as e:
        why = str(e).partition("\n")[2].strip().partition("\n")[0]
        raise StoreError(
            f"{storage.root}/{_path(name)} has lines that are not recorded steps ({why[:200]}). `gwray fork` "
            "writes such files; restore the original."
        ) from e


def _path(name: str) -> str:
    return f"prefixes/{name}.jsonl"


def code_path(module: str, version: str) -> str:
    """Returns the path of a module's source with this digest. Raises `UsageError` for other than a Python name."""
    parts = module.split(".")
    if not all(p.isidentifier() for p in parts) or not re.fullmatch(r"[0-9a-f]+", version):
        raise UsageError(
            f"'{module[:80]}' of version '{version[:80]}' is not a Python module that can be stored with a run."
        )
    return f"code/{version}/{'/'.join(parts)}.py"


def read_code(storage: Storage, module: str, version: str) -> bytes | None:
    path = code_path(module, version)
    data = storage.read(path)
    if data is not None and digest(data) != version:
        raise StoreError(f"{storage.root}/{path} was changed: it has the digest {digest(data)}.")
    return data
