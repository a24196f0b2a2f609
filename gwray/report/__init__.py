"""Reports for people: the static report of one or several runs, and the site of the runs in a folder. Shows what
`analysis` computes and `store` keeps; scores nothing and plays nothing."""

from gwray.report.content import Figure, Section, counts_column, join
from gwray.report.figures import PALETTE, SYMBOLS, axis_names, marker, plot
from gwray.report.pages import asset
from gwray.report.published_columns import published_cell, published_column
from gwray.report.results import JudgeResults, Results
from gwray.report.run_folder import RunFolder
from gwray.report.saved_episodes import SavedEpisodes
from gwray.report.server import ViewServer, serve_view, site_app
from gwray.report.site import build_report
from gwray.report.task_texts import task_texts

__all__ = ["Results", "Section"]
