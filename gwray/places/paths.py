"""Locations of gwray's own files and of the user's folder.

A checkout has `games/`, `conf/` and `docs/library.json` next to the package; a wheel contains the same files
(`setup.py` copies them). Users add files in one folder of theirs, with the layout of a checkout:

| in that folder                 | is                                                        |
|--------------------------------|-----------------------------------------------------------|
| `conf/model/NAME.yaml`         | a model profile: `model=NAME`                             |
| `conf/deployment/NAME.yaml`    | how that model is hosted                                  |
| `conf/agent/NAME.yaml` …       | a file of any other group: `agent=NAME`, `experiment=NAME`|
| `games/LIBRARY/`               | a library of games: `game=library:ID`                     |
| `my_agent.py`                  | code: `agent._target_=my_agent.MyAgent`                   |

`GWRAY_HOME` is its path; the default is the working directory, if that has a `conf/`.
"""

import errno
import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from gwray.errors import UsageError

PACKAGE = Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parent if (PACKAGE.parent / "conf" / "config.yaml").is_file() else None
"""The repository that gwray runs from; None for an installed wheel."""
BUNDLED = CHECKOUT or PACKAGE / "bundled"
"""Folder of gwray's own `games/`, `conf/` and `docs/library.json`."""
CONF = BUNDLED / "conf"
GAMES = BUNDLED / "games"


def home() -> Path | None:
    """Returns the user's folder; None if there is none. Raises `UsageError` if `GWRAY_HOME` cannot be read or has a
    `conf/config.yaml`. A working directory that has one is another program or a checkout, and is ignored."""
    named = os.environ.get("GWRAY_HOME")
    folder = Path(named).expanduser().resolve() if named else Path.cwd()
    try:
        if folder == BUNDLED or not (named or (folder / "conf").is_dir()):
            return None  # gwray's own files are no user's
        if named and not folder.is_dir():
            raise UsageError(f"GWRAY_HOME is '{named}', which is not a folder. Create it, or unset GWRAY_HOME.")
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


def add_user_modules() -> None:
    """Makes the Python modules in the user's folder importable. Raises what `home` raises."""
    own = home()
    if own and str(own) not in sys.path:
        sys.path.append(str(own))


_conf_folders: list[Path] = []
"""Folders that `--config-dir` named in this process."""


def add_conf(folder: str) -> None:
    """Reads the files of a further folder with the layout of `conf/` for the rest of this process. Raises `UsageError`
    if it is none, or has a `config.yaml`."""
    path = folder_path(folder)
    if not path.is_dir() or (path / "config.yaml").exists():
        raise UsageError(
            f"--config-dir '{folder}' must be a folder with files such as model/NAME.yaml or experiment/NAME.yaml, "
            "and without a config.yaml. Settings that you use together go into experiment/NAME.yaml (experiment=NAME)."
        )
    _conf_folders.append(path)


def user_confs() -> list[Path]:
    """Returns the user's config folders: the one in `home`, then those of `add_conf`, which take precedence."""
    folder = home()
    own = [folder / "conf"] if folder and (folder / "conf").is_dir() else []
    return [*own, *_conf_folders]


def user_libraries() -> list[Path]:
    """Returns the user's libraries: the folders of `games/` that contain a game or a `library.yaml`, or cannot be
    read."""
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
    """Returns the cache folder of this user's commands. It may not exist; commands work without its contents."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()) / "gwray"


MOST_BYTES = 64 * 2**20
"""Limit of a file that is read at once. Libraries and tables are far smaller."""


def read_regular(file: str | Path, most: int = MOST_BYTES) -> bytes:
    """Returns the bytes of a file that may come from someone else. Raises `OSError` if it is no regular file (a pipe
    would never end) or larger than `most` bytes."""
    fd = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(fd, "rb") as source:
        facts = os.fstat(fd)
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(file))
        data = source.read(most + 1) if facts.st_size <= most else b""
    if facts.st_size > most or len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most:,} bytes, the limit", str(file))
    return data


@contextmanager
def complete_file(target: Path) -> Iterator[Path]:
    """Yields a temporary file beside `target` that replaces it at the end, unless the block raises. Temporary files of
    processes that were killed on this node are removed."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    for old in target.parent.glob(f".{escape(target.name)}.*.part"):
        pid = old.name.removesuffix(".part").rpartition(".")[2]
        if pid.isdecimal() and not Path("/proc", pid).exists():
            old.unlink(missing_ok=True)
    try:
        yield part
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


_allowed: dict[str, None] = {}
"""Folders that this process allowed; the file in `cache()` may not be writable."""
MOST_ALLOWED = 1_000
"""Folders that are remembered; the oldest are forgotten."""


def folder_path(named: str | Path) -> Path:
    """Returns the absolute path of a folder that a user named. Raises `UsageError` for a path that no folder can have:
    the home of an unknown user, a loop of links, an invalid character. `gameworld:PATH` is the folder PATH."""
    try:
        folder = Path(str(named).removeprefix("gameworld:")).expanduser().resolve()
        folder.is_dir()
    except (OSError, RuntimeError, ValueError) as e:
        raise UsageError(f"folder {str(named)[:200]!r} cannot be opened: {e}. Give the path of a folder.") from e
    return folder


def allow_folders(folders: Iterable[str | Path]) -> None:
    """Remembers folders that the user named (`libraries=…`, `--library`, `judge.reference=…`). A run, which may come
    from someone else, can name any folder; only remembered ones are opened for it (`allowed_folders`)."""
    known = dict(_read_allowed())
    new = {str(folder_path(folder)): None for folder in folders}
    _allowed.update(new)
    if not {*new} - {*known}:
        return
    kept = [folder for folder in [*known, *new] if Path(folder).is_dir()][-MOST_ALLOWED:]
    file = cache() / "folders.json"
    with suppress(OSError):  # not remembered for other commands, which then ask for --library
        file.parent.mkdir(parents=True, exist_ok=True)
        with complete_file(file) as part:
            part.write_text(json.dumps(kept) + "\n")


def allowed_folders(named: Iterable[str]) -> tuple[str, ...]:
    """Returns the folders of a run that the user named before, in this process or an earlier one of this computer."""
    known = _read_allowed()
    return tuple(folder for folder in named if folder in known)


def _read_allowed() -> dict[str, None]:
    """Returns the folders that the user allowed before, and those of this process."""
    try:
        stored = json.loads(read_regular(cache() / "folders.json"))
    except (OSError, ValueError):
        stored = []
    return dict.fromkeys(f for f in stored if isinstance(f, str)) | _allowed if isinstance(stored, list) else _allowed


def conf_files(group: str) -> dict[str, Path]:
    """Returns the files of a group, such as `model`, by name. The user's files come last and replace bundled files of
    the same name."""
    folders = [folder / group for folder in (CONF, *user_confs())]
    return {
        file.relative_to(folder).with_suffix("").as_posix(): file
        for folder in folders
        for file in sorted(folder.rglob("*.yaml"))
    }
