"""Tables of what models know of games without seeing them: the contamination study."""

from collections.abc import Sequence
from dataclasses import replace

from gwray.analysis import ProbeResult, contamination_p, count_right, published
from gwray.report.published_columns import published_cell
from gwray.report.results import Results
from gwray.tables import NO_VALUE, Column, Table, TableCell, number_cell, text_cell

NOTE = (
    "Asked without screenshots or play (judge probe). Published is the one case whose walkthrough is in the library; "
    "solutions of generated cases can only be guessed. p: Fisher's exact test, one-sided."
)


def known_tables(s: Results, mark: str) -> list[Table]:
    """Returns tables by model and by game; none without probes. `mark` follows the names of published rows."""
    probes = dict.fromkeys((k.probe, k.model) for k in s.judges.known)
    if not probes:
        return []
    columns = (
        Column("model", numeric=False),
        Column("titles %"),
        Column("openings %", hint="first words of the game"),
        Column("solutions %, published case"),
        Column("solutions %, generated cases"),
        Column("p", hint="of at least so many right solutions if the published case were known no better"),
    )
    rows = []
    for probe, model in probes:
        results = [k for k in s.judges.known if k.probe == probe]
        title, opening = count_right(results, "title"), count_right(results, "opening")
        case, control = count_right(results, "solution"), count_right(results, "solution", published=False)
        p = contamination_p(case, control)
        chance = NO_VALUE if p is None else TableCell(f"{p:.2g}", p, mark="warn" if p < 0.05 else "", raw=p)
        rows.append((text_cell(model), *map(_rate, (title, opening, case, control)), chance))
    printed = []
    for r in published("flashadventure_measures").to_dicts():
        if model := CONTAMINATED.get(r["measure"]):
            rate = replace(published_cell(100 * r["value"]), sort=r["value"])
            printed.append((text_cell(f"{model} {mark}"), NO_VALUE, NO_VALUE, rate, NO_VALUE, NO_VALUE))
    first = Table("adventure-known", "What models know in advance", columns, tuple(rows), NOTE, tuple(printed))
    return [first, _by_game(s.judges.known)]


CONTAMINATED = {"contaminated_gpt4o": "GPT-4o", "contaminated_claude": "Claude-3.7"}
"""Published measure → model; of questions about five games."""


def _by_game(known: Sequence[ProbeResult]) -> Table:
    columns = (
        Column("game", numeric=False),
        Column("model", numeric=False),
        Column("title"),
        Column("opening"),
        Column("solution, published case"),
        Column("solution, generated cases"),
    )
    rows = []
    for game in sorted({k.game for k in known}):
        for probe, model in dict.fromkeys((k.probe, k.model) for k in known if k.game == game):
            results = [k for k in known if (k.game, k.probe) == (game, probe)]
            counts = [count_right(results, level) for level in ("title", "opening", "solution")]
            counts.append(count_right(results, "solution", published=False))
            rows.append((text_cell(game), text_cell(model), *map(_count, counts)))
    note = "Right answers / questions."
    return Table("adventure-known-games", "What models know in advance, by game", columns, tuple(rows), note)


def _rate(count: tuple[int, int]) -> TableCell:
    right, asked = count
    return number_cell(right / asked, scale=100, sub=f"{right} of {asked}") if asked else NO_VALUE


def _count(count: tuple[int, int]) -> TableCell:
    right, asked = count
    return TableCell(f"{right} / {asked}", right / asked, raw=right / asked) if asked else NO_VALUE
