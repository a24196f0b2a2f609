"""Every table and figure of the paper, and where its counterpart is: in this report, or with what it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gwray.report.content import Column, Section, Table, TableCell, text_cell


@dataclass(frozen=True)
class Counterpart:
    """One table or figure of the paper."""

    paper: str
    what: str
    preset: str = ""
    """The `experiment=` whose report has it; empty: it is no result."""
    elsewhere: str = ""
    """Where it is, if it is no result: a file or a command."""


PAPER = (
    Counterpart("Table 1", "what a computer-use player can do", elsewhere="conf/published_protocol.yaml"),
    Counterpart("Table 2", "how the benchmark compares with others: no measurement", elsewhere="README.md"),
    Counterpart("Table 3", "games by genre", elsewhere="docs/library.md"),
    Counterpart("Table 4", "the games", elsewhere="docs/library.md"),
    Counterpart("Table 5", "the models", elsewhere="gwray models"),
    Counterpart("Table 6", "SR and PG by genre and overall, ranks within an interface", "main"),
    Counterpart("Table 7", "the whole benchmark again", "reruns"),
    Counterpart("Table 8", "real-time play", "realtime"),
    Counterpart("Table 9", "rounds of memory", "memory"),
    Counterpart("Table 10", "examples of invalid actions", "action_validity"),
    Counterpart("Table 11", "invalid actions by kind", "action_validity"),
    Counterpart("Table 12", "what a game says of its status", elsewhere="games/kit/README.md"),
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


def paper_section(parts: Sequence[Section]) -> Section:
    """What of the paper is in this report, with links, and how the rest is made."""
    places: dict[str, TableCell] = {}
    for section in parts:
        for p in section.parts:
            if p.paper and p.paper not in places:
                anchor = f"figure-{p.id}" if hasattr(p, "layout") else p.id
                places[p.paper] = TableCell(p.title, p.title, href=f"#{anchor}")

    def here(c: Counterpart) -> TableCell:
        if c.elsewhere:
            return text_cell(c.elsewhere, mark="dim")
        return places.get(c.paper) or text_cell(f"not in these runs: experiment={c.preset}", mark="dim")

    columns = (Column("in the paper", numeric=False), Column("what", numeric=False), Column("here", numeric=False))
    rows = tuple((text_cell(c.paper), text_cell(c.what), here(c)) for c in PAPER)
    note = "A run that lacks what a table needs does not show it: `gwray report` takes several runs at once."
    table = Table("paper-table", "Where they are", columns, rows, note)
    return Section("paper", "The paper's tables and figures", "", (table,))
