"""The boards of a leaderboard, and the cells of a pack that are one entry.

Games of a library may have a default agent, as Orak's: a submission is then a model under the default strategies, or a
strategy with the same agent in all games. Settings that vary by game (`game_defaults`) make several cells of one such
submission.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from gwray.catalog import Catalog
from gwray.records import canonical, non_defaults
from gwray.settings import LOCAL_PLAYERS, CellSpec

MODELS = "Models under default strategies"
STRATEGIES = "Strategies, the same in all games"
DEFAULT = "default of each game"
"""The agent of an entry with several default agents."""


@dataclass(frozen=True)
class BoardEntry:
    """Cells of one pack that are one entry."""

    cells: tuple[str, ...]
    agent: str
    board: str
    """`MODELS`, `STRATEGIES`, or empty if no game of the entry has a default agent."""


def board_entries(specs: Mapping[str, CellSpec], games: Mapping[str, Set[str]], catalog: Catalog) -> list[BoardEntry]:
    """Returns the entries of a pack, in the order of its cells.

    Cells are one entry if they play different games, differ at most in agent, temperature and repetition penalty, and
    all have the default agents of their games, or all the same agent.

    Args:
        specs: specification of each cell.
        games: ids of the games that each cell plays.
        catalog: the games with their default agents; an unknown game has none.
    """
    alike: dict[str, list[str]] = {}
    for cell, spec in specs.items():
        alike.setdefault(_without_strategy(spec), []).append(cell)
    defaults = {g: game.defaults.agent for g, game in catalog.games.items() if game.defaults.agent}

    def is_default(cell: str) -> bool:
        local = all(m.provider in LOCAL_PLAYERS for m in specs[cell].models())
        return local or all(defaults.get(g, specs[cell].agent.code) == specs[cell].agent.code for g in games[cell])

    def entry(cells: Sequence[str]) -> BoardEntry:
        agents = {specs[c].agent.code for c in cells}
        board = MODELS if all(map(is_default, cells)) else STRATEGIES
        known = any(g in defaults for c in cells for g in games[c])
        return BoardEntry(tuple(cells), DEFAULT if len(agents) > 1 else agents.pop(), board if known else "")

    found = []
    for cells in alike.values():
        by_agent: dict[str, list[str]] = {}
        for c in cells:
            by_agent.setdefault(specs[c].agent.code, []).append(c)
        groups = [cells] if all(map(is_default, cells)) else by_agent.values()
        for group in groups:
            played = [g for c in group for g in games[c]]
            found += [entry(part) for part in ([group] if len(set(played)) == len(played) else [[c] for c in group])]
    return found


def _without_strategy(spec: CellSpec) -> str:
    """Returns a specification without agent, temperature and repetition penalty, as canonical text."""
    sampling = spec.model.sampling
    extra = {k: v for k, v in sampling.extra.items() if k != "repetition_penalty"}
    model = spec.model.model_copy(
        update={"sampling": sampling.model_copy(update={"temperature": None, "extra": extra})}
    )
    agent = spec.agent.model_copy(update={"name": "direct", "target": "", "modules": (), "options": {}})
    return canonical(non_defaults(spec.model_copy(update={"model": model, "agent": agent, "code": {}})))
