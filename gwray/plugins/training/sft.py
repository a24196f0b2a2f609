"""Supervised fine-tuning with TRL, alone or on Ray Train's workers. Needs the training environment."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError
from yaml import YAMLError

from gwray.errors import UsageError, choose
from gwray.places import conf_files, yaml12
from gwray.plugins.training.folder import read_facts
from gwray.plugins.training.tiny import make_tiny
from gwray.settings import Spec

FACTS, MEASURED = "training/training.json", "training/measured.json"
"""Beside the weights, not among them: the digest of what is served covers the files beside the weights."""
TRAINED_ON = "trained_on.json"
"""What the weights have learned from, for the cells that play with them; see `gwray.serving`."""
ADAPTER = "adapter"
"""Folder of a LoRA adapter, below the weights with which it is merged."""
UNTRAINED = "untrained"
"""Folder of the weights that `model: tiny:SEED` starts from, below those of the result."""


class TrainingSpec(Spec):
    """A recipe: a file in `conf/training/`."""

    name: str
    model: str
    """Folder or hub id of the weights to start from; `tiny:SEED`: a new text model of under a million parameters."""
    learning_rate: float = Field(default=1e-6, gt=0)
    batch: int = Field(default=4, ge=1)
    """Samples per worker and forward pass."""
    accumulate: int = Field(default=4, ge=1)
    """Passes per optimizer step."""
    workers: int = Field(default=1, ge=1)
    """Processes of Ray Train; 1: this process."""
    gpus_per_worker: float = Field(default=0, ge=0)
    epochs: float = Field(default=1.0, gt=0)
    max_steps: int = -1
    """Optimizer steps; -1: by epochs."""
    by_game: bool = False
    """A batch has samples of one game, and the games take turns; needs `max_steps`. Otherwise all are mixed."""
    warmup_steps: int = Field(default=100, ge=0)
    schedule: Literal["linear", "cosine", "constant", "constant_with_warmup"] = "linear"
    dtype: Literal["float32", "bfloat16", "float16"] = "bfloat16"
    """Of the written weights, and of computing on a GPU. Without `lora`, weights are float32 while they are trained: in
    bfloat16 most updates of a low learning rate round to nothing."""
    max_length: int = Field(default=4096, ge=1)
    """Tokens per sample; longer answers are cut, longer prompts refused. `gwray dataset --tokenizer` drops both."""
    save_steps: int = Field(default=100, ge=1)
    """Optimizer steps between checkpoints, from which an interrupted training resumes."""
    seed: int = 42
    lora: dict[str, Any] | None = None
    """Arguments of `peft.LoraConfig`; None: all weights are trained."""
    report_to: tuple[str, ...] = ()
    """`[wandb]`: loss and throughput in Weights & Biases."""
    source: str = ""


def train(spec: TrainingSpec, data: Path, out: Path, say: Callable[[str], None] = print) -> dict[str, Any]:
    """Trains a model and writes its weights, tokenizer, `training.json` and model card into `out`.

    Resumes at the last checkpoint in `out` if the recipe and the data are the same.

    Args:
        spec: the recipe.
        data: folder of a dataset.
        out: folder of the result, reachable by all workers; `checkpoint-N` are below it.
        say: receives progress.

    Returns:
        The content of `training.json`.

    Raises:
        UsageError: `out` has another training, the data is none, or a package is missing.
    """
    if spec.by_game and spec.max_steps < 1:
        raise UsageError("by_game=true needs a number of steps: max_steps=N")
    facts = read_facts(data)
    identity = {"recipe": spec.model_dump(mode="json"), "data_hash": facts["data_hash"]}
    data, out, start = data.resolve(), out.resolve(), Path(spec.model).resolve()
    file = out / FACTS
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    begun = "weights_hash" in found or any(out.glob("checkpoint-*/complete"))
    if begun and {k: found.get(k) for k in identity} != identity:
        raise UsageError(f"'{out}' has a training with another recipe or other data; name another folder with -o")
    if "weights_hash" in found:
        return found
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(identity, indent=1) + "\n", encoding="utf-8")
    if spec.model.startswith("tiny:"):
        make_tiny(spec.model, data, start := out / UNTRAINED)
    learned = json.loads((start / TRAINED_ON).read_text()) if (start / TRAINED_ON).exists() else {}
    if start.is_dir():  # workers have other working directories
        spec = spec.model_copy(update={"model": str(start)})
    if spec.workers > 1:
        _on_ray(spec, data, out)
    else:
        os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")  # with several, a batch would be that many times as large
        _fit(spec, data, out, say)
    result = {
        **identity,
        **json.loads((out / MEASURED).read_text()),
        "weights_hash": weights_hash(out),
        "trained_on": {kind: sorted({*new, *learned.get(kind, ())}) for kind, new in facts["trained_on"].items()},
        "runs": facts["runs"],
    }
    (out / TRAINED_ON).write_text(json.dumps(result["trained_on"]) + "\n", encoding="utf-8")
    file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    (out / "README.md").write_text(_card(result), encoding="utf-8")
    return result


def weights_hash(folder: Path) -> str:
    """Returns the SHA-256 of the weights in a folder."""
    hashed = hashlib.sha256()
    for file in sorted(folder.glob("*.safetensors")):
        hashed.update(file.name.encode() + file.read_bytes())
    return hashed.hexdigest()


def _on_ray(spec: TrainingSpec, data: Path, out: Path) -> None:
    """Runs the same training on the workers of Ray Train, which share the gradients."""
    from ray.train import RunConfig, ScalingConfig
    from ray.train.torch import TorchTrainer

    scaling = ScalingConfig(
        num_workers=spec.workers,
        use_gpu=spec.gpus_per_worker > 0,
        resources_per_worker={"GPU": spec.gpus_per_worker} if spec.gpus_per_worker else {"CPU": 1},
    )
    # Its print ignores a redirected sys.stdout, in which the datasets package hides the code that it hashes.
    os.environ.setdefault("RAY_TRAIN_ENABLE_PRINT_PATCH", "0")
    stored = RunConfig(name=spec.name, storage_path=str(out / "ray"))
    TorchTrainer(lambda: _fit(spec, data, out, print), scaling_config=scaling, run_config=stored).fit()


def _fit(spec: TrainingSpec, data: Path, out: Path, say: Callable[[str], None]) -> None:
    """Trains in this process, and writes weights and `measured.json` if it is the first of its group."""
    try:
        import torch  # pyright: ignore[reportMissingImports]
        from datasets import load_dataset  # pyright: ignore[reportMissingImports]
        from peft import LoraConfig  # pyright: ignore[reportMissingImports]
        from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, AutoProcessor, TrainerCallback  # pyright: ignore[reportMissingImports]
        from transformers.trainer_callback import PrinterCallback  # pyright: ignore[reportMissingImports]
        from trl import SFTConfig, SFTTrainer  # pyright: ignore[reportMissingImports]
        from trl.trainer import utils as trl_utils  # pyright: ignore[reportMissingImports]

        adapter = LoraConfig(task_type="CAUSAL_LM", **spec.lora) if spec.lora else None
    except ImportError as e:
        raise UsageError(f"training needs the package {e.name}: make setup-train, then .venv-train/bin/gwray") from e
    except TypeError as e:
        raise UsageError(f"training '{spec.name}': lora: {e}") from e
    torch.use_deterministic_algorithms(True, warn_only=True)
    trl_utils._use_triton = lambda device: True  # here it only means: compute no loss of a prompt, on a CPU either
    loaded = load_dataset("parquet", data_files={"train": str(data / "data" / "train-*.parquet")}, split="train")
    wanted = [c for c in ("prompt", "completion", "images") if c in loaded.column_names]
    images = "images" in wanted
    kind = AutoModelForImageTextToText if images else AutoModelForCausalLM
    dtype = getattr(torch, spec.dtype)
    model = kind.from_pretrained(spec.model, dtype=dtype if spec.lora else torch.float32)
    started = time.perf_counter()

    class Progress(TrainerCallback):
        def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.is_world_process_zero:
                # Made last, so a training killed while it saves resumes at the checkpoint before.
                (out / f"checkpoint-{state.global_step}" / "complete").touch()

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if state.is_world_process_zero and logs and "loss" in logs:
                spent = time.perf_counter() - started
                left = spent / max(1, state.global_step - first_step) * (state.max_steps - state.global_step)
                say(
                    f"step {state.global_step} of {state.max_steps} · loss {float(logs['loss']):.3f} · "
                    f"{(state.num_input_tokens_seen - before) / spent:.0f} tokens/s · {left:.0f} s left"
                )

    gpu = torch.cuda.is_available()
    config = SFTConfig(
        output_dir=str(out), learning_rate=spec.learning_rate, per_device_train_batch_size=spec.batch,
        gradient_accumulation_steps=spec.accumulate, num_train_epochs=spec.epochs, max_steps=spec.max_steps,
        warmup_steps=spec.warmup_steps, lr_scheduler_type=spec.schedule, seed=spec.seed, completion_only_loss=True,
        train_sampling_strategy="sequential" if spec.by_game else "random",
        max_length=None if images else spec.max_length, save_steps=spec.save_steps, save_total_limit=2,
        bf16=gpu and spec.dtype == "bfloat16", fp16=gpu and spec.dtype == "float16", use_cpu=not gpu,
        activation_checkpointing=gpu, logging_steps=max(1, spec.save_steps // 10), logging_first_step=True,
        include_num_input_tokens_seen="all", report_to=list(spec.report_to), disable_tqdm=True,
    )  # fmt: skip
    trainer = SFTTrainer(
        model,
        config,
        train_dataset=loaded.select_columns(wanted),
        processing_class=AutoProcessor.from_pretrained(spec.model) if images else None,
        peft_config=adapter,
        callbacks=[Progress()],
    )
    trainer.remove_callback(PrinterCallback)  # `Progress` reports the same
    if len(trainer.train_dataset) < len(loaded):
        raise UsageError(
            f"'{data}' has prompts over max_length={spec.max_length}; gwray dataset --tokenizer drops them"
        )
    if spec.by_game:
        trainer.train_dataset = trainer.train_dataset.select(_in_turn(loaded["game"], spec))
    if spec.workers > 1:
        from ray.train.huggingface.transformers import prepare_trainer

        trainer = prepare_trainer(trainer)
    first_step = max((int(f.parent.name.rpartition("-")[2]) for f in out.glob("checkpoint-*/complete")), default=0)
    checkpoint, before = str(out / f"checkpoint-{first_step}") if first_step else None, 0
    if checkpoint:
        before = json.loads(Path(checkpoint, "trainer_state.json").read_text())["num_input_tokens_seen"]
        say(f"resuming at {checkpoint}")
    ended = trainer.train(resume_from_checkpoint=checkpoint)
    if not spec.lora:
        trainer.model.to(dtype)
    trainer.save_model(str(out / ADAPTER if spec.lora else out))
    if trainer.is_world_process_zero():
        if spec.lora:  # Ray Serve LLM loads adapters from buckets only, so the engine gets merged weights
            trainer.accelerator.unwrap_model(trainer.model).merge_and_unload().save_pretrained(out)
            trainer.processing_class.save_pretrained(out)
        losses = [line["loss"] for line in trainer.state.log_history if "loss" in line]
        measured = {
            "steps": ended.global_step,
            "first_loss": losses[0] if losses else None,
            "last_loss": losses[-1] if losses else None,
            "tokens": (tokens := int(trainer.state.num_input_tokens_seen)),
            "tokens_per_s": round((tokens - before) / (time.perf_counter() - started)),
            "device": torch.cuda.get_device_name() if gpu else "cpu",
        }
        (out / MEASURED).write_text(json.dumps(measured) + "\n", encoding="utf-8")


def _in_turn(games: Sequence[str], spec: TrainingSpec) -> list[int]:
    """Returns the rows of all batches, in order; a row comes again when all others of its game have come."""
    rows = [[i for i, one in enumerate(games) if one == game] for game in sorted(set(games))]
    mixed = [itertools.cycle(random.Random(spec.seed).sample(mine, len(mine))) for mine in rows]
    turns = itertools.islice(itertools.cycle(mixed), spec.max_steps * spec.accumulate * spec.workers)
    return [i for of_game in turns for i in itertools.islice(of_game, spec.batch)]


def _card(facts: dict[str, Any]) -> str:
    """Returns the model card."""
    recipe = facts["recipe"]
    return "\n".join([
        "---", f"base_model: {recipe['model']}", "---", f"# {recipe['name']}", "",
        f"Trained by `gwray train` on recorded play; {'an adapter, merged' if recipe['lora'] else 'all weights'}.", "",
        f"- data hash: {facts['data_hash']}", f"- weights hash: {facts['weights_hash']}",
        f"- runs: {', '.join(facts['runs'])}",
        *(f"- {k}: {facts[k]}" for k in ("steps", "first_loss", "last_loss", "tokens", "tokens_per_s", "device")), "",
        "Results on these are seen, all others unseen:", "",
        *(f"- {kind}: {', '.join(map(str, values))}" for kind, values in facts["trained_on"].items()), "",
        "```json", json.dumps(recipe, indent=1), "```", "",
    ])  # fmt: skip


def read_training(name: str, words: Sequence[str] = ()) -> TrainingSpec:
    """Returns the recipe `conf/training/NAME.yaml` with settings such as `model=runs/base` or `lora.r=8`.

    Raises:
        UsageError: the recipe or a setting is unknown, or a value is not allowed.
    """
    files = conf_files("training")
    if name not in files:
        raise choose("training", name, sorted(files), "Each is a file in conf/training/.")
    given: dict[str, Any] = yaml12.load(files[name].read_text(encoding="utf-8"))
    try:
        for word in words:
            setting, sign, value = word.partition("=")
            *groups, last = setting.split(".")
            if not sign or setting.split(".")[0] not in TrainingSpec.model_fields:
                raise choose("setting", setting, list(TrainingSpec.model_fields), "Write NAME=VALUE, such as epochs=2.")
            inside = given
            for group in groups:
                inside[group] = inside = dict(old) if isinstance(old := inside.get(group), dict) else {}
            inside[last] = yaml12.load(value)
        return TrainingSpec.model_validate(given)
    except YAMLError as e:
        raise UsageError(f"training '{name}': a value is no YAML: {e}") from e
    except ValidationError as e:
        wrong = "; ".join(f"{'.'.join(map(str, p['loc']))} '{p['input']}': {p['msg']}" for p in e.errors())
        raise UsageError(f"training '{name}': {wrong}. Correct the value, or leave it out.") from e
