"""Seals a run after its last planned episode, unless its previous seal was broken. The caller holds the run directory's
lock, before and after the run is continued."""

import shlex

from gwray.errors import StoreError
from gwray.store import RunDir, Seal, read_seal, seal_run


def seal_before(run_dir: str) -> Seal:
    """Returns the seal of a run directory before it is continued; an empty seal if there is none."""
    run = RunDir(run_dir)
    sealed = run.manifest().seal if RunDir.is_run(run_dir) else ""
    try:
        return read_seal(run) if sealed else Seal("", "")
    except StoreError:  # damage, which the repair reports
        return Seal(sealed, "")


def seal_after(run: RunDir, before: Seal) -> str:
    """Seals a run whose planned episodes have all finished. If `before` is broken, returns a notice instead: a run that
    was changed after sealing is not sealed again."""
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
