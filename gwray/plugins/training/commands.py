"""`gwray dataset` and `gwray train`: training data from runs, and a model from the data."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from gwray.cli.options import Address, ExecutorName, Json, Libraries, ReplayLanes, console, open_run, split_words
from gwray.cli.replaying import replaying
from gwray.cli.signals import run_to_end
from gwray.errors import UsageError, choose


def dataset(
    runs: Annotated[list[str], typer.Argument(help="Run directories: paths or fsspec URLs.")],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder to write.")],
    label: Annotated[str, typer.Option(help="player: the recorded replies; expert: the scripted player's.")] = "player",
    keep: Annotated[int, typer.Option(min=0, help="Best trajectories until over this many decisions a game.")] = 300,
    paraphrases: Annotated[int, typer.Option(min=0, help="Copies with a paraphrased system prompt.")] = 0,
    paraphrase_model: Annotated[str, typer.Option(help="Model profile that paraphrases.")] = "",
    tokenizer: Annotated[str, typer.Option(help="Tokenizer whose count drops long samples; none: drop none.")] = "",
    max_tokens: Annotated[int, typer.Option(min=1, help="Samples have fewer tokens than this.")] = 4096,
    split: Annotated[str, typer.Option(help="What the test part differs in: seed, scenario, level or game.")] = "seed",
    hold_out: Annotated[list[str] | None, typer.Option(help="KIND=VALUE that no sample has: game=01_2048.")] = None,
    lanes: ReplayLanes = None,
    executor: ExecutorName = "auto",
    address: Address = None,
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """Make a training dataset of runs: one row per question of an agent and its answer.

    Each question is rebuilt by replay and compared with its hash in the reply log. The folder loads with
    `datasets.load_dataset` in TRL's chat form, images included; README.md is its data card.

    Example: gwray dataset runs/collect -o data/collect --split scenario --hold-out game=01_2048
    """
    from gwray.catalog import read_model
    from gwray.cli.executors import make_replays
    from gwray.cli.terminal import print_json
    from gwray.plugins.training.making import make_dataset
    from gwray.plugins.training.selection import SPLITS

    for option, value, allowed in (("--label", label, ("player", "expert")), ("--split", split, SPLITS)):
        if value not in allowed:
            raise choose(option, value, allowed)
    held_out: dict[str, list[str]] = {}
    for one in split_words(hold_out) if hold_out else ():
        kind, equals, value = one.partition("=")
        if not equals or (kind == "seed" and not value.isdecimal()):
            raise UsageError(f"--hold-out '{one}' is not KIND=VALUE; for example game=01_2048 or seed=7")
        held_out.setdefault(kind, []).append(str(int(value)) if kind == "seed" else value)
    with replaying("replaying", None) as bar:
        facts = run_to_end(
            make_dataset(
                [open_run(run, library) for run in runs],
                out,
                lambda: make_replays(executor, address, lanes),
                label=cast(Any, label), keep=keep, paraphrases=paraphrases, tokenizer=tokenizer, max_tokens=max_tokens,
                paraphrase_model=read_model(paraphrase_model) if paraphrase_model else None, split=cast(Any, split),
                held_out=held_out, on_rebuilt=bar.advance,
            )
        )  # fmt: skip
    if as_json:
        print_json(facts)
        return
    counts = ", ".join(f"{count} {part}" for part, count in facts["samples"].items())
    console.print(f"{out}: {counts} samples of {len(facts['audit'])} games, data hash {facts['data_hash'][:12]}")
    if few := facts["fewer_decisions_than_published"]:
        console.print(f"note: at most 1000 decisions were collected of {', '.join(few)}; the publication has more")


def train(
    training: Annotated[str, typer.Argument(help="Recipe: a file in conf/training/.")],
    data: Annotated[Path, typer.Argument(help="Folder that gwray dataset wrote.")],
    settings: Annotated[list[str] | None, typer.Argument(help="Settings of the recipe: NAME=VALUE.")] = None,
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder of weights and checkpoints.")] = Path("runs/model"),
    as_json: Json = False,
) -> None:
    """Fine-tune a model on a dataset, with TRL; several workers by Ray Train.

    The same command resumes an interrupted training at its last checkpoint. The folder has the weights (or a LoRA
    adapter), training/training.json and a model card with the data's hash. Needs make setup-train.

    Example: gwray train orak data/collect model=meta-llama/Llama-3.2-3B-Instruct -o models/orak-3b
    """
    from gwray.cli.terminal import print_json
    from gwray.plugins.training.sft import read_training
    from gwray.plugins.training.sft import train as fine_tune

    made = fine_tune(read_training(training, settings or ()), data, out, lambda line: console.print(line, markup=False))
    if as_json:
        print_json(made)
        return
    console.print(
        f"{out}: loss {made['first_loss']:.3f} to {made['last_loss']:.3f} in {made['steps']} steps, "
        f"{made['tokens_per_s']} tokens/s, weights hash {made['weights_hash'][:12]}"
    )
