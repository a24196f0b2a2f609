"""A run as one small file, and what is played from it again."""

from __future__ import annotations

import errno
import json
import shutil
import stat
import sys
import zipfile
from pathlib import Path

import pytest
from rich.console import Console
from shared_browser import run_async

from gwray.cli import main as gwray
from gwray.cli.packs import pack
from gwray.cli.results import show_results
from gwray.errors import StoreError, UsageError
from gwray.judges import judge_run, read_judge
from gwray.report import build_report
from gwray.store import RunDir, pack_run, read_seal, seal_run, unpack_texts, unseal_run
from gwray.store.io_errors import io_errors
from gwray.verification import unpack_run, verify_run

pytestmark = pytest.mark.slow

JOBS = [{"game": "short-flight", "task": "1", "model": m} for m in ("random", "scripted")]


def packed(run: RunDir, folder: Path) -> Path:
    file = folder / "run.gwray"
    assert pack_run(run, file) == file.stat().st_size
    return file


async def test_pack_has_text_only_and_unpacking_redraws_screenshots(run, tmp_path):
    file = packed(run, tmp_path)
    with zipfile.ZipFile(file) as pack:
        assert {n.partition("/")[0] for n in pack.namelist()} == {"run.json", "results.jsonl", "replies"}
    began = []
    done = await unpack_run(file, str(tmp_path / "theirs"), on_begin=began.append)
    assert (done.holds, done.proven, done.redrawn, began) == (True, 2, 0, [2])
    assert not done.seal.broken and read_seal(done.run).recorded == read_seal(run).recorded != ""
    for key in run.episode_keys():
        assert done.run.read_episode(key).steps == run.read_episode(key).steps
        assert done.run.read_meta(key) == run.read_meta(key)
    assert {f.verdict for f in await verify_run(done.run)} == {"identical"}


def test_the_same_run_makes_the_same_bytes(run, tmp_path):
    first = packed(run, tmp_path).read_bytes()
    assert packed(run, tmp_path).read_bytes() == first


async def test_unpacking_resumes_after_interruption(run, tmp_path):
    file, where = packed(run, tmp_path), tmp_path / "theirs"
    unpack_texts(file, str(where))
    first, second = run.episode_keys()
    (where / "episodes").mkdir()
    shutil.copyfile(run.local_path / "episodes" / f"{first}.parquet", where / "episodes" / f"{first}.parquet")
    played = []
    done = await unpack_run(file, str(where), on_done=lambda one: played.append(one.damage.spec.key))
    assert done.holds and played == [second]


async def test_other_browser_proves_states_and_redraws_screenshots(run, tmp_path):
    other = {"browser": "another/1.0", "frame_chain": "0" * 32, "row_chain": "1" * 32, "shown_hash": "2" * 32}
    run.rewrite_results([r.model_copy(update=other) for r in run.results()])
    seal_run(run)
    file, where = packed(run, tmp_path), str(tmp_path / "theirs")
    done = await unpack_run(file, where)
    assert done.holds and done.redrawn == 2
    assert {r.browser for r in done.run.results()} != {"another/1.0"}
    assert not read_seal(done.run).broken
    assert {f.verdict for f in await verify_run(done.run)} == {"identical"}
    assert (await unpack_run(file, where)).holds, "again, it finds everything there"


async def test_differing_episode_is_refused_without_a_file(run, tmp_path, monkeypatch, capsys):
    key = next(r.key for r in run.results() if r.model == "scripted")
    log = run.local_path / "replies" / f"{key}.jsonl"
    log.write_text(log.read_text().replace("wait", "flap"))
    seal_run(run)
    file = packed(run, tmp_path)
    done = await unpack_run(file, str(tmp_path / "theirs"))
    (refused,) = done.refused
    assert refused.damage.spec.key == key and not done.holds
    assert not done.run.has_episode(key) and len(done.run.episode_keys()) == 1


