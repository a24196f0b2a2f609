"""What people look at: the static report of a study and the replay viewer, as files or from a local server.

Draws what `analysis` computes and `store` keeps; scores nothing and plays nothing.
"""

from gwray.report.export import export_html, export_webp
from gwray.report.film import Reel, film_fps, side_by_side, write_film
from gwray.report.server import ViewServer, serve_view, viewer_app
from gwray.report.site import build_report

__all__ = [
    "Reel",
    "ViewServer",
    "build_report",
    "export_html",
    "export_webp",
    "film_fps",
    "serve_view",
    "side_by_side",
    "viewer_app",
    "write_film",
]
