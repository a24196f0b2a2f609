"""`gwray new`: writes a working game, agent or model profile into the user's folder, to be changed."""

import re
from pathlib import Path
from typing import Annotated

import typer

from gwray.cli.options import console
from gwray.errors import UsageError
from gwray.places import BUNDLED, home

TEMPLATES = Path(__file__).parent / "templates"
NAME = r"[a-z0-9][a-z0-9_-]*"

new = typer.Typer(help="Write a working game, agent or model profile, to be changed.", rich_markup_mode=None)
Name = Annotated[str, typer.Argument(help="Lower-case letters, digits, - and _.")]


@new.command("game")
def new_game(
    name: Name, library: Annotated[str, typer.Option("--library", help="Folder in games/ of the game.")] = "my-games"
) -> None:
    """Write games/LIBRARY/NAME: a game with two tasks, a scripted player and solutions.

    Example: gwray new game my-game
    """
    folder = _user_folder() / "games" / _checked(library)
    name = _checked(name)
    values = {"library": library, "task": name.replace("-", "_"), "title": name.replace("-", " ").capitalize()}
    files = {f"{name}/{f.stem}": f"game/{f.name}" for f in sorted((TEMPLATES / "game").iterdir())}
    files["library.yaml"] = files.pop(f"{name}/library.yaml")
    if (folder / "library.yaml").exists():
        del files["library.yaml"]
    _write(folder, files, name, **values)
    _next(f"gwray play {name}", f"gwray dev solutions check --game {name}", f"gwray dev library check {name}",
          f"gwray run model=scripted game={library}:{name} executor=inline")  # fmt: skip


@new.command("agent")
def new_agent(name: Name) -> None:
    """Write NAME.py: an agent that asks two questions per turn.

    Example: gwray new agent my_agent
    """
    module = _checked(name).replace("-", "_")
    if not module.isidentifier():
        raise UsageError(f"'{name}' begins with a digit, which no Python module may; choose another name")
    class_name = "".join(part.capitalize() for part in module.split("_"))
    _write(_user_folder(), {f"{module}.py": "agent.py.jinja"}, name, class_name=class_name)
    # In a checkout of gwray, only launch.py finds modules of that folder.
    program = "python launch.py" if _user_folder() == BUNDLED else "gwray run"
    _next(f"{program} agent._target_={module}.{class_name} model=random game=13_flappy-bird task=1 executor=inline")


@new.command("model")
def new_model(name: Name) -> None:
    """Write conf/model/NAME.yaml: a profile of a model behind a server that speaks Chat Completions.

    Example: gwray new model my-model
    """
    _write(_user_folder() / "conf" / "model", {f"{_checked(name)}.yaml": "model.yaml.jinja"}, name)
    _next("gwray models", f"gwray run model={name} game=13_flappy-bird dry_run=true")


def _user_folder() -> Path:
    """Returns the folder of the user's files. The current one becomes it by having a `conf/`."""
    folder = home() or Path.cwd()
    if folder != BUNDLED and (folder / "conf" / "config.yaml").exists():
        raise UsageError(
            f"{folder}/conf/config.yaml belongs to another program or checkout, so gwray ignores the files of this "
            "folder. Work in another one, or name yours: export GWRAY_HOME=FOLDER"
        )
    return folder


def _checked(name: str) -> str:
    if not re.fullmatch(NAME, name):
        raise UsageError(f"'{name}' is not a name: use lower-case letters, digits, - and _, such as my-game")
    return name


def _write(folder: Path, files: dict[str, str], name: str, **values: str) -> None:
    """Writes templates, by their file in `folder`. Nothing is replaced."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    there = [folder / file for file in files if (folder / file).exists()]
    if there:
        raise UsageError(f"{there[0]} exists; choose another name, or remove it")
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    (_user_folder() / "conf").mkdir(exist_ok=True)
    for file, template in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(templates.get_template(template).render(name=name, **values), encoding="utf-8")
        console.print(str(path), soft_wrap=True, highlight=False)


def _next(*commands: str) -> None:
    console.print("\nTry it:")
    for command in commands:
        console.print(f"  {command}", soft_wrap=True, highlight=False)
