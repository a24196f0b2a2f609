"""What a game folder says about its game: roles, controls and tasks, as frozen models.

The reader of `game.yaml` is `gwray.catalog.library`; this file is the schema and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from gwray.catalog.parameters import (
    CellGrid,
    CellParameter,
    IntegerParameter,
    NumberParameter,
    Parameter,
    TextParameter,
)
from gwray.catalog.predicates import Predicate
from gwray.catalog.wording import KeyedText
from gwray.errors import GameError

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]

DEFAULT_HOLD_MS = 200.0
MAX_HOLD_MS = 2000.0


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Given(_Model):
    """A parameter of the control stands here: `{param: name}`."""

    param: Identifier


class Sweep(_Model):
    """A pointer movement in viewport pixels."""

    start: tuple[float, float]
    to: tuple[float, float]


class Stick(_Model):
    """A stick that the page draws: pressed at its centre, pulled, held and released with the mouse.

    Where angle and strength are not said, they are parameters of these names.
    """

    centre: tuple[float, float]
    """Where it rests, in viewport pixels."""
    radius: float = Field(gt=0)
    """How far it can be pulled, in pixels."""
    angle: float | Given = Given(param="angle")
    """Direction in degrees: 0 is right, 90 up."""
    strength: float | Given = Given(param="strength")
    """Share of the radius, 0 to 1."""

    def pulled(self, angle: float, strength: float) -> tuple[float, float]:
        """The viewport point that the pointer is pulled to."""
        reach, turn = self.radius * strength, math.radians(angle)
        return round(self.centre[0] + reach * math.cos(turn), 2), round(self.centre[1] - reach * math.sin(turn), 2)


STICK_PARAMETERS: dict[str, Parameter] = {
    "angle": IntegerParameter(
        type="integer",
        minimum=0,
        maximum=359,
        description="degrees; 0 is right, 90 up, 180 left, 270 down",
    ),
    "strength": NumberParameter(type="number", minimum=0, maximum=1, description="how far the stick is pulled"),
}
"""What a stick's parameters are where the game does not say it."""

Keys = tuple[str, ...]
Point = tuple[float, float]
_ALLOWED: dict[str, TypeAdapter[Any]] = {
    "press": TypeAdapter(str | Annotated[Keys, Field(min_length=1)]),
    "at": TypeAdapter(Point),
    "hold_ms": TypeAdapter(Annotated[float, Field(gt=0, le=MAX_HOLD_MS)]),
    "type_text": TypeAdapter(Annotated[str, Field(min_length=1)]),
    "angle": TypeAdapter(float),
    "strength": TypeAdapter(Annotated[float, Field(ge=0, le=1)]),
}
"""What each place can hold, whether it is written there or given by a parameter."""


