"""Makes the text model of `model: tiny:SEED`: random weights, under a million parameters, and a tokenizer whose words
are those of the dataset. It learns a few games in minutes on a CPU. Needs the training environment."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from gwray.errors import UsageError

HIDDEN, LAYERS, HEADS, VOCABULARY = 64, 2, 2, 2500
"""Heads are 32 wide: the CPU engine has no attention kernel for narrower ones."""
CONTEXT = 4096
SPECIAL = ("<|end|>", "<|user|>", "<|assistant|>")
TEMPLATE = (
    "{% for m in messages if m.role != 'system' %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
"""Without the system prompt: so small a model learns nothing from it, and an unseen scenario's words confuse it."""


def make_tiny(source: str, data: Path, folder: Path) -> None:
    """Writes the model and tokenizer of a seed. The same seed and data give the same files.

    Args:
        source: `tiny:SEED`.
        data: folder of a dataset; its training part gives the tokenizer's words.
        folder: created if missing; left alone if it has weights.

    Raises:
        UsageError: the seed is not a number, or a package is missing.
    """
    if (folder / "model.safetensors").exists():
        return
    seed = source.removeprefix("tiny:")
    if not seed.isdecimal():
        raise UsageError(f"model '{source}' is not tiny:SEED; for example model=tiny:0")
    try:
        import torch  # pyright: ignore[reportMissingImports]
        from transformers import LlamaConfig, LlamaForCausalLM  # pyright: ignore[reportMissingImports]
    except ImportError as e:
        raise UsageError(f"training needs the package {e.name}: make setup-train, then .venv-train/bin/gwray") from e
    rows = pq.read_table(data / "data" / "train-00000-of-00001.parquet", columns=["prompt", "completion"]).to_pylist()
    texts = [m["content"] for row in rows for m in (*row["prompt"], *row["completion"]) if m["role"] != "system"]
    if texts and not isinstance(texts[0], str):
        raise UsageError("model=tiny:SEED reads text only, and this dataset has images; play with observation=text")
    words = _write_tokenizer(folder, texts)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(seed))
        config = LlamaConfig(
            vocab_size=words, hidden_size=HIDDEN, intermediate_size=3 * HIDDEN, num_hidden_layers=LAYERS,
            num_attention_heads=HEADS, num_key_value_heads=HEADS // 2, max_position_embeddings=CONTEXT,
            tie_word_embeddings=True, initializer_range=HIDDEN**-0.5, bos_token_id=None, eos_token_id=0, pad_token_id=0,
        )  # fmt: skip
        LlamaForCausalLM(config).save_pretrained(folder)


def _write_tokenizer(folder: Path, texts: list[str]) -> int:
    """Writes the tokenizer and returns the size of its vocabulary. Digits stand alone, because numbers are compared;
    the rest is byte-pair encoded within lines, so that prompts are short."""
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers  # pyright: ignore
    from transformers import PreTrainedTokenizerFast  # pyright: ignore[reportMissingImports]

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(r"\n"), behavior="merged_with_previous"),
        pre_tokenizers.Split(Regex(r"\d"), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])  # fmt: skip
    made.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=[*SPECIAL], initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token=SPECIAL[0], pad_token=SPECIAL[0], model_max_length=CONTEXT
    )
    tokenizer.chat_template = TEMPLATE
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    return len(tokenizer)
