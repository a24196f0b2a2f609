"""Builds a real vision-language model small enough for tests: a random Qwen2.5-VL of under a million parameters.

The engine needs true weights, a tokenizer, an image processor and a chat template; downloading a model for tests would
need a network and gigabytes. The text of this model is noise, but every part of the path that carries it is real. The
same seed gives the same bytes. `gwray.serving.weights` runs this program for `model_source: tiny:SEED`. It needs torch,
transformers and tokenizers (the engine environment).

    python scripts/tiny_model.py --into FOLDER [--seed 1] [--layers 2]
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

HIDDEN, HEADS, LAYERS, VOCABULARY = 64, 2, 2, 1000
"""Heads are 32 wide: the CPU engine has no attention kernel for narrower ones."""
MAX_PIXELS = 401_408
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>",
           "<|video_pad|>")  # fmt: skip

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n"
    "{% if m.content is string %}{{ m.content }}"
    "{% else %}{% for c in m.content %}"
    "{% if c.type in ('image', 'image_url') %}<|vision_start|><|image_pad|><|vision_end|>"
    "{% elif c.type == 'text' %}{{ c.text }}{% endif %}"
    "{% endfor %}{% endif %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

CORPUS = (
    "You play a browser game. Look at the screenshot, think about the rules and answer with one action.",
    'Reply with JSON such as {"action": "press_key", "key": "ArrowLeft"} or {"action": "click", "x": 640, "y": 360}.',
    '{"action":"move_left"} {"action":"move_right"} {"action":"move_up"} {"action":"move_down"} {"action":"jump"}',
    '{"tool_name": "restart", "arguments": {"cell": "B3", "duration_ms": 250, "reason": "the board is full"}}',
    "Game Rules: tiles slide and merge; a pipe, a wall or the ground ends the run. Score and level are shown.",
    "Role and Controls: ArrowUp ArrowDown ArrowLeft ArrowRight Space Enter Escape a b c d e w s x y z",
    "Task Instruction: reach the target score within one hundred steps. Output Format: one tool call.",
    "0 1 2 3 4 5 6 7 8 9 10 16 25 32 42 50 64 100 128 200 256 300 400 500 512 720 1000 1024 1280 2048",
)


def build(seed: int, folder: Path, layers: int = LAYERS) -> Path:
    """Builds the model of this seed in `folder` unless it exists. More layers make it slower."""
    if (folder / "model.safetensors").exists():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(mkdtemp(prefix=".making-", dir=folder.parent))
    try:
        _write(scratch, seed, layers)
        scratch.chmod(0o755)
        (scratch / "model.safetensors").chmod(0o644)
        try:
            scratch.rename(folder)
        except OSError:  # another process was faster, and wrote the same bytes
            if not (folder / "model.safetensors").exists():
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return folder


def _write(folder: Path, seed: int, layers: int) -> None:
    import torch  # pyright: ignore[reportMissingImports]
    from transformers import GenerationConfig, Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration, Qwen2TokenizerFast  # pyright: ignore[reportMissingImports]

    words = _tokenizer()
    (folder / "tokenizer.json").write_text(words, encoding="utf-8")
    ids = {t: i for i, t in enumerate(SPECIAL)}
    vocabulary = json.loads(words)["model"]["vocab"]
    size = max(len(vocabulary), *vocabulary.values()) + 1
    tokenizer: Any = Qwen2TokenizerFast(
        tokenizer_file=str(folder / "tokenizer.json"),
        unk_token="<|endoftext|>",
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=list(SPECIAL[1:]),
        model_max_length=32768,
        chat_template=TEMPLATE,
    )
    config = Qwen2_5_VLConfig(
        text_config={
            "vocab_size": max(size, VOCABULARY),
            "hidden_size": HIDDEN,
            "intermediate_size": 2 * HIDDEN,
            "num_hidden_layers": layers,
            "num_attention_heads": HEADS,
            "num_key_value_heads": 1,
            "max_position_embeddings": 32768,
            "rope_parameters": {"rope_type": "default", "mrope_section": [4, 6, 6], "rope_theta": 10000.0},
            "bos_token_id": ids["<|endoftext|>"],
            "eos_token_id": ids["<|im_end|>"],
            "pad_token_id": ids["<|endoftext|>"],
            "tie_word_embeddings": True,
        },
        vision_config={
            "depth": layers,
            "hidden_size": HIDDEN,
            "intermediate_size": 2 * HIDDEN,
            "num_heads": HEADS,
            "out_hidden_size": HIDDEN,
            "patch_size": 14,
            "spatial_merge_size": 2,
            "temporal_patch_size": 2,
            "window_size": 112,
            "fullatt_block_indexes": [layers - 1],
        },
        image_token_id=ids["<|image_pad|>"],
        video_token_id=ids["<|video_pad|>"],
        vision_start_token_id=ids["<|vision_start|>"],
        vision_end_token_id=ids["<|vision_end|>"],
        tie_word_embeddings=True,
        architectures=["Qwen2_5_VLForConditionalGeneration"],
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Qwen2_5_VLForConditionalGeneration(config).to(torch.bfloat16)
    model.generation_config = GenerationConfig(
        eos_token_id=ids["<|im_end|>"], pad_token_id=ids["<|endoftext|>"], do_sample=False
    )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    (folder / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    _json(folder / "preprocessor_config.json", {
        "image_processor_type": "Qwen2VLImageProcessor",
        "processor_class": "Qwen2_5_VLProcessor",
        "size": {"shortest_edge": 56 * 56, "longest_edge": MAX_PIXELS},
        "min_pixels": 56 * 56,
        "max_pixels": MAX_PIXELS,
        "patch_size": 14,
        "merge_size": 2,
        "temporal_patch_size": 2,
        "image_mean": [0.48145466, 0.4578275, 0.40821073],
        "image_std": [0.26862954, 0.26130258, 0.27577711],
    })  # fmt: skip


def _tokenizer() -> str:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers  # pyright: ignore[reportMissingImports]

    tokenizer: Any = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[AddedToken(t, special=True) for t in SPECIAL],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    return tokenizer.to_str()


def _json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Builds the tiny vision-language model.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=LAYERS)
    arguments = parser.parse_args()
    build(arguments.seed, arguments.into, arguments.layers)
