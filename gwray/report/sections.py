"""The sections of a report, in their order.

Each is a function `section(results: Results) -> Section | None`. To add one, register it as an entry point in the
group `gwray.report_sections`, or name it: `gwray report RUN --section my_package.my_section`.
"""

from collections.abc import Callable, Sequence

from gwray.errors import UsageError
from gwray.registry import Registry
from gwray.report.content import Section
from gwray.report.results import Results

SectionFunction = Callable[[Results], Section | None]

GAMEWORLD = {
    "main": "main_results:main_section",
    "genres": "comparisons:genre_section",
    "levels": "comparisons:level_section",
    "games": "comparisons:game_section",
    "reruns": "comparisons:rerun_section",
    "pairs": "comparisons:pair_section",
    "realtime": "behaviour:realtime_section",
    "ablations": "behaviour:ablation_section",
    "latency": "behaviour:latency_section",
    "validity": "behaviour:validity_section",
    "cost": "behaviour:cost_section",
    "modules": "behaviour:module_section",
    "failures": "failures:failure_section",
}
POKEGYM = {"town": "pokegym:town_section"}
FLASHADVENTURE = {"adventures": "flashadventure:adventure_section"}
SECTIONS = Registry(
    "report section",
    {name: f"gwray.report.{path}" for name, path in (GAMEWORLD | POKEGYM | FLASHADVENTURE).items()},
    "gwray.report_sections",
)


def make_sections(results: Results, more: Sequence[str] = ()) -> list[Section]:
    """All sections that have something to show: built-in ones, those of installed packages, and `more` by name.

    Raises `UsageError` for a name that cannot be imported, and if a section returns something else.
    """
    installed = [name for name in SECTIONS.names() if name not in SECTIONS.builtin]
    made = []
    for name in dict.fromkeys([*SECTIONS.builtin, *installed, *more]):
        section = SECTIONS.get(name)(results)
        if section is not None and not isinstance(section, Section):
            raise UsageError(f"report section '{name}' returned a {type(section).__name__}; return a Section or None")
        if section is not None and section.parts:
            made.append(section)
    return made
