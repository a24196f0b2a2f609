"""What a fork goes on from: the steps of another episode, kept under the hash of their own bytes.

A run directory with a fork in it holds everything that the fork is made of, so it can be verified when the run that it
was forked from is gone. Like everything that is hashed, a step is written as what was said: a field that is added later
leaves every name as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from gwray.errors import StoreError
from gwray.identity import non_defaults
from gwray.records import PrefixStep, canonical, digest
from gwray.store.storage import Storage


def encode_prefix(steps: Sequence[PrefixStep]) -> bytes:
    """One line a step. The digest of these bytes names the prefix."""
    return b"".join(canonical(non_defaults(step)).encode() + b"\n" for step in steps)


def write_prefix(storage: Storage, data: bytes) -> None:
    storage.replace(_path(digest(data)), data)


def read_prefix(storage: Storage, name: str) -> list[PrefixStep]:
    data = storage.read(_path(name))
    if data is None:
        raise StoreError(f"{storage.root}/{_path(name)} does not exist: the steps that a fork went on from are gone.")
    if digest(data) != name:
        raise StoreError(
            f"{storage.root}/{_path(name)} has the digest {digest(data)}, not that of its name: it was changed, and "
            "its forks prove nothing any more. Fork again into another run_dir."
        )
    try:
        return [PrefixStep.model_validate_json(line) for line in data.splitlines()]
    except ValidationError as e:
        why = str(e).partition("\n")[2].strip().partition("\n")[0]
        raise StoreError(
            f"{storage.root}/{_path(name)} has lines that are no recorded steps ({why[:200]}): nothing goes on from "
            "them. `gwray fork` writes such files; put it back as it was."
        ) from e


def _path(name: str) -> str:
    return f"prefixes/{name}.jsonl"
