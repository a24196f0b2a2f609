"""`scripts/browser.py` on machines that have nothing: what it asks of apt and Playwright, with stand-ins for both."""

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


class Slim:
    """A machine on which nothing is installed that its distribution does not need."""

    def __init__(self, known: set[str]):
        self.known = known | {"libatomic1", "fonts-dejavu-core"}
        """What apt can install."""
        self.has: set[str] = set()

    def works(self):
        browser = "chromium-headless-shell" in self.has or {"downloaded", "its libraries"} <= self.has
        return None if browser and "libatomic1" in self.has else "no browser"

    def run(self, command, **_):
        if "playwright" in command:
            wanted = {"downloaded", "its libraries"} if "--with-deps" in command else {"downloaded"}
            good = "libatomic1" in self.has  # its program is linked with it
        else:
            wanted = {word for word in command[2:] if not word.startswith("-")}
            good = wanted <= self.known
        self.has |= wanted if good else set()
        return SimpleNamespace(returncode=0 if good else 1, stdout="", stderr="no")


@pytest.mark.parametrize(
    "machine", [Slim({"chromium-headless-shell", "chromium"}), Slim(set())], ids=["Debian", "Ubuntu"]
)
def test_a_slim_machine_gets_a_browser_and_the_libraries_that_it_needs(script, monkeypatch, machine):
    monkeypatch.setattr(script, "works", machine.works)
    monkeypatch.setattr(script.subprocess, "run", machine.run)
    assert script.main() == 0
    assert ("downloaded" in machine.has) == ("chromium-headless-shell" not in machine.has), "one of them"
