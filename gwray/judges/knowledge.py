"""What a model knows of a game before it has seen it: title, first words, and the solution of one case.

What is true stands in the `truth.yaml` of a library, or in the first state of the case that was played. Of the one case
whose walkthrough is published a model may have read; other seeds are cases that nobody can have read of, and so the
control: what is right there is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from gwray import yaml12
from gwray.agents import Part
from gwray.analysis import Known, Level
from gwray.catalog import Game, Task, load_catalog
from gwray.errors import UsageError
from gwray.judges.asking import Asking
from gwray.judges.profile import JudgeSpec, kept_judge
from gwray.pipelines import episode_specs
from gwray.spec import EpisodeSpec
from gwray.store import RunDir
from gwray.validation import in_words

FILE = "truth.yaml"
LITTLE = frozenset({"a", "an", "the", "and"})
"""Words without which an answer is the same one."""


class _Truth(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Question(_Truth):
    """One question, and where its answer is."""

    ask: str
    answer: str = ""
    """The answer, the same in every case."""
    field: str = ""
    """Path in the first state of a case; of lists by number."""
    of: dict[str, str] = Field(default_factory=dict)
    """Value of the field → how it is said; these are the answers to choose from."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Question:
        if bool(self.answer) == bool(self.field):
            raise ValueError("a question has either `answer` or `field`")
        return self

    def truth(self, state: Mapping[str, Any], file: Path = Path(FILE)) -> str:
        """The right answer in a case. Raises `UsageError`, which names the `file`, if its state lacks the field."""
        if self.answer:
            return self.answer
        value: Any = state
        for part in self.field.split("."):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError, TypeError, ValueError):
                raise UsageError(f"{file}: the state has no field '{self.field}' ('{part}' is missing)") from None
        found = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        return self.of.get(found, found)


class GameTruth(_Truth):
    """What is asked about one game."""

    title: str
    """What it is about, without its name."""
    opening: Question
    solution: dict[str, Question] = Field(default_factory=dict)
    """By name; asked about one case."""


class LibraryTruth(_Truth):
    """The `truth.yaml` of a library."""

    published: int
    """Seed of the case whose solution anybody may have read."""
    games: dict[str, GameTruth]


def read_truth(game: Game) -> LibraryTruth | None:
    """What is true of the games of a game's library; None where it does not say. Raises `UsageError` for a file that is
    wrong."""
    file = Path(game.folder).parent / FILE
    if not file.is_file():
        return None
    try:
        return LibraryTruth.model_validate(yaml12.load(file.read_text(encoding="utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError) as e:
        raise UsageError(yaml12.what_is_wrong(file, e)) from e
    except ValidationError as e:
        problems = "; ".join(f"{'.'.join(map(str, p['loc']))}: {in_words(p, LibraryTruth)}" for p in e.errors())
        raise UsageError(f"{file}: {problems}") from e


def levels(truth: LibraryTruth, game: str, seed: int) -> dict[Level, tuple[str, ...]]:
    """The names of what is asked about a case, by level. Title and first words are no case's: they are asked with the
    published one."""
    of = truth.games[game]
    solution: dict[Level, tuple[str, ...]] = {"solution": tuple(of.solution)} if of.solution else {}
    return {"title": ("title",), "opening": ("opening",), **solution} if seed == truth.published else solution


async def known_of(
    asking: Asking, judge: JudgeSpec, run: RunDir, spec: EpisodeSpec, game: Game, task: Task
) -> tuple[list[str], int, int]:
    """The names of what was answered rightly, how many questions there were, and how many answers could not be read.

    Raises `UsageError` for a game of which no truth is told.
    """
    truth = read_truth(game)
    if truth is None or game.id not in truth.games:
        raise UsageError(f"nothing is known of {game.id} to ask about: write it into {game.folder.parent / FILE}")
    of, rows = truth.games[game.id], run.read_steps(spec.key, images=False)
    state = json.loads(rows[0].before or "{}") if rows else {}
    system = asking.context.text_for(judge.question)
    about = f'The game: "{game.title}". {task.instruction.strip()}'
    title = Question(ask=f"What is this game called? {of.title}", answer=game.title)
    told: dict[Level, tuple[str, dict[str, Question]]] = {
        "title": ("", {"title": title}),
        "opening": (about, {"opening": of.opening}),
        "solution": (f"{about}\nEvery seed is another case. Asked is the case of seed {spec.seed}.", of.solution),
    }
    right, asked, malformed = [], 0, 0
    for level in levels(truth, game.id, spec.seed):
        words, questions = told[level]
        answers = {name: q.truth(state, game.folder.parent / FILE) for name, q in questions.items()}
        parts: list[Part | str] = [words] if words else []
        parts.append("\n".join(f"- {name}: {q.ask}{_choice(q)}" for name, q in questions.items()))
        found = await asking.say(system, parts, json.dumps({"answers": answers}, ensure_ascii=False))
        given = found.get("answers") if found else None
        malformed += not isinstance(given, Mapping)
        asked += len(answers)
        said = given if isinstance(given, Mapping) else {}
        right += [name for name, true in answers.items() if same(said.get(name), true)]
    return right, asked, malformed


def same(said: Any, true: str) -> bool:
    """Whether an answer says what is true: the same words, but for articles and how they are written."""
    if isinstance(said, list):
        said = ", ".join(map(str, said))
    given = str(said) if isinstance(said, str | int) and not isinstance(said, bool) else ""
    return bool(given) and _plain(given) == _plain(true)


def known_in(run: RunDir) -> list[Known]:
    """What the probes of a run found, by probe, game, level and whether the case is published. Settings that are no
    judge's are left out, and so are games that are not here any more."""
    probes = [judge for name in run.judges() if (judge := _probe(run, name))]
    if not probes:
        return []
    library, specs, out = load_catalog(run.manifest().get("libraries", ())), episode_specs(run), []
    for judge in probes:
        found: dict[tuple[str, Level, bool], list[int]] = {}
        for line in run.judgements(judge.name):
            spec = specs.get(line.key)
            game = library.games.get(spec.game) if spec else None
            truth = read_truth(game) if game else None
            if spec is None or truth is None or spec.game not in truth.games:
                continue
            for level, asked in levels(truth, spec.game, spec.seed).items():
                count = found.setdefault((spec.game, level, spec.seed == truth.published), [0, 0])
                count[0] += len({*asked} & {*line.labels})
                count[1] += len(asked)
        out += [Known(judge.name, judge.model.name, *where, *count) for where, count in found.items()]
    return out


def _probe(run: RunDir, name: str) -> JudgeSpec | None:
    try:
        judge = kept_judge(run, name)
    except UsageError:
        return None
    return judge if judge.kind == "knowledge" else None


def is_known_of(game: Game, seed: int) -> bool:
    """Whether there is anything to ask about a case."""
    truth = read_truth(game)
    return truth is not None and game.id in truth.games and bool(levels(truth, game.id, seed))


def _choice(question: Question) -> str:
    return f" One of: {', '.join(question.of.values())}." if question.of else ""


def _plain(text: str) -> list[str]:
    letters = "".join(c if c.isalnum() else " " for c in text.casefold().replace("’", "").replace("'", ""))
    return [word for word in letters.split() if word not in LITTLE]
