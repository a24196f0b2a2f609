"""What the loop knows of an agent, and nothing more.

An agent is asked for a reply and, separately, told what its reply came to. The two halves are apart because a
replayed episode has the replies already: verification and resumption call `prepare`, `interpret` and `remember`,
never `ask`. `interpret` is a pure function of the reply, the role and the viewport.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from gwray.actions import Action
from gwray.catalog.game import Game, Role, Task
from gwray.records import Reply, Validity


@dataclass(frozen=True)
class Observation:
    """What one role gets to decide on."""

    step: int
    image: bytes
    mime: str
    width: int
    height: int
    state: dict[str, Any] | None = None
    """Only ever filled for agents with `sees_state`."""


@dataclass(frozen=True)
class Seat:
    """Where an agent sits: constant over an episode."""

    game: Game
    role: Role
    task: Task
    seed: int
    repeat: int
    episode_key: str
    viewport: tuple[int, int]


@dataclass(frozen=True)
class Decision:
    """What a reply came to."""

    validity: Validity
    action: Action | None = None
    control: str | None = None
    reason: str = ""


@dataclass(frozen=True)
class Prompt:
    """A request, ready to be sent: `request_hash` covers everything that can influence the reply."""

    request_hash: str
    body: Any = field(repr=False, default=None)
    """The agent's own; opaque to the loop."""


class Agent(Protocol):
    """One seat's player during one episode."""

    sees_state: bool
    instructions: str
    """The static text of its prompt; empty for players that need none. Kept once per episode, for readers."""

    def prepare(self, observation: Observation) -> Prompt:
        """Build the request for this observation from prompt, memory and picture. Sends nothing."""
        ...

    async def ask(self, prompt: Prompt) -> Reply:
        """Send it. The only call that may touch the network. Raises `ModelError`."""
        ...

    def interpret(self, reply: Reply, observation: Observation) -> Decision:
        """Parse the reply and check it against the role. Pure; never raises for what a model said."""
        ...

    def remember(self, observation: Observation, reply: Reply, decision: Decision) -> None:
        """Append the round to the rolling memory."""
        ...

    async def close(self) -> None: ...
