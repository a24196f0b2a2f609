"""What people look at: the static report of a study, and the site of the runs in a folder.

Draws what `analysis` computes and `store` keeps; scores nothing and plays nothing.
"""

from gwray.report.export import export_html, export_webp
from gwray.report.film import Reel, film_fps, side_by_side, write_film
from gwray.report.folder import Runs
from gwray.report.leaderboard import Entry, build_leaderboard, leaderboard_folder, tests_of
from gwray.report.server import ViewServer, serve_view, site_app
from gwray.report.site import build_report

__all__ = [
    "Entry",
    "Reel",
    "Runs",
    "ViewServer",
    "build_leaderboard",
    "build_report",
    "export_html",
    "export_webp",
    "film_fps",
    "leaderboard_folder",
    "serve_view",
    "side_by_side",
    "site_app",
    "tests_of",
    "write_film",
]
