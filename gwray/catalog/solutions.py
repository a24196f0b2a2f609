"""Reads and writes the committed solutions of a game: `solutions.json`, one line per task.

A solution has a list of semantic actions per role, one entry per step:
`{"13_01": {"found": "search", "roles": {"player": ["wait", "flap"]}}}`. An entry is a control's id and its arguments,
separated by spaces, in the order of its parameters (`reveal_cell c4`, `push 90 0.5`). `gwray dev solutions check`
replays them; this module does not check whether they solve their tasks.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from gwray.catalog.controls import Role
from gwray.catalog.game import Game
from gwray.catalog.library import GAME_FILE, read_game
from gwray.catalog.task import Task
from gwray.errors import GameError
from gwray.places import GAMES, read_regular
from gwray.places.validation import in_words

FILE = "solutions.json"
KNOWN_LISTS = "blind.json"
"""In the same format, a list per task that is known to score without a look at the game, such as common words;
`gwray.plugins.authoring.blind` plays it. `found` names it."""


class Solution(BaseModel):
    """A solution of a task."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    found: str
    """How it was found: search, scripted player, or by hand."""
    roles: dict[str, tuple[str, ...]]
    """Entries by role; all lists have the same length."""

    @property
    def steps(self) -> int:
        return max((len(entries) for entries in self.roles.values()), default=0)


def solutions_file(game: Game) -> Path:
    """Returns the path of a game's `solutions.json`."""
    return game.folder / FILE


def read_solutions(game: Game, name: str = FILE) -> dict[str, Solution]:
    """Returns solutions by task id, in the order of the tasks; empty without a file of that name. Raises `GameError`
    for an invalid file."""
    file = game.folder / name
    if not file.is_file():
        return {}
    try:
        data = json.loads(read_regular(file))
    except (OSError, UnicodeDecodeError) as e:
        raise GameError(f"{file}: cannot be read: {e}") from e
    except ValueError as e:
        raise GameError(f"{file}: not valid JSON: {e}") from e
    if not isinstance(data, dict):
        raise GameError(f"{file}: must be a mapping from task id to solution, not {type(data).__name__}")
    tasks = {t.id: t for t in game.tasks}
    out: dict[str, Solution] = {}
    for task_id, value in data.items():
        if task_id not in tasks:
            raise GameError(f"{file}: {game.id} has no task '{task_id}'; its tasks: {', '.join(tasks)}")
        out[task_id] = _parse_solution(f"{file}: task {task_id}", value, game, tasks[task_id])
    return {t: out[t] for t in tasks if t in out}


@cache
def best_steps(game_id: str, files_hash: str) -> Mapping[str, int]:
    """Returns the steps of the solution of each task of a bundled game; empty if its files have another hash here."""
    for file in (f for f in GAMES.glob(f"*/*/{GAME_FILE}") if f.parent.name == game_id):
        with suppress(GameError):
            if (game := read_game(file)).files_hash == files_hash:
                return {task: solution.steps for task, solution in read_solutions(game).items()}
    return {}


def _parse_solution(where: str, value: Any, game: Game, task: Task) -> Solution:
    """Returns a valid solution of a task. `where`: place in the file, for messages. Raises `GameError`."""
    try:
        solution = Solution.model_validate(value)
    except ValidationError as e:
        problem = e.errors()[0]
        raise GameError(f"{where}: {'.'.join(map(str, problem['loc']))}: {in_words(problem, Solution)}") from e
    names = [r.name for r in game.roles]
    if sorted(solution.roles) != sorted(names):
        raise GameError(f"{where}: roles {', '.join(solution.roles)} given, the game has {', '.join(names)}")
    lengths = {len(entries) for entries in solution.roles.values()}
    if len(lengths) != 1:
        raise GameError(f"{where}: the roles' lists differ in length: {sorted(lengths)}")
    most = task.steps_allowed(game.per_reply)
    if not 0 < solution.steps <= most:
        raise GameError(f"{where}: {solution.steps} steps; 1 to {most} are possible")
    for name, entries in solution.roles.items():
        for step, entry in enumerate(entries):
            problem = _entry_problem(entry, game.role(name).stepwise)
            if problem:
                raise GameError(f"{where}: role {name}, step {step}: {problem}")
    return solution


def _entry_problem(entry: str, role: Role) -> str:
    """Returns why an entry is invalid, or an empty text."""
    name, _, words = entry.partition(" ")
    control = role.control(name)
    if control is None:
        return f"'{name}' is not a control; allowed: {', '.join(c.id for c in role.controls)}"
    if words.strip() and not control.parameters:
        return f"'{entry}': {control.id} takes no argument"
    given = control.arguments(words)
    for parameter_name, parameter in control.parameters.items():
        if parameter_name not in given:
            return f"'{entry}' needs {' and '.join(control.parameters)}, each after a space"
        try:
            parameter.value(given[parameter_name], f"its argument '{parameter_name}'")
        except ValueError as problem:
            return f"'{entry}': {problem}"
    return ""


def write_solutions(game: Game, solutions: Mapping[str, Solution]) -> Path:
    """Replaces the file atomically by these solutions, one line per task, in the order of the tasks."""
    lines = []
    for task in game.tasks:
        if task.id in solutions:
            s = solutions[task.id]
            value = {"found": s.found, "roles": {r.name: list(s.roles[r.name]) for r in game.roles}}
            lines.append(f' "{task.id}": {json.dumps(value, ensure_ascii=False)}')
    file = solutions_file(game)
    fresh = file.with_name(f".{FILE}.{os.getpid()}")
    fresh.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    fresh.replace(file)
    return file
