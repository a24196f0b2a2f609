"""What is asked of the roles of a game, and how it is scored, as frozen models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from gwray.catalog.controls import Frozen, Identifier
from gwray.catalog.predicates import Predicate


class ScoreTerm(Frozen):
    """One state field of a score; `cap` limits what it can contribute, so that "each" can be asked for."""

    field: str
    cap: float | None = None


class EndRule(Frozen):
    """The episode ends when a state field has this value."""

    field: str
    value: Any


Ending = Annotated[
    Annotated[EndRule, Tag("EndRule")] | Annotated[Predicate, Tag("Predicate")],
    Discriminator(
        lambda v: "EndRule" if isinstance(v, EndRule) or (isinstance(v, dict) and "value" in v) else "Predicate"
    ),
]


class Milestone(Frozen):
    """Something on the way that can be read from the state. Agents never see it; `when` may be left out, its keys then
    stand beside the name: `{name: has_key, field: items.key, is: true}`."""

    name: Identifier
    when: Predicate
    text: str = ""
    """In words, for a judge that must not see the state."""
    hint: str = ""
    """What a nudge may tell a player that has come this far and no further: how to reach it."""

    @model_validator(mode="before")
    @classmethod
    def _short(cls, v: Any) -> Any:
        if not isinstance(v, dict) or "when" in v:
            return v
        own = {k: v[k] for k in v if k in cls.model_fields}
        return {**own, "when": {k: v[k] for k in v if k not in own}}


class ProgressRule(Frozen):
    """How progress is told."""

    cap: Literal[1] | None = 1
    """None: progress may pass 1, and reaching the target is no ending: the episode goes on past it."""
    take: Literal["best", "last"] = "best"
    """Which step's progress, score and (uncapped) success are the episode's."""


class Motion(Frozen):
    """What moving is in this game, said once: nudges and movement metrics need it."""

    position: tuple[str, ...] = Field(min_length=1)
    """State fields that say where a player is; `{role}` in them is the role's name."""
    controls: tuple[Identifier, ...] = Field(min_length=1)
    """Controls that are meant to change it."""
    eps: float = Field(default=0, ge=0)
    """A change of numbers up to this is none; their distance is Euclidean, in the fields' units."""