class Control(_Model):
    """A semantic control: one named thing that a role can do, bound to real input.

    In `press`, `at`, `hold_ms`, `type_text` and a stick's angle and strength a parameter may stand: `{param: name}`.
    """

    id: Identifier
    description: str
    """What it does, in words; it is shown to the model."""
    params: dict[Identifier, Parameter] = Field(default_factory=dict)
    """What must be said with it, by name: `{ms: {type: integer, minimum: 100, maximum: 900}}`. Types: integer, number,
    text, choice, cell."""
    press: Keys | Given = ()
    """Keys held together."""
    click: Literal["left", "right", "middle"] | None = None
    """Click (with `at` or `cells`)."""
    at: Point | Given | None = None
    """Point of the click."""
    cells: CellGrid | None = None
    """The control takes a parameter `cell` and clicks its centre."""
    hold_click: bool = False
    """The click is held for `hold_ms` instead of released at once."""
    move: Sweep | None = None
    """Moves the pointer from one point to another."""
    stick: Stick | None = None
    """Pulls a drawn stick with the mouse and holds it for `hold_ms`."""
    type_text: bool | Given = False
    """Types text; `true`: that of a parameter `text`."""
    wait: bool = False
    hold_ms: float | Given | None = None
    """How long it is held; the role's default otherwise."""

    @model_validator(mode="before")
    @classmethod
    def _no_command(cls, data: Any) -> Any:
        if isinstance(data, dict) and "command" in data:
            raise ValueError(
                "`command` is a reserved name: a game cannot carry out actions of its own yet. "
                "Bind the control to one of press, click, move, stick, type_text, wait"
            )
        return data

    @field_validator("press", mode="before")
    @classmethod
    def _one_key(cls, v: Any) -> Any:
        return (v,) if isinstance(v, str) else v

    @model_validator(mode="after")
    def _one_binding(self) -> Control:
        bindings = (bool(self.press), self.click, self.move, self.stick, self.type_text, self.wait)
        if sum(map(bool, bindings)) != 1:
            raise ValueError(f"control '{self.id}' needs exactly one of press, click, move, stick, type_text, wait")
        if self.click and (self.at is None) == (self.cells is None):
            raise ValueError(f"control '{self.id}' clicks: give either `at` or `cells`")
        return self

    @model_validator(mode="after")
    def _bound(self) -> Control:
        known, used = self.parameters, {g.param for g in self._places().values() if isinstance(g, Given)}
        for name in sorted(used - known.keys()):
            raise ValueError(f"control '{self.id}' has no parameter '{name}'; it has: {', '.join(known) or 'none'}")
        for name in sorted(known.keys() - used):
            raise ValueError(
                f"control '{self.id}': nothing uses the parameter '{name}'; write {{param: {name}}} somewhere"
            )
        for place, held in self._places().items():
            for value in self._values(held):
                try:
                    _ALLOWED[place].validate_python(value, strict=isinstance(value, str))
                except ValidationError as e:
                    problem = e.errors()[0]["msg"]
                    raise ValueError(f"control '{self.id}': {place} cannot be {value!r}: {problem}") from None
        return self

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """All it takes, by name and in order: those of `cells`, `type_text: true` and `stick`, and `params`."""
        found: dict[str, Parameter] = {}
        if self.cells:
            found["cell"] = CellParameter(type="cell", **self.cells.model_dump())
        if self.type_text is True:
            found["text"] = TextParameter(type="text")
        if self.stick:
            said = (self.stick.angle, self.stick.strength)
            found |= {n: p for n, p in STICK_PARAMETERS.items() if Given(param=n) in said}
        return {**found, **self.params}

    @property
    def point(self) -> Point | Given | None:
        """Where it clicks."""
        return Given(param="cell") if self.cells else self.at

    @property
    def text(self) -> Given | None:
        """What it types."""
        return self.type_text if isinstance(self.type_text, Given) else Given(param="text") if self.type_text else None

    @property
    def keys(self) -> Keys:
        """Every key that it may press."""
        return tuple(dict.fromkeys(key for value in self._values(self.press) for key in _keys(value)))

    def arguments(self, words: str) -> dict[str, str]:
        """Arguments said in words: one a parameter, in their order; the last takes the rest (`push 90 0.5`)."""
        names = list(self.parameters)
        return dict(zip(names, words.strip().split(maxsplit=max(len(names) - 1, 0)), strict=False)) if names else {}

    def value(self, held: Any, values: Mapping[str, Any]) -> Any:
        """What a place of the binding comes to with these values of the parameters."""
        return values[held.param] if isinstance(held, Given) else held

    def _places(self) -> dict[str, Any]:
        """Everything in the binding that a parameter can stand for, where there is something."""
        stick = {"angle": self.stick.angle, "strength": self.stick.strength} if self.stick else {}
        found = {
            "press": self.press or None,
            "at": self.point,
            "hold_ms": self.hold_ms,
            "type_text": self.text,
            **stick,
        }
        return {place: held for place, held in found.items() if held is not None}

    def _values(self, held: Any) -> list[Any]:
        """What a place can come to: the value that stands there, or those of its parameter that stand for all."""
        if not isinstance(held, Given):
            return [held]
        parameter = self.parameters[held.param]
        return [parameter.value(v, held.param) for v in (parameter.example, *parameter.samples())]


def _keys(value: Any) -> Keys:
    return (value,) if isinstance(value, str) else tuple(value)


