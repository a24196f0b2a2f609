"""A forger alters a finished run in every way that its schema offers and recomputes every
hash and the seal; gwray finds it.

The alterations come from the models, so a column or a field that nothing binds fails here on the day it is added.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from pipelines.conftest import play
from pydantic import BaseModel
from shared_browser import run_async

from gwray.pipelines import facts_of_log
from gwray.pipelines.outcome import replies_hash, shown_hash, totals_of
from gwray.records import CIRCUMSTANCES, EpisodeRecord, LoggedReply, Reply, StepRecord, UsageTotals, canonical, digest
from gwray.store import EpisodeMeta, RunDir, read_seal, seal_run
from gwray.verification import Replayed, Verification, verify, verify_run, verify_stored
from gwray.verification.findings import differing_field
from gwray.verification.rescore import ENDS_EARLIER, OTHER_RULES
from gwray.verification.verify import skipped_metrics

AT = 3
"""The step that is altered."""


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> RunDir:
    """Two episodes, one of them of two roles; sealed."""
    jobs = [
        {"game": "short-pair", "task": "1", "model": "random", "timing": {"mode": "realtime", "latency": "fixed:250"}},
        {"game": "short-sums", "task": "1", "model": "random"},
    ]
    ended = run_async(play(tmp_path_factory.mktemp("honest"), *jobs))
    assert ended.complete and ended.run.manifest().seal
    return ended.run


@pytest.fixture(scope="module")
def played_again() -> dict[tuple[str, ...], Replayed]:
    """Replays by what they are made of: specification and reply log. The same ones need no second browser."""
    return {}


@pytest.fixture(autouse=True)
def remembering(monkeypatch, played_again) -> None:
    playing = verify.replay

    async def replay(run: RunDir, spec: Any, *more: Any) -> Replayed:
        log = (run.local_path / f"replies/{spec.key}.jsonl").read_text()
        made_of = repr(spec), log
        if made_of not in played_again:
            played_again[made_of] = await playing(run, spec, *more)
        return played_again[made_of]

    monkeypatch.setattr(verify, "replay", replay)


class Forger:
    """Alters a copy of a run, and recomputes every hash that needs no playing."""

    def __init__(self, honest: RunDir, folder: Path):
        shutil.copytree(honest.local_path, folder)
        self.run = RunDir.open(folder)
        self.keys = [r.key for r in self.run.results()]
        self.key = next(r.key for r in self.run.results() if r.game == "short-pair")

    def file(self, kind: str, key: str = "") -> Path:
        ending = {"replies": "jsonl", "episodes": "parquet"}[kind]
        return self.run.local_path / kind / f"{key or self.key}.{ending}"

    def manifest(self, change: Callable[[dict[str, Any]], Any]) -> None:
        manifest = self.plan()
        change(manifest)
        (self.run.local_path / "run.json").write_text(json.dumps(manifest))

    def plan(self) -> dict[str, Any]:
        """`run.json` as it is written."""
        return json.loads((self.run.local_path / "run.json").read_text())

    def rows(self, change: Callable[[list[StepRecord]], list[StepRecord]]) -> None:
        """Other rows, with the hashes and sums that they make."""
        episode = self.run.read_episode(self.key)
        rows = [rehashed(r, old) for r, old in zip(change([*episode.steps]), episode.steps, strict=False)]
        totals = totals_of(rows)
        record = episode.meta.record.model_copy(update={**totals.fields(), **totals.spent.fields()})
        self.write(rows, episode.meta.model_copy(update={"record": record}))

    def meta(self, **fields: Any) -> None:
        episode = self.run.read_episode(self.key)
        meta = episode.meta.model_copy(update=fields)
        shown = shown_hash(meta.prompts, meta.console, meta.final_frame)
        shown = fields["record"].shown_hash if "record" in fields else shown
        record = meta.record.model_copy(update={"shown_hash": shown})
        self.write(episode.steps, meta.model_copy(update={"record": record}))

    def write(self, rows: Sequence[StepRecord], meta: EpisodeMeta) -> None:
        self.run.write_episode(self.key, rows, meta)
        others = {r.key: r for r in self.run.results()} | {self.key: meta.record}
        self.run.rewrite_results(others.values())

    def log(self, change: Callable[[list[LoggedReply]], Sequence[LoggedReply]], key: str = "") -> None:
        log = self.run.log(key or self.key)
        lines = change(log.read())
        self.file("replies", key).unlink()
        for line in lines:
            self.run.log(key or self.key).append(line)

    def found(self, *, stored: bool = False) -> list[Verification]:
        """Seals the run again and returns its findings, without those of identical episodes."""
        seal_run(self.run)
        findings = verify_stored(self.run) if stored else run_async(verify_run(self.run))
        return [f for f in findings if not f.proven]


def rehashed(row: StepRecord, old: StepRecord) -> StepRecord:
    """With hashes of its state and its picture, where they are others than they were."""
    new: dict[str, Any] = {}
    if row.state != old.state:
        new["state_hash"] = digest(canonical(json.loads(row.state)))
    if row.screenshot and row.screenshot != old.screenshot:
        new["screenshot_hash"] = digest(row.screenshot)
    return row.model_copy(update=new)


@pytest.fixture
def forger(honest, tmp_path) -> Forger:
    return Forger(honest, tmp_path / "run")


def other(value: Any, kind: Any) -> Any:
    """Another value of the same kind."""
    if get_origin(kind) is Literal:
        return next(v for v in get_args(kind) if v != value)
    if get_origin(kind) in (Union, UnionType):
        plain = next(k for k in get_args(kind) if k is not NoneType)
        return other(value, plain) if value is not None else made(plain)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        name, field = next(iter(kind.model_fields.items()))
        return value.model_copy(update={name: other(getattr(value, name), field.annotation)})
    if get_origin(kind) is tuple:
        return () if value else (made(get_args(kind)[0]),)
    if get_origin(kind) is dict:
        return {**value, "forged": made(get_args(kind)[1])}
    if kind is bool:
        return not value
    if isinstance(value, str) and value[:1] in "{[" and value[:1]:
        inside = json.loads(value)
        return canonical({**inside, "forged": 1} if isinstance(inside, dict) else [*inside, {"name": "forged"}])
    return value + made(kind)


def made(kind: Any) -> Any:
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return kind(name="forged")
    return {str: "forged", bool: True, int: 1, float: 1.5, bytes: b"forged"}[kind]


def fields(model: type[BaseModel], *without: str) -> list[str]:
    return [name for name in model.model_fields if name not in without]


def kind_of(model: type[BaseModel], name: str) -> Any:
    return model.model_fields[name].annotation


def test_an_honest_run_and_its_seal_hold(honest):
    assert not read_seal(honest).broken
    findings = run_async(verify_run(honest))
    assert [(f.verdict, f.detail, f.pictures) for f in findings] == [("identical", "", True)] * 2
    assert [(f.verdict, f.detail) for f in verify_stored(honest)] == [("intact", "")] * 2


@pytest.mark.parametrize("column", fields(StepRecord))
def test_a_changed_column_is_named_with_its_step(forger, column):
    def change(rows: list[StepRecord]) -> list[StepRecord]:
        at = next(i for i, r in enumerate(rows) if r.step == AT)
        value = other(getattr(rows[at], column), kind_of(StepRecord, column))
        return [*rows[:at], rows[at].model_copy(update={column: value}), *rows[at + 1 :]]

    forger.rows(change)
    (finding,) = forger.found()
    assert (finding.key, finding.verdict) == (forger.key, "different")
    assert finding.step in (AT, AT + 1) if column == "step" else finding.step == AT
    # A row that stands elsewhere does not fit in many ways; a hash that does not fit is named by what it is of.
    elsewhere = column in ("step", "decision", "index", "role", "calls")
    assert elsewhere or finding.detail.startswith(column.removesuffix("_hash"))


NOT_NAMED = {"key", "browser", *CIRCUMSTANCES}
"""Another key is another episode; a browser is believed, and then its pictures are not compared."""


@pytest.mark.slow
@pytest.mark.parametrize("field", fields(EpisodeRecord, *NOT_NAMED))
def test_a_changed_field_of_a_result_is_named(forger, field):
    record = forger.run.read_meta(forger.key).record
    value = other(getattr(record, field), kind_of(EpisodeRecord, field))
    forger.meta(record=record.model_copy(update={field: value}))
    (finding,) = forger.found()
    assert (finding.key, finding.verdict) == (forger.key, "different") and finding.detail.startswith(field)


@pytest.mark.parametrize("field", fields(EpisodeMeta, "record"))
def test_what_is_shown_beside_the_rows_is_named(forger, field):
    value = other(getattr(forger.run.read_meta(forger.key), field), kind_of(EpisodeMeta, field))
    forger.meta(**{field: value})
    (finding,) = forger.found()
    assert (finding.key, finding.verdict) == (forger.key, "different") and finding.detail.startswith(field)


REPLY_FIELDS = [f"reply.{name}" for name in fields(Reply) if not Reply.model_fields[name].exclude]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*fields(LoggedReply, "reply", "at", "browser", *CIRCUMSTANCES), *REPLY_FIELDS])
def test_a_changed_line_of_a_log_is_named_with_its_step(forger, name):
    def change(lines: list[LoggedReply]) -> list[LoggedReply]:
        at = next(i for i, line in enumerate(lines) if line.decision == AT)
        line, field = lines[at], name.removeprefix("reply.")
        if field != name:
            value = other(getattr(line.reply, field), kind_of(Reply, field))
            line = line.model_copy(update={"reply": line.reply.model_copy(update={field: value})})
        else:
            line = line.model_copy(update={name: other(getattr(line, name), kind_of(LoggedReply, name))})
        return [*lines[:at], line, *lines[at + 1 :]]

    forger.log(change)
    (finding,) = forger.found()
    assert (finding.key, finding.verdict) == (forger.key, "different")
    assert finding.step == AT or name in ("pictures_hash", "in_flight", "waited_s")


@pytest.mark.parametrize("field", ["input_tokens", "served_model", "retries", "score"])
def test_a_note_of_rescoring_hides_nothing(forger, field):
    """After a rescoring, the log may be longer than the episode; usage is then compared with the whole log."""
    record = forger.run.read_meta(forger.key).record
    forger.log(lambda lines: [*lines, lines[-1].model_copy(update={"decision": record.decisions})])
    note = f"{ENDS_EARLIER}after {record.steps} of {record.steps + 1} recorded steps"
    record = record.model_copy(update={"caveats": (note,), **facts_of_log(forger.run.log(forger.key).read())})
    forger.meta(record=record)
    assert not forger.found(), "so it is allowed"
    value = other(getattr(record, field), kind_of(EpisodeRecord, field))
    forger.meta(record=record.model_copy(update={field: value}))
    (finding,) = forger.found()
    assert (finding.key, finding.verdict) == (forger.key, "different") and finding.detail.startswith(field)


@pytest.mark.parametrize("hidden", ["redacted", "rescored"])
def test_what_hides_a_key_does_not_hide_the_action(forger, hidden):
    """Neither a redacted value in the cell nor a note that other rules scored the episode."""
    if hidden == "rescored":
        record = forger.run.read_meta(forger.key).record
        forger.meta(record=record.model_copy(update={"caveats": (*record.caveats, OTHER_RULES)}))
    else:
        forger.manifest(lambda plan: [c["spec"]["model"].update(api_key_env="[redacted]") for c in plan["cells"]])
    assert not forger.found(), "so it is allowed"
    forger.manifest(lambda plan: [part.update(action={"durations": "free"}) for part in plan["episodes"]])
    said = {f.key: (f.verdict, "run.json: action" in f.detail) for f in forger.found(stored=True)}
    assert said[forger.key] == ("different", True)


def test_untrusted_metric_cannot_take_the_place_of_a_builtin_one():
    recorded, other = (EpisodeRecord(key="k", cell="c", game="g", task="t", metrics={"versus.lead": n}) for n in (1, 2))
    known = skipped_metrics(["my_metrics.versus", "my_metrics.calm"], [])
    assert known == ("my_metrics.calm",)
    assert differing_field(recorded, other, fields=["metrics"], skipped_metrics=known)


# Episodes and files


def test_missing_doubled_or_unplanned_result_is_found(forger):
    records = forger.run.results()
    forger.run.rewrite_results(r for r in records if r.key != forger.key)
    (gone,) = forger.found(stored=True)
    assert (gone.key, gone.verdict) == (forger.key, "missing") and "although it was finished" in gone.detail
    forger.run.rewrite_results([*records, records[0]])
    (doubled,) = forger.found(stored=True)
    assert (doubled.key, doubled.detail) == (records[0].key, "results.jsonl has 2 lines for it")
    forger.run.rewrite_results([*records, records[0].model_copy(update={"key": "forged"})])
    (added,) = forger.found(stored=True)
    assert (added.key, added.verdict) == ("forged", "different") and "does not plan it" in added.detail


@pytest.mark.parametrize("kind", ["replies", "episodes"])
def test_swapped_episodes_are_named_both(forger, kind):
    one, two = (forger.file(kind, key) for key in forger.keys)
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)
    assert {f.key for f in forger.found(stored=True) if f.verdict == "different"} == {*forger.keys}


def test_consistently_changed_reply_is_found_at_its_step(forger):
    def change(lines: list[LoggedReply]) -> list[LoggedReply]:
        at = next(i for i, line in enumerate(lines) if line.decision == AT)
        line = lines[at]
        others = (o.reply for o in lines if o.role == line.role)
        output = next(r for r in others if (r.text, r.tool_calls) != (line.reply.text, line.reply.tool_calls))
        return [*lines[:at], line.model_copy(update={"reply": output}), *lines[at + 1 :]]

    forger.log(change)
    forger.rows(lambda rows: [as_logged(r, forger.run.log(forger.key).read()) for r in rows])
    assert forger.found(stored=True) == [], "without a browser everything fits"
    (finding,) = forger.found()
    assert (finding.key, finding.verdict, finding.step) == (forger.key, "different", AT)


def as_logged(row: StepRecord, lines: Sequence[LoggedReply]) -> StepRecord:
    """Returns the reply's columns of a row, derived from the log."""
    reply = next(line.reply for line in lines if (line.decision, line.role) == (row.decision, row.role))
    words = {
        "text": reply.text,
        "reasoning": reply.reasoning,
        "tool_calls": json.dumps([c.model_dump() for c in reply.tool_calls], ensure_ascii=False),
        "replies_hash": replies_hash([reply]),
    }
    return row.model_copy(update={**words, **UsageTotals.from_replies([reply]).fields()})


