"""Checks the package structure and the language of the source.

Layers: a package or module of `gwray/` imports only packages of lower layers, and only through their `__init__`.
Imports are read from the source, so an import inside a function counts like one at the top.

Language: identifiers, docstrings, messages and docs use the terms of the glossary in `docs/architecture.md` instead of
the words below.
"""

import ast
import importlib
import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import gwray

PACKAGE = Path(gwray.__file__).parent
ROOT = PACKAGE.parent
LAYERS = (
    {"errors"},
    {"records"},
    {"places"},
    {"pages", "settings"},
    {"catalog", "ray_connection", "sandbox", "store"},
    {"agents", "analysis", "environments", "evaluation", "serving"},
    {"tracking"},
    {"pipelines"},
    {"verification"},
    {"actors", "judges", "person", "report"},
    {"cli"},
    {"notebook"},
    {"plugins", "studies"},
    {"", "__main__"},
)
"""Packages and top-level modules, from the lowest layer to the highest. The empty name is `import gwray`, which
may be imported everywhere for `__version__`."""
SUBMODULES = {
    "gwray.cli.compose",
    "gwray.cli.console",
    "gwray.cli.executors",
    "gwray.cli.launch",
    "gwray.cli.options",
    "gwray.cli.replaying",
    "gwray.cli.signals",
    "gwray.cli.terminal",
    "gwray.environments.browser",
    "gwray.pages.local_server",
    "gwray.pages.rendering",
    "gwray.places.validation",
    "gwray.places.yaml12",
    "gwray.records.columns",
}
"""Modules that may be imported past their package's `__init__`, which would otherwise load Hydra, pydantic, Jinja or a
web server for `gwray --help`, and Playwright for code that only needs the environment contract."""
VERTICALS = {"plugins", "studies"}
"""Packages that nothing else imports: each of their folders is one feature or paper, behind public hooks."""
LIMITS = {
    "gwray": 53_960,
    "core": 42_690,
    "tests": 39_770,
    "longest module": 430,
    "90th percentile of modules": 280,
    "docs": 2_335,
    "bench": 4_230,
    "bench/README.md": 150,
    "names in gwray": 25,
}
"""Most lines, or names, of each part. Lowered by hand with what is deleted, never raised."""


@dataclass(frozen=True)
class Import:
    """One import of one package in another."""

    file: str
    line: int
    source: str
    target: str
    module: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


@cache
def imports_between(package: Path) -> list[Import]:
    """Returns all imports of gwray in `package`."""
    found = []
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package).with_suffix("").parts
        source = parts[0] if parts != ("__init__",) else ""
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for module in imported_modules(node):
                _, _, inner = module.partition(".")
                target = inner.split(".")[0]
                if module.split(".")[0] == "gwray":
                    found.append(Import(str(file.relative_to(package)), node.lineno, source, target, module))  # type: ignore[attr-defined]
    return found


def imported_modules(node: ast.AST) -> list[str]:
    """Returns the modules that an import statement names; `from gwray import records` names one too."""
    if isinstance(node, ast.Import):
        return [a.name for a in node.names]
    if not isinstance(node, ast.ImportFrom) or node.level or node.module is None:
        return []
    if node.module == "gwray":
        names = [a.name for a in node.names if a.name != "__version__"]
        return [f"gwray.{name}" if name in members() else "gwray" for name in names]
    return [node.module]


def members() -> set[str]:
    """Returns the names of packages and modules directly in `gwray/`."""
    return {p.stem for p in PACKAGE.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()} - {"__init__"}


def packages() -> set[str]:
    return {name for name in members() if (PACKAGE / name).is_dir()}


def upward(imports: list[Import]) -> list[str]:
    layer = {name: n for n, names in enumerate(LAYERS) for name in names}
    between = (i for i in imports if i.source != i.target)
    return [f"{i}, which is not in a lower layer" for i in between if layer[i.source] <= layer[i.target]]


def past_init(imports: list[Import], packages: set[str]) -> list[str]:
    inner = (i for i in imports if i.target in packages - {i.source} and i.module not in SUBMODULES)
    return [f"{i}; import it from gwray.{i.target}" for i in inner if i.module != f"gwray.{i.target}"]


def test_every_package_has_one_layer():
    named = [name for names in LAYERS for name in names]
    assert len(named) == len(set(named))
    assert members() == {*named} - {""}, "add the new package to LAYERS"


def test_packages_import_only_lower_layers():
    assert upward(imports_between(PACKAGE)) == []


def test_packages_are_imported_through_init():
    assert past_init(imports_between(PACKAGE), packages()) == []


@pytest.mark.parametrize("package", sorted(packages()))
def test_packages_have_a_docstring_and_export_what_the_docs_name(package):
    module = importlib.import_module(f"gwray.{package}")
    pages = "".join(
        p.read_text(encoding="utf-8") for p in [*(ROOT / "docs").glob("*.md"), *PACKAGE.rglob("*.py.jinja")]
    )
    imported = re.findall(rf"from gwray\.{package} import (.+)", pages)
    named = {n.strip() for line in imported for n in line.split(",")} | set(
        re.findall(rf"gwray\.{package}\.([A-Z]\w+)", pages)
    )
    assert module.__doc__
    assert set(getattr(module, "__all__", ())) == named