class Role(_Model):
    """A seat in a game."""

    name: Identifier
    description: KeyedText
    """Who the role is, and in braces what its keys and mouse do: `You steer the worm{ with the arrow keys}.` Part of
    the prompt; a player that acts through controls is not told what is in braces."""
    keys: tuple[str, ...] = ()
    """Allowed keys, as `KeyboardEvent.key` names (Space for the space bar)."""
    clicks: bool = False
    hold_ms: float = Field(default=DEFAULT_HOLD_MS, gt=0, le=MAX_HOLD_MS)
    key_hold_ms: dict[str, float] = Field(default_factory=dict)
    """Per-key default holds."""
    controls: tuple[Control, ...] = Field(min_length=1)
    parametric: tuple[Control, ...] = ()
    """Another set of controls for the same seat, finer and with values of their own (`interface=parametric`)."""

    @model_validator(mode="after")
    def _consistent(self) -> Role:
        both = (*self.controls, *self.parametric)
        ids = [c.id for c in both]
        if len(set(ids)) != len(ids):
            raise ValueError(f"role '{self.name}' has two controls with one id")
        for c in both:
            for k in c.keys:
                if k not in self.keys:
                    raise ValueError(f"control '{c.id}' presses '{k}', which is not among the role's keys")
            if (c.click or c.move or c.stick) and not self.clicks:
                raise ValueError(f"control '{c.id}' uses the mouse, but the role's `clicks` is false")
        return self

    def control(self, name: str) -> Control | None:
        """The control of that id among `controls`, any case."""
        return next((c for c in self.controls if c.id == name.strip().lower()), None)


class ScoreTerm(_Model):
    """One state field of a score; `cap` limits what it can contribute, so that "each" can be asked for."""

    field: str
    cap: float | None = None


class EndRule(_Model):
    """The episode ends when a state field has this value."""

    field: str
    value: Any


Ending = Annotated[
    Annotated[EndRule, Tag("EndRule")] | Annotated[Predicate, Tag("Predicate")],
    Discriminator(
        lambda v: "EndRule" if isinstance(v, EndRule) or (isinstance(v, dict) and "value" in v) else "Predicate"
    ),
]


class Milestone(_Model):
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


class ProgressRule(_Model):
    """How progress is told."""

    cap: Literal[1] | None = 1
    """None: progress may pass 1, and reaching the target is no ending: the episode goes on past it."""
    take: Literal["best", "last"] = "best"
    """Which step's progress, score and (uncapped) success are the episode's."""


class Motion(_Model):
    """What moving is in this game, said once: nudges and movement metrics need it."""

    position: tuple[str, ...] = Field(min_length=1)
    """State fields that say where a player is; `{role}` in them is the role's name."""
    controls: tuple[Identifier, ...] = Field(min_length=1)
    """Controls that are meant to change it."""
    eps: float = Field(default=0, ge=0)
    """A change of numbers up to this is none; their distance is Euclidean, in the fields' units."""


class Task(_Model):
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
    target: float | None = None
    goal: Predicate | None = None
    milestones: tuple[Milestone, ...] = ()
    """In the order in which they are usually reached; hints go by it."""
    progress: ProgressRule = ProgressRule()
    check: Literal["action", "reply"] = "action"
    """Success is judged after each action, or only when all actions of a reply are over."""
    finish: bool = False
    """The agent may say that it is done; if it is wrong, that ends the episode."""
    end: Ending | None = None
    max_steps: int = Field(default=100, ge=1)
    """Environment steps; `budget: {steps: 100}` says the same."""
    max_decisions: int | None = Field(default=None, ge=1)
    """The budget is counted in turns of the agent instead; said as `budget: {decisions: 100}`."""
    reset_on_fail: bool = True
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

    def left(self, steps: int, decisions: int) -> int:
        """What is left of the budget after so many environment steps, and decisions whose actions are all over. A step
        that a nudge forces is one of each."""
        return self.max_decisions - decisions if self.max_decisions else self.max_steps - steps

    def steps_allowed(self, per_reply: int = 1) -> int:
        """The most environment steps an episode can have, with so many actions a reply."""
        return self.max_decisions * per_reply if self.max_decisions else self.max_steps

    @property
    def aim(self) -> str:
        """What success is, in a word or two: `10`, `goal`, `7 milestones`."""
        if self.goal is not None:
            return "goal"
        return f"{self.target:g}" if self.target is not None else f"{len(self.milestones)} milestones"

    @property
    def ends_at_target(self) -> bool:
        """Whether success is an ending."""
        return self.goal is not None or self.progress.cap is not None