def redrawn(row: StepRecord, picture: bytes) -> dict[str, Any]:
    return {
        "screenshot": picture if row.screenshot else None,
        "screenshot_hash": digest(picture) if row.screenshot_hash else "",
    }


def test_other_browser_claim_is_reported(forger):
    red = b"\xff\xd8red"
    meta = forger.run.read_meta(forger.key)
    forger.rows(lambda rows: [r.model_copy(update=redrawn(r, red)) for r in rows])
    record = forger.run.read_meta(forger.key).record.model_copy(update={"browser": "Chromium 1"})
    forger.meta(record=record)
    seal_run(forger.run)
    finding = next(f for f in run_async(verify_run(forger.run)) if f.key == forger.key)
    assert (finding.verdict, finding.pictures) == ("identical", False), finding
    browsers = f"recorded with Chromium 1, replayed with {meta.record.browser}"
    neither = "(console, final frame, page errors and caveats not compared)"
    assert finding.detail == f"screenshots not compared: {browsers} {neither}"


def test_another_version_of_the_game_is_named(forger):
    forger.manifest(lambda m: m["games"].update({"short-pair": "0" * 32}))
    (finding,) = forger.found()
    assert finding.key == forger.key and "short-pair has other files than in the run" in finding.detail


def test_seal_names_a_run_that_was_changed_since(honest, tmp_path):
    """The plan, a reply's time, a result: a change that no replay can find breaks the seal."""

    def another_time(lines: list[LoggedReply]) -> list[LoggedReply]:
        return [lines[0].model_copy(update={"at": "2001"}), *lines[1:]]

    changes: list[Callable[[Forger], Any]] = [
        lambda f: f.log(another_time),
        lambda f: f.run.rewrite_results(f.run.results()[:1]),
        lambda f: f.manifest(lambda m: m["cells"][0]["spec"]["model"].update(label="GPT-5.2")),
        lambda f: f.manifest(lambda m: m["episodes"].pop()),
    ]
    for n, change in enumerate(changes):
        forger = Forger(honest, tmp_path / str(n))
        change(forger)
        assert read_seal(forger.run).broken
