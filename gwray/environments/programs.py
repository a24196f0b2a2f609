"""Programs that agents write: which action is one, the API that its game gives it, and what runs it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gwray.catalog import Control, Role
from gwray.errors import GameError
from gwray.places import Registry
from gwray.records import Action, Command, CommandAnswer

INTERPRETERS = Registry("language of programs", {}, "gwray.interpreters")
"""By language (games have `javascript`): `async run(api, code, allowed, call, now_ms) -> ProgramEnd`."""

ProgramCall = Callable[[str, dict[str, Any]], Awaitable[CommandAnswer]]
"""Carries out a command of the game and returns its answer."""


@dataclass(frozen=True)
class ProgramEnd:
    """How a program ended."""

    problem: str
    """Why it was stopped, or the error that it threw; empty if its function returned."""
    chat: tuple[str, ...]
    """What it said, in order."""

    @property
    def feedback(self) -> str:
        """The end in words, for the agent."""
        end = "" if self.problem.endswith("?") else "."
        ended = f"The program failed: {self.problem}{end}" if self.problem else "The program ran to its end."
        return " ".join([ended, *(["Chat log: " + " | ".join(self.chat)] if self.chat else [])])

    def answer(self, last: CommandAnswer) -> CommandAnswer:
        """Returns the answer to the program's command, given the game's `last` answer, which has feedback only if the
        game is over."""
        if last.feedback:
            return CommandAnswer(last.ok, f"{last.feedback} {self.feedback}")
        return CommandAnswer(not self.problem, self.feedback)


def program_control(role: Role, action: Action) -> Control | None:
    """Returns the control whose program an action is; None if it is none."""
    if not isinstance(action, Command) or "code" not in action.args:
        return None
    return next((c for c in role.controls if c.code and c.command == action.name), None)


def read_api(folder: Path, name: str) -> str:
    """Returns the API of a game's programs. Raises `GameError` if the file is missing."""
    try:
        return (folder / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise GameError(f"{folder / name}: the API of its programs cannot be read: {e}") from e
