"""What models knew of the games before they saw them: the contamination study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gwray.analysis import Known, by_chance, published, share
from gwray.report.beside import printed_number
from gwray.report.content import NOTHING, Column, Table, Td, name, number
from gwray.report.study import Study

NOTE = (
    "Asked without pictures or play (gwray probe). Published is the one case whose walkthrough lies in the library; of "
    "generated ones nobody can have read, so what is right there was guessed. p: Fisher's exact test, one-sided."
)


def known_tables(s: Study, mark: str) -> list[Table]:
    """By model, and by game; none where nothing was probed. `mark`: behind the name of who is printed."""
    probes = dict.fromkeys((k.probe, k.model) for k in s.known)
    if not probes:
        return []
    columns = (
        Column("model", numeric=False), Column("titles %"), Column("openings %", hint="first words of the game"),
        Column("solutions %, published case"), Column("solutions %, generated cases"),
        Column("p", hint="of at least so many right solutions if the published case were known no better"),
    )  # fmt: skip
    rows = []
    for probe, model in probes:
        of = [k for k in s.known if k.probe == probe]
        title, opening = share(of, "title"), share(of, "opening")
        told, control = share(of, "solution"), share(of, "solution", published=False)
        p = by_chance(told, control)
        chance = NOTHING if p is None else Td(f"{p:.2g}", p, mark="warn" if p < 0.05 else "", raw=p)
        rows.append((name(model), *map(_rate, (title, opening, told, control)), chance))
    printed = []
    for r in published("flashadventure_measures").to_dicts():
        if who := CONTAMINATED.get(r["measure"]):
            rate = replace(printed_number(100 * r["value"]), sort=r["value"])
            printed.append((name(f"{who} {mark}"), NOTHING, NOTHING, rate, NOTHING, NOTHING))
    first = Table("adventure-known", "What was known beforehand", columns, tuple(rows), NOTE, tuple(printed))
    return [first, _by_game(s.known)]


CONTAMINATED = {"contaminated_gpt4o": "GPT-4o", "contaminated_claude": "Claude-3.7"}
"""Measures that are printed of questions about its five games, and of whom."""


def _by_game(known: Sequence[Known]) -> Table:
    columns = (
        Column("game", numeric=False), Column("model", numeric=False), Column("title"), Column("opening"),
        Column("solution, published case"), Column("solution, generated cases"),
    )  # fmt: skip
    rows = []
    for game in sorted({k.game for k in known}):
        for probe, model in dict.fromkeys((k.probe, k.model) for k in known if k.game == game):
            of = [k for k in known if (k.game, k.probe) == (game, probe)]
            counts = (share(of, "title"), share(of, "opening"), share(of, "solution"), share(of, "solution", False))
            rows.append((name(game), name(model), *map(_count, counts)))
    note = "Right answers of how many questions."
    return Table("adventure-known-games", "What was known beforehand, by game", columns, tuple(rows), note)


def _rate(of: tuple[int, int]) -> Td:
    right, asked = of
    return number(right / asked, scale=100, sub=f"{right} of {asked}") if asked else NOTHING


def _count(of: tuple[int, int]) -> Td:
    right, asked = of
    return Td(f"{right} / {asked}", right / asked, raw=right / asked) if asked else NOTHING
