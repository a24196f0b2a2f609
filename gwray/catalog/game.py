"""Schema of `game.yaml`, together with `controls.py` and `task.py`. `gwray.catalog.library` reads the file."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from gwray.catalog.controls import Frozen, Identifier, KeyedText, Role
from gwray.catalog.defaults import GameDefaults
from gwray.catalog.task import Motion, Task
from gwray.errors import GameError
from gwray.settings import EpisodeSpec

WILDCARD = "??"
UNLIMITED = 1_000_000
"""Budget in environment steps of people who have no limit."""
MAX_OFFSET = 2**16
"""Maximum distance in bytes between a pattern and a value."""
FieldName = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$")]


class MemoryField(Frozen):
    """A value at a fixed distance from a signature."""

    offset: int = Field(ge=-MAX_OFFSET, le=MAX_OFFSET)
    """Bytes from the start of the pattern to the start of the value."""
    type: Literal["f32", "f64", "i8", "i16", "i32", "u8", "u16", "u32", "bool"]
    """Little-endian; `bool`: a byte that is not 0."""
    words: tuple[str, ...] = ()
    """Names of the values 0, 1, …"""

    @model_validator(mode="after")
    def _check_words(self) -> "MemoryField":
        if self.words and self.type[0] not in "iu":
            raise ValueError(f"`words` requires an integer type, not {self.type}")
        return self


class Signature(Frozen):
    """Bytes that occur exactly once in all memories, from each start of the game to its end or the next reset. The
    values are at fixed distances from them."""

    pattern: str
    """Bytes in hexadecimal, with `??` for any: `"51 55 ?? 59"`."""
    fields: dict[FieldName, MemoryField] = Field(min_length=1)
    """Values by state field, such as `game_state.player.x`."""

    @field_validator("pattern")
    @classmethod
    def _bytes(cls, pattern: str) -> str:
        words = pattern.split()
        for word in words:
            if word != WILDCARD and not (len(word) == 2 and set(word) <= set("0123456789abcdefABCDEF")):
                raise ValueError(f"'{word}' is neither a byte such as 4f nor {WILDCARD}")
        if all(word == WILDCARD for word in words):
            raise ValueError("a pattern needs at least one byte that is not ??")
        return " ".join(words).lower()


class StartInput(Frozen):
    """One input that starts a game; exactly one of the three."""

    press: str = ""
    """A key."""
    click: tuple[float, float] | None = None
    """A point, in viewport pixels."""
    wait_ms: float = Field(default=0, ge=0, le=60_000)
    """Game time to wait."""

    @model_validator(mode="after")
    def _one(self) -> "StartInput":
        if bool(self.press) + bool(self.click) + bool(self.wait_ms) != 1:
            raise ValueError("an input of `start` has exactly one of press, click, wait_ms")
        return self


class Start(Frozen):
    """How a page becomes playable, after it was opened and after each reset. It costs no budget."""

    ready: str = ""
    """With `probe`: JavaScript that is true as soon as the page can be played."""
    inputs: tuple[StartInput, ...] = ()
    """Then these inputs are sent."""


class Game(Frozen):
    """A game."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    title: str
    genre: str = ""
    """One of the library's categories."""
    level: int = Field(default=0, ge=0)
    """One of the library's levels; 0: none."""
    summary: str
    """One line."""
    rules: KeyedText
    """The Game Rules section of the prompt; parts about keys and mouse are in braces, as in a role's description."""
    kind: str = "browser"
    """The environment: `browser` (a page), the name of an installed one, or the path `package.Class` of your own."""
    viewport: tuple[int, int] = (1280, 720)
    """Width and height in pixels."""
    fps: int = Field(default=60, ge=1, le=240)
    """Frames per second of game time that the page draws."""
    capture: Literal["canvas", "page"] = "page"
    """`canvas`: the page is one canvas of the viewport's size, and screenshots are its pixels."""
    text: bool = False
    """The page describes its screen in words: `gameAPI.describe(role)`."""
    needs_text: bool = False
    """The pictures show less than an agent needs to know, so `text: true` is required and models are never given
    images alone."""
    views: tuple[Identifier, ...] = ()
    """Further views that the page draws: `gameAPI.look(view)`."""
    state: Literal["page", "memory"] = "page"
    """Source of the score's values: `gameAPI.getState()`, or for the fields of `signatures` the page's WebAssembly
    memories. Status and ending always come from the page."""
    probe: dict[FieldName, str] = Field(default_factory=dict)
    """For a page without `gameAPI`: what gives each field of the state. JavaScript such as `game.score`, `dom:SELECTOR`
    (an element's text) or `storage:KEY`; a value that cannot be read is null. `over` says that the game has ended. A
    reset loads the page again."""
    start: Start = Start()
    """What makes the page playable."""
    signatures: tuple[Signature, ...] = ()
    """With `state: memory`: how to find the values."""
    reproducible: bool = True
    """False: the same actions can lead to different states, so episodes are not verified."""
    page: str = "index.html"
    """The page, relative to the game's folder."""
    uses: tuple[str, ...] = ("../../kit",)
    """Folders outside the game's own that the page loads, as relative paths. They count as game files, and nothing else
    is served. A missing `kit`, `commands` or `dealt` is replaced by the bundled one."""
    roles: tuple[Role, ...] = Field(min_length=1)
    turns: Literal["together", "free"] = "together"
    """When roles act. `together`: all at the same instants; their actions share the same frames, and the shorter one
    waits for the longer one. `free`: each role at the first frame after its own actions have ended,
    whatever the others do."""
    motion: Motion | None = None
    tasks: tuple[Task, ...] = Field(min_length=1)
    folder: Path = Field(default=Path(), exclude=True)
    """Set by `read_game`."""
    files_hash: str = Field(default="", exclude=True)
    """Hash of all files of the game; set by `read_game`."""
    defaults: GameDefaults = Field(default_factory=GameDefaults, exclude=True)
    """Default settings from the library; set by `Library.read_game`."""
    site: tuple[tuple[str, Path], ...] = Field(default=(), exclude=True)
    """Folders that the page can load, by URL path; set by `read_game`."""

    @field_validator("tasks")
    @classmethod
    def _expand_texts(cls, tasks: tuple[Task, ...], info: ValidationInfo) -> tuple[Task, ...]:
        shared = {"motion": info.data.get("motion"), "texts": {}}
        out: list[Task] = []
        for task in tasks:
            for name, text in task.texts.items():
                named = {"id": f"{task.id}_{name}", "instruction": text, "variant": name}
                out.append(task.model_copy(update=named | shared))
            if not task.texts:
                out.append(task.model_copy(update=shared))
        return tuple(out)

    @model_validator(mode="after")
    def _unique(self) -> "Game":
        for what, names in (("role", [r.name for r in self.roles]), ("task", [t.id for t in self.tasks])):
            if len(set(names)) != len(names):
                raise ValueError(f"two {what}s of game '{self.id}' share a name")
        if (self.state == "memory") != bool(self.signatures):
            raise ValueError("`state: memory` requires `signatures`, and `signatures` requires `state: memory`")
        if self.signatures and self.kind != "browser":
            raise ValueError(
                f"`state: memory` requires a page, but `kind: {self.kind}` is not one; use `kind: browser`"
            )
        if self.turns == "free" and any(c.code for r in self.roles for c in (*r.controls, *r.parametric)):
            raise ValueError("a control with a program needs `turns: together`: time passes for all while it runs")
        if self.needs_text and not self.text:
            raise ValueError("`needs_text: true` requires `text: true`")
        if self.turns == "free":
            for task in self.tasks:
                if task.max_decisions or task.check == "reply":
                    raise ValueError(
                        f"task '{task.id}': with `turns: free` the replies of two roles overlap, so a task can neither "
                        "have a budget of decisions nor `check: reply`; use `max_steps` and `check: action`"
                    )
        if self.start.ready and not self.probe:
            raise ValueError("`start: ready` requires `probe`; a page with gameAPI says itself when it is ready")
        if own := [name for name in self.probe if name.partition(".")[0] in ("status", "terminal")]:
            raise ValueError(f"a probe cannot have the field '{own[0]}'; use `over` for the end of the game")
        fields = [name for s in self.signatures for name in s.fields]
        if twice := [name for name in fields if fields.count(name) > 1]:
            raise ValueError(f"two signatures have the field '{twice[0]}'")
        if own := [name for name in fields if name.partition(".")[0] in ("status", "terminal")]:
            raise ValueError(f"a signature cannot have the field '{own[0]}': the page always provides it")
        if within := [(a, b) for a in fields for b in fields if b.startswith(f"{a}.")]:
            raise ValueError(f"the signature field '{within[0][1]}' is part of its field '{within[0][0]}'")
        for view in self.views:
            if view in ("front", "previous"):
                raise ValueError(f"every game has the view '{view}'; `views` lists further ones")
        return self

    @property
    def per_reply(self) -> int:
        """Default number of actions per reply."""
        return self.defaults.per_reply or 1

    @property
    def page_path(self) -> str:
        """URL path of the page, such as `gameworld/13_flappy-bird/index.html`."""
        return f"{self.folder.parent.name}/{self.folder.name}/{self.page}"

    def role(self, name: str) -> Role:
        """Returns a role. Raises `GameError` if there is no such role."""
        for role in self.roles:
            if role.name == name:
                return role
        raise GameError(f"{self.id} has no role '{name}'; its roles: {', '.join(r.name for r in self.roles)}")

    def task_of(self, episode: EpisodeSpec) -> Task:
        """Returns an episode's task with its budget, reduced to `limit.steps` of its cell.

        A person's reply is one action. A budget of replies that may have several actions each is for people a budget of
        as many actions as a model's replies may have.
        """
        task = self.task(episode.task, episode.cell.limit.steps)
        people = all(m.provider == "human" for m in episode.cell.models())
        if people and episode.cell.limit.unlimited:
            return task.model_copy(update={"max_steps": UNLIMITED, "max_decisions": None})
        if task.max_decisions and people:
            return task.model_copy(update={"max_decisions": task.steps_allowed(episode.action.per_reply or 1)})
        return task

    def task(self, task_id: str, limit: int | None = None) -> Task:
        """Returns a task, with its budget reduced to `limit` (`limit.steps` of a cell). Raises `GameError` if there is
        none, such as for a run that was played with another version of the game."""
        for task in self.tasks:
            if task.id == task_id:
                return task if limit is None else task.limited(limit)
        raise GameError(f"{self.id} has no task '{task_id}'; its tasks: {', '.join(t.id for t in self.tasks)}")
