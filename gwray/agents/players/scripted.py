"""The scripted baseline: a game's own `player.py`, or the task's committed solution. It reads the game's state, which
no model gets; its results are marked (`sees_state`)."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from gwray.agents.players.base import Player, as_json
from gwray.agents.role_context import RoleContext, Situation
from gwray.catalog import read_solutions, solutions_file
from gwray.errors import GameError, UsageError, boundary
from gwray.settings import AgentSpec, ModelSpec

Act = Callable[[dict[str, Any], str, dict[str, Any]], str]


class Scripted(Player):
    """Plays `act(state, role, task)` of `<game>/player.py`, which returns a control and its argument as text
    (`reveal_cell c4`; several actions of a reply on a line each; `finish` where the task allows it), or the task's
    committed solution.

    `options.finish_after`: number of decisions after which it declares the task done, or does nothing if the task does
    not allow that. Default: never.

    Raises:
        UsageError: `options.finish_after` is not a whole number.
        GameError: the game has neither a player nor a solution of the task.
    """

    sees_state = True

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext):
        super().__init__(spec, agent, role_context)
        after = spec.options.get("finish_after")
        if after is not None and (not isinstance(after, int) or isinstance(after, bool) or after < 0):
            raise UsageError(f"options.finish_after '{after}' of the scripted player must be a whole number, 0 or more")
        self._finish_after: int | None = after
        script = role_context.game.folder / "player.py"
        self._act: Act | None = None
        self._solution: list[str] = []
        if script.is_file():
            stat = script.stat()
            self._act = _load(script, stat.st_mtime_ns, stat.st_size)
        else:
            self._solution = _solution(role_context)
        self._task = role_context.task.model_dump(mode="json")

    def choose_text(self, situation: Situation) -> str:
        at = self.role_context
        if self._finish_after is not None and situation.decision >= self._finish_after:
            return as_json({"action": "finish"}) if at.task.finish else self.idle_reply()
        if self._act is None:
            if situation.decision >= len(self._solution):
                return self.idle_reply()
            control: Any = self._solution[situation.decision]
        else:
            with boundary(GameError, f"player.py of {at.game.id} at step {situation.decision}"):
                control = self._act(situation.state, at.role.name, self._task)
        if control == "finish" and at.task.finish:
            return as_json({"action": "finish"})
        text = self.control_reply(control) if isinstance(control, str) else None
        if text is None:
            raise GameError(
                f"the scripted player of {at.game.id} said {control!r:.80}, which is no control of the role "
                f"'{at.role.name}' (it has: {', '.join(c.id for c in at.role.controls)})"
            )
        return text


@lru_cache(maxsize=256)
def _load(path: Path, mtime_ns: int, size: int) -> Act:
    """Executes a game's `player.py` and returns its function `act`. Cached until the file's time or size changes.
    Raises `GameError`."""
    with boundary(GameError, f"loading {path}"):
        # Compiled instead of imported: an import would write bytecode files into the game's folder.
        module = ModuleType(f"player of {path.parent.name}")
        module.__file__ = str(path)
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
        act = getattr(module, "act", None)
    if not callable(act):
        raise GameError(f"{path} has no function act(state, role, task)")
    return cast(Act, act)


def _solution(role_context: RoleContext) -> list[str]:
    """Returns the committed solution of the role's task: one control and its arguments as text for each decision.
    Raises `GameError` if the game has no solution of the task."""
    hint = f"write {role_context.game.folder / 'player.py'} with act(state, role, task), or a solution of the task"
    file = solutions_file(role_context.game)
    if not file.is_file():
        raise GameError(f"{role_context.game.id} has neither player.py nor {file.name}: {hint}")
    solution = read_solutions(role_context.game).get(role_context.task.id)
    if solution is None:
        raise GameError(f"{file} has no solution of the task {role_context.task.id}: {hint}")
    return list(solution.roles[role_context.role.name])
