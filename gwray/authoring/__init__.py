"""What the authors of games use: laboratories, search for solutions, difficulty, pictures and the generated docs."""

from gwray.authoring.check import CheckResult, check_solutions
from gwray.authoring.contact_sheet import SHEET, contact_sheet
from gwray.authoring.library_docs import write_docs
from gwray.authoring.measure import measure_library
from gwray.authoring.search import search_tasks
from gwray.authoring.signatures import FoundSignature, Moving, find_signature

__all__ = [
    "SHEET",
    "CheckResult",
    "FoundSignature",
    "Moving",
    "check_solutions",
    "contact_sheet",
    "find_signature",
    "measure_library",
    "search_tasks",
    "write_docs",
]
