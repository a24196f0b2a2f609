"""When a run is sealed: after its last planned episode, and never over a seal that was broken.

For the holder of the run directory's lock, before and after it is continued.
"""

from __future__ import annotations

import shlex

from gwray.errors import StoreError
from gwray.store import RunDir, Seal, read_seal, seal_run


def seal_before(run_dir: str) -> Seal:
    """What the seal of a run directory is worth before it is continued; of one that is still to be made, nothing."""
    run = RunDir(run_dir)
    sealed = run.manifest().seal if RunDir.is_run(run_dir) else ""
    try:
        return read_seal(run) if sealed else Seal("", "")
    except StoreError:  # damage, which is named where it is repaired
        return Seal(sealed, "")


def seal_after(run: RunDir, before: Seal) -> str:
    """Seal a run whose planned episodes have all ended. Returns a notice where `before` was broken: what was changed
    under a seal is not sealed anew."""
    if before.broken:
        return (
            f"The seal of {run.url} does not fit: its results or logs were changed after it was sealed. "
            f"gwray verify {shlex.quote(run.url)} names what."
        )
    manifest = run.manifest()
    if not manifest.seal:
        ended = run.recorded()
        if all(key in ended for key in manifest.episodes.episode_keys()):
            seal_run(run)
    return ""
