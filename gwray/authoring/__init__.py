"""What the authors of games use: laboratories, search for solutions, difficulty, pictures and the generated docs."""

from gwray.authoring.check import CheckResult, check_solutions
from gwray.authoring.contact_sheet import SHEET, contact_sheet
from gwray.authoring.library_docs import write_docs
from gwray.authoring.measure import measure_library
from gwray.authoring.search import search_tasks

__all__ = [
    "SHEET",
    "CheckResult",
    "check_solutions",
    "contact_sheet",
    "measure_library",
    "search_tasks",
    "write_docs",
]
