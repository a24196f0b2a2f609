"""Runs every command that README and docs show in a block, as printed and in order.

Commands that host models or sweep for hours get `dry_run=true`, the others run as they are; those in `NOT_HERE` need
what a test machine does not have. A new command is run without another line here, or fails.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import gwray

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [ROOT / "games" / "kit" / "README.md"]
NOT_HERE = {
    "make demo": "sets a machine up and plays for minutes; the acceptance run does it",
    "make learn": "sets three environments up and trains for minutes; test-train does it with one game",
    "make test": "runs all tests, this one among them",
    "make setup-vllm": "installs 4 GB; test-vllm does it",
    "sudo scripts/cluster.sh": "makes network namespaces and plays for minutes; bench/README.md has what it printed",
    "sbatch --nodes": "needs a Slurm cluster; test_deploy_files runs the script without one",
    "mmdebstrap": "downloads a Debian",
    "podman": "needs the image, or the Debian",
    "buildah": "downloads half a gigabyte",
    "git clone": "needs the repository's address",
    "python3.11 -m venv": "sets a machine up; the wheel's test does the like",
    ".venv/bin/pip install": "installs vLLM for GPUs",
    ".venv/bin/python scripts/browser.py": "installs a browser; make setup does it",
    "gwray workspace runs/my-sweep": "needs a W&B server; test_workspace gives it one",
    ".venv/bin/hf download": "17 GB from a model hub",
    ".venv/bin/gwray view runs/one": "serves pages until it is stopped; the tests of gwray view do",
    "gwray onboard downloads/meadow": "needs a page of yours; the tests of gwray onboard have some",
    ".venv-train/bin/gwray train": "needs the training environment; test-train trains",
    "gwray dev signatures find": "searches memory for minutes; tests/signatures find the same signature",
    "gwray openenv": "serves until it is stopped; the test of gwray openenv does",
    ".venv-vllm/bin/python": "needs the CPU engine; test-vllm plays with it",
}
"""The beginning of a command, and why it is not run."""
PROGRAMS = {
    ".venv/bin/python": [sys.executable], "python": [sys.executable],
    ".venv/bin/gwray": [sys.executable, "-m", "gwray"], "gwray": [sys.executable, "-m", "gwray"],
}  # fmt: skip
"""What a command may begin with, and what it is here."""


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    language: str
    text: str

    def commands(self) -> list[str]:
        """Its commands, one a line; a line may go on after a backslash."""
        joined = re.sub(r"\\\n\s*", " ", self.text)
        return [c for c in (re.sub(r"\s+# .*", "", line).strip() for line in joined.splitlines()) if c]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(*languages: str) -> Iterator[Block]:
    for page in PAGES:
        text = page.read_text()
        for found in re.finditer(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            if found[1] in languages:
                yield Block(page, text.count("\n", 0, found.start()) + 1, found[1], found[2])


SHELL = [b for b in blocks("bash", "sh", "console", "")]


def left_out(command: str) -> bool:
    return any(command.startswith(start) for start in NOT_HERE)


def split(command: str) -> tuple[dict[str, str], list[str]]:
    """Variables that are set before a command, and its words."""
    words = shlex.split(command.removeprefix("export "))
    variables = {}
    while words and re.match(r"[A-Z_]+=", words[0]):
        name, _, value = words.pop(0).partition("=")
        variables[name] = value
    return variables, words


@pytest.mark.parametrize("block", SHELL, ids=str)
def test_documented_commands_run_or_have_a_reason(block):
    for command in block.commands():
        _, words = split(command)
        known = left_out(command) or command.startswith("export ") or words[0] in PROGRAMS
        assert known, f"{block}: {command!r} begins with none of {[*PROGRAMS]}; run it here, or say why not in NOT_HERE"


def test_reasons_refer_to_documented_commands():
    shown = [command for block in SHELL for command in block.commands()]
    assert [start for start in NOT_HERE if not any(c.startswith(start) for c in shown)] == []


DONE: set[str] = set()
"""Commands that were run in the folder, which another page shows too: once is enough."""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with a small run under every name that the pages use."""
    folder = tmp_path_factory.mktemp("documented")
    settings = {"game": "13_flappy-bird", "task": 1, "executor": "inline", "tracking__mode": "disabled"}
    run = gwray.sweep(model=["random", "scripted"], name="demo", run_dir=str(folder / "runs" / "demo"), **settings)
    for name in ("first", "flappy", "my-sweep"):
        shutil.copytree(run.path, folder / "runs" / name)
    packed = [sys.executable, "-m", "gwray", "pack", "runs/demo", "-o", "theirs.gwray"]
    subprocess.run(packed, cwd=folder, check=True, capture_output=True, timeout=300)
    (folder / "conf").mkdir()  # which makes it a user's folder, with agents
    agents = {found[2]: found[1] for block in SHELL for found in re.finditer(r"_target_=(\w+)\.(\w+)", block.text)}
    for block in blocks("python"):
        if (name := re.search(r"class (\w+)\(Modular\)", block.text)) and name[1] in agents:
            (folder / f"{agents[name[1]]}.py").write_text(block.text)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("block", [b for b in SHELL if not all(map(left_out, b.commands()))], ids=str)
def test_documented_blocks_work(block, played):
    environment = os.environ | {"WANDB_MODE": "offline"}
    for command in block.commands():
        if left_out(command) or (command in DONE and not command.startswith("export ")):
            continue
        DONE.add(command)
        variables, words = split(command)
        environment |= variables
        if not words:
            continue
        program, *rest = words
        if rest[0] == "launch.py":
            rest[0] = str(ROOT / "launch.py")
            rest += ["tracking.mode=disabled"] if {"model=random", "model=noop"} & {*rest} else ["dry_run=true"]
            rest += [] if "limit.steps" in command else ["limit.steps=8"]
        done = subprocess.run(
            [*PROGRAMS[program], *rest], cwd=played, env=environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"{block}: {command}\n{done.stdout}{done.stderr}"


@pytest.mark.slow
def test_documented_python_examples_work(played, monkeypatch):
    monkeypatch.chdir(played)
    for block in blocks("python"):
        if block.page.name == "python.md":
            exec(compile(block.text, str(block), "exec"), {})
