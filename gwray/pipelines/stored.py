"""What can be proven of a run without a browser: what is stored fits the hashes beside it. `gwray verify --stored`.

Pictures and states are hashed again, the rows' chains and sums made again, replies taken from the log, and the result
is held against the episode's file. That the game does come to these states only playing it again can show; that the
hashes were not made anew with the rest is shown by that too, or by the seal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from gwray.accounting import Spent
from gwray.catalog import load_catalog
from gwray.errors import GwrayError
from gwray.pipelines.described import Described, episode_specs, refuse_other_protocol, strays
from gwray.pipelines.findings import LATER, Verification, difference, differing_field
from gwray.pipelines.outcome import WALLCLOCK, Totals, joined, replies_hash, shown_hash, state_fits, words_of
from gwray.pipelines.replies import OTHER_PICTURES, served_models
from gwray.pipelines.rescore import OTHER_RULES, ends_earlier
from gwray.records import EpisodeRecord, LoggedReply, Reply, StepRecord, digest
from gwray.spec import EpisodeSpec
from gwray.store import RunDir

NOT_IN_ROWS = ("finish_reason", "requests", "served_model")
"""What a row does not say of a reply, beside its hash."""


@dataclass(frozen=True)
class Misfit:
    """Something stored that does not fit the rest."""

    detail: str
    step: int | None = None


def verify_stored(
    run: RunDir,
    *,
    libraries: Sequence[str] | None = None,
    on_finding: Callable[[Verification], None] | None = None,
) -> list[Verification]:
    """Check every episode of a run as it is stored. Plays nothing and asks nobody.

    `libraries`: folders of games instead of those that the run names."""
    manifest = run.manifest()
    refuse_other_protocol(manifest)
    specs = episode_specs(run)
    named = manifest.get("libraries", ()) if libraries is None else libraries
    described = Described(manifest, specs, load_catalog(named))
    lines = results_by_key(run)
    findings = [*strays(run, specs, lines), *described.left_out(), *described.unplanned()]
    for key in [k for k in lines if k in specs]:
        findings.append(_finding(run, specs[key], lines[key], described))
        if on_finding:
            on_finding(findings[-1])
    return findings


def results_by_key(run: RunDir) -> dict[str, list[EpisodeRecord]]:
    """The lines of `results.jsonl` by episode, which should have one each."""
    lines: dict[str, list[EpisodeRecord]] = defaultdict(list)
    for record in run.each_result():
        lines[record.key].append(record)
    return lines


def _finding(run: RunDir, spec: EpisodeSpec, lines: Sequence[EpisodeRecord], described: Described) -> Verification:
    def found(verdict: str, step: int | None, detail: str) -> Verification:
        return Verification(spec.key, spec.task, spec.cell_id, verdict, step, detail)

    try:
        misfit = check_stored(run, spec, lines)
    except GwrayError as e:
        return found("error", None, f"{type(e).__name__}: {e}")
    rescored = OTHER_RULES in lines[-1].caveats
    detail = described.differs(spec, rescored)
    misfit = misfit or (Misfit(detail) if detail else None)
    if misfit:
        return found("different", misfit.step, misfit.detail)
    notes = [
        described.unproven(spec, rescored),
        *(f"{name} is not recorded" for name in LATER if not getattr(lines[-1], name)),
    ]
    return found("intact", None, "; ".join(filter(None, notes)))


def check_stored(run: RunDir, spec: EpisodeSpec, lines: Sequence[EpisodeRecord]) -> Misfit | None:
    """The first thing stored of an episode that does not fit the rest. `lines`: its lines of `results.jsonl`.

    Reads it a few megabytes at a time. Raises `StoreError` for a file that cannot be read or whose pages are not what
    was written.
    """
    record, totals, log = lines[-1], Totals(), _Log(run, spec)
    misfit: Misfit | None = None
    for _, group in groupby(run.iter_steps(spec.key), key=lambda row: row.step):
        rows = list(group)
        totals.add(rows)
        misfit = misfit or next(_of_rows(rows, log, record), None)
    if misfit:
        return misfit
    meta = run.read_meta(spec.key)
    if detail := differing_field(record, meta.record, fields=EpisodeRecord.model_fields, unsaid=(), says="in its file"):
        return Misfit(detail)
    if len(lines) > 1:
        return Misfit(f"results.jsonl has {len(lines)} lines of it")
    earlier = log.goes_on(record)
    made = meta.record.model_copy(update={**totals.fields(), **(log.spent if earlier else totals.spent).fields()})
    if detail := differing_field(record, made, fields=EpisodeRecord.model_fields, says="made of its rows"):
        return Misfit(detail)
    shown = shown_hash(meta.prompts, meta.console, meta.final_frame)
    if record.shown_hash and shown != record.shown_hash:
        return Misfit(difference("shown_hash", record.shown_hash, shown, says="prompts, console or final frame make"))
    if meta.mime != (mime := spec.cell.observation.mime):
        return Misfit(difference("mime", meta.mime, mime, says="planned"))
    if detail := log.unused(record.decisions if earlier else None):
        return Misfit(detail)
    if record.served_model and record.served_model != log.served_model:
        return Misfit(difference("served_model", record.served_model, log.served_model, says="in the log"))
    if spec.cell.timing.mode == "wallclock" and record.reproducible:
        return Misfit(f"reproducible: recorded True, but {WALLCLOCK}")
    if spec.prefix:
        run.read_prefix(spec.prefix)
    return None


def _of_rows(rows: Sequence[StepRecord], log: _Log, record: EpisodeRecord) -> Iterator[Misfit]:
    """What of one environment step's rows does not fit."""
    picture = digest(rows[0].screenshot) if rows[0].screenshot else ""
    for i, row in enumerate(rows):
        if row.screenshot_hash != picture or (i and row.screenshot):
            yield Misfit("screenshot: it is not the picture of its screenshot_hash", row.step)
        if not state_fits(row):
            yield Misfit("state: it is not the state of its state_hash", row.step)
        if row.index == 0 and not row.forced and (detail := log.differs(row, record)):
            yield Misfit(detail, row.step)


