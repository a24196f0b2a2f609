"""Where what comes with gwray lies, and where a user's own lies: the only module that knows.

A checkout has `games/`, `conf/` and `docs/library.json` beside the package; a wheel has the same files inside it
(`setup.py` puts them there). What users add lies in one folder of theirs, laid out like a checkout:

| in that folder                 | is                                                        |
|--------------------------------|-----------------------------------------------------------|
| `conf/model/NAME.yaml`         | a model profile: `model=NAME`                             |
| `conf/deployment/NAME.yaml`    | how that model is hosted                                  |
| `conf/agent/NAME.yaml` …       | a file of any other group: `agent=NAME`, `experiment=NAME`|
| `games/LIBRARY/`               | a library of games: `game=library:ID`                     |
| `my_agent.py`                  | code: `agent._target_=my_agent.MyAgent`                   |

`GWRAY_HOME` names it; without, it is the folder that a command is given in, if that has a `conf/`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gwray.errors import UsageError

PACKAGE = Path(__file__).resolve().parent
CHECKOUT = PACKAGE.parent if (PACKAGE.parent / "conf" / "config.yaml").is_file() else None
"""The repository that this gwray is run from; None where it was installed from a wheel."""
BUNDLED = CHECKOUT or PACKAGE / "bundled"
"""What comes with gwray: `games/`, `conf/`, `docs/library.json`."""
CONF = BUNDLED / "conf"
GAMES = BUNDLED / "games"


def home() -> Path | None:
    """The user's own folder; None if there is none. `UsageError` if `GWRAY_HOME` names no folder of gwray's.

    A `conf/` with a `config.yaml` is another program's, or another checkout's: unless it is named it is let be.
    """
    named = os.environ.get("GWRAY_HOME")
    folder = Path(named).expanduser().resolve() if named else Path.cwd()
    try:
        if folder == BUNDLED or not (named or (folder / "conf").is_dir()):
            return None
        if named and not folder.is_dir():
            raise UsageError(f"GWRAY_HOME is '{named}', which is no folder. Make it, or unset GWRAY_HOME.")
        if not (folder / "conf" / "config.yaml").exists():
            return folder
    except PermissionError as e:
        if not named:
            return None
        raise UsageError(
            f"GWRAY_HOME is '{named}', which cannot be read. Make it readable, or unset GWRAY_HOME."
        ) from e
    if named:
        raise UsageError(
            f"GWRAY_HOME is '{named}', where conf/config.yaml would replace gwray's own. Settings that you use "
            "together go into conf/experiment/NAME.yaml (experiment=NAME); remove conf/config.yaml."
        )
    return None


def find_own_modules() -> None:
    """From now on agents, action spaces, formats and metrics that lie in the user's own folder can be imported. Raises
    what `home` raises."""
    own = home()
    if own and str(own) not in sys.path:
        sys.path.append(str(own))


def own_conf() -> Path | None:
    """The user's `conf/`; None without one."""
    folder = home()
    return folder / "conf" if folder and (folder / "conf").is_dir() else None


def own_libraries() -> list[Path]:
    """The user's libraries: the folders of `games/` that contain a game or a `library.yaml`, or cannot be read."""
    folder = home()
    if folder is None or not (folder / "games").is_dir():
        return []
    try:
        return [library for library in sorted((folder / "games").iterdir()) if _may_be_library(library)]
    except PermissionError:
        return [folder / "games"]


def _may_be_library(folder: Path) -> bool:
    try:
        return folder.is_dir() and any(f.name == "library.yaml" or (f / "game.yaml").exists() for f in folder.iterdir())
    except PermissionError:
        return True


def cache() -> Path:
    """Where commands of this user keep what they can do without; it need not be there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "gwray"


def conf_files(group: str) -> dict[str, Path]:
    """The files of a group, such as `model`, by name. The user's own come last, and before ours of the same name."""
    folders = [folder / group for folder in (CONF, own_conf()) if folder]
    return {
        file.relative_to(folder).with_suffix("").as_posix(): file
        for folder in folders
        for file in sorted(folder.rglob("*.yaml"))
    }
