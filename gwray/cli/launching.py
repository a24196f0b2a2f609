"""`gwray run`, which is `launch.py`, and `gwray --version`; Hydra is imported when a run is asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from gwray.cli.options import console
from gwray.version import __version__


def settings(incomplete: str) -> list[str]:
    """What the shell offers: names of settings, and after `model=` the files of that group, after `game=` games."""
    from gwray.catalog import load_catalog
    from gwray.cli.overrides import GROUPS, known_settings
    from gwray.places import conf_files

    name, said, value = incomplete.partition("=")
    if not said:
        return [f"{known}=" for known in known_settings() if known.startswith(name)]
    words = conf_files(name) if name in GROUPS else load_catalog().games if name == "game" else ()
    return [f"{name}={word}" for word in words if word.startswith(value)]


def run(
    words: Annotated[
        list[str] | None, typer.Argument(help="[-m] setting=value …", autocompletion=settings, show_default=False)
    ] = None,
) -> None:
    """Play a sweep: models, games and settings in, a run directory out. The same command again continues it.

    `gwray run --help` shows every setting; docs/configuration.md describes them.

    Example: gwray run model=random game=13_flappy-bird
    """
    from gwray.cli.launch import main

    main(words or ())


def _say(asked: bool) -> None:
    if asked:
        console.print(f"gwray {__version__}", highlight=False)
        raise typer.Exit()


def version(
    asked: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_say)] = False,
) -> None:
    """Play browser games with multimodal agents, at scale, with scores that anyone can verify."""
