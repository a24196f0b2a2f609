"""Reports for people: the static report of one or several runs, and the site of the runs in a folder. Shows what
`analysis` computes and `store` keeps; scores nothing and plays nothing."""

from gwray.report.content import Figure, Section
from gwray.report.export import export_html, export_webp
from gwray.report.leaderboard import PackEntry, build_leaderboard, comparison_groups, leaderboard_folder
from gwray.report.results import JudgeResults, Results
from gwray.report.run_folder import RunFolder
from gwray.report.server import ViewServer, serve_view, site_app
from gwray.report.site import build_report
from gwray.report.video import CARD_S, VideoFrames, film_cards, side_by_side, video_fps, write_video

__all__ = [
    "CARD_S",
    "Figure",
    "JudgeResults",
    "PackEntry",
    "Results",
    "RunFolder",
    "Section",
    "VideoFrames",
    "ViewServer",
    "build_leaderboard",
    "build_report",
    "comparison_groups",
    "export_html",
    "export_webp",
    "film_cards",
    "leaderboard_folder",
    "serve_view",
    "side_by_side",
    "site_app",
    "video_fps",
    "write_video",
]
