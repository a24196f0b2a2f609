"""Code outside gwray that episodes use: its identity, how it is stored in a run, and how it is found.

An agent, action space, format, metric or kind of environment may be a custom class, named by its path `package.Class`.
Its module's file is stored in the run directory, so a node that has only that directory runs the same code. An
installed module of that name is used if it is identical; another version is refused, because it would be another
episode. Only the module's own file is stored, not its imports.
"""

import importlib
import platform
import sys
import threading
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory

from gwray.agents import AGENTS, CLIENTS, FORMATS, SPACES, get_space
from gwray.environments import KINDS
from gwray.errors import UsageError
from gwray.evaluation import METRICS
from gwray.places import Registry, module_file
from gwray.records import digest
from gwray.settings import LOCAL_PLAYERS, AgentSpec, ModelSpec
from gwray.store import RunDir


def code_of_cell(agent: AgentSpec, models: Iterable[ModelSpec], metrics: Iterable[str]) -> dict[str, str]:
    """Returns the identity of a cell's code outside gwray, by name. `models` play the roles. Raises `UsageError` for an
    unknown name."""
    named: list[tuple[Registry, str]] = [(AGENTS, agent.code), (SPACES, agent.interface)]
    space = get_space(agent.interface)
    asked = [m for m in models if m.provider not in LOCAL_PLAYERS]
    named += [(FORMATS, name) for m in asked if "." in (name := space.format_name(m))]
    named += [(CLIENTS, m.provider) for m in asked if "." in m.provider or m.provider in CLIENTS.names()]
    named += [(METRICS, name) for name in metrics]
    return {name: code for registry, name in named if (code := registry.code(name))}


def code_of_kind(kind: str) -> dict[str, str]:
    """Returns the same for a kind of environment."""
    return {kind: code} if (code := KINDS.code(kind)) else {}


def files_of(named: Mapping[str, str]) -> dict[str, bytes]:
    """Returns the source files of these classes by module; installed distributions are not included."""
    modules = {_module(name) for name, code in named.items() if not _installed(code)}
    return {module: module_file(module).read_bytes() for module in sorted(modules)}


def _module(name: str) -> str:
    return name.rpartition(".")[0]


def _installed(code: str) -> bool:
    return "==" in code


class ForeignCode:
    """Makes the code of a run's episodes importable in this process, and refuses other versions."""

    def __init__(self, run: RunDir):
        self._run = run
        self._folder: TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()

    def provide(self, named: Mapping[str, str]) -> None:
        """Ensures that each name is the code that it was planned with; imports nothing. Raises `UsageError` with node,
        module and both versions if the code differs or is missing."""
        with self._lock:
            for name, planned in named.items():
                if _installed(planned):
                    _check_installed(name, planned)
                else:
                    self._provide(_module(name), planned)

    def _provide(self, module: str, planned: str) -> None:
        """Ensures that a module has the planned digest; unpacks the run's copy if it is not installed."""
        try:
            file = module_file(module)
        except UsageError:
            file = self._unpacked(module, planned)
        found = digest(file.read_bytes())
        if found != planned:
            raise UsageError(
                f"module '{module}' on {platform.node()} ({file}) differs from the run's plan: its digest "
                f"is {found}, planned was {planned}. Install the same version there, or none (the run has a copy), or "
                "run the command again to play the new version as separate episodes."
            )

    def _unpacked(self, module: str, planned: str) -> Path:
        """Unpacks the run's copy of a module and returns its file. Raises `UsageError` if there is none."""
        data = self._run.read_code(module, planned)
        if data is None:
            raise UsageError(
                f"there is no Python module '{module}' on {platform.node()}, and {self._run.url} has no copy. Is its "
                "folder on PYTHONPATH?"
            )
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="gwray-code-")
            sys.path.append(self._folder.name)
        file = Path(self._folder.name, *module.split(".")).with_suffix(".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        importlib.invalidate_caches()
        return module_file(module)

    def close(self) -> None:
        """Removes unpacked files, and unloads modules that were imported from them."""
        if self._folder is None:
            return
        folder, self._folder = self._folder, None
        sys.path.remove(folder.name)
        for name, module in [*sys.modules.items()]:
            if str(getattr(module, "__file__", None) or "").startswith(folder.name):
                del sys.modules[name]
        folder.cleanup()


def _check_installed(name: str, planned: str) -> None:
    """Raises `UsageError` unless the planned version of a distribution is installed."""
    distribution = planned.partition("==")[0]
    try:
        found = version(distribution)
    except PackageNotFoundError:
        found = "none"
    if f"{distribution}=={found}" != planned:
        raise UsageError(
            f"'{name}' was planned with {planned}; {platform.node()} has {found}. Install that version there, or run "
            "the command again to play the new one as separate episodes."
        )
