"""Settings of all tests: reproducible examples, a sample of the slow matrices, and a record of the times by folder."""

import json
import os
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest

if find_spec("hypothesis"):  # absent in the engine's environment
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "any machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("any machine")

TESTS = Path(__file__).parent
TIMES = TESTS.parent / "build" / "test-times.json"
"""Seconds by run (`GWRAY_TEST_RUN`, set by the Makefile) and folder, kept between runs."""
MANY_CASES, SAMPLE = 6, 4
"""A slow test with more than `MANY_CASES` cases keeps every `SAMPLE`th; the others are marked `whole`."""
_seconds: dict[str, float] = defaultdict(float)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("whole"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for same_test in cases.values():
        if len(same_test) > MANY_CASES:
            for number, item in enumerate(same_test):
                if number % SAMPLE:
                    item.add_marker("whole")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    parts = Path(report.nodeid.partition("::")[0]).parts
    _seconds[parts[1] if len(parts) > 2 else "tests"] += report.duration


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    name = os.environ.get("GWRAY_TEST_RUN")
    if not name or not _seconds:
        return
    table = {folder: round(s, 1) for folder, s in sorted(_seconds.items(), key=lambda i: -i[1])}
    terminalreporter.section(f"seconds by folder ({name}, all processes together)")
    terminalreporter.write_line(", ".join(f"{folder} {s:g}" for folder, s in table.items()))
    TIMES.parent.mkdir(exist_ok=True)
    times = json.loads(TIMES.read_text()) if TIMES.exists() else {}
    TIMES.write_text(json.dumps({**times, name: table}, indent=1) + "\n")
