"""The catalog: which games, tasks and models there are, how games are solved and how hard they are."""

from gwray.catalog.catalog import Catalog, load_catalog
from gwray.catalog.controls import MAX_HOLD_MS, Control, Given, Role
from gwray.catalog.difficulty import MEASURED, Difficulty, gets_harder, read_difficulties, write_difficulties
from gwray.catalog.game import Game
from gwray.catalog.library import Library, definition, identity, read_game
from gwray.catalog.models import read_model, read_models
from gwray.catalog.parameters import MAX_TEXT, NUMBER, CellGrid, number
from gwray.catalog.predicates import (
    All,
    Any_,
    AtLeast,
    AtMost,
    Between,
    Contains,
    Exists,
    Is,
    Not,
    OneOf,
    Predicate,
)  # fmt: skip
from gwray.catalog.protocol import PublishedProtocol, published_protocol
from gwray.catalog.signatures import WILDCARD, MemoryField, Signature
from gwray.catalog.site import NOT_PLAYED
from gwray.catalog.solutions import Solution, read_solutions, solutions_file, write_solutions
from gwray.catalog.task import EndRule, Milestone, Motion, ScoreTerm, Task
from gwray.catalog.wording import told

__all__ = [
    "MAX_HOLD_MS",
    "MAX_TEXT",
    "MEASURED",
    "NOT_PLAYED",
    "NUMBER",
    "WILDCARD",
    "All",
    "Any_",
    "AtLeast",
    "AtMost",
    "Between",
    "Catalog",
    "CellGrid",
    "Contains",
    "Control",
    "Difficulty",
    "EndRule",
    "Exists",
    "Game",
    "Given",
    "Is",
    "Library",
    "MemoryField",
    "Milestone",
    "Motion",
    "Not",
    "OneOf",
    "Predicate",
    "PublishedProtocol",
    "Role",
    "ScoreTerm",
    "Signature",
    "Solution",
    "Task",
    "definition",
    "gets_harder",
    "identity",
    "load_catalog",
    "number",
    "published_protocol",
    "read_difficulties",
    "read_game",
    "read_model",
    "read_models",
    "read_solutions",
    "solutions_file",
    "told",
    "write_difficulties",
    "write_solutions",
]
