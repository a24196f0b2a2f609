"""Games, tasks and model profiles, with committed solutions and measured difficulty of tasks."""

from gwray.catalog.catalog import Catalog, load_catalog
from gwray.catalog.controls import MAX_HOLD_MS, Control, ParameterRef, Role, prompt_text
from gwray.catalog.defaults import GameDefaults
from gwray.catalog.difficulty import DIFFICULTY_FILE, Difficulty, is_typed, read_difficulties, write_difficulties
from gwray.catalog.game import UNLIMITED, WILDCARD, Game, MemoryField, Signature
from gwray.catalog.library import Library, game_digest, read_game, task_identity
from gwray.catalog.parameters import MAX_CODE, MAX_TEXT, NUMBER_PATTERN, CellGrid, Parameter, parse_number
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
from gwray.catalog.protocol import PublishedProtocol, describe_model, published_protocol, read_model, read_models
from gwray.catalog.site import EXCLUDED_FILES
from gwray.catalog.solutions import KNOWN_LISTS, Solution, best_steps, read_solutions, solutions_file, write_solutions
from gwray.catalog.task import EndRule, JudgeRule, Milestone, Motion, ScoreTerm, Task
