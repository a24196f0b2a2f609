"""Identifies the weights in a folder by their content. Checkpoints of one training run have equal headers and sizes, so
every byte is read, once: the hash of a large file is kept in the user's cache until its size or time changes."""

import contextlib
import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gwray.errors import UsageError
from gwray.records import digest

WEIGHTS = ("*.safetensors", "*.bin", "*.pt", "*.gguf")
"""Files with weights, in the order in which the engine prefers them: it reads those of one kind."""
FURTHER = ("*.json", "*.txt", "*.model", "*.tiktoken", "*.jinja", "*.py")
"""Further files that the engine may read: configuration, tokenizer, chat template, code."""
KEPT_FROM = 2**20
"""Bytes from which the hash of a file is kept."""
READERS = 4
"""Files that are read at once."""
SLOW = 2**31
"""Bytes whose reading is announced."""
LENGTH = 40
"""Hex digits, as in a commit of the hub."""


def folder_digest(folder: Path, cache: Path, say: Callable[[str], None]) -> str:
    """Returns the digest of the weights in a folder, independent of its path.

    Args:
        folder: with the files that the engine reads.
        cache: folder for hashes of large files; may be missing or read-only.
        say: receives a message if reading will take a while.

    Raises `UsageError` for a file that cannot be read.
    """
    try:
        kinds = (sorted(folder.glob(kind)) for kind in WEIGHTS)
        weights = next((files for files in kinds if files), [])
        files = sorted({*weights, *(f for kind in FURTHER for f in folder.glob(kind))})
        new = sum(f.stat().st_size for f in files if not _kept(f, cache).exists())
        if new > SLOW:
            say(f"reading {new / 1e9:.0f} GB of weights in {folder} once, to tell them from others")
        with ThreadPoolExecutor(READERS) as readers:
            hashes = list(readers.map(lambda file: _hash(file, cache), files))
    except OSError as e:
        raise UsageError(f"the weights in {folder} cannot be read: {e}") from e
    lines = "\n".join(f"{file.name} {hash}" for file, hash in zip(files, hashes, strict=True))
    return hashlib.sha256(lines.encode()).hexdigest()[:LENGTH]


def _kept(file: Path, cache: Path) -> Path:
    """Returns the file of the cache with the hash of a file in its present state."""
    real = file.resolve()
    state = real.stat()
    return cache / digest(str(real), str(state.st_size), str(state.st_mtime_ns), str(state.st_ino))


def _hash(file: Path, cache: Path) -> str:
    kept = _kept(file, cache)
    with contextlib.suppress(OSError):
        if len(hash := kept.read_text()) == 64:
            return hash
    with file.open("rb") as content:
        hash = hashlib.file_digest(content, "sha256").hexdigest()
    if file.stat().st_size >= KEPT_FROM:
        with contextlib.suppress(OSError):
            cache.mkdir(parents=True, exist_ok=True)
            part = kept.with_suffix(f".{os.getpid()}")
            part.write_text(hash)
            part.replace(kept)
    return hash