def test_checks_find_hidden_upward_and_submodule_imports(tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "lines.py").write_text("def f():\n    from gwray.report.site import build_report\n")
    (hidden,) = upward(imports_between(tmp_path))
    (past,) = past_init(imports_between(tmp_path), {"report"})
    assert hidden.startswith("store/lines.py:2 imports gwray.report.site")
    assert past.endswith("import it from gwray.report")


def lines(pattern: str, root: Path = ROOT) -> list[int]:
    """Returns the line counts of the files that match a pattern."""
    return [len(f.read_text(encoding="utf-8").splitlines()) for f in sorted(root.glob(pattern))]


def sizes() -> dict[str, int]:
    """Returns today's value of each limit."""
    modules = sorted(lines("gwray/**/*.py"))
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")]
    verticals = sum(sum(lines(f"gwray/{name}/**/*.py")) for name in VERTICALS)
    return {
        "gwray": sum(modules),
        "core": sum(modules) - verticals,
        "tests": sum(lines("tests/**/*.py")),
        "longest module": modules[-1],
        "90th percentile of modules": modules[int(0.9 * len(modules))],
        "docs": sum(len(t.splitlines()) for t in pages if "Generated by `python" not in t),  # written by hand
        "bench": sum(lines("bench/**/*.py")) + sum(lines("bench/**/*.md")),
        "bench/README.md": sum(lines("bench/README.md")),
        "names in gwray": len(members() - {"__main__"}),
    }


@pytest.mark.parametrize("part", LIMITS)
def test_sizes_stay_within_limits(part):
    assert sizes()[part] <= LIMITS[part]


def test_only_its_own_files_import_a_study_or_plugin():
    found = [i for i in imports_between(PACKAGE) if i.target in VERTICALS]
    assert len(found) > 50, "the scan finds imports"
    assert [str(i) for i in found if i.file.split("/")[:2] != i.module.split(".")[1:3]] == []


