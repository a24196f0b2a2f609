"""A judge's profile, a file in `conf/judge/` with settings from the command line, and the registry of kinds."""

import json
from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gwray.catalog import read_model
from gwray.errors import UsageError, choose
from gwray.places import Registry, conf_files, yaml12
from gwray.places.validation import in_words
from gwray.settings import LOCAL_PLAYERS, ModelSpec
from gwray.store import RunDir

JUDGES = Registry("kind of judge", {"labels": "gwray.judges.labels:LabelJudge"}, "gwray.judges")


class JudgeSpec(BaseModel):
    """A judge: its question, the episodes that it judges, and the parts of the record that it sees."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
    """Verdicts are stored in `judgements/<name>/`."""
    kind: str
    """labels: reads the record and gives the `labels` that fit. deadlocks: the same, with rules for PokeGym's labels.
    picture: compares the last screenshot with a reference. milestones: plays on from the final state and says which
    milestones are reached. score: the same for the score of a game without milestones. knowledge: is asked what it
    knows of the game and the case that was played, without seeing it. A custom kind is named by its path,
    `my_package.MyJudge`, or by an entry point of the group `gwray.judges`."""
    model: ModelSpec
    of: Literal["all", "failed", "solved"] = "all"
    """Finished episodes to judge."""
    question: str
    """The question, a Jinja template with `labels` and the variables of agents' prompts."""
    labels: dict[str, str] = Field(default_factory=dict)
    """Label → meaning."""
    sees: tuple[Literal["pictures", "replies", "state", "score"], ...] = ("pictures", "replies")
    """Parts of the record that the judge is shown. State and score are what it is compared with, so most judges must
    not see them."""
    pictures: int = Field(default=8, ge=0)
    """Maximum number of screenshots of an episode, evenly spread and including the last one."""
    mode: Literal["task", "sequential", "single"] = "task"
    """Milestones: ask about one after the other up to the first that is not reached, or about all in one question.
    task: as its `judge.mode` in game.yaml says, sequential if that says nothing."""
    budget: int | None = Field(default=None, ge=0)
    """Milestones, score: environment steps that the judge may play for one episode; null: as the task's `judge.budget`
    in game.yaml says, 20 if that says nothing."""
    per_level: int = Field(default=0, ge=0)
    """Milestones: limit of episodes with different final states for each task and number of milestones; 0: no limit."""
    per_game: int = Field(default=0, ge=0)
    """Milestones: limit of episodes for each task, spread over the numbers of milestones; 0: no limit."""
    reference: str = ""
    """Picture: folder of reference images, `<task>.png` or `<task>.jpg`."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Settings of a custom kind."""

    @model_validator(mode="after")
    def _check(self) -> "JudgeSpec":
        if self.kind in JUDGES.builtin:
            JUDGES.get(self.kind).check(self)
        if self.model.provider == "human":
            raise ValueError("a person judges in an annotations.csv, not as a model")
        if self.model.provider in LOCAL_PLAYERS - {"scripted"}:
            raise ValueError(
                f"the player {self.model.name!r} cannot judge; judge.model=scripted answers from the record itself"
            )
        return self


def read_judge(name: str, words: Sequence[str] = ()) -> JudgeSpec:
    """Returns the profile of that name with settings such as `judge.model=gpt-5.2` or `judge.budget=5`.

    Raises:
        UsageError: For an unknown profile, setting, value or kind.
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
            raise UsageError(f"'{word}' is no setting of a judge. Write judge.NAME=VALUE, such as judge.model=MODEL.")
        if where[0] not in JudgeSpec.model_fields:
            raise choose("setting", setting, [f"judge.{f}" for f in JudgeSpec.model_fields])
        inside = data
        for part in where[:-1]:
            if inside is data and part == "model":
                inside = data["model"] = _model_profile(data.get("model"))
                continue
            inside = inside.setdefault(part, {})
            if not isinstance(inside, dict):
                raise UsageError(f"setting {setting}: '{part}' has no parts")
        try:
            inside[where[-1]] = yaml12.load(value)
        except yaml.YAMLError as e:
            raise UsageError(f"setting {setting}='{value}': {e}") from e
    if "model" not in data:
        raise UsageError(f"judge '{name}' has no model. Set judge.model=MODEL (`gwray models` lists them).")
    try:
        judge = JudgeSpec.model_validate({**data, "model": _model_profile(data["model"])})
    except ValidationError as e:
        problems = "; ".join(
            f"{'.'.join(['judge', *map(str, p['loc'])])}: {in_words(p, JudgeSpec)}" for p in e.errors()
        )
        raise UsageError(f"judge '{name}': {problems}") from e
    if judge.kind not in JUDGES.builtin:
        checked_kind(judge)
    return judge


def checked_kind(spec: JudgeSpec, trusted: Collection[str] | None = None) -> Any:
    """Returns the class of a profile's kind, which accepts the profile's settings.

    Args:
        trusted: Custom kinds that may be imported; None: all.

    Raises:
        NotTrusted: For a custom kind that may not be imported.
        UsageError: For an unknown kind and for settings that the kind refuses.
    """
    kind = JUDGES.get(spec.kind, trusted=trusted)
    try:
        kind.check(spec)
    except ValueError as e:
        raise UsageError(f"judge '{spec.name}': {e}") from e
    return kind


def read_recorded_judge(run: RunDir, name: str) -> JudgeSpec:
    """Returns the settings that a judge of a run was asked with. Raises `UsageError` for invalid settings."""
    try:
        judge = JudgeSpec.model_validate(json.loads(run.read_judge(name) or b""))
    except (ValidationError, ValueError) as e:
        problem = str(e).partition("\n")[0]
        raise UsageError(f"judgements/{name}.json has invalid settings of a judge: {problem}") from e
    if judge.name != name:
        raise UsageError(f"judgements/{name}.json belongs to a judge named {judge.name}")
    return judge


def _model_profile(given: Any) -> dict[str, Any]:
    """Returns a judge's model as the fields of a profile. `given`: a profile's name or its fields."""
    if isinstance(given, dict):
        return given
    if not given:
        raise UsageError("set judge.model=MODEL before settings of that model")
    return read_model(str(given)).model_dump()
