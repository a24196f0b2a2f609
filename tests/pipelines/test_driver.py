"""What drives a sweep costs little of the processor and hardly grows with it; `bench/driver.py` measures more of it."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "driver.py"


@pytest.mark.slow
@pytest.mark.whole
def test_driver_handles_twenty_thousand_episodes():
    ended = subprocess.run([sys.executable, BENCH, "--episodes", "20000"], capture_output=True, text=True, timeout=800)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "20,400 episodes" in ended.stdout
