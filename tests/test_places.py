"""The user's folder, and the contents of the wheel."""

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from gwray.catalog import load_catalog, read_model
from gwray.cli import main as gwray
from gwray.errors import UsageError
from gwray.places import CONF, GAMES, home
from gwray.serving import read_deployment
from gwray.store import RunDir

ROOT = Path(__file__).resolve().parents[1]
MODEL = "name: mine\nprovider: scripted\n"
AGENT = "name: calm\n_target_: calm_agent.Calm\n"
CALM = """
class Calm:
    calls_per_decision = 1
    def __init__(self, context, spec):
        self.context = context
    async def act(self, seen, ask):
        (reply,) = await ask(self.context.action_prompt(seen))
        return self.context.decide(reply)
"""

OBSERVATION = "views: [front]\ntext: true\nformat: png\n"
NUDGE = "when: every\ncount: 2\nsay: Mind the gap.\nforce: [flap]\n"
JUDGE = """
kind: labels
of: all
model: scripted
sees: [replies]
labels: {bold: it flew, shy: it waited}
question: |
  # Your Part Now
  You are a judge: say what it was.
  {% for label, meaning in labels.items() %}
  - {{ label }}: {{ meaning }}
  {% endfor %}
"""
INSTALLED = """
[gwray.agents]
hasty = calm_agent:Calm
[gwray.metrics]
flaps = their_metrics:flaps
"""
METRIC = """
def flaps(steps, record, task):
    return {"made": float(sum(row.control == "flap" for row in steps))}
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A user folder with a model, an agent with its code, and a game; it is the working directory."""
    for group, name, text in (("model", "mine", MODEL), ("agent", "calm", AGENT)):
        (tmp_path / "conf" / group).mkdir(parents=True)
        (tmp_path / "conf" / group / f"{name}.yaml").write_text(text)
    (tmp_path / "calm_agent.py").write_text(CALM)
    game = tmp_path / "games" / "attic" / "90_gap"
    shutil.copytree(GAMES / "gameworld" / "13_flappy-bird", game)
    described = (game / "game.yaml").read_text()
    (game / "game.yaml").write_text(described.replace("13_flappy-bird", "90_gap").replace('"13_', '"90_'))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def called(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["gwray", *words])
    with pytest.raises(SystemExit) as ended:
        gwray()
    return ended.value.code or 0, "".join(capsys.readouterr())


def test_working_directory_with_conf_is_the_user_folder(own):
    assert home() == own
    assert read_model("mine").provider == "scripted" and read_model("random")
    assert "90_gap" in load_catalog().games and "13_flappy-bird" in load_catalog().games


