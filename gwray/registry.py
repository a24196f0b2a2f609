"""Names for code: what is built in, what an installed package adds, and what somebody points at.

A setting that chooses code (an agent, an action space, a text format, a metric, an environment) gives a name. Allowed
are the built-in names, the names of entry points in the registry's group, and a path `package.Class` to anything that
can be imported. Names that are not ours are imported only where a person asked for them: commands that merely read a
run pass `trusted`, and get `NotTrusted` for everything else.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from gwray.errors import UsageError, choose, where
from gwray.records import digest


class NotTrusted(UsageError):
    """A recorded run names code that is not ours, and nobody said that it may be imported."""


@dataclass(frozen=True)
class Registry:
    """One kind of thing that is chosen by name.

    Example: `AGENTS = Registry("agent", {"direct": "gwray.agents.modular:Direct"}, "gwray.agents")`, then
    `AGENTS.get("my_package.MyAgent")`.
    """

    what: str
    """In words, for messages."""
    builtin: Mapping[str, str]
    """Name → `module:attribute`."""
    group: str | None = None
    """Group of entry points by which installed packages add names; None: they cannot."""

    def names(self) -> list[str]:
        """Everything that can be chosen without a path."""
        return sorted({*self.builtin, *self._entries()})

    def get(self, name: str, *, trusted: Collection[str] | None = None) -> Any:
        """The object of that name; nothing else is imported.

        `trusted`: the foreign names that may be imported; None: all. Raises `NotTrusted`, or `UsageError` for a name
        that nobody has and for code that cannot be imported.
        """
        if name in self.builtin:
            module, _, attribute = self.builtin[name].partition(":")
            return getattr(import_module(module), attribute)
        if trusted is not None and name not in trusted:
            raise NotTrusted(
                f"{self.what} '{name}' is not part of gwray (if you know and trust that code: --trust {name})"
            )
        entry = self._entries().get(name)
        try:
            return entry.load() if entry else self._imported(name)
        except UsageError:
            raise
        except Exception as e:
            raise UsageError(f"{self.what} '{name}' cannot be imported: {type(e).__name__}: {e}{where(e)}") from e

    def code(self, name: str) -> str:
        """What identifies the code behind a name: empty for ours, `distribution==version` for an installed package's,
        otherwise a digest of the module's file. Imports nothing but parent packages."""
        if name in self.builtin:
            return ""
        entry = self._entries().get(name)
        if entry is not None:
            return f"{entry.dist.name}=={entry.dist.version}" if entry.dist else entry.value
        return digest(module_file(self._module(name)).read_bytes())

    def file(self, name: str) -> tuple[str, Path] | None:
        """Module name and file behind a path `package.Class`, which travels with a run; None for all other names."""
        if name in self.builtin or name in self._entries():
            return None
        module = self._module(name)
        return module, module_file(module)

    def _entries(self) -> dict[str, EntryPoint]:
        return {e.name: e for e in entry_points(group=self.group)} if self.group else {}

    def _module(self, name: str) -> str:
        module, _, attribute = name.rpartition(".")
        if not module or not attribute.isidentifier():
            more = "Or the path of your own: package.Class."
            raise choose(self.what, name, self.names(), more)
        return module

    def _imported(self, name: str) -> Any:
        module, attribute = self._module(name), name.rpartition(".")[2]
        if importlib.util.find_spec(module.partition(".")[0]) is None:
            raise UsageError(f"{self.what} '{name}': {no_module(module)}")
        there = import_module(module)
        if not hasattr(there, attribute):
            has = sorted(n for n, v in vars(there).items() if getattr(v, "__module__", "") == module)
            raise choose(
                self.what, name, [f"{module}.{n}" for n in has], f"{module_file(module)} has no '{attribute}'."
            )
        return getattr(there, attribute)


def module_file(module: str) -> Path:
    """The source file of a module. Raises `UsageError` if there is none."""
    try:
        found = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        found = None
    if found is None or not found.origin or not Path(found.origin).is_file():
        raise UsageError(no_module(module))
    return Path(found.origin)


def no_module(name: str) -> str:
    """What is said of a module that is not there."""
    return f"there is no Python module '{name}'. Is its folder on PYTHONPATH?"
