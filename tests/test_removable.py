"""Each study and each plug-in can be removed: what is left plays, shows, reports and verifies."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = sorted(
    f.parent.relative_to(ROOT / "gwray") for kind in ("studies", "plugins")
    for f in (ROOT / "gwray" / kind).glob("*/__init__.py")
)  # fmt: skip
HERE = "import sys; sys.meta_path = [f for f in sys.meta_path if 'editable' not in str(f).lower()]\n"
"""Code that keeps an editable installation from finding what the copy lacks."""
COMMANDS = """
from gwray.cli import main
for line in sys.stdin.read().splitlines():
    sys.argv = ["gwray", *line.split()]
    try:
        main()
    except SystemExit as e:
        if e.code:
            raise
"""
LINES = """\
--help
run game=13_flappy-bird task=1 model=random,scripted executor=inline tracking.mode=disabled run_dir=run -m
results run
report run -o site
verify run
"""


@pytest.mark.slow
@pytest.mark.own_browser
@pytest.mark.parametrize("removed", [*FOLDERS, None], ids=str)
def test_the_rest_works_without_it(removed, tmp_path):
    skip = shutil.ignore_patterns("__pycache__", *(["studies", "plugins"] if removed is None else []))
    shutil.copytree(ROOT / "gwray", tmp_path / "gwray", ignore=skip)
    if removed:
        shutil.rmtree(tmp_path / "gwray" / removed)
    for data in ("conf", "games"):
        (tmp_path / data).symlink_to(ROOT / data)
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", HERE + COMMANDS],
        cwd=tmp_path,
        env=env,
        input=LINES,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 identical" in done.stdout and (tmp_path / "site" / "index.html").exists()
    module = "gwray.plugins" if removed is None else f"gwray.{'.'.join(removed.parts)}"
    gone = subprocess.run([sys.executable, "-c", f"{HERE}import {module}"], cwd=tmp_path, env=env, capture_output=True)
    assert gone.returncode == 1 and module.encode() in gone.stderr, "the copy is what ran"
