"""The driver of a sweep needs little processor time and memory, and an actor needs no more memory after
many episodes; `bench/driver.py` and `bench/memory.py` measure more of it."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.mark.slow
@pytest.mark.whole
def test_driver_handles_twenty_thousand_episodes():
    ended = subprocess.run(
        [sys.executable, BENCH / "driver.py", "--episodes", "20000"], capture_output=True, text=True, timeout=800
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "20,400 episodes" in ended.stdout


@pytest.mark.slow
@pytest.mark.whole
@pytest.mark.timeout(900)
def test_sixty_episodes_of_one_browser_are_equal_and_need_no_more_memory():
    """States and screenshots of the last episode are those of the first."""
    words = [sys.executable, BENCH / "memory.py", "--lanes", "4", "--episodes", "60", "--hold", "5"]
    words += ["--limit", "1000"]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=800)
    assert ended.returncode == 0, ended.stdout + ended.stderr
