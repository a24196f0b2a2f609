"""What every machine of a cluster must have alike, checked before the first episode: gwray, games, a browser.

An episode that is played by other code or in other files is another episode, and a machine that fails at once takes
more of them than any other. So a machine that does not fit is named, and plays none.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gwray.catalog import game_digest, load_catalog
from gwray.errors import BrowserError, GwrayError
from gwray.places import PACKAGE
from gwray.records import digest
from gwray.sandbox import find_browser
from gwray.store import RunDir

SHOWN = 3
"""So many games are named that a machine has other files of."""


@dataclass(frozen=True)
class Needs:
    """What a machine needs to take part."""

    code: str
    """Of gwray: `code_hash` where the command was given."""
    libraries: tuple[str, ...] = ()
    """Folders of games beside the bundled ones."""
    games: Mapping[str, str] = field(default_factory=dict)
    """Hashes of games' files, by id."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """Hashes of all that games are where the command was given, their `game.yaml` too, by id: `rules_of`."""
    browser: bool = True
    run_dir: str = ""
    """Run directory that it must see; empty: none."""


@cache
def code_hash() -> str:
    """Hash over every file of the package in this process's environment that is run."""
    package = PACKAGE
    files = sorted(f for f in package.rglob("*") if f.suffix in (".py", ".js", ".jinja", ".json", ".yaml"))
    ours = [f for f in files if "bundled" not in f.relative_to(package).parts]
    return digest(*(part for f in ours for part in (f.relative_to(package).as_posix(), f.read_bytes())))


def rules_of(libraries: Sequence[str], games: Iterable[str]) -> dict[str, str]:
    """All that these games are here, as a hash each; without those that are not here."""
    here = load_catalog(libraries).games
    return {game: game_digest(here[game]) for game in games if game in here}


def misfits(needs: Needs) -> list[str]:
    """What this machine has not, or has otherwise; empty if it can take part."""
    found = []
    if needs.code != code_hash():
        found.append(f"its gwray is another one ({PACKAGE})")
    try:
        here = load_catalog(needs.libraries).games
    except GwrayError as e:
        return [*found, f"its games cannot be read: {e}"]
    other = [f"{game} ({'other files' if game in here else 'not there'})" for game, hash in needs.games.items()
             if game not in here or here[game].files_hash != hash]  # fmt: skip
    other += [f"{game} (other rules)" for game, hash in rules_of(needs.libraries, needs.rules).items()
              if hash != needs.rules[game] and needs.games.get(game) in (None, here[game].files_hash)]  # fmt: skip
    if other:
        more = f" and {len(other) - SHOWN} more" if len(other) > SHOWN else ""
        found.append(f"its games are not those of the command: {', '.join(other[:SHOWN])}{more}")
    if needs.run_dir and not RunDir.is_run(needs.run_dir):
        found.append(f"it does not see the run directory {needs.run_dir}")
    if needs.browser and any(here[g].kind == "browser" for g in needs.games if g in here):
        try:
            find_browser()
        except BrowserError as e:
            found.append(f"it has no browser: {e}")
    return found


def machine_name() -> str:
    """What this machine calls itself."""
    return platform.node()
