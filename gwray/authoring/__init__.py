"""What the authors of games use: laboratories, search for solutions, difficulty, pictures and the generated docs."""

from gwray.authoring.check import CheckResult, check_solutions
from gwray.authoring.contact_sheet import SHEET, contact_sheet
from gwray.authoring.library_docs import write_docs
from gwray.authoring.measure import main as measure_main
from gwray.authoring.search import main as search_main

__all__ = ["SHEET", "CheckResult", "check_solutions", "contact_sheet", "measure_main", "search_main", "write_docs"]
