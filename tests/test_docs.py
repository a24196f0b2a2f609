"""The documentation agrees with the code."""

import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from gwray.cli import app
from gwray.cli import main as gwray
from gwray.cli.launch import main as launch

ROOT = Path(__file__).resolve().parents[1]


FOLDERS = (".ci", "bench", "conf", "deploy", "docs", "games", "gwray", "requirements", "scripts", "tests")
PAGES = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    ROOT / "bench" / "README.md",
    ROOT / "games" / "kit" / "README.md",
]
REFERENCE = runpy.run_path(str(ROOT / "scripts" / "reference.py"))["PAGES"]


@pytest.mark.parametrize("page", REFERENCE)
def test_a_reference_page_is_the_one_that_the_code_makes(page):
    assert (ROOT / "docs" / page).read_text() == REFERENCE[page]()


def test_the_page_of_faults_is_what_was_counted():
    bench = runpy.run_path(str(ROOT / "bench" / "cluster_page.py"))
    assert (ROOT / "docs" / "faults.md").read_text() == bench["page"]()
    assert {count["line"] for count in bench["counted"]()} <= {*bench["LINES"]}


def test_fault_table_counts_runs_since_the_last_bug():
    latest = runpy.run_path(str(ROOT / "bench" / "cluster_page.py"))["latest"]
    runs = [{"line": line, "run": i, "strikes": 1, "wrong": wrong} for i, (line, wrong) in enumerate(
        [("host", []), ("actor", []), ("actor", ["lost"]), ("host", []), ("actor", []), ("link", ["lost"])]
    )]  # fmt: skip
    assert {line: [r["run"] for r in some] for line, some in latest(runs).items()} == {
        "actor": [4], "host": [0, 3], "link": [5],
    }  # fmt: skip


@pytest.mark.slow
def test_the_site_is_built_with_every_link_whole_and_fetches_nothing(tmp_path):
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {page: page.read_text() for page in tmp_path.rglob("*.html")}
    assert {tmp_path / "index.html", tmp_path / "game-yaml.html", tmp_path / "games" / "13_flappy-bird.html"} <= {
        *pages
    }
    fetched = re.compile(r"<(?:script|img|link[^>]+stylesheet)[^>]+(?:src|href)=[\"']?https?:")
    assert [page for page, text in pages.items() if fetched.search(text)] == []


def command_named(words: str) -> Any:
    """Returns a command of the core or of a plug-in, by its words; the application itself without any."""
    command: Any = get_command(app)
    for word in words.split():
        command = command.get_command(None, word)
    return command


def commands() -> list[str]:
    out = []
    for name in command_named("").list_commands(None):
        inner = getattr(command_named(name), "commands", None)
        out += [f"{name} {sub}" for sub in inner] if inner else [name]
    return out


@pytest.mark.parametrize("command", commands())
def test_every_command_has_help_with_an_example(command):
    found = command_named(command)
    if getattr(found, "commands", None):
        return  # a group within a group: `gwray dev solutions`
    assert re.search(r"Example: gwray \w", found.help or ""), f"gwray {command} shows no example"
    foreign = found.context_settings.get("help_option_names") == []
    assert not foreign or command == "run", f"the help of gwray {command} is another program's"


def test_the_readme_names_only_commands_that_exist():
    named = set(re.findall(r"`gwray (\w+)", (ROOT / "README.md").read_text()))
    assert named <= {c.split()[0] for c in commands()}


PATH = re.compile(rf"(?<![\w/.~<-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w.*/-]*[\w*]")
"""A path in the repository, as pages print it: from the root, not part of a longer path or an address."""
YOURS = re.compile(r"[A-Z]{4,}|\bmy-|games/mine/|/(?:reminded|lately|tempo)\.yaml|^gwray/13_flappy-bird$")
"""Files that the reader writes in an example, and the name of a Gymnasium environment."""


def missing_paths(page: Path, text: str) -> list[str]:
    """Returns the paths that a page names, from the root or from its own folder, that do not exist."""
    named = {path for path in PATH.findall(text) if not YOURS.search(path)}
    return sorted(path for path in named if not any(any(base.glob(path)) for base in (ROOT, page.parent)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_name_only_files_that_exist(page):
    assert missing_paths(page, page.read_text()) == []


def test_moved_module_is_missing():
    text = "`gwray/spec.py`, `gwray/settings/cell.py`, [commands](docs/commands.md), conf/model/*.yaml, a/docs/x.md"
    assert missing_paths(ROOT / "README.md", text) == ["docs/commands.md", "gwray/spec.py"]


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("gwray verify", 2, "Missing"),
        ("gwray nonsense", 2, "No such command 'nonsense'"),
        ("gwray verify runs/x --lane 2", 2, "--lanes"),
        ("gwray serve tiny-vl --port 70000", 2, "Invalid value for '--port'"),
        ("gwray results /nonexistent", 2, "does not exist. Runs in"),
        ("gwray tasks 13_flapy", 2, "Did you mean"),
        ("launch.py modle=x", 2, "Did you mean model"),
        ("launch.py model=nobody", 2, "model 'nobody' does not exist"),
        ("launch.py game=13_flappy-bird repeats=0", 2, "repeats '0'"),
        ("launch.py --help", 0, "gwray run -m"),
    ],
)
def test_wrong_use_ends_with_two_and_says_what_is_allowed(command, code, words, monkeypatch, capsys):
    program, *arguments = command.split()
    monkeypatch.setattr(sys, "argv", [program, *arguments])
    with pytest.raises(SystemExit) as ended:
        {"gwray": gwray, "launch.py": launch}[program]()
        sys.exit(0)  # --help of launch.py just returns
    said = "".join(capsys.readouterr())
    assert (ended.value.code or 0) == code, said
    assert words in said and "Traceback" not in said


@pytest.mark.parametrize("program", [["-m", "gwray", "nonsense"], ["launch.py", "modle=x"]])
def test_as_a_program_too(program):
    done = subprocess.run([sys.executable, *program], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2 and done.stderr and not done.stdout
