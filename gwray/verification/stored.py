"""Checks the stored files of a run against their hashes, without a browser: `gwray verify --stored`.

Screenshots, states and replies are hashed again, and the chains over all rows are computed and compared with those of
the result. Only a replay proves that the game leads to these rows. Hashes that were computed again after a change are
found by the seal.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from gwray.catalog import load_catalog
from gwray.errors import GwrayError
from gwray.pipelines import OTHER_BROWSER, WALLCLOCK, Totals, replies_hash, shown_hash, state_fits
from gwray.records import EpisodeRecord, Reply, StepRecord, digest
from gwray.settings import EpisodeSpec
from gwray.store import RunDir
from gwray.verification.findings import Verification, difference, differing_field
from gwray.verification.manifest_check import ManifestCheck, episode_specs, find_orphans, refuse_other_protocol
from gwray.verification.rescore import OTHER_RULES, ends_earlier


@dataclass(frozen=True)
class Mismatch:
    """A stored value that contradicts the others."""

    detail: str
    step: int | None = None


def verify_stored(
    run: RunDir, *, libraries: Sequence[str] | None = None, on_finding: Callable[[Verification], None] | None = None
) -> list[Verification]:
    """Checks the stored files of every episode of a run; plays nothing.

    Args:
        run: the run.
        libraries: folders of games; default: those of the run.
        on_finding: called with each result.
    """
    manifest = run.manifest()
    refuse_other_protocol(manifest)
    specs = episode_specs(run)
    manifest_check = ManifestCheck(manifest, specs, load_catalog(run.libraries if libraries is None else libraries))
    lines = results_by_key(run)
    findings = find_orphans(run, specs, lines)
    for key in [k for k in lines if k in specs]:
        findings.append(_check_episode(run, specs[key], lines[key], manifest_check))
        if on_finding:
            on_finding(findings[-1])
    return findings


def results_by_key(run: RunDir) -> dict[str, list[EpisodeRecord]]:
    """Returns the lines of `results.jsonl` by episode; there should be one each."""
    lines: dict[str, list[EpisodeRecord]] = defaultdict(list)
    for record in run.each_result():
        lines[record.key].append(record)
    return lines


def _check_episode(
    run: RunDir, spec: EpisodeSpec, lines: Sequence[EpisodeRecord], manifest_check: ManifestCheck
) -> Verification:
    """Checks the stored files of one episode. `lines`: its lines of `results.jsonl`."""

    def found(verdict: str, step: int | None, detail: str) -> Verification:
        return Verification(spec.key, spec.task, spec.cell_id, verdict, step, detail)

    try:
        mismatch = check_stored(run, spec, lines)
    except GwrayError as e:
        return found("error", None, f"{type(e).__name__}: {e}")
    if mismatch:
        return found("different", mismatch.step, mismatch.detail)
    rescored = OTHER_RULES in lines[-1].caveats
    if detail := manifest_check.mismatch(spec, rescored):
        return found("different", None, detail)
    notes = [manifest_check.unproven(spec, rescored), *(c for c in lines[-1].caveats if OTHER_BROWSER in c)]
    return found("intact", None, "; ".join(filter(None, notes)))


def check_stored(run: RunDir, spec: EpisodeSpec, lines: Sequence[EpisodeRecord]) -> Mismatch | None:
    """Returns the first digest or chain of an episode that does not match. `lines`: its lines of `results.jsonl`. Reads
    a few megabytes at a time. Raises `StoreError` for a file that is unreadable or fails its checksums."""
    if len(lines) > 1:
        return Mismatch(f"results.jsonl has {len(lines)} lines for it")
    record, totals, log = lines[-1], Totals(), _logged_replies(run, spec)
    mismatch: Mismatch | None = None
    for _, group in groupby(run.iter_steps(spec.key), key=lambda row: row.step):
        rows = list(group)
        totals.add(rows)
        mismatch = mismatch or next(_row_mismatches(rows, log), None)
    if mismatch:
        return mismatch
    meta = run.read_meta(spec.key)
    if detail := differing_field(record, meta.record, fields=EpisodeRecord.model_fields, says="in its file"):
        return Mismatch(detail)
    made = record.model_copy(update=totals.fields())
    if detail := differing_field(record, made, fields=EpisodeRecord.model_fields, says="computed from its rows"):
        return Mismatch(detail)
    shown = shown_hash(meta.prompts, meta.console, meta.final_frame)
    if shown != record.shown_hash:
        return Mismatch(
            difference("shown_hash", record.shown_hash, shown, says="computed from prompts, console and final frame")
        )
    if meta.mime != (mime := spec.cell.observation.mime):
        return Mismatch(difference("mime", meta.mime, mime, says="planned"))
    if unused := [turn for turn in log if turn[0] < record.decisions or not ends_earlier(record)]:
        return Mismatch("the log has an unused reply: decision {}, {}".format(*min(unused)))
    if spec.cell.timing.mode == "wallclock" and record.reproducible:
        return Mismatch(f"reproducible: recorded True, but {WALLCLOCK}")
    if spec.prefix:
        run.read_prefix(spec.prefix)  # raises if the file is not the one that its name says
    return None


def _logged_replies(run: RunDir, spec: EpisodeSpec) -> dict[tuple[int, str], list[Reply]]:
    """Returns an episode's replies by decision and role, in the order of their questions."""
    replies: dict[tuple[int, str], list[Reply]] = defaultdict(list)
    for line in sorted(run.log(spec.key).read(), key=lambda line: line.call):
        replies[line.decision, line.role].append(line.reply)
    return replies


def _row_mismatches(rows: Sequence[StepRecord], log: dict[tuple[int, str], list[Reply]]) -> Iterator[Mismatch]:
    """Yields the hashes that do not match in the rows of one environment step; removes their replies from the log."""
    picture = digest(rows[0].screenshot) if rows[0].screenshot else ""
    for i, row in enumerate(rows):
        if row.screenshot_hash != picture or (i and row.screenshot):
            yield Mismatch("screenshot: it does not match its screenshot_hash", row.step)
        if not state_fits(row):
            yield Mismatch("state: it does not match its state_hash", row.step)
        if row.index == 0 and not row.forced:
            replies = log.pop((row.decision, row.role), [])
            if len(replies) != row.calls or replies_hash(replies) != row.replies_hash:
                where = f"decision {row.decision}, {row.role}: recorded {row.calls} replies, the log has {len(replies)}"
                yield Mismatch(f"replies_hash: the reply log does not match ({where})", row.step)
