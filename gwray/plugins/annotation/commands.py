"""The command `gwray annotate`."""

from pathlib import Path
from typing import Annotated

import typer

from gwray.cli.options import Libraries, Run, console, open_run
from gwray.errors import UsageError


def annotate(
    run: Run,
    judge: Annotated[str, typer.Option("--judge", help="A judge that has judged the run, such as failure.")],
    sample: Annotated[int, typer.Option("--sample", min=1, help="Episodes of each model.")] = 20,
    library: Libraries = None,
) -> None:
    """Choose judged episodes for people to label, and make the page on which they do.

    Adds rows without labels to annotations.csv; `gwray judge` then prints how judge and people agree.

    Example: gwray annotate runs/demo --judge failure --sample 20
    """
    from gwray.judges import read_recorded_judge
    from gwray.places import complete_file
    from gwray.plugins.annotation.page import annotation_page
    from gwray.plugins.annotation.sampling import sample_episodes, with_rows

    opened = open_run(run, library)
    if judge not in opened.judges():
        raise UsageError(
            f"judge '{judge}' has not judged {opened.url}; first: gwray judge {opened.url} --judge {judge}"
        )
    found = read_recorded_judge(opened, judge)
    records = {r.key: r for r in opened.results()}
    labels = {j.key: j.labels for j in opened.judgements(judge)}
    keys = sample_episodes(labels, {key: r.model for key, r in records.items()}, sample)
    facts = {key: {"task": records[key].task} for key in keys}
    opened.write_annotations(with_rows(opened.read_annotations(), judge, keys, facts))
    how = f"watch them with `gwray view {opened.url}`"
    if found.labels and keys:
        page = (opened.local_path or Path()) / f"annotate-{judge}.html"
        with complete_file(page) as part:
            part.write_text(annotation_page(opened, found, keys), encoding="utf-8")
        how = f"open {page}, and put the file that it saves in the place of that one"
    console.print(
        f"{len(keys)} episodes to label in {opened.url}/annotations.csv, column '{judge}': {how}. `gwray judge` then "
        "prints Micro-F1 and Jaccard.",
        soft_wrap=True, markup=False,
    )  # fmt: skip