def test_gwray_home_names_the_user_folder(own, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert home() is None
    monkeypatch.setenv("GWRAY_HOME", str(own))
    assert home() == own and read_model("mine")


def test_missing_gwray_home_is_refused(monkeypatch):
    monkeypatch.setenv("GWRAY_HOME", "/nowhere/at/all")
    with pytest.raises(UsageError, match=r"GWRAY_HOME is '/nowhere/at/all', which is not a folder"):
        home()


def test_conf_of_another_program_is_ignored(own, monkeypatch):
    (own / "conf" / "config.yaml").write_text("model: resnet\n")
    assert home() is None
    monkeypatch.setenv("GWRAY_HOME", str(own))
    with pytest.raises(UsageError, match=r"config\.yaml would replace gwray's own.*conf/experiment"):
        home()


def test_user_files_take_precedence(own):
    (own / "conf" / "deployment").mkdir()
    ours = (CONF / "deployment" / "tiny-vl.yaml").read_text()
    (own / "conf" / "deployment" / "tiny-vl.yaml").write_text(ours.replace("max_model_len: ", "max_model_len: 1"))
    assert read_deployment("tiny-vl").max_model_len > 10_000


def test_run_plays_user_models_agents_and_games(own, monkeypatch, capsys):
    words = ["model=mine", "agent=calm", "game=90_gap", "task=1", "executor=inline", "tracking.mode=disabled"]
    code, output = called(monkeypatch, capsys, "run", *words, "run_dir=run")
    assert code == 0, output
    (record,) = RunDir.open("run").results()
    assert (record.task, record.model, record.success) == ("90_01", "mine", True)
    assert record.agent.startswith("calm_agent.Calm")
    assert RunDir.open("run").manifest().command.startswith("gwray run model=mine agent=calm")


@pytest.mark.slow
def test_user_observations_nudges_and_judges(own, monkeypatch, capsys):
    for group, text in (("observation", OBSERVATION), ("nudge", NUDGE), ("judge", JUDGE)):
        (own / "conf" / group).mkdir(parents=True)
        (own / "conf" / group / "mine.yaml").write_text(text)
    words = ["observation=mine", "nudge=mine", "model=noop", "game=90_gap", "task=1", "executor=inline"]
    code, output = called(monkeypatch, capsys, "run", *words, "tracking.mode=disabled", "run_dir=run")
    assert code == 0, output
    run = RunDir.open("run")
    (record,) = run.results()
    rows = run.read_steps(record.key)
    assert any(r.screenshot and r.screenshot.startswith(b"\x89PNG") for r in rows)
    assert any(r.forced and r.control == "flap" for r in rows) and any("Mind the gap." in r.notes for r in rows)
    code, output = called(monkeypatch, capsys, "judge", "run", "--judge", "mine")
    assert code == 0 and [j.key for j in run.judgements("mine")] == [record.key], output
    code, output = called(monkeypatch, capsys, "verify", "run", "--stored")
    assert code == 0, output


@pytest.mark.slow
def test_entry_points_add_agents_and_metrics(own, monkeypatch, capsys):
    (own / "their_metrics.py").write_text(METRIC)
    packed = own / "their_package-1.0.dist-info"
    packed.mkdir()
    (packed / "METADATA").write_text("Metadata-Version: 2.1\nName: their-package\nVersion: 1.0\n")
    (packed / "entry_points.txt").write_text(INSTALLED)
    monkeypatch.syspath_prepend(str(own))
    words = ["agent.name=hasty", "metrics=[flaps]", "model=mine", "game=90_gap", "task=1", "executor=inline"]
    code, output = called(monkeypatch, capsys, "run", *words, "tracking.mode=disabled", "run_dir=run")
    assert code == 0, output
    (record,) = RunDir.open("run").results()
    assert record.agent == "hasty" and record.metrics["flaps.made"] > 0
    (cell,) = RunDir.open("run").manifest().cells
    assert cell.spec["code"] == {"hasty": "their-package==1.0", "flaps": "their-package==1.0"}


def test_gwray_run_equals_launch_py(monkeypatch, capsys):
    sweep = ["run", "model=random,scripted", "game=13_flappy-bird", "-m", "dry_run=true"]
    code, output = called(monkeypatch, capsys, *sweep)
    assert code == 0 and "10 episodes in 2 cells" in output
    code, output = called(monkeypatch, capsys, "run", "modle=x")
    assert code == 2 and "Did you mean model" in output


def test_version_option(monkeypatch, capsys):
    assert called(monkeypatch, capsys, "--version") == (0, "gwray 0.3.0\n")


@pytest.mark.slow
def test_wheel_plays_and_verifies_from_an_empty_folder(tmp_path):
    source = tmp_path / "source"
    tracked = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(tracked, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)  # with modes: two files are programs
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(source)]
    subprocess.run(build, check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert not [n for n in names if not n.startswith("gwray")], "a top-level folder of ours only"
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = venv / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", str(wheel)]
    subprocess.run(install, check=True, cwd=tmp_path)
    # The packages that gwray needs are those of this environment; gwray itself is not, since it is installed editably.
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    inside = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()
    (Path(inside) / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    empty = tmp_path / "empty"
    empty.mkdir()

    def gwray_of_the_wheel(*words):
        done = subprocess.run([venv / "bin" / "gwray", *words], cwd=empty, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    where = subprocess.run([python, "-P", "-c", "import gwray; print(gwray.__file__)"], capture_output=True, text=True)
    assert where.stdout.startswith(inside)
    listed = gwray_of_the_wheel("games")
    assert all(game in listed for game in ("13_flappy-bird", "town", "c06_tarn-house"))
    assert "16 episodes in 4 cells" in gwray_of_the_wheel("run", "experiment=demo", "dry_run=true")
    tiny = ["model=random", "game=13_flappy-bird", "task=1", "executor=inline", "run_dir=run"]
    gwray_of_the_wheel("run", *tiny)
    assert "1 identical" in gwray_of_the_wheel("verify", "run")
