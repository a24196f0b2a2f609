"""Schema of tasks: instruction, scoring, budget and endings."""

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from gwray.catalog.controls import Frozen, Identifier
from gwray.catalog.predicates import Predicate


class ScoreTerm(Frozen):
    """A part of the score: a field or constant, divided by `over`, up to `cap`, times `weight`, where `when` holds.

    Piecewise scores are terms with a `when`: `[{field: rooms, over: all_rooms, weight: 40}, {field: alive, weight: 7.5,
    when: {field: cleared, is: true}}]`.
    """

    field: str | None = None
    value: float | None = None
    """A constant, in place of a field."""
    over: str | float | None = None
    """A state field or number to divide by."""
    cap: float | None = None
    weight: float = 1
    when: Predicate | None = None
    """The term is 0 in states in which this predicate does not hold, and its fields need not exist there."""

    @model_validator(mode="after")
    def _one_source(self) -> "ScoreTerm":
        if (self.field is None) == (self.value is None):
            raise ValueError("a term of a score has either `field` or `value`")
        if self.over == 0:
            raise ValueError("a term of a score cannot be divided by 0")
        return self


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
    """An intermediate goal, evaluated on the state. Agents never see it. The keys of `when` can also be given directly:
    `{name: has_key, field: items.key, is: true}`."""

    name: Identifier
    when: Predicate
    text: str = ""
    """A description for judges, which do not see the state."""
    hint: str = ""
    """How to reach it; a nudge can send this to an agent that has reached all earlier milestones. `{field.of.state}` is
    replaced by that field's value."""

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, v: Any) -> Any:
        if not isinstance(v, dict) or "when" in v:
            return v
        own = {k: v[k] for k in v if k in cls.model_fields}
        return {**own, "when": {k: v[k] for k in v if k not in own}}


class ProgressRule(Frozen):
    """How progress is computed."""

    cap: Literal[1] | None = 1
    """None: progress can exceed 1, and reaching the target does not end the episode."""
    floor: Literal[0] | None = 0
    """None: progress can be below 0, where the score can fall below `start`."""
    take: Literal["best", "last"] = "best"
    """The step that determines the episode's progress, score and (if uncapped) success."""
    maximum: float | None = None
    """Score at which progress is 1: the highest that can be attained, where a lower one is a success. Default: the
    target."""


class JudgeRule(Frozen):
    """How a judge finds out how far an episode got in this game. Changes no episode."""

    mode: Literal["sequential", "single"] | None = None
    """Ask about one milestone after the other up to the first that is not reached (the default), or about all in one
    question."""
    budget: int | None = Field(default=None, ge=0)
    """Environment steps that a judge may play, if its profile does not say. Default: 20."""
    say: str = ""
    """Advice for this game, such as "Open the notebook"."""
    score: str = ""
    """Description of the task's score as the screen shows it, for tasks that are judged by their score."""
    tolerance: float = Field(default=0, ge=0)
    """Points by which a judge's score may differ from the recorded one and still count as right."""


class Versus(Frozen):
    """How a match between the game's two roles is decided, for arenas."""

    lead: str
    """State field of how far the first role is ahead: at the end positive if it won, negative if it lost, 0 for a
    draw."""
    weighted: bool = False
    """Whether the size of the lead counts in ratings, and not only its sign."""

    @model_validator(mode="before")
    @classmethod
    def _expand_short_form(cls, v: Any) -> Any:
        return {"lead": v} if isinstance(v, str) else v


class Motion(Frozen):
    """How movement is recognized in this game, for nudges and movement metrics."""

    position: tuple[str, ...] = Field(min_length=1)
    """State fields of the position; `{role}` in them is replaced by the role's name."""
    controls: tuple[Identifier, ...] = Field(min_length=1)
    """Controls that should change the position."""
    eps: float = Field(default=0, ge=0)
    """Euclidean distance, in the fields' units, up to which a change counts as no movement."""


