"""The scripted baseline: a game's own `player.py`, or its committed solution where it has none.

It reads the game state, which no model ever does, and is marked for it (`sees_state`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from gwray.agents.players.base import Player, as_json
from gwray.agents.role_context import RoleContext, Situation
from gwray.catalog import read_solutions, solutions_file
from gwray.errors import GameError, UsageError, boundary
from gwray.spec import AgentSpec, ModelSpec

Act = Callable[[dict[str, Any], str, dict[str, Any]], str]


class Scripted(Player):
    """Plays `act(state, role, task)` of `<game>/player.py`, which answers with a control and its argument in words
    (`reveal_cell c4`).

    `options.finish_after`: after so many decisions it says that it is done, or does nothing where the task lets nobody
    say so; what it leaves behind are ends of every level. Without it, it plays on.
    """

    sees_state = True

    def __init__(self, spec: ModelSpec, agent: AgentSpec, role_context: RoleContext):
        super().__init__(spec, agent, role_context)
        after = spec.options.get("finish_after")
        if after is not None and (not isinstance(after, int) or isinstance(after, bool) or after < 0):
            raise UsageError(f"options.finish_after '{after}' of the scripted player must be a whole number, 0 or more")
        self._most: int | None = after
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
        role_context = self.role_context
        if self._most is not None and situation.decision >= self._most:
            return as_json({"action": "finish"}) if role_context.task.finish else self.idle_reply()
        if self._act is None:
            if situation.decision >= len(self._solution):
                return self.idle_reply()
            said: Any = self._solution[situation.decision]
        else:
            with boundary(GameError, f"player.py of {role_context.game.id} at step {situation.decision}"):
                said = self._act(situation.state, role_context.role.name, self._task)
        text = self.control_reply(said) if isinstance(said, str) else None
        if text is None:
            raise GameError(
                f"the scripted player of {role_context.game.id} said {said!r:.80}, which is no control of the role "
                f"'{role_context.role.name}' (it has: {', '.join(c.id for c in role_context.role.controls)})"
            )
        return text


@lru_cache(maxsize=256)
def _load(path: Path, mtime_ns: int, size: int) -> Act:
    with boundary(GameError, f"loading {path}"):
        # Compiled here rather than imported: an import would leave compiled files among the game's own.
        module = ModuleType(f"player of {path.parent.name}")
        module.__file__ = str(path)
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
        act = getattr(module, "act", None)
    if not callable(act):
        raise GameError(f"{path} has no function act(state, role, task)")
    return cast(Act, act)


def _solution(role_context: RoleContext) -> list[str]:
    hint = f"write {role_context.game.folder / 'player.py'} with act(state, role, task), or a solution of the task"
    file = solutions_file(role_context.game)
    if not file.is_file():
        raise GameError(f"{role_context.game.id} has neither player.py nor {file.name}: {hint}")
    solution = read_solutions(role_context.game).get(role_context.task.id)
    if solution is None:
        raise GameError(f"{file} has no solution of the task {role_context.task.id}: {hint}")
    return list(solution.roles[role_context.role.name])