def module_imports(package: Path) -> dict[str, set[str]]:
    """Returns the modules of `package` that each of its modules imports."""
    names = {".".join(("gwray", *f.relative_to(package).with_suffix("").parts)): f for f in package.rglob("*.py")}
    graph = {}
    for name, file in names.items():
        found = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {a.name for a in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
        graph[name] = found & set(names)
    return graph


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Returns the groups of modules that import each other, directly or through others. The `__init__` of a package is
    no node of the graph: importing a name from a package does not import the package's other modules on purpose."""
    reached: dict[str, set[str]] = {}
    for start in graph:
        todo, seen = [start], set()
        while todo:
            for following in graph.get(todo.pop(), ()):
                if following not in seen:
                    seen.add(following)
                    todo.append(following)
        reached[start] = seen
    return sorted({tuple(sorted(b for b in graph if b in reached[a] and a in reached[b])) for a in graph} - {()})  # type: ignore[return-value]


def test_no_modules_import_each_other():
    assert circles(module_imports(PACKAGE)) == []


SCRIPT_IMPORT = re.compile(
    r"^(?:import|export)\b[^;'\"]*['\"](\.[^'\"]+)['\"]|\bimport\(\s*['\"](\.[^'\"]+)['\"]", re.MULTILINE
)
"""A relative import or re-export of an ES module, outside comments."""


def script_imports(folder: Path) -> dict[str, set[str]]:
    """Returns the scripts below `folder` that each of its scripts imports. JSDoc's `import()` names only a type."""
    graph = {}
    for file in folder.rglob("*.js"):
        code = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        named = {(file.parent / (a or b)).resolve() for a, b in SCRIPT_IMPORT.findall(code)}
        graph[file.relative_to(folder).as_posix()] = {os.path.relpath(path, folder.resolve()) for path in named}
    return graph


def test_no_scripts_of_games_import_each_other():
    graph = script_imports(ROOT / "games")
    assert sum(map(len, graph.values())) > 1000, "the scan finds imports"
    assert circles(graph) == []


def test_script_scan_finds_circles_and_ignores_types(tmp_path):
    (tmp_path / "a.js").write_text("import {\n  b,\n} from './b.js';\n/** @typedef {import('./c.js').C} C */\n")
    (tmp_path / "b.js").write_text("export { c } from './c.js';\n/** @param {import('./a.js').A} a */\n")
    (tmp_path / "c.js").write_text("export const late = () => import('./b.js');\n")
    assert circles(script_imports(tmp_path)) == [("b.js", "c.js")]


# Language

UNCLEAR_NAMES = frozenset({"said", "told", "heard", "of", "taken", "beside", "whole", "gone"})
"""Not allowed as the complete name of a function, class, parameter or variable: they do not say what it is."""
UNCLEAR_PARTS = frozenset(
    {"anew", "knock", "knocked", "strays", "misfit", "misshapen", "whoever", "whatever", "somebody", "nobody", "mended"}
)
"""Not allowed as a part of a name."""
UNCLEAR_TEXT = re.compile(
    r"\b(anew|who(?:so)?ever|somebody|nobody|goes on with|gone on|going on with|went on|held against|holds against|"
    r"mend(?:s|ed|ing)?|knock(?:s|ed)?|own affair|one's own|comes? to that|came to|for good|is said|was said|"
    r"so long as|for want of|is held to|of worth|hangs? on|"
    r"are told|is told|left out and|at one blow|beforehand|whence|thereof|paid twice|the very step|in words alone)\b",
    re.IGNORECASE,
)
FROZEN_FILES = ("gwray/agents/prompts/",)
"""Text that is sent to models, and part of request hashes."""
FROZEN_TEXT = (
    "What was said and done:",
    "you say why. You get what was said",
    "You do not go on with the task.",
    'neutral="[Nobody]"',
    '"answer": "nobody reads it"',
    '"call_user": "nobody is there"',
    "the new rules would have gone on after the last recorded step",
    "drawn_anew",
    "c10_halcyon",
    "for want of the exact place",
)
"""Lines with these are sent to models, stored in records or names of games."""
FROZEN_NAMES = {"drawn_anew", "of"}
"""Keys of stored records: `of` of a judge's settings and of a library's `truth.yaml`."""
USER_FACING = (
    "gwray/**/*.jinja",
    "gwray/**/*.js",
    "gwray/**/*.html",
    "conf/**/*.yaml",
    "docs/*.md",
    "*.md",
    "bench/*.md",
    "bench/*.py",
    "games/*/*.md",
)


def unclear_names(source: str) -> list[str]:
    """Returns the unclear identifiers that Python code defines."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        else:
            continue
        if name in FROZEN_NAMES and isinstance(node, ast.Name):
            continue
        parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().strip("_")
        if parts in UNCLEAR_NAMES or UNCLEAR_PARTS & {*parts.split("_")}:
            found.append(f"{node.lineno}: {name}")
    return found


def unclear_text(text: str) -> list[str]:
    """Returns the unclear phrases of a text, with their lines."""
    lines = (line for line in enumerate(text.splitlines(), 1) if not any(frozen in line[1] for frozen in FROZEN_TEXT))
    return [f"{n}: {m[0]}" for n, line in lines for m in UNCLEAR_TEXT.finditer(line)]


def checked_files(*patterns: str) -> dict[str, str]:
    files = {p.relative_to(ROOT).as_posix(): p for pattern in patterns for p in ROOT.glob(pattern)}
    return {name: p.read_text(encoding="utf-8") for name, p in files.items() if not name.startswith(FROZEN_FILES)}


def test_code_has_no_unclear_names():
    found = {name: unclear_names(text) for name, text in checked_files("gwray/**/*.py", "bench/*.py").items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_code_and_docs_have_no_unclear_phrases():
    found = {name: unclear_text(text) for name, text in checked_files("gwray/**/*.py", *USER_FACING).items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def command_names(file: str) -> set[str]:
    """Returns the commands that a module defines: their docstrings are help, in the imperative, with an example."""
    if not (file.startswith("gwray/cli/") or file.endswith("commands.py")):
        return set()
    functions = [n for n in ast.parse((ROOT / file).read_text(encoding="utf-8")).body if isinstance(n, ast.FunctionDef)]
    return {"version", *(n.name for n in functions if "Example: " in (ast.get_docstring(n) or ""))}


def verbless(source: str, commands: Collection[str] = ()) -> list[str]:
    """Returns the functions whose docstring does not begin with a verb ("Returns …"). Properties read like fields."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("__"):
            continue
        is_property = any("property" in ast.unparse(d) for d in node.decorator_list)
        doc = ast.get_docstring(node) or ""
        if doc and not is_property and node.name not in commands and not re.match(r"[A-Z][a-z]+s\b|Whether\b", doc):
            found.append(f"{node.lineno}: {node.name}: {doc.splitlines()[0]}")
    return found


def test_docstrings_of_functions_begin_with_a_verb():
    files = checked_files("gwray/**/*.py")
    found = {n: verbless(text, command_names(n)) for n, text in files.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_test_names_are_short():
    tests = checked_files("tests/**/test_*.py").values()
    assert [name for text in tests for name in re.findall(r"def (test_\w{68,})\(", text)] == []


def test_language_checks_find_what_they_should():
    assert unclear_names("def told(of):\n    knock_twice = 1\n") == ["1: told", "1: of", "2: knock_twice"]
    assert verbless('def f():\n    """The name."""\n') == ["1: f: The name."]
    assert verbless('def f():\n    """Returns the name."""\n') == []
    assert unclear_text("ok\nIt goes on with it, for good") == ["2: goes on with", "2: for good"]
