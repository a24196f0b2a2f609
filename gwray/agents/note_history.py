"""The notes of a recorded episode over time, computed from its replies. Calls no model and needs no environment. An
agent class may have a class method `notes` (see `gwray.agents.Agent`); `Modular` implements it with the `learn` methods
of its modules."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gwray.agents.build import AGENTS
from gwray.agents.modular import Modular
from gwray.agents.notes import Note
from gwray.places import NotTrusted
from gwray.records import LoggedReply
from gwray.settings import AgentSpec

KINDS = ("rule", "skill", "clue", "done", "goal")
"""Kinds of the built-in modules, in the order in which they are listed."""


@dataclass(frozen=True)
class NoteSpan:
    """One note of a role, for the time during which its text did not change."""

    role: str
    kind: str
    """rule, skill, clue, done (a recent action), goal, or a kind of your own module."""
    text: str
    place: str
    """Topic of the note: where a clue was found or an action took place, what a skill is for; may be empty."""
    since: int
    """First decision that was made with it, counted from 0."""
    until: int | None = None
    """First decision without it; None: it lasted to the end."""


def note_history(
    agent: AgentSpec, replies: Sequence[LoggedReply], *, trusted: Collection[str] | None = ()
) -> tuple[NoteSpan, ...]:
    """Returns every note of an episode with the decisions during which it existed.

    Args:
        agent: settings of the agent that played.
        replies: the reply log of the episode.
        trusted: names of user-defined code that may be imported; None: all. The modules of the core are understood
            in any case.

    Returns:
        Notes by role, kind and number. The notes at a decision are
        `[n for n in history if n.since <= decision and (n.until is None or decision < n.until)]`.

    Raises:
        UsageError: the settings of the agent are invalid.
    """
    try:
        made = AGENTS.get(agent.code, trusted=trusted)
    except NotTrusted:
        made = Modular
    notes = getattr(made, "notes", None)
    if notes is None:
        return ()
    out: list[NoteSpan] = []
    for role in dict.fromkeys(line.role for line in replies):
        lines = sorted((line for line in replies if line.role == role), key=lambda line: (line.decision, line.call))
        out += _spans(role, notes(agent, lines))
    return tuple(out)


def _spans(role: str, states: Iterable[tuple[int, Mapping[str, Iterable[Note]]]]) -> Iterator[NoteSpan]:
    """Yields the notes of a role with the decisions during which they existed. `states`: the notes after each
    decision."""
    current: dict[tuple[str, int], NoteSpan] = {}
    past: list[tuple[tuple[str, int], NoteSpan]] = []
    for decision, by_kind in states:
        state = {(kind, n.number): (n.text, n.topic) for kind, notes in by_kind.items() for n in notes}
        for key in [k for k, span in current.items() if state.get(k) != (span.text, span.place)]:
            span = current.pop(key)
            past += [(key, replace(span, until=decision))] if span.since < decision else []
        for key, (text, place) in state.items():
            if key not in current:
                current[key] = NoteSpan(role, key[0], text, place, decision)
    order = {kind: i for i, kind in enumerate(KINDS)}
    spans = [*past, *current.items()]
    spans.sort(key=lambda s: (order.get(s[0][0], len(order)), *s[0], s[1].since))
    return (span for _, span in spans)