class Game(_Model):
    """A game folder."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    title: str
    genre: str = ""
    """One of its library's categories."""
    level: int = Field(default=0, ge=0)
    """One of its library's levels; 0: none."""
    summary: str
    """One line."""
    rules: KeyedText
    """The Game Rules section of the prompt; what is about keys and mouse stands in braces, as in a role's
    description."""
    kind: str = "browser"
    """The environment it is played in: `browser` (a page), the name of an installed one, or the path `package.Class` of
    one's own."""
    viewport: tuple[int, int] = (1280, 720)
    capture: Literal["canvas", "page"] = "page"
    """`canvas`: the page is one canvas of the viewport's size, and its pixels are the picture."""
    text: bool = False
    """The page tells what can be seen in words: `gameAPI.describe(role)`."""
    views: tuple[Identifier, ...] = ()
    """Further pictures of one instant that the page draws: `gameAPI.look(view)`."""
    reproducible: bool = True
    page: str = "index.html"
    uses: tuple[str, ...] = ("../../kit",)
    """Folders outside the game's own that the page loads, as paths from there; they count as game files, and nothing
    else is served. A kit that is not there is the bundled one."""
    roles: tuple[Role, ...] = Field(min_length=1)
    motion: Motion | None = None
    tasks: tuple[Task, ...] = Field(min_length=1)
    folder: Path = Field(default=Path(), exclude=True)
    """Where it was found; set by the reader."""
    files_hash: str = Field(default="", exclude=True)
    """Hash over every file the game is made of; set by the reader."""
    defaults: dict[str, Any] = Field(default_factory=dict, exclude=True)
    """What the game's library sets for it, such as `{"action.per_reply": 3}`; set by the reader."""
    site: tuple[tuple[str, Path], ...] = Field(default=(), exclude=True)
    """What the page is served: folders by the path they appear under; set by the reader."""

    @field_validator("tasks")
    @classmethod
    def _a_task_for_each_text(cls, tasks: tuple[Task, ...], info: ValidationInfo) -> tuple[Task, ...]:
        of_game = {"motion": info.data.get("motion"), "texts": {}}
        out: list[Task] = []
        for task in tasks:
            for name, text in task.texts.items():
                named = {"id": f"{task.id}_{name}", "instruction": text, "variant": name}
                out.append(task.model_copy(update=named | of_game))
            if not task.texts:
                out.append(task.model_copy(update=of_game))
        return tuple(out)

    @model_validator(mode="after")
    def _unique(self) -> Game:
        for what, names in (("role", [r.name for r in self.roles]), ("task", [t.id for t in self.tasks])):
            if len(set(names)) != len(names):
                raise ValueError(f"two {what}s of game '{self.id}' share a name")
        for view in self.views:
            if view in ("front", "previous"):
                raise ValueError(f"every game has the view '{view}'; `views` lists further ones")
        return self

    @property
    def per_reply(self) -> int:
        """Actions of one reply that are played where the user does not say."""
        return int(self.defaults.get("action.per_reply", 1))

    @property
    def page_path(self) -> str:
        """The page's path in its site, such as `gameworld/13_flappy-bird/index.html`."""
        return f"{self.folder.parent.name}/{self.folder.name}/{self.page}"

    def role(self, name: str) -> Role:
        """`GameError` if there is none."""
        for role in self.roles:
            if role.name == name:
                return role
        raise GameError(f"{self.id} has no role '{name}'; its roles: {', '.join(r.name for r in self.roles)}")

    def task(self, task_id: str) -> Task:
        """`GameError` if there is none, such as for a run that was played with an older version of the game."""
        for task in self.tasks:
            if task.id == task_id:
                return task
        raise GameError(f"{self.id} has no task '{task_id}'; its tasks: {', '.join(t.id for t in self.tasks)}")
