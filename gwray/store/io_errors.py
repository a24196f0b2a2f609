"""Errors of reading and writing a run's files: which file, and what the disk ran out of."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from gwray.errors import ConcurrentWriteError, GwrayError, StoreError, full_disk

READ_BYTES = 64 * 2**20
"""Limit of a file that is read at once: a run may come from someone else. Two million planned episodes need half."""


def missing_error(name: str) -> StoreError:
    """Returns the error for a file or folder that disappeared."""
    return StoreError(
        f"{name} is gone: it was removed or moved during the run. Put it back if you can; the same command resumes "
        "with the files that exist."
    )


@contextmanager
def io_errors(verb: str, name: str) -> Iterator[None]:
    """Converts errors inside the block to a `StoreError` that names the operation and the file."""
    try:
        yield
    except GwrayError:
        raise
    except OSError as e:
        safe = "Everything written before is safe."
        if e.errno == errno.ENOENT:
            safe = "It was removed or moved during the run."
        if reason := full_disk(e):
            safe = f"{reason} {safe}"
        raise StoreError(f"Could not {verb} {name}: {e.strerror or e}. {safe}") from e
    except Exception as e:  # whatever a remote file system's client raises
        raise StoreError(f"Could not {verb} {name}: {type(e).__name__}: {e}") from e


def refuse_large(name: str, size: int, most: int | None) -> None:
    if most is not None and size > most:
        raise StoreError(f"{name} has {size:,} bytes; gwray reads at most {most:,}. It was damaged or is not of gwray.")


def concurrent_write_error(name: str) -> ConcurrentWriteError:
    return ConcurrentWriteError(f"{name} was changed by another process meanwhile; nothing was appended")


def refuse_changed(name: str, known: int | None, size: int) -> None:
    """Raises `ConcurrentWriteError` if a file's size is not the one that its writer last saw; None: unknown."""
    if known is not None and known != size:
        raise concurrent_write_error(name)
