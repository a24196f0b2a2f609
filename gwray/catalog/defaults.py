"""Schema of a game's default settings in `library.yaml`. `gwray.pipelines.game_defaults` and, for actions,
`gwray.pipelines.cells` apply them."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from gwray.settings import MAX_PER_REPLY


class GameDefaults(BaseModel):
    """Default settings of a game.

    Those of `action` apply unless the user sets others. The rest applies where the user asks for it
    (`game_defaults=[agent,repeats]`), because these settings belong to a study and not to the game.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    per_reply: int | None = Field(default=None, alias="action.per_reply", ge=1, le=MAX_PER_REPLY)
    """Maximum number of actions per reply."""
    exact: bool = Field(default=False, alias="action.exact")
    """Whether a reply must have exactly that many actions."""
    agent: str | None = None
    """Name of an agent in `conf/agent/`."""
    repeats: int | None = Field(default=None, ge=1)
    """Episodes per task."""
    seed_policy: Literal["fixed", "per_repeat"] | None = None
    """Whether the repeats play the same game; applies with `repeats`."""
    steps: int | None = Field(default=None, alias="limit.steps", ge=1)
    """Maximum budget of an episode, where it is below the task's."""
    temperature: float | None = Field(default=None, alias="sampling.temperature", ge=0)
    """Temperature of models behind a provider that accepts one."""
    repetition_penalty: float | None = Field(default=None, alias="sampling.repetition_penalty", gt=0)
    """Repetition penalty of self-hosted models."""
    models: Literal["self_hosted", "all"] = Field(default="self_hosted", alias="sampling.models")
    """Models that the temperature applies to."""
