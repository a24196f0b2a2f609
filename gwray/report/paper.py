"""Tables and figures of the GameWorld paper, and where to find their counterparts."""

from collections.abc import Sequence
from dataclasses import dataclass

from gwray.report.content import Figure, Section
from gwray.tables import Column, Table, TableCell, text_cell


@dataclass(frozen=True)
class Counterpart:
    """One table or figure of the paper."""

    paper: str
    subject: str
    preset: str = ""
    """The `experiment=` whose report has it; empty: it is no result."""
    elsewhere: str = ""
    """A file or command, if it is no result."""


PAPER = (
    Counterpart("Table 1", "what a computer-use player can do", elsewhere="conf/published_protocol.yaml"),
    Counterpart("Table 2", "how the benchmark compares with others: no measurement", elsewhere="README.md"),
    Counterpart("Table 3", "games by genre", elsewhere="docs/library.md"),
    Counterpart("Table 4", "the games", elsewhere="docs/library.md"),
    Counterpart("Table 5", "the models", elsewhere="gwray models"),
    Counterpart("Table 6", "SR and PG by genre and overall, ranks within an interface", "main"),
    Counterpart("Table 7", "all tasks repeated", "reruns"),
    Counterpart("Table 8", "real-time play", "realtime"),
    Counterpart("Table 9", "rounds of memory", "memory"),
    Counterpart("Table 10", "examples of invalid actions", "action_validity"),
    Counterpart("Table 11", "invalid actions by kind", "action_validity"),
    Counterpart("Table 12", "status values of a game", elsewhere="games/kit/README.md"),
    Counterpart("Table 13", "tokens and cost", "cost"),
    Counterpart("Section 4.5.4", "four causes of failure", "main"),
    Counterpart("Figure 1", "the games in pictures", elsewhere="docs/games.png"),
    Counterpart("Figure 2", "how an episode goes", elsewhere="docs/architecture.md"),
    Counterpart("Figure 3", "progress by game", "main"),
    Counterpart("Figure 4", "reruns by game", "reruns"),
    Counterpart("Figure 5", "capability profile, an interface each", "curriculum"),
    Counterpart("Figure 6", "key frames of a task", "main"),
    Counterpart("Figure 7", "key frames of another task", "main"),
    Counterpart("Figure 8", "key frames of a third task", "main"),
)
"""In the order of the paper."""


def paper_section(sections: Sequence[Section]) -> Section:
    """Links to the counterparts in these sections, and how to make the others."""
    places: dict[str, TableCell] = {}
    for p in (p for section in sections for p in section.parts if p.paper):
        anchor = f"figure-{p.id}" if isinstance(p, Figure) else p.id
        places.setdefault(p.paper, TableCell(p.title, p.title, href=f"#{anchor}"))

    def here(c: Counterpart) -> TableCell:
        if c.elsewhere:
            return text_cell(c.elsewhere, mark="dim")
        return places.get(c.paper) or text_cell(f"not in these runs: experiment={c.preset}", mark="dim")

    columns = (Column.text("in the paper", "paper"), Column.text("subject", "subject"), Column.text("here", here))
    note = "A table without data is not shown; `gwray report` takes several runs at once."
    table = Table.build("paper-table", "Where to find them", columns, PAPER, note=note)
    return Section.build("paper", "The paper's tables and figures", table)
