"""`gwray dataset`: selection, augmentation, audit and splits as published; requests rebuilt by replay."""

import json
import shutil

import pyarrow.parquet as pq
import pytest
from shared_browser import run_async
from standin import Say, Standin

from gwray.catalog import load_catalog, read_model
from gwray.errors import UsageError
from gwray.plugins.training.making import make_dataset
from gwray.plugins.training.samples import Sample, message_lists
from gwray.plugins.training.selection import Audit, augmented, is_test, refuse_held_out, select_episodes, within_tokens
from gwray.records import EpisodeRecord
from gwray.store import RunDir
from gwray.verification import InlineReplays


def record(key="a", game="p01_twofold", task="p01_01", **fields):
    return EpisodeRecord(key=key, cell="c", game=game, task=task, **fields)


def sample(**fields):
    base = dict(run="r", episode="e", game="p01_twofold", task="p01_01", scenario="", seed=1, decision=0, role="player",
                module="", system="S", parts=("U",), state="{}", answer="A", words_hash="h", score=1.0)  # fmt: skip
    return Sample(**{**base, **fields})


def test_selection_takes_the_best_trajectories_until_more_than_300_decisions():
    records = [record(f"{n}", progress=n / 10, decisions=100) for n in range(1, 9)]
    records += [record("x", game="p02_up-and-over", progress=1.0, decisions=300)]
    selected, audits = select_episodes(records)
    assert [r.key for r in selected] == ["8", "7", "6", "5", "x"], "300 is not more than 300"
    assert (audits["p01_twofold"].collected, audits["p01_twofold"].kept) == (800, 400)
    assert audits["p02_up-and-over"].kept == 300


def test_ten_paraphrases_change_only_the_system_prompt():
    made = augmented([sample()], {"S": [f"S{n}" for n in range(10)]})
    assert [s.paraphrase for s in made] == [*range(11)] and len({s.system for s in made}) == 11
    assert {(s.parts, s.answer, s.words_hash) for s in made} == {(("U",), "A", "h")}


def test_published_counts_follow_from_the_audit():
    """Twelve games of at most 900 questions, times eleven. All of one game and 329 samples of another are too long; the
    two games of the out-of-distribution test together have 1,622 questions."""
    without_pokemon, mario_and_2048 = 9 * 900 - 101, 1622
    pokemon, minecraft = Audit(samples=900, copies=11, too_long=9900), Audit(samples=900, copies=11, too_long=329)
    others = Audit(samples=9621 - 900 - mario_and_2048, copies=11)
    tested = Audit(samples=mario_and_2048, copies=11)
    assert others.samples + mario_and_2048 < without_pokemon + 900
    assert sum(a.used for a in (pokemon, minecraft, others, tested)) == 105_502
    assert sum(a.used for a in (pokemon, minecraft, others)) == 87_660


def test_samples_with_the_limit_of_tokens_are_dropped_and_counted():
    audits = {"p01_twofold": Audit(samples=3)}
    lengths = iter([4095, 4096, 9000])
    assert len(within_tokens([sample()] * 3, audits, lambda s: next(lengths))) == 1
    assert (audits["p01_twofold"].too_long, audits["p01_twofold"].used) == (2, 1)


@pytest.mark.parametrize(
    "kind, value", [("game", "p01_twofold"), ("seed", "7"), ("scenario", "seen"), ("level", "p01_01")]
)
def test_held_out_data_is_refused(kind, value):
    records, library = [record("ok", game="p02_up-and-over", task="p02_02", seed=8)], load_catalog()
    leak = record("leak", seed=7)
    if kind != "scenario":
        refuse_held_out(records, {kind: [value]}, library)
    with pytest.raises(UsageError, match=f"episode leak is of {kind} '{value}', which is held out"):
        refuse_held_out([leak, *records], {kind: [value]}, library)


def test_splits_keep_groups_together():
    library = load_catalog()
    one, other = ([is_test("p01_twofold", t, s, "seed", library) for s in range(400)] for t in ("p01_01", "p01_02"))
    assert one == other and 0.05 < sum(one) / 400 < 0.16
    unseen = {t.id: is_test(g.id, t.id, 1, "scenario", library) for g in library.games.values() for t in g.tasks}
    assert unseen == {t.id: t.scenario == "unseen" for g in library.games.values() for t in g.tasks}


