"""The page on which people label episodes: one HTML file with what a judge of labels is shown of each, without its
verdict and without the model's name. It saves the labels as the run's `annotations.csv`."""

import base64
import csv
import hashlib
import json
from collections.abc import Collection
from io import StringIO

from gwray.catalog import Game, load_catalog
from gwray.judges import JudgeSpec, describe_steps, judged_screens
from gwray.pages import safe_text
from gwray.pages.rendering import asset, render
from gwray.store import RunDir
from gwray.verification import episode_specs


def annotation_page(run: RunDir, judge: JudgeSpec, keys: Collection[str]) -> str:
    """Returns the page as HTML.

    Args:
        run: has the episodes, and an `annotations.csv` with a row for each.
        judge: a judge of kind `labels`, whose labels and material the page offers.
        keys: episodes to label, in the order of the page.
    """
    rows = list(csv.DictReader(StringIO(run.read_annotations(), newline=""), restval=""))
    data = {
        "name": f"{run.id} {judge.name}", "column": judge.name,
        "columns": list(rows[0]) if rows else [], "rows": rows,
    }  # fmt: skip
    theme, js = asset("theme.js").decode(), asset("annotate.js", "gwray.plugins.annotation").decode()
    return render(
        "gwray.plugins.annotation", "annotate", title=f"Label episodes: {judge.name}", root="", pages=(),
        policy=_policy(theme, js), column=judge.name, labels=judge.labels, episodes=_episodes(run, judge, keys),
        rows=json.dumps(data).replace("<", "\\u003c"),
        inline={"css": asset("style.css").decode(), "theme": theme, "js": js},
    )  # fmt: skip


def _episodes(run: RunDir, judge: JudgeSpec, keys: Collection[str]) -> list[dict[str, object]]:
    library, specs = load_catalog(run.libraries), episode_specs(run)
    return [_episode(run, judge, key, library.game(specs[key].game), specs[key].task) for key in keys]


def _episode(run: RunDir, judge: JudgeSpec, key: str, game: Game, task_id: str) -> dict[str, object]:
    task = game.task(task_id)
    rows = run.read_steps(key, images=False)
    screens = judged_screens(run, key, rows, judge.pictures) if "pictures" in judge.sees else ()
    return {
        "key": key,
        "title": safe_text(f"{game.title} ({task.id})", 80),
        "instruction": safe_text(" ".join(task.instruction.split())),
        "lines": [safe_text(line) for line in describe_steps(rows, judge, task)],
        "screens": [(caption.rstrip(":"), _data_uri(data, mime)) for caption, data, mime in screens],
    }


def _data_uri(data: bytes, mime: str) -> str:
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def _policy(*scripts: str) -> str:
    """Returns the content security policy of a self-contained HTML file in which only these inline scripts may run."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
