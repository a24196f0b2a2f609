"""`gwray train` on a tiny text model: loss falls, a killed training resumes to the same weights, a LoRA adapter."""

import json
import subprocess
import sys
import time

import pytest

pytest.importorskip("trl", reason="needs make setup-train")

from gwray.errors import UsageError
from gwray.plugins.training.folder import write_dataset
from gwray.plugins.training.samples import Sample
from gwray.plugins.training.selection import Audit
from gwray.plugins.training.sft import LoraSettings, TrainingSpec, train, weights_hash
from gwray.plugins.training.tiny import make_tiny

pytestmark = pytest.mark.train
TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
TOKENS = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """A random model of 60,000 parameters that reads bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("base")
    bytes_ = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({t: n for n, t in enumerate([*TOKENS, *bytes_])}, []))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    made.add_special_tokens(TOKENS)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|end|>", pad_token="<|end|>")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    size = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = LlamaConfig(vocab_size=len(TOKENS) + 256, num_key_value_heads=1, eos_token_id=0, pad_token_id=0, **size)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Turns to the side that the state names."""
    folder = tmp_path_factory.mktemp("data")
    samples = [
        Sample("r", "e", "g", "t", "seen", 1, n, "player", "", "Turn.", (f"The apple is {side} of {n}.",), "{}",
               f'{{"action": "{side}"}}', f"{n}", 1.0)
        for n in range(64)
        for side in (("left", "right")[n % 2],)
    ]  # fmt: skip
    write_dataset(folder, {"train": samples, "test": []}, {"g": Audit(samples=64)}, {"runs": ["r"]})
    return folder


def recipe(base, **fields):
    given = {"learning_rate": 3e-3, "accumulate": 1, "batch": 8, "warmup_steps": 0, "dtype": "float32", "max_steps": 24,
             "save_steps": 10}  # fmt: skip
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
    command = [sys.executable, "-c", code, recipe(base).model_dump_json(), str(data), str(tmp_path)]
    killed = subprocess.Popen(command)
    end = time.monotonic() + 100
    while not (tmp_path / "checkpoint-10" / "complete").exists() and killed.poll() is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    killed.kill()
    assert killed.wait() == -9
    (tmp_path / "checkpoint-23").mkdir()  # as if it had been killed while it saved
    lines: list[str] = []
    again = train(recipe(base), data, tmp_path, lines.append)
    assert lines[0].startswith("resuming at") and again["weights_hash"] == trained["weights_hash"]
    assert train(recipe(base), data, tmp_path) == again, "a finished training is not repeated"
    with pytest.raises(UsageError, match="another recipe or other data"):
        train(recipe(base, seed=7), data, tmp_path)


def test_two_workers_of_ray_train_learn_together(base, data, tmp_path):
    """Each has half of a batch, and both have the same gradients, so one set of weights comes out."""
    made = train(recipe(base, batch=4, workers=2), data, tmp_path)
    assert made["steps"] == 24 and made["last_loss"] < made["first_loss"] / 2
    assert made["weights_hash"] == weights_hash(tmp_path) != weights_hash(base)


def test_lora_writes_an_adapter_and_merged_weights(base, data, tmp_path):
    train(recipe(base, max_steps=2, lora=LoraSettings(r=4)), data, tmp_path)
    """The engine serves merged weights, which differ from those that the training started from."""
    assert json.loads((tmp_path / "adapter" / "adapter_config.json").read_text())["r"] == 4
    assert weights_hash(tmp_path) not in ("", weights_hash(base)) and (tmp_path / "config.json").exists()


def test_tiny_model_is_small_and_the_same_for_a_seed(data, tmp_path):
    """Text that the dataset lacks keeps its characters, and a system prompt has one token a line."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    make_tiny("tiny:3", data, tmp_path / "a")
    make_tiny("tiny:3", data, tmp_path / "b")
    assert weights_hash(tmp_path / "a") == weights_hash(tmp_path / "b")
    words = AutoTokenizer.from_pretrained(tmp_path / "a")
    assert words.decode(words("Zebra 17\nüber")["input_ids"]) == "Zebra 17\nüber"
    assert len(words("Turn.")["input_ids"]) == 1 and len(words("1024")["input_ids"]) == 4
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "a")
    assert sum(p.numel() for p in model.parameters()) < 1_000_000
    with pytest.raises(UsageError, match="tiny:SEED"):
        make_tiny("tiny:x", data, tmp_path / "c")
