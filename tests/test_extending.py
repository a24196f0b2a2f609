"""`docs/extending.md` is enough to extend gwray from outside: its package is built as printed, installed, and used."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text()
MODEL = "name: upward\nprovider: upward\nmodel_id: upward\ninterfaces: [semantic]\nsemantic_format: json\nbase_url: http://127.0.0.1:9\n"
JUDGE = "kind: length\nquestion: Was it long?\nlabels: {long: many steps}\n"


def block(language: str, first: str) -> str:
    """The fenced block that begins with these words."""
    (found,) = re.findall(rf"```{language}\n({re.escape(first)}.*?)```", PAGE, re.DOTALL)
    return found


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A folder with the page's package, installed, and its game, model and judge."""
    folder = tmp_path_factory.mktemp("lab")
    modules = re.findall(r"```python\n# (lab/\w+\.py)\n(.*?)```", PAGE, re.DOTALL)
    files = dict(modules) | {
        "games/mine/library.yaml": "id: mine\ntitle: Mine\n",
        "games/mine/counter/game.yaml": block("yaml", "# games/mine/counter/game.yaml"),
        "conf/model/upward.yaml": MODEL,
        "conf/judge/length.yaml": JUDGE,
    }
    groups = tomllib.loads(block("toml", "[project]"))["project"]["entry-points"]
    lines = (f"[{g}]\n" + "".join(f"{n} = {v}\n" for n, v in names.items()) for g, names in groups.items())
    files |= {
        "lab-1.0.dist-info/entry_points.txt": "".join(lines),
        "lab-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: lab\nVersion: 1.0\n",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    hooks = set(re.findall(r'"(gwray\.\w+)"', (ROOT / "pyproject.toml").read_text()))
    assert hooks <= {*groups}, "the page shows every hook that gwray's own plug-ins use"
    return folder


def gwray(lab: Path, *words: str) -> str:
    env = os.environ | {"PYTHONPATH": f"{lab}:{ROOT}", "COLUMNS": "200"}
    done = subprocess.run([sys.executable, "-m", "gwray", *words], cwd=lab, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_each_hook_of_the_page_works_from_another_package(lab):
    words = "game=mine:counter model=upward agent.name=patient metrics=[calm] executor=inline run_dir=runs/one"
    gwray(lab, "run", *words.split(), "check_endpoints=false")
    record = json.loads((lab / "runs" / "one" / "results.jsonl").read_text())
    assert record["success"] and record["metrics"]["calm.share"] == 0
    assert gwray(lab, "count", "runs/one") == "1 episodes, 1 solved\n" and "Counts the episodes" in gwray(lab, "--help")
    assert "1 identical" in gwray(
        lab, "verify", "runs/one", *(w for n in ("counter", "patient", "calm") for w in ("--trust", n))
    )
    (judged,) = json.loads(gwray(lab, "judge", "runs/one", "--judge", "length", "judge.model=scripted", "--json"))[
        "judgements"
    ]
    assert judged["labels"] == []
    gwray(lab, "report", "runs/one", "-o", "site")
    page = (lab / "site" / "index.html").read_text()
    assert "sizes-table" in page


@pytest.mark.slow
def test_agreement_and_interpreter_are_found_by_name(lab):
    code = """
import asyncio
from importlib.metadata import entry_points
from gwray.report.failures import PUBLISHED_AGREEMENTS
assert PUBLISHED_AGREEMENTS.get("lab")().judge == "our judge (published)"
(run,) = (e.load() for e in entry_points(group="gwray.interpreters") if e.dist.name == "lab")
async def call(name, args):
    print(name)
assert asyncio.run(run("", "up down", (), call)).problem == ""
"""
    env = os.environ | {"PYTHONPATH": f"{lab}:{ROOT}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["up", "down"]
