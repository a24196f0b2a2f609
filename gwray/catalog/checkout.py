"""Reads a checkout of the published GameWorld benchmark as a library: its catalog is converted when it is loaded, and
its pages are played as they are. Its games have the ids `gameworld/01_2048`: gwray's own remakes have the plain ones.

The score is a state field or a sum of fields; the speed of a game must be 1. Ends without success follow
`gwray.evaluation`: a task's `terminal_status` is not used, since a reached target is the only success.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from gwray.catalog.game import Game
from gwray.catalog.library import Library, read_yaml
from gwray.catalog.site import SiteError, hash_files, site
from gwray.errors import GameError, UsageError
from gwray.places import yaml12
from gwray.places.validation import all_in_words

PREFIX = "gameworld/"
"""Namespace of the ids of its games."""
GAME_FOLDERS = ("games/benchmark", "games", "../gameworld-games/benchmark", "../gameworld-games")
"""Where the folders of the games can be, relative to the checkout: in it, or in a second checkout next to it."""


def is_checkout(folder: Path) -> bool:
    """Whether a folder has the catalog of the published benchmark."""
    try:
        return (folder / "catalog/games").is_dir() and (folder / "catalog/tasks").is_dir()
    except PermissionError:
        return False


class Checkout(Library):
    """A checkout of the published benchmark."""

    def game_files(self) -> list[Path]:
        """Returns the files of the games in its catalog."""
        if files := sorted((self.folder / "catalog/games").glob("*.yaml")):
            return files
        raise UsageError(f"{self.folder / 'catalog/games'} has no game; check out the complete repository")

    def read_game(self, file: Path) -> Game:
        """Converts one of its games with its tasks. Raises `GameError`."""
        data = _read(file)
        name = str(data.get("game_name", file.stem))
        folder = self._game_folder(name, file)
        if float(data.get("speed_multiplier", 1)) != 1:
            raise GameError(f"{file}: speed_multiplier {data['speed_multiplier']} is not supported; only 1 is")
        tasks = sorted((self.folder / "catalog/tasks" / name).glob("*.yaml"))
        if not tasks:
            raise GameError(f"{file}: {self.folder / 'catalog/tasks' / name} has no task")
        converted = {
            "id": name,
            "title": name.partition("_")[2].replace("-", " ").title() or name,
            "summary": f"{name} of the published benchmark.",
            "rules": _text(data.get("game_rules")),
            "viewport": (int(data.get("width", 1280)), int(data.get("height", 720))),
            "uses": (),
            "roles": [_role(role) for role in _list(data.get("game_roles"))],
            "tasks": [_task(_read(task), task) for task in tasks],
        }
        try:
            game = Game.model_validate(converted)
            found = {"folder": folder, "files_hash": hash_files(folder, ()), "site": site(folder, ())}
        except ValidationError as e:
            raise GameError(f"{file} cannot be converted: {all_in_words(e, Game)}") from e
        except SiteError as e:
            raise GameError(f"{file}: {e}") from e
        return game.model_copy(update={"id": PREFIX + name, **found})

    def _game_folder(self, name: str, file: Path) -> Path:
        """Returns the folder with a game's page, in one of the layouts."""
        tried = [(self.folder / place / name).resolve() for place in GAME_FOLDERS]
        for folder in tried:
            if (folder / "index.html").is_file():
                return folder
        raise GameError(
            f"{file}: no page of {name}; tried {', '.join(map(str, tried))}. Check out the benchmark's games there."
        )


def read_checkout(folder: Path) -> Checkout:
    """Returns a checkout as a library."""
    return Checkout(id="gameworld-checkout", title="GameWorld, as published", published="", folder=folder)


def _read(file: Path) -> Mapping[str, Any]:
    try:
        data = read_yaml(file)[0]
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise GameError(yaml12.describe_error(file, e)) from e
    if not isinstance(data, dict):
        raise GameError(f"{file}: a mapping is expected, not {type(data).__name__}")
    return data


def _list(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value or () if isinstance(item, dict)]


def _text(value: Any) -> str:
    """Returns a text without braces, which have a meaning in gwray's prompts."""
    return str(value or "").strip().replace("{", "(").replace("}", ")")


def _ms(seconds: Any) -> float | None:
    return None if seconds is None else float(seconds) * 1e3


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _role(role: Mapping[str, Any]) -> dict[str, Any]:
    prompt, limits = role.get("prompt") or {}, role.get("computer_use_controls") or {}
    controls = [_control(c) for c in _list(role.get("semantic_controls"))]
    keys = [str(k) for k in limits.get("allowed_keys") or ()]
    keys += [k for c in controls for k in c.get("press", ()) if k not in keys]
    holds = {str(k): float(v) * 1e3 for k, v in (limits.get("key_durations") or {}).items()}
    return _without_none(
        name=role.get("name", "player"),
        description=f"{_text(prompt.get('role_section'))}{{\n\n{_text(prompt.get('computer_use_controls_section'))}}}",
        keys=tuple(dict.fromkeys(keys)),
        clicks=bool(limits.get("allow_clicks", True)),
        hold_ms=_ms(limits.get("hold_duration")),
        key_hold_ms=holds or None,
        controls=controls,
    )


def _control(control: Mapping[str, Any]) -> dict[str, Any]:
    binding = control.get("binding") or {}
    return _without_none(
        id=str(control.get("id")),
        description=_text(control.get("description")) or str(control.get("id")),
        hold_ms=_ms(binding.get("duration")),
        **dict(_bound(binding)),
    )


def _bound(binding: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields the fields of a control that say what it does."""
    at = [binding.get("x"), binding.get("y")]
    match binding.get("action"):
        case "wait":
            yield "wait", True
        case "press_key":
            yield "press", (str(binding.get("key")),)
        case "press_keys":
            yield "press", tuple(str(k) for k in binding.get("keys") or ())
        case "type":
            yield "type_text", True
        case "mouse_move":
            yield "move", {"start": [binding.get("from_x"), binding.get("from_y")], "to": at}
        case "click" | "click_hold" as action:
            yield "click", binding.get("button", "left")
            if action == "click_hold":
                yield "hold_click", True
            if cells := binding.get("cell_bindings"):
                choices = {str(name): (cell["x"], cell["y"]) for name, cell in cells.items()}
                yield "params", {"cell": {"type": "choice", "choices": choices, "description": "The cell."}}
                yield "at", {"param": "cell"}
            else:
                yield "at", at
        case other:
            raise GameError(f"the action {other!r} of the published catalog is not supported")


def _task(task: Mapping[str, Any], file: Path) -> dict[str, Any]:
    rule = task.get("evaluator_config") or {}
    if task.get("evaluator_id") != "game_api_metric":
        raise GameError(f"{file}: evaluator {task.get('evaluator_id')!r} is not supported; only game_api_metric is")
    end = {"field": rule["end_field"], "value": rule.get("end_value", True)} if rule.get("end_field") else None
    return _without_none(
        id=str(task.get("task_id", file.stem)),
        instruction=_text(task.get("task_prompt")),
        options=task.get("game_url_suffix"),
        score=rule.get("aggregate_score_fields") or rule.get("score_field"),
        start=task.get("task_start_score_field"),
        target=task.get("task_target_score_field"),
        end=end,
        metrics=tuple(rule.get("metrics_fields") or ()),
        max_steps=task.get("max_steps"),
        reset_on_fail=task.get("continue_on_fail"),
    )
