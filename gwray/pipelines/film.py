"""Records a video of a recorded episode: it is replayed from its log, and verified at the same time."""

from collections.abc import Collection

from gwray.catalog import load_catalog
from gwray.environments import FrameHandler, RecordingEnvironment
from gwray.errors import UsageError
from gwray.pipelines.foreign import ForeignCode
from gwray.pipelines.manifest_check import ManifestCheck, episode_specs, refuse_other_protocol
from gwray.pipelines.stored import results_by_key
from gwray.pipelines.verify import Verifier
from gwray.sandbox import BrowserOnDemand
from gwray.store import RunDir


async def film_episode(
    run: RunDir, key: str, take: FrameHandler, *, fps: int = 60, thinking: bool = False, trusted: Collection[str] = ()
) -> None:
    """Passes a screenshot for every 1/`fps` s of game time of a finished episode to `take`. `thinking`: also while the
    model thinks (realtime). `trusted`: as in `verify_run`. Raises `UsageError` for an episode without a result, and for
    one that does not verify."""
    manifest, lines = run.manifest(), results_by_key(run)
    refuse_other_protocol(manifest)
    specs, library = episode_specs(run), load_catalog(run.libraries)
    if key not in lines or key not in specs:
        raise UsageError(f"episode {key} of {run.url} is not finished, so it cannot be recorded")
    code, manifest_check = ForeignCode(run), ManifestCheck(manifest, specs, library)
    try:
        async with BrowserOnDemand() as browser:
            verifier = Verifier(
                run, library, browser, trusted, code, manifest_check,
                lambda world: RecordingEnvironment(world, take, fps=fps, thinking=thinking),
            )  # fmt: skip
            finding = await verifier.verify(specs[key], lines[key])
    finally:
        code.close()
    if not finding.holds:
        at = "" if finding.step is None else f" at step {finding.step}"
        raise UsageError(f"no film of {key}, which does not verify ({finding.verdict}{at}: {finding.detail})")
