"""Errors while gwray itself is imported."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUN = ROOT / "tests" / "fixtures" / "runs" / "scripted"
HEAVY = {
    "asyncio", "gwray.agents", "gwray.catalog", "gwray.pipelines", "gwray.report", "gwray.serving", "httpx", "hydra",
    "jinja2", "numpy", "openai", "pandas", "playwright", "plotly", "polars", "psutil", "pyarrow", "pyarrow.compute",
    "ray", "rich.progress", "scipy", "scipy.stats", "wandb",
}  # fmt: skip
"""Packages that take 0.03 s or more to import."""


@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        (["models"], ("gwray.catalog",)),
        (["games"], ("gwray.catalog",)),
        (["games", "13_flappy-bird"], ("gwray.catalog",)),
        (["tasks", "13_flappy-bird"], ("gwray.catalog",)),
        (["results", str(RUN)], ("asyncio", "gwray.catalog", "numpy", "polars", "psutil", "pyarrow", "scipy")),
    ],
)
def test_commands_import_only_what_they_need(command, allowed):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "gwray", *command], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0 and (command[:-1] != ["games"] or "1 game" in done.stdout.splitlines()[0])
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}
    assert imported & HEAVY <= {*allowed}