def without_result(run: RunDir, key: str) -> None:
    run.rewrite_results(r for r in run.results() if r.key != key)
    for name in (f"replies/{key}.jsonl", f"episodes/{key}.parquet"):
        (run.local_path / name).unlink()


def reply_after_the_end(run: RunDir, key: str) -> None:
    last = run.log(key).read()[-1]
    run.log(key).append(last.model_copy(update={"decision": last.decision + 1, "call": last.call + 1}))


def result_twice(run: RunDir, key: str) -> None:
    run.append_result(*(r for r in run.results() if r.key == key))


@pytest.mark.parametrize("change", [without_result, reply_after_the_end, result_twice])
async def test_unpacking_refuses_what_verify_refuses(run, tmp_path, change):
    change(run, next(r.key for r in run.results() if r.model == "scripted"))
    seal_run(run)
    assert [f.holds for f in await verify_run(run)].count(False) == 1
    file, where = packed(run, tmp_path), str(tmp_path / "theirs")
    for done in [await unpack_run(file, where), await unpack_run(file, where)]:
        assert not done.holds and (done.proven, done.planned) == (1, 2)


async def test_full_disk_refutes_no_pack(run, tmp_path, monkeypatch):
    file, where, write = packed(run, tmp_path), str(tmp_path / "theirs"), RunDir.write_episode

    def full(*_: object) -> None:
        with io_errors("write", "theirs"):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(RunDir, "write_episode", full)
    with pytest.raises(StoreError, match="No space left"):
        await unpack_run(file, where)
    monkeypatch.setattr(RunDir, "write_episode", write)
    assert (await unpack_run(file, where)).proven == 2


def test_forged_results_are_shown_with_the_broken_seal(run, tmp_path, capsys):
    show_results(run, Console(width=500))
    assert f"sealed {run.manifest().seal}" in capsys.readouterr().out
    run.rewrite_results([r.model_copy(update={"success": not r.success}) for r in run.results()])
    show_results(run, Console(width=500))
    page = build_report([run], tmp_path / "report", images=False).read_text()
    for shown in (capsys.readouterr().out, page):
        assert f"The seal does not match: sealed {run.manifest().seal}, what is here makes 1:" in shown
    assert not [*(tmp_path / "report").rglob("*.gwray")], "a broken seal is not packed"


def test_pack_seals_an_unsealed_run_and_a_changed_one_only_on_request(run, tmp_path, capsys):
    file, seal = tmp_path / "x.gwray", run.manifest().seal
    unseal_run(run)
    pack(run.url, file)
    assert run.manifest().seal == seal and f"sealed {seal}" in capsys.readouterr().out
    run.rewrite_results([r.model_copy(update={"success": not r.success}) for r in run.results()])
    with pytest.raises(UsageError, match=f"is sealed {seal}, and what is there now makes"):
        pack(run.url, file)
    pack(run.url, file, reseal=True)
    assert run.manifest().seal != seal and not read_seal(run).broken


def test_judgements_are_packed_and_recomputed(run, tmp_path, monkeypatch, capsys):
    for name in ("failure", "other"):
        run_async(judge_run(run, read_judge("failure", ["judge.model=scripted", f"judge.name={name}"])))
    root, theirs = run.local_path or Path(), tmp_path / "theirs"
    altered = root / "judgements/other/verdicts.jsonl"
    line = json.loads(altered.read_bytes())
    altered.write_text(json.dumps({**line, "labels": ["lost", "execution_failure"]}) + "\n")
    output = {str(f.relative_to(root)): f.read_bytes() for f in root.glob("judgements/**/*.json*")}
    assert len(output) == 6 and "judgements/failure/verdicts.jsonl" in output
    file = packed(run, tmp_path)
    monkeypatch.setattr(sys, "argv", ["gwray", "unpack", str(file), "-o", str(theirs)])
    with pytest.raises(SystemExit) as ended:
        gwray()
    out = capsys.readouterr().out
    assert {name: (theirs / name).read_bytes() for name in output} == output
    # A verdict that does not follow from its replies is named; everything else holds.
    assert f"different judgements/other/{line['key']}: labels" in out and "judgements/failure/" not in out
    assert ended.value.code == 1 and "1 of 2 judgements identical" in out and "2 of 2 identical" in out
    # Who judges on there has no other run than before; a verdict that was changed is another one.
    verdicts = theirs / "judgements/failure/verdicts.jsonl"
    verdicts.write_bytes(verdicts.read_bytes() * 2)
    unpack_texts(file, str(theirs))
    verdicts.write_bytes(verdicts.read_bytes().replace(b'"labels":[', b'"labels":["lost",'))
    with pytest.raises(UsageError, match="holds another run"):
        unpack_texts(file, str(theirs))


