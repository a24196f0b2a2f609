"""The house: which room may know which, and that a room is entered by its door.

A room is a package of `gwray/`, or a module beside them. What is forbidden is found in the source, so an import inside
a function counts like one at the top.
"""

import ast
import importlib
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import gwray

HOUSE = Path(gwray.__file__).parent
FLOORS = (
    {"errors", "local_server", "pages", "redaction", "startup", "version", "visible_text", "yaml12"},
    {"actions", "columns", "identity", "places", "ray_connection", "records", "tables", "validation", "views"},
    {"local_players", "registry", "spec"},
    {"accounting", "axes"},
    {"catalog", "sandbox", "store"},
    {"signatures"},
    {"agents", "analysis", "environments", "evaluation", "serving"},
    {"tracking"},
    {"pipelines"},
    {"actors", "authoring", "gym", "judges", "person", "report"},
    {"cli"},
    {"notebook"},
    {"", "__main__"},
)
"""From the ground up: a room knows only rooms on floors below its own, so no chain of imports leads back to it. The
room without a name is `import gwray`."""
PROGRAMS = {"gwray.cli.launch", "gwray.environments.browser"}
"""Entered past the door: what `launch.py` starts would load Hydra for `gwray --help` too, and the browser's environment
Playwright for whoever only needs the contract."""


@dataclass(frozen=True)
class Arrow:
    """One import from one room in another."""

    file: str
    line: int
    source: str
    target: str
    module: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


def arrows(house: Path) -> Iterator[Arrow]:
    """All imports between rooms."""
    for file in sorted(house.rglob("*.py")):
        words = file.relative_to(house).with_suffix("").parts
        source = words[0] if words != ("__init__",) else ""
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for module in imported(node):
                _, _, inside = module.partition(".")
                target = inside.split(".")[0] if inside else ""
                if module.split(".")[0] == "gwray" and target != source:
                    yield Arrow(str(file.relative_to(house)), node.lineno, source, target, module)  # type: ignore[attr-defined]


def imported(node: ast.AST) -> list[str]:
    """The modules that an import statement names; `from gwray import records` names one too."""
    if isinstance(node, ast.Import):
        return [a.name for a in node.names]
    if not isinstance(node, ast.ImportFrom) or node.level or node.module is None:
        return []
    if node.module == "gwray":
        return [f"gwray.{a.name}" if a.name in rooms() else "gwray" for a in node.names]
    return [node.module]


def rooms() -> set[str]:
    return {p.stem for p in HOUSE.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()} - {"__init__"}


def upwards(found: Iterator[Arrow]) -> list[str]:
    floor = {room: n for n, names in enumerate(FLOORS) for room in names}
    return [f"{a}, which is no floor below" for a in found if floor[a.source] <= floor[a.target]]


def past_the_door(found: Iterator[Arrow], packages: set[str]) -> list[str]:
    inner = (a for a in found if a.target in packages and a.module not in PROGRAMS)
    return [f"{a}; gwray.{a.target} is the door" for a in inner if a.module != f"gwray.{a.target}"]


def packages() -> set[str]:
    return {room for room in rooms() if (HOUSE / room).is_dir()}


def test_every_room_stands_on_one_floor():
    named = [room for names in FLOORS for room in names]
    assert len(named) == len(set(named))
    assert rooms() == {*named} - {""}, "say in FLOORS what the new room may know"


def test_a_room_knows_only_rooms_below_it():
    assert upwards(arrows(HOUSE)) == []


def test_a_room_is_entered_by_its_door():
    assert past_the_door(arrows(HOUSE), packages()) == []


@pytest.mark.parametrize("room", sorted(packages()))
def test_a_door_says_exactly_what_the_room_offers(room):
    face = importlib.import_module(f"gwray.{room}")
    public = {n for n, v in vars(face).items() if not n.startswith("_") and not isinstance(v, types.ModuleType)}
    assert set(face.__all__) <= public, "named and not there"
    assert public - set(face.__all__) <= used_at_the_door(room), "there and not named"
    assert face.__doc__


def used_at_the_door(room: str) -> set[str]:
    """Names that a room's `__init__` needs itself, or defines for its own use."""
    tree = ast.parse((HOUSE / room / "__init__.py").read_text(encoding="utf-8"))
    future = {"annotations"}
    return future | {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}


def test_a_hidden_arrow_back_up_and_a_way_past_a_door_are_found(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "lines.py").write_text("def f():\n    from gwray.report.site import build_report\n")
    (hidden,) = upwards(arrows(tmp_path))
    (past,) = past_the_door(arrows(tmp_path), {"report"})
    assert hidden.startswith("store/lines.py:2 imports gwray.report.site")
    assert past.endswith("gwray.report is the door")
