"""Errors while gwray itself is imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("command", [["-m", "gwray", "games"], ["launch.py", "dry_run=true"]])
def test_shadowing_module_on_pythonpath_is_named(command, tmp_path):
    (tmp_path / "typer.py").write_text("")
    (tmp_path / "hydra.py").write_text("")
    env = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run([sys.executable, *command], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert f"PYTHONPATH hides installed modules by {tmp_path}" in done.stderr
