"""The arena section: ratings, wins and leads of models that played against each other."""

from gwray.analysis import rating_table, win_table
from gwray.report.content import Section
from gwray.report.figures import rating_figure
from gwray.report.results import Results


def arena_section(results: Results) -> Section | None:
    """Returns ratings and wins by game; None if no two models met."""
    parts = [
        part
        for title, arena in results.arenas.items()
        for part in (rating_figure(title, arena), rating_table(title, arena), win_table(title, arena))
    ]
    return Section.build("arena", "Arena", *parts) if parts else None
