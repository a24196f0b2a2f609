"""Requirements of every node of a cluster: the same gwray, the same games, a browser. Checked before the first episode.
An episode played with other code or files is another episode, and a node that fails at once would take more episodes
than any other. So a node that does not meet the requirements is reported and plays no episode."""

import asyncio
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gwray.agents import make_client
from gwray.catalog import game_digest, load_catalog
from gwray.errors import AuthError, BrowserError, GwrayError, UsageError
from gwray.places import PACKAGE
from gwray.records import digest
from gwray.sandbox import find_browser
from gwray.settings import ModelSpec
from gwray.store import RunDir

SHOWN = 3
"""Number of differing games that a message lists."""


@dataclass(frozen=True)
class NodeRequirements:
    """Requirements that a node must meet to run a command."""

    code: str
    """`code_hash` of the node on which the command was given."""
    libraries: tuple[str, ...] = ()
    """Folders of games besides the bundled ones."""
    games: Mapping[str, str] = field(default_factory=dict)
    """Hash of each game's files, by id."""
    rules: Mapping[str, str] = field(default_factory=dict)
    """Hash of each game's complete definition including `game.yaml`, by id: see `rules_of`."""
    browser: bool = True
    run_dir: str = ""
    """Run directory that the node must be able to read; empty: none."""
    models: Sequence[ModelSpec] = ()
    """Models that are asked from the node: it needs their SDKs and keys."""


@cache
def code_hash() -> str:
    """Returns a hash over gwray's source files in this process's environment."""
    package = PACKAGE
    files = sorted(f for f in package.rglob("*") if f.suffix in (".py", ".js", ".jinja", ".json", ".yaml"))
    ours = [f for f in files if "bundled" not in f.relative_to(package).parts]
    return digest(*(part for f in ours for part in (f.relative_to(package).as_posix(), f.read_bytes())))


def rules_of(libraries: Sequence[str], games: Iterable[str]) -> dict[str, str]:
    """Returns the hash of each game's complete definition on this node; games that it lacks are left out."""
    here = load_catalog(libraries).games
    return {game: game_digest(here[game]) for game in games if game in here}


def node_problems(requirements: NodeRequirements) -> list[str]:
    """Returns which requirements this node does not meet; empty if it can run the command."""
    found = []
    if requirements.code != code_hash():
        found.append(f"it runs a different gwray version ({PACKAGE})")
    try:
        here = load_catalog(requirements.libraries).games
    except GwrayError as e:
        return [*found, f"its games cannot be read: {e}"]
    games, rules = requirements.games, requirements.rules
    other = [f"{game} ({'other files' if game in here else 'missing'})" for game, hash in games.items()
             if game not in here or here[game].files_hash != hash]  # fmt: skip
    other += [f"{game} (other rules)" for game, hash in rules_of(requirements.libraries, rules).items()
              if hash != rules[game] and games.get(game) in (None, here[game].files_hash)]  # fmt: skip
    if other:
        more = f" and {len(other) - SHOWN} more" if len(other) > SHOWN else ""
        found.append(f"its games differ from those of the command: {', '.join(other[:SHOWN])}{more}")
    found += sorted({problem for m in requirements.models if (problem := _client_problem(m))})
    if requirements.run_dir and not RunDir.is_run(requirements.run_dir):
        found.append(f"it cannot read the run directory {requirements.run_dir}")
    if requirements.browser and any(here[g].kind == "browser" for g in requirements.games if g in here):
        try:
            find_browser()
        except BrowserError as e:
            found.append(f"it has no browser: {e}")
    return found


def _client_problem(model: ModelSpec) -> str:
    """Returns why this process cannot ask a model; empty if it can."""
    if model.self_hosted and not model.base_url:
        return ""
    try:
        asyncio.run(make_client(model).close())
    except (AuthError, UsageError) as e:
        return str(e)
    return ""


def node_name() -> str:
    """Returns this node's host name."""
    return platform.node()
