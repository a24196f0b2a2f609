"""Looks at what the last action changed, and says whether it worked and what to do differently."""

from __future__ import annotations

import re

from gwray.agents.base import Ask, Observation
from gwray.agents.messages import Part
from gwray.agents.modules.base import Module, Turn

VERDICT = re.compile(r"verdict\W{0,9}(worked|failed|unclear)", re.IGNORECASE)


class Reflection(Module):
    """Compares the turn before with this one. Its page is shown to whoever acts; the page `verdict` (worked, failed,
    unclear) is for other modules."""

    name = "reflection"
    template = "reflection.jinja"

    async def run(self, turn: Turn, ask: Ask) -> None:
        if turn.last is None:
            return  # nothing was done yet
        parts = [
            *self._shown("Before the last action", turn.last.observation),
            f"The last action: {turn.last.actions}",
            *turn.observation.notes,
            *self._shown("Now, after it", turn.observation),
        ]
        said = await self.query(ask, parts, neutral="Verdict: unclear")
        verdicts = VERDICT.findall(said)
        turn.notes.write("verdict", verdicts[-1].lower() if verdicts else "unclear")
        turn.notes.write(self.name, said, title="What you thought of your last action")

    def _shown(self, when: str, observation: Observation) -> list[Part | str]:
        """The screen of one turn in words, then as a picture. Nothing is said of pictures that is read from them:
        another browser draws other ones, and the words must stay the same."""
        pictures = [self.context.image(view, self.by) for view in observation.views[:1]]
        return [f"{when}:" + (f"\n{observation.text}" if observation.text else ""), *pictures]
