"""Commands that list games, tasks and models, check solutions and measure the library."""

from typing import Annotated

import typer

from gwray.cli.options import Games, Json, Libraries, console, split_words
from gwray.pages import counted


def games(game: Games = None, as_json: Json = False, library: Libraries = None) -> None:
    """List the games of all libraries, or the given ones.

    Example: gwray games genre:puzzle
    """
    from gwray.catalog import load_catalog
    from gwray.cli.terminal import print_json, print_table

    catalog = load_catalog(library or ())
    chosen = catalog.games if not game else {g.id: g for g, _ in catalog.select(split_words(game), ["all"])}
    rows = [
        {
            "game": g.id,
            "library": catalog.library_of(g.id).id,
            "title": g.title,
            "genre": g.genre,
            "level": g.level,
            "roles": [r.name for r in g.roles],
        }
        for g in chosen.values()
    ]
    if as_json:
        return print_json(rows)
    cells = ((r["game"], r["library"], r["title"], r["genre"], r["level"] or "", ", ".join(r["roles"])) for r in rows)
    print_table(("game", "library", "title", "genre", "level", "roles"), cells, console, counted(len(rows), "game"))


def tasks(
    game: Annotated[
        list[str] | None, typer.Argument(help="Game ids, library:ID, category:puzzle, level:2, a,b; or first library.")
    ] = None,
    as_json: Json = False,
    library: Libraries = None,
) -> None:
    """List the tasks of the given games, or of the first library (the arcade games).

    Example: gwray tasks 01_2048
    """
    from gwray.catalog import load_catalog
    from gwray.cli.terminal import print_json, print_table

    catalog = load_catalog(library or ())
    rows = [
        {
            "task": t.id,
            "game": g.id,
            "library": catalog.library_of(g.id).id,
            "instruction": t.instruction.strip(),
            "target": t.target_text if t.target is None else t.target,
            "max_steps": t.max_steps,
            "max_decisions": t.max_decisions,
        }
        for g, t in catalog.select(split_words(game), ["all"])
    ]
    if as_json:
        return print_json(rows)
    cells = ((r["task"], r["game"], r["target"], r["max_decisions"] or r["max_steps"], r["instruction"]) for r in rows)
    print_table(("task", "game", "target", "budget", "instruction"), cells, console, counted(len(rows), "task"))


def models(as_json: Json = False) -> None:
    """List the model profiles of conf/model/.

    Example: gwray models --json
    """
    from gwray.catalog import describe_model, read_models
    from gwray.cli.terminal import print_json, print_table

    rows = [
        {"model": m.name, "interfaces": list(m.interfaces), "provider": m.provider, "self_hosted": m.self_hosted}
        | describe_model(m).model_dump()
        for m in read_models()
    ]
    if as_json:
        return print_json(rows)
    columns = ("model", "interfaces", "provider", "self-hosted")
    cells = ((r["model"], ", ".join(r["interfaces"]), r["provider"], "yes" if r["self_hosted"] else "") for r in rows)
    print_table(columns, cells, console, counted(len(rows), "model"))
