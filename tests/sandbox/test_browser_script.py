"""`scripts/browser.py` on slim machines, with stand-ins for apt and Playwright."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "browser.py"


@pytest.fixture
def script(monkeypatch):
    spec = importlib.util.spec_from_file_location("browser_script", SCRIPT)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delenv("GWRAY_BROWSER", raising=False)
    monkeypatch.setattr(module.os, "geteuid", lambda: 0)
    monkeypatch.setattr(module.shutil, "which", lambda name: f"/usr/bin/{name}")
    return module


class SlimMachine:
    """A machine on which nothing is installed that its distribution does not need."""

    def __init__(self, known: set[str]):
        self.known = known | {"libatomic1", "fonts-dejavu-core"} if known is not OFFLINE else known
        """Packages that apt can install."""
        self.has: set[str] = set()

    def problem(self):
        browser = "chromium-headless-shell" in self.has or {"downloaded", "its libraries"} <= self.has
        return None if browser and "libatomic1" in self.has else "no browser"

    def missing(self):
        return None if "libatomic1" in self.has else "libatomic.so.1"

    def run(self, command, **_):
        if "update" in command:
            wanted, good = set(), self.known is not OFFLINE
        elif "playwright" in command:
            wanted = {"downloaded", "its libraries"} if "--with-deps" in command else {"downloaded"}
            good = "libatomic1" in self.has  # the driver is linked against it
        else:
            wanted = {word for word in command[2:] if not word.startswith("-")}
            good = wanted <= self.known
        self.has |= wanted if good else set()
        return SimpleNamespace(returncode=0 if good else 1, stdout="", stderr="no")


OFFLINE: set[str] = set()
DEBIAN, UBUNTU = {"chromium-headless-shell", "chromium"}, {"libatomic1"}


@pytest.fixture
def machine(script, monkeypatch, request):
    slim = SlimMachine(request.param)
    monkeypatch.setattr(script, "browser_problem", slim.problem)
    monkeypatch.setattr(script, "missing_libraries", slim.missing)
    monkeypatch.setattr(script.subprocess, "run", slim.run)
    return slim


@pytest.mark.parametrize("machine", [DEBIAN, UBUNTU], ids=["debian", "ubuntu"], indirect=True)
def test_slim_machine_gets_browser_and_its_libraries(script, machine):
    assert script.main() == 0
    assert ("downloaded" in machine.has) == ("chromium-headless-shell" not in machine.has), "one of them"


@pytest.mark.parametrize("machine", [OFFLINE], indirect=True)
def test_unreachable_mirror_is_reported(script, machine, capsys):
    assert script.main() == 1
    assert "apt-get cannot reach its package mirror" in capsys.readouterr().err