def written(file: Path, entries: dict[str, bytes], mode: int = 0o644 | stat.S_IFREG) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            pack.writestr(entry, data)
    return file


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../run.json", "is no file of a pack"),
        ("/etc/passwd", "is no file of a pack"),
        ("replies/../../x.jsonl", "is no file of a pack"),
        ("code/ab/../../x.py", "is no file of a pack"),
        ("episodes/k.parquet", "is no file of a pack"),
        ("replies\\x.jsonl", "is no file of a pack"),
        ("judgements/a/../b.json", "is no file of a pack"),
        ("judgements/a/picture.jpg", "is no file of a pack"),
    ],
)
def test_pack_with_foreign_files_is_refused(name, words, tmp_path):
    file = written(tmp_path / "x.gwray", {"run.json": b"{}", name: b"x"})
    with pytest.raises(UsageError, match=words):
        unpack_texts(file, str(tmp_path / "out"))
    assert {p.name for p in tmp_path.iterdir()} == {"x.gwray"}


def test_links_bombs_and_non_packs_are_refused(tmp_path):
    out = str(tmp_path / "out")
    link = written(tmp_path / "link", {"run.json": b"/etc/passwd"}, 0o777 | stat.S_IFLNK)
    with pytest.raises(UsageError, match="no links"):
        unpack_texts(link, out)
    bomb = written(tmp_path / "bomb", {"run.json": b"{}", "results.jsonl": bytes(200 * 2**20)})
    with pytest.raises(UsageError, match="more than 200 times its size"):
        unpack_texts(bomb, out)
    with pytest.raises(UsageError, match=r"it has no run\.json"):
        unpack_texts(written(tmp_path / "none", {"results.jsonl": b""}), out)
    (tmp_path / "text").write_text("no zip")
    with pytest.raises(UsageError, match="is no pack of gwray"):
        unpack_texts(tmp_path / "text", out)
    with pytest.raises(UsageError, match=r"does not exist\. `gwray pack RUN"):
        unpack_texts(tmp_path / "nowhere.gwray", out)
    assert not Path(out).exists()


def test_reply_logs_of_no_planned_episode_are_refused(run, tmp_path):
    with zipfile.ZipFile(packed(run, tmp_path)) as pack:
        texts = {name: pack.read(name) for name in pack.namelist()}
    more = written(tmp_path / "more", {**texts, "replies/0000.jsonl": b"", "replies/0001.jsonl": b""})
    with pytest.raises(UsageError, match=r"2 reply logs are of no planned episode, such as replies/0000"):
        unpack_texts(more, str(tmp_path / "out"))


def test_a_pack_is_not_unpacked_over_another_run(run, tmp_path):
    file = packed(run, tmp_path)
    unpack_texts(file, str(tmp_path / "theirs"))
    (log, *_) = (tmp_path / "theirs" / "replies").iterdir()
    log.write_text("")
    with pytest.raises(UsageError, match="holds another run"):
        unpack_texts(file, str(tmp_path / "theirs"))
