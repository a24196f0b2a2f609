"""Makes a dataset of runs: select, rebuild, paraphrase, filter, split, write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gwray.catalog import load_catalog
from gwray.errors import UsageError
from gwray.plugins.training.folder import FACTS, write_dataset
from gwray.plugins.training.paraphrases import paraphrase
from gwray.plugins.training.samples import DatasetJob, Label, Sample, message_lists, replay_order
from gwray.plugins.training.selection import (
    COLLECT,
    KEEP,
    MAX_TOKENS,
    Split,
    augmented,
    is_test,
    refuse_held_out,
    select_episodes,
    within_tokens,
)
from gwray.settings import ModelSpec
from gwray.store import RunDir
from gwray.verification import ReplayExecutor, episode_specs, refuse_other_protocol, replay_all


async def make_dataset(
    runs: Sequence[RunDir],
    folder: Path,
    make_executor: Callable[[], ReplayExecutor],
    *,
    label: Label = "player",
    keep: int = KEEP,
    paraphrases: int = 0,
    paraphrase_model: ModelSpec | None = None,
    tokenizer: str = "",
    max_tokens: int = MAX_TOKENS,
    split: Split = "seed",
    held_out: Mapping[str, Sequence[str]] | None = None,
    on_rebuilt: Callable[[Any], None] | None = None,
) -> dict[str, Any]:
    """Writes a dataset of the finished episodes of runs. Returns its facts.

    Args:
        runs: played runs; all their episodes must replay.
        folder: where to write; the log of paraphrases there is reused.
        make_executor: returns where a run's replays happen.
        label: see `rebuild`.
        keep: decisions per game, see `select_episodes`.
        paraphrases: copies per sample with another wording of the system prompt, by `paraphrase_model`.
        tokenizer: path or name; samples with `max_tokens` tokens or more are dropped. Empty: none is dropped.
        split: what the test part differs in.
        held_out: kind of group → values that no sample may have.

    Raises:
        UsageError: held-out data is in the runs, `folder` has a dataset, or an episode does not replay.
    """
    if (folder / FACTS).exists():
        raise UsageError(f"'{folder}' holds a dataset already; remove it, or name another folder with -o")
    if paraphrases and not paraphrase_model:
        raise UsageError("--paraphrases needs a model that writes them: --paraphrase-model NAME")
    count_tokens = token_counter(tokenizer) if tokenizer else None
    runs = list({run.url: run for run in runs}.values())
    found = [(run, record) for run in runs for record in run.results()]
    records = [record for _, record in found]
    if not records:
        raise UsageError("the runs have no finished episode; play first, or name other runs")
    for run in runs:
        refuse_other_protocol(run.manifest())
    library = load_catalog(tuple(dict.fromkeys(folder for run in runs for folder in run.libraries)))
    refuse_held_out(records, held_out or {}, library)
    selected, audits = select_episodes(records, keep)
    if all(is_test(r.game, r.task, r.seed, split, library) for r in selected):
        raise UsageError(f"--split {split} leaves no episode for training; give runs of more seeds, or another --split")
    chosen = {id(record) for record in selected}  # runs of the same plan have the same keys
    samples: list[Sample] = []
    for run in runs:
        keys = {record.key for its, record in found if its is run and id(record) in chosen}
        specs = episode_specs(run)
        job = DatasetJob(run.url, label, tuple(map(str, library.extra)))
        for made in await replay_all(job, [specs[k] for k in sorted(keys)], make_executor(), on_rebuilt):
            samples += made
    for sample in (samples := replay_order(samples)):
        audits[sample.game].samples += 1
    if paraphrases and paraphrase_model:
        texts = await paraphrase((s.system for s in samples), paraphrases, paraphrase_model, folder)
        samples = augmented(samples, texts)
        for audit in audits.values():
            audit.copies = 1 + paraphrases
    if count_tokens:
        samples = within_tokens(samples, audits, count_tokens, max_tokens)
    parts: dict[str, list[Sample]] = {"train": [], "test": []}
    for sample in samples:
        parts["test" if is_test(sample.game, sample.task, sample.seed, split, library) else "train"].append(sample)
    facts = {
        "runs": [run.id for run in runs], "label": label, "keep": keep, "paraphrases": paraphrases,
        "paraphrase_model": paraphrase_model.name if paraphrase_model and paraphrases else "",
        "tokenizer": tokenizer, "max_tokens": max_tokens if tokenizer else 0, "split": split,
        "held_out": {kind: list(values) for kind, values in (held_out or {}).items()},
        "fewer_decisions_than_published": [game for game, audit in audits.items() if audit.collected <= COLLECT],
    }  # fmt: skip
    return write_dataset(folder, parts, audits, facts)


def token_counter(name: str) -> Callable[[Sample], int]:
    """Returns a counter of a sample's tokens. Raises `UsageError` if transformers or the tokenizer is missing."""
    try:
        from transformers import AutoTokenizer  # pyright: ignore[reportMissingImports]
    except ImportError as e:
        raise UsageError("--tokenizer needs transformers: make setup-train, then .venv-train/bin/gwray") from e
    try:
        loaded = AutoTokenizer.from_pretrained(name)
    except (OSError, ValueError) as e:
        raise UsageError(f"--tokenizer '{name}' cannot be loaded: {e}") from e
    if not loaded.chat_template:
        raise UsageError(f"--tokenizer '{name}' has no chat template; name the tokenizer of a chat model")

    def count(sample: Sample) -> int:
        if any(isinstance(p, bytes) for p in sample.parts):
            raise UsageError("--tokenizer counts text alone; leave it out for play with screenshots")
        lists = message_lists(sample, images=False)
        text = loaded.apply_chat_template([*lists["prompt"], *lists["completion"]], tokenize=False)
        return len(loaded(text, add_special_tokens=False)["input_ids"])

    return count
