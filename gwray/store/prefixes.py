"""Stores the steps that a fork starts from, under the hash of their bytes. A run directory with a fork contains
everything that determines the fork, so it can be verified without the run that it was forked from. Steps are written
without default values, so fields that are added later do not change the hash."""

from collections.abc import Sequence

from pydantic import ValidationError

from gwray.errors import StoreError
from gwray.identity import non_defaults
from gwray.records import PrefixStep, canonical, digest
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
