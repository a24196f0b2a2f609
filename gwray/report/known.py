"""What models knew of the games before they saw them: the contamination study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gwray.analysis import Known, by_chance, published, share
from gwray.report.published_columns import published_cell
from gwray.report.results import Results
from gwray.tables import NO_VALUE, Column, Table, TableCell, number_cell, text_cell

NOTE = (
    "Asked without pictures or play (gwray probe). Published is the one case whose walkthrough lies in the library; of "
    "generated ones nobody can have read, so what is right there was guessed. p: Fisher's exact test, one-sided."
)


def known_tables(s: Results, mark: str) -> list[Table]:
    """By model, and by game; none where nothing was probed. `mark`: behind the name of who is printed."""
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
        of = [k for k in s.judges.known if k.probe == probe]
        title, opening = share(of, "title"), share(of, "opening")
        told, control = share(of, "solution"), share(of, "solution", published=False)
        p = by_chance(told, control)
        chance = NO_VALUE if p is None else TableCell(f"{p:.2g}", p, mark="warn" if p < 0.05 else "", raw=p)
        rows.append((text_cell(model), *map(_rate, (title, opening, told, control)), chance))
    printed = []
    for r in published("flashadventure_measures").to_dicts():
        if who := CONTAMINATED.get(r["measure"]):
            rate = replace(published_cell(100 * r["value"]), sort=r["value"])
            printed.append((text_cell(f"{who} {mark}"), NO_VALUE, NO_VALUE, rate, NO_VALUE, NO_VALUE))
    first = Table("adventure-known", "What was known beforehand", columns, tuple(rows), NOTE, tuple(printed))
    return [first, _by_game(s.judges.known)]


CONTAMINATED = {"contaminated_gpt4o": "GPT-4o", "contaminated_claude": "Claude-3.7"}
"""Measures that are printed of questions about its five games, and of whom."""


def _by_game(known: Sequence[Known]) -> Table:
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
            of = [k for k in known if (k.game, k.probe) == (game, probe)]
            counts = (share(of, "title"), share(of, "opening"), share(of, "solution"), share(of, "solution", False))
            rows.append((text_cell(game), text_cell(model), *map(_count, counts)))
    note = "Right answers of how many questions."
    return Table("adventure-known-games", "What was known beforehand, by game", columns, tuple(rows), note)


def _rate(of: tuple[int, int]) -> TableCell:
    right, asked = of
    return number_cell(right / asked, scale=100, sub=f"{right} of {asked}") if asked else NO_VALUE


def _count(of: tuple[int, int]) -> TableCell:
    right, asked = of
    return TableCell(f"{right} / {asked}", right / asked, raw=right / asked) if asked else NO_VALUE
