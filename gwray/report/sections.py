"""The sections of a report, in their order, and their tabs; the last one links to the counterparts of the paper. Each
is a function `section(results: Results) -> Section | None`. To add one, register it as an entry point in the group
`gwray.report_sections`, or name it: `gwray report RUN --section my_package.my_section`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gwray.errors import UsageError, where
from gwray.pages import Column, Table, TableCell, text_cell
from gwray.places import Registry
from gwray.report.content import Figure, Part, Section
from gwray.report.results import Results, matches_published_settings

SectionFunction = Callable[[Results], Section | None]

GAMEWORLD = {
    "main": "main_results:main_section",
    "models": "main_results:model_section",
    "genres": "comparisons:genre_section",
    "levels": "comparisons:level_section",
    "games": "comparisons:game_section",
    "reruns": "comparisons:rerun_section",
    "pairs": "comparisons:pair_section",
    "realtime": "behaviour:realtime_section",
    "ablations": "behaviour:ablation_section",
    "validity": "behaviour:validity_section",
    "cost": "behaviour:cost_section",
    "modules": "behaviour:module_section",
    "failures": "failures:failure_section",
}
ARENA = {"arena": "arena:arena_section"}
SECTIONS = Registry(
    "report section",
    {name: f"gwray.report.{path}" for name, path in (ARENA | GAMEWORLD).items()},
    "gwray.report_sections",
)


def make_sections(results: Results, more: Sequence[str] = ()) -> list[Section]:
    """Returns all sections that have something to show: built-in ones, those of installed packages, and `more` by
    name. Raises `UsageError` for a name that cannot be imported, and if a section fails or returns something else."""
    installed = [name for name in SECTIONS.names() if name not in SECTIONS.builtin]
    made = []
    for name in dict.fromkeys([*SECTIONS.builtin, *installed, *more]):
        make = SECTIONS.get(name)
        try:
            section = make(results)
        except Exception as e:
            if name in SECTIONS.builtin:
                raise
            raise UsageError(f"report section '{name}' failed: {type(e).__name__}: {e}{where(e)}") from e
        if section is not None and not isinstance(section, Section):
            raise UsageError(f"report section '{name}' returned a {type(section).__name__}; return a Section or None")
        if section is not None and section.parts:
            made.append(section)
    return made


TABS = {
    "Results": (),
    "Behavior": ("realtime", "ablations", "validity"),
    "Cost": ("cost", "modules"),
    "Failures": ("failures", "cases"),
    "Paper": ("paper",),
}
"""Tabs of the page and the ids of their sections; sections of no other tab are in the first one."""
MOST_NAMED = 4
"""More cells are counted, not named."""
FIRST = ("figure-overview", "models")
"""Parts above the tabs."""


def place(part: Part) -> str:
    """Returns the anchor of a part on the page."""
    return f"figure-{part.id}" if isinstance(part, Figure) else part.id


def by_tab(sections: Sequence[Section]) -> tuple[list[Part], dict[str, list[Section]]]:
    """Returns the parts above the tabs, in the order of `FIRST`, and the other parts in their sections by tab. The
    ratings of an arena replace the overview, which shows cells."""
    ratings = [place(p) for s in sections if s.id == "arena" for p in s.parts if isinstance(p, Figure)]
    wanted = (*ratings, *FIRST[1:]) if ratings else FIRST
    first = {place(p): p for s in sections for p in s.parts if place(p) in wanted}
    tabs: dict[str, list[Section]] = {name: [] for name in TABS}
    for s in sections:
        if parts := tuple(p for p in s.parts if place(p) not in first):
            tab = next((name for name, ids in TABS.items() if s.id in ids), "Results")
            tabs[tab].append(replace(s, parts=parts))
    return [first[name] for name in wanted if name in first], {name: found for name, found in tabs.items() if found}


def without_paper(sections: Sequence[Section]) -> list[Section]:
    """Returns the sections without the paper's numbers: for runs without `sampling=published`."""
    return [replace(s, parts=tuple(replace(p, paper="") for p in s.parts)) for s in sections]


@dataclass(frozen=True)
class Counterpart:
    """One table or figure of the paper."""

    paper: str
    subject: str
    preset: str = ""
    """The `experiment=` whose report has it; empty: it is no result."""
    elsewhere: str = ""
    """A file or command, if it is no result."""


PAPER = (
    Counterpart("Table 1", "what a computer-use player can do", elsewhere="conf/published_protocol.yaml"),
    Counterpart("Table 2", "how the benchmark compares with others: no measurement", elsewhere="README.md"),
    Counterpart("Table 3", "games by genre", elsewhere="docs/library.md"),
    Counterpart("Table 4", "the games", elsewhere="docs/library.md"),
    Counterpart("Table 5", "the models", elsewhere="gwray models"),
    Counterpart("Table 6", "SR and PG by genre and overall, ranks within an interface", "main"),
    Counterpart("Table 7", "all tasks repeated", "reruns"),
    Counterpart("Table 8", "real-time play", "realtime"),
    Counterpart("Table 9", "rounds of memory", "memory"),
    Counterpart("Table 10", "examples of invalid actions", "action_validity"),
    Counterpart("Table 11", "invalid actions by kind", "action_validity"),
    Counterpart("Table 12", "status values of a game", elsewhere="games/kit/README.md"),
    Counterpart("Table 13", "tokens and cost", "cost"),
    Counterpart("Section 4.5.4", "four causes of failure", "main"),
    Counterpart("Figure 1", "the games in pictures", elsewhere="docs/games.png"),
    Counterpart("Figure 2", "how an episode goes", elsewhere="docs/architecture.md"),
    Counterpart("Figure 3", "progress by game", "main"),
    Counterpart("Figure 4", "reruns by game", "reruns"),
    Counterpart("Figure 5", "capability profile, an interface each", "curriculum"),
    Counterpart("Figure 6", "key frames of a task", "main"),
    Counterpart("Figure 7", "key frames of another task", "main"),
    Counterpart("Figure 8", "key frames of a third task", "main"),
)
"""In the order of the paper."""


def paper_section(sections: Sequence[Section], results: Results) -> Section:
    """Returns links to the paper's tables and figures in these sections, how to make the missing ones, and which cells
    were played under other settings."""
    others = [results.name(c) for c in results.order if not matches_published_settings(results.cell(c))]
    which = ", ".join(others) if len(others) <= MOST_NAMED else f"{len(others)} of {len(results.order)} cells"
    intro = f"Other settings than in the paper's main table: {which}." if others else ""
    places: dict[str, TableCell] = {}
    for p in (p for section in sections for p in section.parts if p.paper):
        places.setdefault(p.paper, TableCell(p.title, p.title, href=f"#{place(p)}"))

    def here(c: Counterpart) -> TableCell:
        if c.elsewhere:
            return text_cell(c.elsewhere, mark="dim")
        return places.get(c.paper) or text_cell(f"not in these runs: experiment={c.preset}", mark="dim")

    columns = (Column.text("in the paper", "paper"), Column.text("subject", "subject"), Column.text("here", here))
    note = "A table without data is not shown; `gwray report` takes several runs at once."
    table = Table.build("paper-table", "Where to find them", columns, PAPER, note=note)
    return Section.build("paper", "The paper's tables and figures", table, intro=intro)
