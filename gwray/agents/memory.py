"""The rolling memory of the baseline agent: the last N rounds, placed before the current observation. A round is user
prompt → screenshot → reasoning → action, in this order. The user prompt of a round is one line, unless
`memory_prompt=full` adds the four static sections."""

from collections import deque
from dataclasses import dataclass

from gwray.agents.messages import Image, Part, Text
from gwray.settings import AgentSpec

MAX_REASONING = 2000
"""Characters of a past round's reasoning that are repeated: its end, where the decision is."""
MAX_ACTION = 400


@dataclass(frozen=True)
class Round:
    """One past turn."""

    user_prompt: str
    image: Image | None
    reasoning: str
    action: str


class RoundMemory:
    """The last `memory_rounds` rounds."""

    def __init__(self, spec: AgentSpec):
        self._rounds: deque[Round] = deque(maxlen=spec.memory_rounds)
        fields = set(spec.memory_fields)
        if spec.memory_format == "text":
            fields.discard("screenshot")
        elif spec.memory_format == "images":
            fields &= {"screenshot"}
        self._fields = fields

    def add(self, round_: Round) -> None:
        """Appends a round; drops the oldest one beyond the limit."""
        self._rounds.append(round_)

    def parts(self) -> list[Part]:
        """Returns the history as parts of a prompt, oldest first; an empty list if there is none."""
        if not self._rounds or not self._fields:
            return []
        parts: list[Part] = []
        text = [f"Action history, oldest first ({len(self._rounds)}):"]
        for r in self._rounds:
            if "user_prompt" in self._fields:
                text.append(r.user_prompt)
            if "screenshot" in self._fields and r.image is not None:
                parts += [Text("\n".join(text)), r.image] if text else [r.image]
                text = []
            if "reasoning" in self._fields and r.reasoning:
                text.append(f"Reasoning: {one_line(r.reasoning)}")
            if "action" in self._fields:
                text.append(f"Action: {r.action[:MAX_ACTION]}")
        return [*parts, Text("\n".join(text))] if text else parts


def one_line(reasoning: str) -> str:
    """Returns reasoning in one line, cut to its last `MAX_REASONING` characters."""
    short = " ".join(reasoning.split())
    return short if len(short) <= MAX_REASONING else "…" + short[-MAX_REASONING:]
