"""Reads the model profiles in `conf/model/` without Hydra, for commands that only list or serve models."""

from pathlib import Path

import yaml
from pydantic import ValidationError

from gwray import yaml12
from gwray.errors import UsageError, choose
from gwray.places import conf_files
from gwray.spec import ModelSpec
from gwray.validation import in_words


def read_model(name: str) -> ModelSpec:
    """One profile by name. Raises `UsageError`."""
    files = conf_files("model")
    if name not in files:
        raise choose("model", name, list(files), "`gwray models` lists them; a new model is one file in conf/model/.")
    return _read(files[name])


def read_models() -> list[ModelSpec]:
    """All profiles, by name."""
    return [_read(f) for f in conf_files("model").values()]


def _read(file: Path) -> ModelSpec:
    try:
        model = ModelSpec.model_validate(yaml12.load(file.read_text(encoding="utf-8")))
    except ValidationError as e:
        problems = "; ".join(f"{'.'.join(map(str, p['loc']))}: {in_words(p, ModelSpec)}" for p in e.errors())
        raise UsageError(f"{file}: {problems}") from e
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as e:
        raise UsageError(yaml12.describe_error(file, e)) from e
    if model.name != file.stem:
        raise UsageError(f"{file}: name is '{model.name}' but must equal the file name, '{file.stem}'")
    return model
