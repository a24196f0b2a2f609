"""Registries of code that is chosen by name: built-in, from installed packages, or by import path.

A setting that chooses code (an agent, action space, text format, metric or environment) is a built-in name, an entry
point of the registry's group, or a path `package.Class`. Third-party code is imported only where the user named it:
commands that merely read a run pass `trusted`, and get `NotTrusted` for all other names.
"""

import importlib.util
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from gwray.errors import UsageError, choose, where
from gwray.places import add_user_modules
from gwray.records import digest


class NotTrusted(UsageError):
    """A recorded run names third-party code that the user did not allow to import (`--trust`)."""


@dataclass(frozen=True)
class Registry:
    """Code of one kind, chosen by name.

    Example: `AGENTS = Registry("agent", {"direct": "gwray.agents.modular:Direct"}, "gwray.agents")`, then
    `AGENTS.get("my_package.MyAgent")`.
    """

    what: str
    """Name of the kind, for messages."""
    builtin: Mapping[str, str]
    """Name → `module:attribute`."""
    group: str | None = None
    """Entry-point group through which installed packages add names; None: they cannot."""

    def names(self) -> list[str]:
        """Returns all names that need no import path."""
        return sorted({*self.builtin, *self._entries()})

    def get(self, name: str, *, trusted: Collection[str] | None = None) -> Any:
        """Imports and returns the object of that name.

        Args:
            name: a built-in name, an entry point, or `package.Class`.
            trusted: third-party names that may be imported; None: all.

        Raises:
            NotTrusted: the name is third-party code and not in `trusted`.
            UsageError: the name is unknown, or its code cannot be imported.
        """
        if name in self.builtin:
            module, _, attribute = self.builtin[name].partition(":")
            return getattr(import_module(module), attribute)
        if trusted is not None and name not in trusted:
            raise NotTrusted(
                f"{self.what} '{name}' is not part of gwray (if you know and trust its code: --trust {name})"
            )
        entry = self._entries().get(name)
        try:
            return entry.load() if entry else self._imported(name)
        except UsageError:
            raise
        except Exception as e:
            raise UsageError(f"{self.what} '{name}' cannot be imported: {type(e).__name__}: {e}{where(e)}") from e

    def code(self, name: str) -> str:
        """Returns the identity of a name's code: empty for built-in code, `distribution==version` for an installed
        package, otherwise a digest of the module's file. Imports parent packages only."""
        if name in self.builtin:
            return ""
        entry = self._entries().get(name)
        if entry is not None:
            return f"{entry.dist.name}=={entry.dist.version}" if entry.dist else entry.value
        return digest(module_file(self._module(name)).read_bytes())

    def file(self, name: str) -> tuple[str, Path] | None:
        """Returns module name and file of a path `package.Class`, whose source is stored with a run; None otherwise."""
        if name in self.builtin or name in self._entries():
            return None
        module = self._module(name)
        return module, module_file(module)

    def _entries(self) -> dict[str, EntryPoint]:
        return _installed(self.group, tuple(sys.path)) if self.group else {}

    def _module(self, name: str) -> str:
        """Returns the module of a path `package.Class`. Raises `UsageError` for another form."""
        module, _, attribute = name.rpartition(".")
        if not module or not attribute.isidentifier():
            more = "Or the import path of your own class: package.Class."
            raise choose(self.what, name, self.names(), more)
        return module

    def _imported(self, name: str) -> Any:
        """Imports the object at a path `package.Class`. A module that is nowhere else may be in the user's folder."""
        module, attribute = self._module(name), name.rpartition(".")[2]
        top = module.partition(".")[0]
        if importlib.util.find_spec(top) is None:
            add_user_modules()
        if importlib.util.find_spec(top) is None:
            raise UsageError(f"{self.what} '{name}': {no_module(module)}")
        there = import_module(module)
        if not hasattr(there, attribute):
            has = sorted(n for n, v in vars(there).items() if getattr(v, "__module__", "") == module)
            raise choose(
                self.what, name, [f"{module}.{n}" for n in has], f"{module_file(module)} has no '{attribute}'."
            )
        return getattr(there, attribute)


@cache
def _installed(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Returns the entry points of a group, by name. Reading them opens a file of every package on `path`."""
    return {e.name: e for e in entry_points(group=group)}


def module_file(module: str) -> Path:
    """Returns the source file of a module. Raises `UsageError` if there is none."""
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        found = None
    if found is None or not found.origin or not Path(found.origin).is_file():
        raise UsageError(no_module(module))
    return Path(found.origin)


def no_module(name: str) -> str:
    """Returns the message for a missing module, with the folders in which your own are found."""
    return (
        f"there is no Python module '{name}'. Its file must be in your folder (the working directory if it has a "
        "conf/, or the one that GWRAY_HOME names) or on PYTHONPATH"
    )
