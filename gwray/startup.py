"""Explains why gwray could not be imported. Imports only the standard library."""

import os
import sys
import traceback
from pathlib import Path
from typing import NoReturn


def import_problem(error: Exception) -> str:
    """Returns what to do about an error raised while gwray was being imported. Names the modules that were loaded from
    a folder on PYTHONPATH: they hide the installed ones of the same name."""
    source = Path(__file__).resolve().parents[1]
    folders = [Path(p).resolve() for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
    files |= {file for m in list(sys.modules.values()) if isinstance(file := getattr(m, "__file__", None), str)}
    foreign = sorted(
        str(path)
        for path in (Path(f).resolve() for f in files)
        if any(path.is_relative_to(f) for f in folders if f != source) and not path.is_relative_to(source / "gwray")
    )
    problem = f"gwray could not be imported: {type(error).__name__}: {error}."
    if foreign:
        return f"{problem}\nPYTHONPATH hides installed modules by {', '.join(foreign)}. Unset PYTHONPATH and try again."
    return f"{problem}\n{sys.executable} lacks gwray's dependencies. Run `make setup`, then use .venv/bin/python."


def exit_for(error: Exception) -> NoReturn:
    """Prints `import_problem` and exits with code 2, or re-raises an error that neither cause explains."""
    problem = import_problem(error)
    if "PYTHONPATH" not in problem and not isinstance(error, ModuleNotFoundError):
        raise error
    print(problem, file=sys.stderr)
    sys.exit(2)
