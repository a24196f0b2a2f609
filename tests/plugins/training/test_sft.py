"""`gwray train` on a tiny text model: loss falls, a killed training resumes to the same weights, a LoRA adapter."""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs make setup-train")

from gwray.errors import UsageError
from gwray.plugins.training.folder import write_dataset
from gwray.plugins.training.samples import Sample
from gwray.plugins.training.selection import Audit
from gwray.plugins.training.sft import TrainingSpec, _in_turn, read_training, train, weights_hash
from gwray.plugins.training.tiny import make_tiny
from gwray.store import RunDir

pytestmark = pytest.mark.train
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Turns to the side that the state names."""
    folder = tmp_path_factory.mktemp("data")
    samples = [
        Sample("r", "e", f"g{n // 2 % 2}", "t", "seen", 1, n, "player", "", "Turn.",
               (f"The apple is {side} of {n}.",), "{}", f'{{"action": "{side}"}}', f"{n}", 1.0)
        for n in range(64)
        for side in (("left", "right")[n % 2],)
    ]  # fmt: skip
    write_dataset(folder, {"train": samples, "test": []}, {"g0": Audit(samples=64)}, {"runs": ["r"]})
    return folder


@pytest.fixture(scope="module")
def base(data, tmp_path_factory):
    make_tiny("tiny:0", data, folder := tmp_path_factory.mktemp("base"))
    return folder


def recipe(base, **fields):
    given = {"learning_rate": 3e-3, "accumulate": 1, "by_game": True, "batch": 8, "warmup_steps": 0, "dtype": "float32",
             "max_steps": 24, "save_steps": 10}  # fmt: skip
    return TrainingSpec(name="tiny", model=str(base), **{**given, **fields})


@pytest.fixture(scope="module")
def trained(base, data, tmp_path_factory):
    return train(recipe(base), data, tmp_path_factory.mktemp("out"))


def test_datasets_and_trl_read_the_folder(data):
    from datasets import load_dataset
    from trl import is_conversational

    loaded = load_dataset(str(data))
    assert loaded["train"].num_rows == 64 and is_conversational(loaded["train"][0])


def test_loss_falls_and_the_card_names_data_and_weights(trained):
    assert trained["last_loss"] < trained["first_loss"] / 2 and trained["steps"] == 24
    assert len(trained["weights_hash"]) == 64 and trained["trained_on"]["seed"] == [1]


def test_a_killed_training_resumes_to_the_same_weights(base, data, trained, tmp_path):
    code = "import sys; from pathlib import Path; from gwray.plugins.training.sft import *; " \
           "train(TrainingSpec.model_validate_json(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))"  # fmt: skip
    command = [sys.executable, "-u", "-c", code, recipe(base).model_dump_json(), str(data), str(tmp_path)]
    for step in (3, 17):  # before the first checkpoint, and between two
        killed = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert any(line.startswith(f"step {step} ") for line in killed.stdout or ())
        killed.kill()
        assert killed.wait() == -9
    (tmp_path / "checkpoint-23").mkdir()  # as if it had been killed while it saved
    lines: list[str] = []
    again = train(recipe(base), data, tmp_path, lines.append)
    assert lines[0].startswith("resuming at") and again["weights_hash"] == trained["weights_hash"]
    assert train(recipe(base), data, tmp_path) == again, "a finished training is not repeated"
    with pytest.raises(UsageError, match="another recipe or other data"):
        train(recipe(base, seed=7), data, tmp_path)


@pytest.mark.timeout(600)
def test_two_workers_of_ray_train_learn_together(base, data, tmp_path, capfd, monkeypatch):
    """Each has half of a batch, and both have the same gradients, so one set of weights comes out."""
    monkeypatch.chdir(tmp_path)
    made = train(recipe(os.path.relpath(base), batch=4, workers=2), Path(os.path.relpath(data)), Path())
    assert made["steps"] == 24 and made["last_loss"] < made["first_loss"] / 2
    assert made["weights_hash"] == weights_hash(tmp_path) != weights_hash(base)
    assert "LOAD_FAST" not in "".join(capfd.readouterr()), "code that the packages hash is not printed"


def test_games_take_turns_and_a_batch_has_one_game(base):
    batches = _in_turn(["b", "a", "b", "b"], recipe(base, batch=2, accumulate=2, max_steps=50))
    assert [{*pair} <= {1} for pair in zip(batches[::2], batches[1::2], strict=True)] == [True, False] * 50
    assert sorted(map(batches.count, (0, 2, 3))) == [33, 33, 34], "no row comes twice before all others did"


def test_lora_writes_an_adapter_and_merged_weights(base, data, tmp_path):
    lora = {"r": 4, "target_modules": "all-linear"}
    with pytest.raises(UsageError, match="unexpected keyword"):
        train(recipe(base, lora={**lora, "rank": 4}), data, tmp_path)
    (base / "trained_on.json").write_text('{"seed": [7]}')
    made = train(recipe(base, max_steps=2, by_game=False, lora=lora), data, tmp_path)
    (base / "trained_on.json").unlink()
    assert made["trained_on"]["seed"] == [1, 7], "what the weights that it began with have seen is seen, too"
    assert json.loads((tmp_path / "adapter" / "adapter_config.json").read_text())["r"] == 4
    assert weights_hash(tmp_path) not in ("", weights_hash(base)) and (tmp_path / "config.json").exists()


def test_all_weights_are_trained_in_float32_and_written_as_the_recipe_says(base, data, tmp_path):
    from safetensors.torch import load_file

    with pytest.raises(UsageError, match="prompts over max_length=4"):
        train(recipe(base, max_length=4), data, tmp_path)
    train(recipe(base, dtype="bfloat16", max_steps=1, save_steps=1), data, tmp_path)
    files = (tmp_path / folder / "model.safetensors" for folder in ("checkpoint-1", "."))
    assert [{str(t.dtype) for t in load_file(f).values()} for f in files] == [{"torch.float32"}, {"torch.bfloat16"}]


@pytest.mark.parametrize("word", ["model.name=x", "model=[a", "dtype=float", "schedule=x", "lora.r", "modell=x"])
def test_settings_that_a_recipe_cannot_have_are_refused(word):
    with pytest.raises(UsageError):
        read_training("lora", [word])


def test_tiny_model_is_small_and_the_same_for_a_seed(data, tmp_path):
    """Text that the dataset lacks keeps its characters, and the system prompt is left out."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    make_tiny("tiny:3", data, tmp_path / "a")
    make_tiny("tiny:3", data, tmp_path / "b")
    assert weights_hash(tmp_path / "a") == weights_hash(tmp_path / "b")
    words = AutoTokenizer.from_pretrained(tmp_path / "a")
    assert words.decode(words("Zebra 17\nüber")["input_ids"]) == "Zebra 17\nüber"
    assert len(words("1024")["input_ids"]) == 4
    said = [{"role": "system", "content": "Turn."}, {"role": "user", "content": "Now."}]
    assert words.apply_chat_template(said, tokenize=False) == "<|user|>Now.<|end|>"
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "a")
    assert sum(p.numel() for p in model.parameters()) < 1_000_000
    with pytest.raises(UsageError, match="tiny:SEED"):
        make_tiny("tiny:x", data, tmp_path / "c")


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not (ROOT / ".venv-vllm" / ".gwray-vllm").exists(), reason="needs make setup-vllm")
def test_a_model_learns_a_game_and_beats_the_random_player_on_unseen_seeds(tmp_path):
    """The commands of `make learn` on one game, with the real engine. The paired difference's interval begins above 30
    points: trainings from four other weights gained 89 to 99, and an unstable learning rate 0 to 87."""
    size = {"GAMES": "p03_thirteen-days", "TASK": 1, "STEPS": 800, "TESTS": 8, "UNTRAINED": 0, "DIR": tmp_path}
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LEARN_", "RAY_"))}
    env |= {f"LEARN_{name}": str(value) for name, value in size.items()}
    done = subprocess.run(["timeout", "840", "scripts/learn.sh"], cwd=ROOT, env=env, capture_output=True, text=True)
    said = done.stdout + done.stderr + (tmp_path / "log").read_text()
    assert done.returncode == 0 and "16 episodes replayed: 16 identical" in said, said
    run, learned, random = RunDir.open(tmp_path / "test"), {}, {}
    deployments = {cell.id: cell.spec["model"]["deployment"] for cell in run.manifest().cells}
    for record in run.results():
        (learned if deployments[record.cell] else random)[record.seed] = record.progress
    gains = [learned[seed] - random[seed] for seed in random]
    seen = json.loads((tmp_path / "model-0/trained_on.json").read_text())["seed"]
    assert len(gains) == 8 and not {*learned} & {*seen}
    assert statistics.mean(gains) - 2.365 * statistics.stdev(gains) / 8**0.5 > 0.3, gains
