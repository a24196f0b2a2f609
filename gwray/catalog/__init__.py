"""The catalog: which games, tasks and models there are."""

from gwray.catalog.game import CellGrid, Control, Game, Role, ScoreTerm, Task
from gwray.catalog.library import BUNDLED, Library, identity, load_library, read_game
from gwray.catalog.models import CONF, read_model, read_models

__all__ = [
    "BUNDLED",
    "CONF",
    "CellGrid",
    "Control",
    "Game",
    "Library",
    "Role",
    "ScoreTerm",
    "Task",
    "identity",
    "load_library",
    "read_game",
    "read_model",
    "read_models",
]