class Task(Frozen):
    """What is asked of the roles, and how it is scored.

    *Success* is the `goal`, or else a score that reaches `target`, or else all milestones. *Progress* is the share of
    milestones reached, or else the share of the way from `start` to `target`, or else 1 with the goal and 0 without. A
    milestone counts once it has been reached, whatever happens to it later, until the game is reset: what an attempt
    is worth, it did itself. A success is worth 1 at least.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    instruction: str
    """Or texts by name, `{goal: …, steps: …, visual: …}`: a task each, whose ids are `<id>_goal`, …"""
    options: str = ""
    """URL suffix such as `?level=2`."""
    score: tuple[ScoreTerm, ...] = ()
    """The score is the sum of the (capped) fields. Without: the number of milestones, or 1 with the goal, else 0."""
    start: float = 0
    """The score at which progress begins."""
    target: float | None = None
    """The score that is success."""
    goal: Predicate | None = None
    """What holds in a state that is success, where that is no score."""
    milestones: tuple[Milestone, ...] = ()
    """In the order in which they are usually reached; hints go by it."""
    progress: ProgressRule = ProgressRule()
    check: Literal["action", "reply"] = "action"
    """Success is judged after each action, or only when all actions of a reply are over."""
    finish: bool = False
    """The agent may say that it is done; if it is wrong, that ends the episode."""
    end: Ending | None = None
    """What holds in a state that ends the episode without success."""
    max_steps: int = Field(default=100, ge=1)
    """Environment steps; `budget: {steps: 100}` says the same."""
    max_decisions: int | None = Field(default=None, ge=1)
    """The budget is counted in turns of the agent instead; said as `budget: {decisions: 100}`."""
    reset_on_fail: bool = True
    """A lost game begins again under the same budget; false: that ends the episode."""
    metrics: tuple[str, ...] = ()
    """State fields worth recording beside the score."""
    tags: dict[Identifier, Predicate] = Field(default_factory=dict)
    """Situations by name, such as `combat`: what holds in a state beside the score."""
    scenario: Literal["seen", "unseen"] | None = None
    """Whether agents may have learned on it, in libraries that tell the two apart."""
    variant: str = ""
    """Which of several texts the instruction is."""
    texts: dict[Identifier, str] = Field(default_factory=dict, exclude=True)
    """Instructions by name, until the game has made a task of each."""
    motion: Motion | None = Field(default=None, exclude=True)
    """The game's; set by it."""

    @model_validator(mode="before")
    @classmethod
    def _long_forms(cls, v: Any) -> Any:
        if not isinstance(v, dict):
            return v
        v = dict(v)
        if v.keys() & {"texts", "motion"}:
            raise ValueError("texts are said as `instruction: {name: text, …}`, and motion once, for the game")
        if isinstance(v.get("instruction"), dict):
            if not v["instruction"]:
                raise ValueError("instruction is a text, or texts by name: {goal: …, steps: …}")
            v |= {"instruction": "", "texts": v["instruction"]}
        if "budget" in v:
            budget = v.pop("budget")
            if not isinstance(budget, dict) or len(budget) != 1 or not set(budget) <= {"steps", "decisions"}:
                raise ValueError(f"budget is {{steps: N}} or {{decisions: N}}, not {budget!r}")
            if "max_steps" in v:
                raise ValueError("give either budget or max_steps")
            v |= {f"max_{k}": n for k, n in budget.items()}
        return v

    @field_validator("score", mode="before")
    @classmethod
    def _one_field(cls, v: Any) -> Any:
        terms = v if isinstance(v, (list, tuple)) else [v]
        return [{"field": t} if isinstance(t, str) else t for t in terms]

    @model_validator(mode="after")
    def _distinct(self) -> Task:
        if self.target == self.start:
            raise ValueError(f"task '{self.id}': target equals start, so there is nothing to do")
        if self.target is not None and not self.score:
            raise ValueError(f"task '{self.id}': a target needs a score")
        if self.goal is None and self.target is None and (self.score or not self.milestones):
            raise ValueError(f"task '{self.id}': say what success is: a score with its target, a goal, or milestones")
        names = [m.name for m in self.milestones]
        if len(set(names)) != len(names):
            raise ValueError(f"task '{self.id}': two milestones share a name")
        return self

    @property
    def budget(self) -> int:
        """Environment steps or decisions, whichever is counted. No episode has more decisions than this."""
        return self.max_decisions or self.max_steps

    def limited(self, limit: int) -> Task:
        """Returns the task with a budget of at most `limit`, in the unit that its budget counts."""
        unit = "max_decisions" if self.max_decisions else "max_steps"
        return self.model_copy(update={unit: min(limit, self.budget)})

    def remaining(self, steps: int, decisions: int) -> int:
        """What is left of the budget after so many environment steps, and decisions whose actions are all over. A step
        that a nudge forces is one of each."""
        return self.max_decisions - decisions if self.max_decisions else self.max_steps - steps

    def steps_allowed(self, per_reply: int = 1) -> int:
        """The most environment steps an episode can have, with so many actions a reply."""
        return self.max_decisions * per_reply if self.max_decisions else self.max_steps

    @property
    def target_text(self) -> str:
        """What success is, in a word or two: `10`, `goal`, `7 milestones`."""
        if self.goal is not None:
            return "goal"
        return f"{self.target:g}" if self.target is not None else f"{len(self.milestones)} milestones"

    @property
    def ends_at_target(self) -> bool:
        """Whether success is an ending."""
        return self.goal is not None or self.progress.cap is not None