class Task(Frozen):
    """A task of a game and its scoring.

    *Success* is the `goal`; without a goal, a score that reaches `target`; without either, all milestones. *Progress*
    is the reached share of the parts: the milestones, and the goal as the last part (a milestone with the same
    predicate as the goal is that part). Without milestones it is the share of the way from `start` to `target`; without
    either, 1 if the goal is reached and 0 otherwise. A reached milestone counts until the game is reset. Progress
    is 1 or more only for a success.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    instruction: str
    """A text, or texts by name (`{goal: …, steps: …, visual: …}`): each makes a task with the id `<id>_goal`, …"""
    options: str = ""
    """URL suffix such as `?level=2`."""
    score: tuple[ScoreTerm, ...] = ()
    """The score is the sum of these terms; a field's name is short for one. Default: the number of reached milestones,
    or 1 if the goal is reached."""
    start: float = 0
    """The score at which progress begins."""
    target: float | None = None
    """The score of a success."""
    goal: Predicate | None = None
    """Predicate of a successful state, for tasks without a target score."""
    milestones: tuple[Milestone, ...] = ()
    """In the usual order; hints follow it."""
    progress: ProgressRule = ProgressRule()
    check: Literal["action", "reply"] = "action"
    """Whether success is evaluated after each action, or only after all actions of a reply."""
    finish: bool = False
    """The agent can declare that it is done, which ends the episode; success alone does not."""
    end: Ending | None = None
    """Predicate of a state that ends the episode without success."""
    max_steps: int = Field(default=100, ge=1)
    """Budget in environment steps; also written `budget: {steps: 100}`."""
    max_decisions: int | None = Field(default=None, ge=1)
    """Budget in decisions instead of steps; written `budget: {decisions: 100}`."""
    reset_on_fail: bool = True
    """A lost game is reset under the same budget; false: it ends the episode."""
    metrics: tuple[str, ...] = ()
    """Further state fields to record."""
    tags: dict[Identifier, Predicate] = Field(default_factory=dict)
    """Named situations, such as `combat`: predicates on the state."""
    versus: Versus | None = None
    """For a task in which two roles play against each other (`arena=[…]`); a field's name is short for its lead."""
    judge: JudgeRule = Field(default=JudgeRule(), exclude=True)
    """For judges that play on from the end of an episode."""
    scenario: Literal["seen", "unseen"] | None = None
    """Whether agents may have learned on it, in libraries that tell the two apart."""
    variant: str = ""
    """Name of the instruction text, if the task has several."""
    texts: dict[Identifier, str] = Field(default_factory=dict, exclude=True)
    """Instructions by name, until `Game` expands them to tasks."""
    motion: Motion | None = Field(default=None, exclude=True)
    """Set by `Game`."""

    @model_validator(mode="before")
    @classmethod
    def _long_forms(cls, v: Any) -> Any:
        if not isinstance(v, dict):
            return v
        v = dict(v)
        if v.keys() & {"texts", "motion"}:
            raise ValueError("write texts as `instruction: {name: text, …}`, and `motion` once, for the game")
        if isinstance(v.get("instruction"), dict):
            if not v["instruction"]:
                raise ValueError("instruction must be a text, or texts by name: {goal: …, steps: …}")
            v |= {"instruction": "", "texts": v["instruction"]}
        if "budget" in v:
            budget = v.pop("budget")
            if not isinstance(budget, dict) or len(budget) != 1 or not set(budget) <= {"steps", "decisions"}:
                raise ValueError(f"budget must be {{steps: N}} or {{decisions: N}}, not {budget!r}")
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
    def _distinct(self) -> "Task":
        if self.target == self.start:
            raise ValueError(f"task '{self.id}': target equals start; they must differ")
        if self.target is not None and self.goal is not None:
            raise ValueError(
                f"task '{self.id}': give either a target score or a goal; with both, a full score would be no success"
            )
        if self.target is not None and not self.score:
            raise ValueError(f"task '{self.id}': a target needs a score")
        if self.goal is None and self.target is None and (self.score or not self.milestones):
            raise ValueError(f"task '{self.id}': define success: a score with its target, a goal, or milestones")
        names = [m.name for m in self.milestones]
        if len(set(names)) != len(names):
            raise ValueError(f"task '{self.id}': two milestones share a name")
        return self

    @property
    def budget(self) -> int:
        """The budget, in environment steps or decisions. No episode has more decisions than this."""
        return self.max_decisions or self.max_steps

    def limited(self, limit: int) -> "Task":
        """Returns the task with a budget of at most `limit`, in the unit that its budget counts."""
        unit = "max_decisions" if self.max_decisions else "max_steps"
        return self.model_copy(update={unit: min(limit, self.budget)})

    def remaining(self, steps: int, decisions: int) -> int:
        """Returns the remaining budget after this many environment steps and completed decisions. A step that a nudge
        forces counts as one of each."""
        return self.max_decisions - decisions if self.max_decisions else self.max_steps - steps

    def steps_allowed(self, per_reply: int = 1) -> int:
        """Returns the maximum number of environment steps of an episode with `per_reply` actions per reply."""
        return self.max_decisions * per_reply if self.max_decisions else self.max_steps

    @property
    def target_text(self) -> str:
        """The condition of success in short: `10`, `goal`, `7 milestones`."""
        if self.goal is not None:
            return "goal"
        return f"{self.target:g}" if self.target is not None else f"{len(self.milestones)} milestones"

    @property
    def ends_at_target(self) -> bool:
        """Whether success ends the episode. An agent that can declare to be done ends it itself."""
        if self.finish:
            return False
        return self.goal is not None or self.progress.cap is not None