class _Log:
    """The reply log of an episode, held against its rows."""

    def __init__(self, run: RunDir, spec: EpisodeSpec):
        self._name = f"replies/{spec.key}.jsonl"
        self._ours = spec.cell.agent.code not in spec.cell.code
        self._turns: dict[tuple[int, str], dict[int, tuple[int, LoggedReply]]] = defaultdict(dict)
        self._twice: list[int] = []
        for number, line in enumerate(run.log(spec.key).read(), 1):
            calls = self._turns[line.decision, line.role]
            if line.call in calls:
                self._twice.append(number)
            calls[line.call] = number, line
        self._unused = {*self._turns}

    @property
    def served_model(self) -> str:
        """Who answered, as records name them."""
        return served_models(line.reply.served_model for calls in self._turns.values() for _, line in calls.values())

    def goes_on(self, record: EpisodeRecord) -> bool:
        """The episode was rescored to an earlier end than the log's."""
        later = any(decision >= record.decisions for decision, _ in self._turns)
        return later and ends_earlier(record)

    @property
    def spent(self) -> Spent:
        """What all its replies cost, also those after an earlier end; rounded by turns, as rows are."""
        turns = ([line.reply for _, line in calls.values()] for calls in self._turns.values())
        return sum((Spent(**Spent.of(replies).fields()) for replies in turns), Spent())

    def unused(self, end: int | None) -> str:
        """A reply that no row is made of; empty if there is none. `end`: the episode was rescored to an end before this
        decision, so that the log goes on."""
        if self._twice:
            return f"{self._name}, line {self._twice[0]}: a second reply to one question"
        unused = {turn for turn in self._unused if end is None or turn[0] < end}
        if not unused:
            return ""
        decision, role = min(unused)
        return f"the log has a reply that nobody asks for: decision {decision}, {role} ({self._name})"

    def differs(self, row: StepRecord, record: EpisodeRecord) -> str:
        """What the first row of a decision says other than the log."""
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
        for name, made in _said_in(row, lines, replies, record, ours=self._ours).items():
            if getattr(row, name) != made:
                return f"{difference(name, getattr(row, name), made, says='in the log')} ({self._name}, line {numbers})"
        if replies_hash(replies) != row.replies_hash:
            hidden = ", ".join(NOT_IN_ROWS)
            return f"replies_hash: {hidden} or a reply before the last was changed ({self._name}, line {numbers})"
        return ""


def _said_in(
    row: StepRecord, lines: Sequence[LoggedReply], replies: Sequence[Reply], record: EpisodeRecord, *, ours: bool
) -> Mapping[str, object]:
    """What a decision's first row says of its replies, made of the log. `ours`: the agent acts upon one of them as it
    is; another may make a reply of several."""
    out: dict[str, object] = {"text": "", "reasoning": "", "tool_calls": "[]"}
    if replies:
        # The reply that was acted upon may be any of them; where none fits, the last is named.
        said: list[dict[str, object]] = [{**words_of(r)} for r in replies]
        own = {name: getattr(row, name) for name in out}
        out = own if own in said or not ours else said[-1]
    out |= Spent.of(replies).fields()
    out["words_hash"] = joined([line.words_hash for line in lines])
    if not any(OTHER_PICTURES in c for c in record.caveats):
        out["pictures_hash"] = joined([line.pictures_hash for line in lines if line.pictures_hash])
    return out
