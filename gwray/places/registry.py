"""Registries of code that is chosen by name: built-in, from installed packages, or by import path.

A setting that chooses code (an agent, action space, text format, metric or environment) is a built-in name, an entry
point of the registry's group, or a path `package.Class`. Entry points of gwray's own distribution are built-in, too.
Third-party code is imported only where the user named it: commands that merely read a run pass `trusted`, and get
`NotTrusted` for all other names.
"""

import importlib.util
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from gwray.errors import UsageError, choose, where
from gwray.places.paths import add_user_modules


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
    core: Mapping[str, str]
    """Name → `module:attribute`."""
    group: str | None = None
    """Entry-point group through which installed packages, and gwray's own studies and plug-ins, add names; None: they
    cannot."""

    @property
    def builtin(self) -> Mapping[str, str]:
        """Name → `module:attribute` of gwray's own code, the core first."""
        return {**self.core, **{name: f.entry.value for name, f in self._found().items() if f.own and f.there}}

    def names(self) -> list[str]:
        """Returns all names that need no import path."""
        return sorted({*self.core, *(name for name, f in self._found().items() if not f.own or f.there)})

    def get(self, name: str, *, trusted: Collection[str] | None = None) -> Any:
        """Imports and returns the object of that name.

        Args:
            name: a built-in name, an entry point, or `package.Class`.
            trusted: third-party names that may be imported; None: all.

        Raises:
            NotTrusted: the name is third-party code and not in `trusted`.
            UsageError: the name is unknown, or its code cannot be imported.
        """
        found = self._found().get(name)
        if name in self.core or (found and found.own):
            module, _, attribute = (self.core.get(name) or (found.entry.value if found else "")).partition(":")
            if found and not found.there:
                raise UsageError(
                    f"{self.what} '{name}' needs {module}, which this installation of gwray lacks. Install gwray again"
                )
            return getattr(import_module(module), attribute)
        if trusted is not None and name not in trusted:
            raise NotTrusted(
                f"{self.what} '{name}' is not part of gwray (if you know and trust its code: --trust {name})"
            )
        try:
            return found.entry.load() if found else self._imported(name)
        except UsageError:
            raise
        except Exception as e:
            raise UsageError(f"{self.what} '{name}' cannot be imported: {type(e).__name__}: {e}{where(e)}") from e

    def code(self, name: str) -> str:
        """Returns the identity of a name's code: empty for built-in code, `distribution==version` for an installed
        package, otherwise a digest of the module's file. Imports parent packages only."""
        found = self._found().get(name)
        if name in self.core or (found and found.own):
            return ""
        if found:
            dist = found.entry.dist
            return f"{dist.name}=={dist.version}" if dist else found.entry.value
        from gwray.records import digest  # late: listing commands needs no records

        return digest(module_file(self._module(name)).read_bytes())

    def file(self, name: str) -> tuple[str, Path] | None:
        """Returns module name and file of a path `package.Class`, whose source is stored with a run; None otherwise."""
        if name in self.core or name in self._found():
            return None
        module = self._module(name)
        return module, module_file(module)

    def _found(self) -> "dict[str, _Found]":
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


class _Found(NamedTuple):
    entry: EntryPoint
    own: bool
    """Whether it is gwray's own: then its code is built-in and needs no trust."""
    there: bool
    """Whether its module is installed; true for those of other packages, which are not looked for."""


@cache
def _installed(group: str, path: tuple[str, ...]) -> dict[str, _Found]:
    """Returns the entry points of a group, by name. Reading them opens a file of every package on `path`, and `name`
    of a distribution parses its metadata each time."""
    owned = [(e.dist is not None and e.dist.name == "gwray", e) for e in entry_points(group=group)]
    return {e.name: _Found(e, own, not own or _is_there(e)) for own, e in sorted(owned, key=itemgetter(0))}


def _is_there(entry: EntryPoint) -> bool:
    """Returns whether the module of an entry point is installed."""
    try:
        return importlib.util.find_spec(entry.module) is not None
    except ModuleNotFoundError:
        return False


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
