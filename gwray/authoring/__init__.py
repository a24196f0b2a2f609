"""Tools for game authors: play in a lab, search for solutions, measure difficulty, find memory signatures."""

from gwray.authoring.check import CheckResult, check_solutions
from gwray.authoring.measure import measure_library
from gwray.authoring.repeatability import Repeatability, check_repeatability
from gwray.authoring.search import search_tasks
from gwray.authoring.signatures import FoundSignature, ProbeControls, find_signature
