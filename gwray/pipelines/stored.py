"""Checks the stored files of a run against their hashes, without a browser: `gwray verify --stored`.

Screenshots and states are hashed again, chains and sums of the rows are recomputed, replies are compared with the log,
and the result with the episode's file. Only a replay proves that the game leads to these states. That hashes were not
recomputed after a change is proven by a replay or by the seal.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gwray.accounting import UsageTotals
from gwray.catalog import load_catalog
from gwray.errors import GwrayError
from gwray.pipelines.findings import LATER, Verification, difference, differing_field
from gwray.pipelines.manifest_check import ManifestCheck, episode_specs, find_orphans, refuse_other_protocol
from gwray.pipelines.odd_values import odd_values
from gwray.pipelines.outcome import WALLCLOCK, Totals, joined, replies_hash, reply_fields, shown_hash, state_fits
from gwray.pipelines.plausibility import clock_note, implausible
from gwray.pipelines.replies import OTHER_BROWSER, OTHER_PICTURES, served_models
from gwray.pipelines.rescore import OTHER_RULES, ends_earlier
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord, digest
from gwray.spec import EpisodeSpec
from gwray.store import RunDir

NOT_IN_ROWS = ("finish_reason", "requests", "served_model")
"""Fields of a reply that a row has only as part of a hash."""


@dataclass(frozen=True)
class Mismatch:
    """A stored value that contradicts the others."""

    detail: str
    step: int | None = None


def verify_stored(
    run: RunDir,
    *,
    libraries: Sequence[str] | None = None,
    on_finding: Callable[[Verification], None] | None = None,
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
    findings = [*find_orphans(run, specs, lines), *manifest_check.missing_episodes(), *manifest_check.unused_entries()]
    findings += odd_values(run)
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
    rescored = OTHER_RULES in lines[-1].caveats
    detail = manifest_check.mismatch(spec, rescored)
    mismatch = mismatch or (Mismatch(detail) if detail else None)
    if mismatch:
        return found("different", mismatch.step, mismatch.detail)
    notes = [
        log_doubt(run, spec),
        manifest_check.unproven(spec, rescored),
        *(c for c in lines[-1].caveats if OTHER_BROWSER in c),
        *(f"{name} is not recorded" for name in LATER if not getattr(lines[-1], name)),
    ]
    return found("intact", None, "; ".join(filter(None, notes)))


def log_doubt(run: RunDir, spec: EpisodeSpec, *, notes: bool = False) -> str:
    """Returns why the log of an intact episode cannot be as recorded; empty if it can. With `notes`: otherwise what is
    unusual in it."""
    lines = run.log(spec.key).read()
    unknown = ", ".join(run.read_meta(spec.key).unknown_columns)[:200]
    added = f"its file has columns that this gwray does not write: {unknown}" if unknown else ""
    return implausible(lines, spec) or added or (clock_note(lines) if notes else "")


def check_stored(run: RunDir, spec: EpisodeSpec, lines: Sequence[EpisodeRecord]) -> Mismatch | None:
    """Returns the first stored value of an episode that contradicts the others. `lines`: its lines of `results.jsonl`.
    Reads a few megabytes at a time. Raises `StoreError` for a file that is unreadable or fails its checksums."""
    record, totals, log = lines[-1], Totals(), _Log(run, spec)
    mismatch: Mismatch | None = None
    for _, group in groupby(run.iter_steps(spec.key), key=lambda row: row.step):
        rows = list(group)
        totals.add(rows)
        mismatch = mismatch or next(_row_mismatches(rows, log, record), None)
    if mismatch:
        return mismatch
    meta = run.read_meta(spec.key)
    if detail := differing_field(
        record, meta.record, fields=EpisodeRecord.model_fields, optional=(), says="in its file"
    ):
        return Mismatch(detail)
    if len(lines) > 1:
        return Mismatch(f"results.jsonl has {len(lines)} lines for it")
    earlier = log.continues(record)
    made = meta.record.model_copy(update={**totals.fields(), **(log.spent if earlier else totals.spent).fields()})
    if detail := differing_field(record, made, fields=EpisodeRecord.model_fields, says="computed from its rows"):
        return Mismatch(detail)
    shown = shown_hash(meta.prompts, meta.console, meta.final_frame)
    if record.shown_hash and shown != record.shown_hash:
        return Mismatch(
            difference("shown_hash", record.shown_hash, shown, says="computed from prompts, console and final frame")
        )
    if meta.mime != (mime := spec.cell.observation.mime):
        return Mismatch(difference("mime", meta.mime, mime, says="planned"))
    if detail := log.unused(record.decisions if earlier else None):
        return Mismatch(detail)
    if record.served_model and record.served_model != log.served_model:
        return Mismatch(difference("served_model", record.served_model, log.served_model, says="in the log"))
    if spec.cell.timing.mode == "wallclock" and record.reproducible:
        return Mismatch(f"reproducible: recorded True, but {WALLCLOCK}")
    if spec.prefix:
        run.read_prefix(spec.prefix)
    return None


def _row_mismatches(rows: Sequence[StepRecord], log: "_Log", record: EpisodeRecord) -> Iterator[Mismatch]:
    """Yields the contradictions in the rows of one environment step."""
    picture = digest(rows[0].screenshot) if rows[0].screenshot else ""
    for i, row in enumerate(rows):
        if row.screenshot_hash != picture or (i and row.screenshot):
            yield Mismatch("screenshot: it does not match its screenshot_hash", row.step)
        if not state_fits(row):
            yield Mismatch("state: it does not match its state_hash", row.step)
        if row.index == 0 and not row.forced and (detail := log.differs(row, record)):
            yield Mismatch(detail, row.step)


class _Log:
    """Compares the reply log of an episode with its rows."""

    def __init__(self, run: RunDir, spec: EpisodeSpec):
        self._name = f"replies/{spec.key}.jsonl"
        self._is_own = spec.cell.agent.code not in spec.cell.code
        self._turns: dict[tuple[int, str], dict[int, tuple[int, LoggedReply]]] = defaultdict(dict)
        self._duplicates: list[int] = []
        for number, line in enumerate(run.log(spec.key).read(), 1):
            calls = self._turns[line.decision, line.role]
            if line.call in calls:
                self._duplicates.append(number)
            calls[line.call] = number, line
        self._unused = {*self._turns}

    @property
    def served_model(self) -> str:
        """Models that answered, as records store them."""
        return served_models(line.reply.served_model for calls in self._turns.values() for _, line in calls.values())

    def continues(self, record: EpisodeRecord) -> bool:
        """Returns whether the log continues after an earlier end that rescoring set."""
        later = any(decision >= record.decisions for decision, _ in self._turns)
        return later and ends_earlier(record)

    @property
    def spent(self) -> UsageTotals:
        """Usage of all replies, also after an earlier end; rounded per turn, as in rows."""
        turns = ([line.reply for _, line in calls.values()] for calls in self._turns.values())
        return sum((UsageTotals(**UsageTotals.from_replies(replies).fields()) for replies in turns), UsageTotals())

    def unused(self, end: int | None) -> str:
        """Returns a message about a reply that no row has; empty if there is none. `end`: rescoring ended the episode
        before this decision, so later replies are expected."""
        if self._duplicates:
            return f"{self._name}, line {self._duplicates[0]}: a second reply to the same question"
        unused = {turn for turn in self._unused if end is None or turn[0] < end}
        if not unused:
            return ""
        decision, role = min(unused)
        return f"the log has an unused reply: decision {decision}, {role} ({self._name})"

    def differs(self, row: StepRecord, record: EpisodeRecord) -> str:
        """Returns how the first row of a decision differs from the log; empty if it does not."""
        where = (row.decision, row.role)
        self._unused.discard(where)
        found = self._turns.get(where, {})
        if sorted(found) != [*range(row.calls)]:
            missing = next((n for n in range(row.calls) if n not in found), None)
            if missing is None:
                return f"calls: recorded {row.calls}, the log has {len(found)} ({self._name})"
            return f"the reply log has no reply of '{row.role}' for decision {row.decision}, call {missing}"
        lines = [line for _, (_, line) in sorted(found.items())]
        replies = [line.reply for line in lines]
        numbers = " and ".join(str(n) for n, _ in sorted(found.values(), key=lambda f: f[0]))
        for name, made in _expected_fields(row, lines, replies, record, own_agent=self._is_own).items():
            if getattr(row, name) != made:
                return f"{difference(name, getattr(row, name), made, says='in the log')} ({self._name}, line {numbers})"
        if replies_hash(replies) != row.replies_hash:
            hidden = ", ".join(NOT_IN_ROWS)
            return f"replies_hash: {hidden} or a reply before the last was changed ({self._name}, line {numbers})"
        return ""


def _expected_fields(
    row: StepRecord, lines: Sequence[LoggedReply], replies: Sequence[Reply], record: EpisodeRecord, *, own_agent: bool
) -> Mapping[str, object]:
    """Returns the reply fields of a decision's first row, computed from the log. `own_agent`: an agent of gwray uses
    one reply unmodified; another agent may build a reply from several."""
    out: dict[str, object] = {"text": "", "reasoning": "", "tool_calls": "[]"}
    if replies:
        # The agent may have used any of them; if none matches, the last is reported.
        candidates: list[dict[str, object]] = [{**reply_fields(r)} for r in replies]
        own = {name: getattr(row, name) for name in out}
        out = own if own in candidates or not own_agent else candidates[-1]
    out |= UsageTotals.from_replies(replies).fields()
    out["words_hash"] = joined([line.words_hash for line in lines])
    if not any(OTHER_PICTURES in c for c in record.caveats):
        out["pictures_hash"] = joined([line.pictures_hash for line in lines if line.pictures_hash])
    return out