def test_images_and_texts_have_the_same_order_as_in_the_request():
    shown = message_lists(sample(parts=("before", b"jpeg", "after")), images=True)
    assert [p["type"] for p in shown["prompt"][1]["content"]] == ["text", "image", "text"]
    assert message_lists(sample(parts=("a", "b")), images=False)["prompt"][1] == {"role": "user", "content": "a\nb"}


async def test_each_question_of_each_module_is_rebuilt(played, tmp_path):
    """The hashes are those of the log; an expert labels its own play as it played."""
    facts = await make_dataset([played], tmp_path / "a", InlineReplays)
    rows = pq.read_table(tmp_path / "a" / "data" / "train-00000-of-00001.parquet").to_pylist()
    if facts["samples"]["test"]:
        rows += pq.read_table(tmp_path / "a" / "data" / "test-00000-of-00001.parquet").to_pylist()
    logged = {line.words_hash for _, lines in played.logs() for line in lines}
    assert {r["words_hash"] for r in rows} == logged
    assert {r["module"] for r in rows if r["game"] == "p01_twofold"} >= {"critique", "subtask"}
    assert facts["audit"]["15_google-snake"]["samples"] == 4 and "p01_twofold" in facts["trained_on"]["game"]
    assert all(json.loads(r["state"])["status"] for r in rows)
    expert = await make_dataset([played], tmp_path / "b", InlineReplays, label="expert")
    assert expert["data_hash"] == facts["data_hash"], "the label is the same reply"


async def test_paraphrases_are_logged_and_replayed(played, tmp_path):
    with Standin() as standin:
        standin.say(Say(text="In other words."))
        model = read_model("gpt-4o").model_copy(
            update={"provider": "openai_chat", "api_key_env": None, "base_url": standin.base_url("openai_chat")}
        )
        made = await make_dataset([played], tmp_path, InlineReplays, paraphrases=2, paraphrase_model=model)
        asked = len(standin.seen)
        (tmp_path / "dataset.json").unlink()
        (tmp_path / "data/test-old.parquet").touch()
        again = await make_dataset([played], tmp_path, InlineReplays, paraphrases=2, paraphrase_model=model)
        assert asked == len(standin.seen) > 0 and again == made and not (tmp_path / "data/test-old.parquet").exists()
    assert sum(made["samples"].values()) == 3 * sum(a["samples"] for a in made["audit"].values())


async def test_what_needs_no_replay_is_refused_before_the_replays(played, tmp_path, monkeypatch):
    (tmp_path / "dataset.json").write_text("{}")
    cases = ("", {}, "holds"), ("b", {"paraphrases": 1}, "needs"), ("b", {"tokenizer": "/"}, "--tok")
    for to, given, error in (*cases, ("b", {"held_out": {"game": ["p03"]}}, "'p03'"), ("b", {}, "--split")):
        if to and not given:
            monkeypatch.setattr("gwray.plugins.training.making.is_test", lambda *group: True)
        with pytest.raises(UsageError, match=error):
            await make_dataset([played], tmp_path / to, lambda: pytest.fail("replays"), **given)


async def test_a_trajectory_is_learned_once_whatever_other_runs_have_its_key(played, tmp_path):
    other = RunDir.open(shutil.copytree(played.local_path, tmp_path / "run"))
    one = await make_dataset([played], tmp_path / "a", InlineReplays, keep=1)
    two = await make_dataset([played, other, played], tmp_path / "b", InlineReplays, keep=1)
    assert two["samples"] == one["samples"]


def test_a_changed_log_is_refused(played, tmp_path):
    shutil.copytree(played.local_path, tmp_path / "run")
    run = RunDir.open(tmp_path / "run")
    for file in (tmp_path / "run").rglob("*.jsonl"):
        text = file.read_text()
        if "words_hash" in text:
            file.write_text(text.replace('"words_hash":"', '"words_hash":"0'))
    with pytest.raises(UsageError, match="does not replay, so it cannot be learned"):
        run_async(make_dataset([run], tmp_path / "out", InlineReplays))
