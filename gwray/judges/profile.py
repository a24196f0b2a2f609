"""A judge's profile: a file in `conf/judge/`, and what the command line says beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gwray import yaml12
from gwray.catalog import read_model
from gwray.errors import UsageError, choose
from gwray.local_players import LOCAL_PLAYERS
from gwray.places import conf_files
from gwray.spec import ModelSpec
from gwray.store import RunDir
from gwray.validation import in_words

SAME = "same"
"""What a judge of pictures says of two that show the same."""


class JudgeSpec(BaseModel):
    """What a judge is asked, about which episodes, and what it gets to see."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    """Its verdicts lie under `judgements/<name>/`."""
    kind: Literal["labels", "picture", "milestones", "knowledge"]
    """labels: reads the record and says which of `labels` fit. picture: compares the last screen with a reference.
    milestones: plays on from the final state and says which milestones are reached. knowledge: is asked without picture
    or play what it knows of the game and of the case that was played."""
    model: ModelSpec
    of: Literal["all", "failed", "solved"] = "all"
    """Which finished episodes are judged."""
    question: str
    """What it is asked, a Jinja template that can name `labels`, and what the prompts of an agent can."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Label → what it means."""
    sees: tuple[Literal["pictures", "replies", "state", "score"], ...] = ("pictures", "replies")
    """What of the record it gets. State and score are the truth that it is measured by: only for a judge that is meant
    to have them."""
    pictures: int = Field(default=8, ge=0)
    """Screens of an episode at most, evenly spread, the last one among them."""
    mode: Literal["sequential", "single"] = "sequential"
    """Of milestones: one after the other up to the first that is not reached; or all in one question."""
    budget: int = Field(default=20, ge=0)
    """Environment steps that it may play to find out, in all."""
    per_level: int = Field(default=0, ge=0)
    """Of milestones: at most so many episodes of a task for each number of milestones, whose ends differ; 0: all."""
    per_game: int = Field(default=0, ge=0)
    """Of milestones: at most so many episodes of a task, of as many levels as there are; 0: all."""
    reference: str = ""
    """Folder of reference pictures, `<task>.png` or `<task>.jpg`."""

    @model_validator(mode="after")
    def _whole(self) -> JudgeSpec:
        if (self.kind == "labels") != bool(self.labels):
            raise ValueError("`labels` are what a judge of the kind `labels` says, and no other")
        if self.kind != "milestones" and (self.per_level or self.per_game):
            raise ValueError("`per_level` and `per_game` are for a judge of the kind `milestones`, and no other")
        if self.model.provider == "human":
            raise ValueError("a person's judgement is an annotations.csv, not a model's")
        if self.model.provider in LOCAL_PLAYERS - {"scripted"}:
            raise ValueError(
                f"the player {self.model.name!r} judges nothing; model=scripted says what the record itself knows"
            )
        return self


def read_judge(name: str, words: Sequence[str] = ()) -> JudgeSpec:
    """The profile of that name with settings such as `judge.model=gpt-5.2` or `judge.budget=5`.

    Raises `UsageError` for a profile, a setting or a value that does not exist.
    """
    files = conf_files("judge")
    if name not in files:
        raise choose("judge", name, sorted(files), "Each is a file in conf/judge/.")
    try:
        data: dict[str, Any] = {"name": name, **yaml12.load(files[name].read_text(encoding="utf-8"))}
    except (yaml.YAMLError, OSError) as e:
        raise UsageError(f"{files[name]}: {e}") from e
    for word in words:
        setting, sign, value = word.partition("=")
        where = setting.split(".")[1:]
        if not sign or not setting.startswith("judge."):
            raise UsageError(f"'{word}': settings of a judge are written judge.NAME=VALUE, such as judge.model=MODEL")
        if where[0] not in JudgeSpec.model_fields:
            raise choose("setting", setting, [f"judge.{f}" for f in JudgeSpec.model_fields])
        inside = data
        for part in where[:-1]:
            if inside is data and part == "model":
                inside = data["model"] = _model(data.get("model"))
                continue
            inside = inside.setdefault(part, {})
            if not isinstance(inside, dict):
                raise UsageError(f"setting {setting}: '{part}' has no parts")
        try:
            inside[where[-1]] = yaml12.load(value)
        except yaml.YAMLError as e:
            raise UsageError(f"setting {setting}='{value}': {e}") from e
    if "model" not in data:
        raise UsageError(f"judge '{name}' names no model: say judge.model=MODEL (`gwray models` lists them)")
    try:
        return JudgeSpec.model_validate({**data, "model": _model(data["model"])})
    except ValidationError as e:
        problems = "; ".join(
            f"{'.'.join(['judge', *map(str, p['loc'])])}: {in_words(p, JudgeSpec)}" for p in e.errors()
        )
        raise UsageError(f"judge '{name}': {problems}") from e


def kept_judge(run: RunDir, name: str) -> JudgeSpec:
    """The settings that a judge of a run was asked with. `UsageError` if what is kept is no judge's, or another's."""
    try:
        judge = JudgeSpec.model_validate(json.loads(run.read_judge(name) or b""))
    except (ValidationError, ValueError) as e:
        problem = str(e).partition("\n")[0]
        raise UsageError(f"judgements/{name}.json is no judge's settings: {problem}") from e
    if judge.name != name:
        raise UsageError(f"judgements/{name}.json is of a judge named {judge.name}")
    return judge


def _model(given: Any) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    if not given:
        raise UsageError("say judge.model=MODEL before settings of that model")
    return read_model(str(given)).model_dump()
