"""A judge that asks a model what it knows of a game without seeing it: the solution of a case, and what it leads to.

The true answers are in the `truth.yaml` of a library, or in the first state of the case that was played. A model may
have read the published walkthrough of one case. Other seeds are generated cases and serve as the control: their
solutions can only be guessed. The behavior of a model that also played the published case is read from its episodes:
whether it did what the question is about.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from gwray.agents import Part
from gwray.catalog import Game, Task, load_catalog
from gwray.errors import UsageError
from gwray.judges import JUDGES, JudgeKind, JudgeResult, JudgeSession, RecordedEpisode, read_recorded_judge
from gwray.places import read_regular
from gwray.places.validation import read_model_file
from gwray.records import EpisodeRecord
from gwray.store import RunDir
from gwray.studies.flashadventure.adventures import Level, ProbeResult, contamination_p, count_right
from gwray.studies.flashadventure.milestones import reached_milestones
from gwray.verification import episode_specs

FILE = "truth.yaml"
IGNORED_WORDS = frozenset({"a", "an", "the", "and"})
"""Words that are ignored when answers are compared."""


class _Truth(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Question(_Truth):
    """One question and where its answer is found."""

    ask: str
    answer: str = ""
    """The answer, the same in every case."""
    field: str = ""
    """Dotted path in the first state of a case; list items by index."""
    of: dict[str, str] = Field(default_factory=dict)
    """Value of the field → its name in answers; these are the answers to choose from."""
    choices: tuple[str, ...] = ()
    """The answers to choose from where `answer` is one of them."""
    milestone: str = ""
    """Milestone that an agent reaches by acting on the answer; empty: none."""

    @model_validator(mode="after")
    def _check_source(self) -> "Question":
        if bool(self.answer) == bool(self.field):
            raise ValueError("a question has either `answer` or `field`")
        if self.choices and self.answer not in self.choices:
            raise ValueError("`choices` must contain `answer`")
        return self

    def truth(self, state: Mapping[str, Any], file: Path = Path(FILE)) -> str:
        """Returns the right answer in a case. Raises `UsageError` naming `file` if the state lacks the field."""
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
    """Questions about one game."""

    solution: dict[str, Question] = Field(default_factory=dict)
    """Question by name; asked about one case."""
    conclusion: Question | None = None
    """What the solution leads to, in every case; asked with the published one."""


class LibraryTruth(_Truth):
    """The `truth.yaml` of a library."""

    published: int
    """Seed of the case whose solution is published."""
    games: dict[str, GameTruth]


def read_truth(game: Game) -> LibraryTruth | None:
    """Returns the true answers for the library of a game; None if it has none. Raises `UsageError` for a wrong file."""
    file = Path(game.folder).parent / FILE
    return read_model_file(file, LibraryTruth, read_regular) if file.is_file() else None


def questions_by_level(truth: LibraryTruth, game: str, seed: int) -> dict[Level, dict[str, Question]]:
    """Returns the questions about a case by name. The conclusion belongs to no case; it is asked with the published
    one."""
    of_game = truth.games[game]
    levels: dict[Level, dict[str, Question]] = {"solution": of_game.solution} if of_game.solution else {}
    if of_game.conclusion and seed == truth.published:
        levels["conclusion"] = {"conclusion": of_game.conclusion}
    return levels


class KnowledgeJudge(JudgeKind):
    """Asks about one case of a game without showing it."""

    named_by_model = True
    subject = "cases without questions"
    uses = ()

    def has_subject(self, game: Game, task: Task, seed: int) -> bool:
        truth = read_truth(game)
        return truth is not None and game.id in truth.games and bool(questions_by_level(truth, game.id, seed))

    def select(self, run: RunDir, records: Sequence[EpisodeRecord], judged: Collection[str]) -> Sequence[EpisodeRecord]:
        """Returns one episode of each case, and a judged one where there is one."""
        first: dict[tuple[str, str, int], str] = {}
        for record in sorted(records, key=lambda r: (r.key not in judged, r.key)):
            first.setdefault((record.game, record.task, record.seed), record.key)
        chosen = {*first.values()}
        return [r for r in records if r.key in chosen]

    async def judge(self, episode: RecordedEpisode, session: JudgeSession) -> JudgeResult:
        game, seed = episode.game, episode.spec.seed
        truth, file = read_truth(game), game.folder.parent / FILE
        if truth is None or game.id not in truth.games:
            raise UsageError(f"there are no questions about {game.id}; add them to {file}")
        rows = episode.rows()
        state = json.loads(rows[0].before or "{}") if rows else {}
        system = session.context.text_for(self.spec.question)
        about = f'The game: "{game.title}". {episode.task.instruction.strip()}'
        of_case = f"Each seed deals another case. The questions are about the case of seed {seed}."
        right, asked, malformed = [], 0, 0
        for level, of_level in questions_by_level(truth, game.id, seed).items():
            answers = {name: q.truth(state, file) for name, q in of_level.items()}
            parts: list[Part | str] = [f"{about}\n{of_case}" if level == "solution" else about]
            parts.append("\n".join(f"- {name}: {q.ask}{_choice(q)}" for name, q in of_level.items()))
            reply = await session.ask_json(system, parts, json.dumps({"answers": answers}, ensure_ascii=False))
            given = reply.get("answers") if reply else None
            malformed += not isinstance(given, Mapping)
            asked += len(answers)
            given = given if isinstance(given, Mapping) else {}
            right += [name for name, true in answers.items() if same_answer(given.get(name), true)]
        return JudgeResult(right, len(right) / asked if asked else None, malformed)

    def summary(self, run: RunDir) -> list[str]:
        """Returns the share of right answers by kind of question, and the p-value for the published case."""
        results = [r for r in probe_results(run) if r.probe == self.spec.name]
        published, generated = (count_right(results, "solution", published=x) for x in (True, False))
        conclusions, behavior = count_right(results, "conclusion"), count_right(results, "behavior")
        counts = {
            "solutions of the published case": published, "solutions of generated cases": generated,
            "conclusions": conclusions, "behavior in the published case": behavior,
        }  # fmt: skip
        lines = [f"{what}: {n} of {total} ({100 * n / total:.0f} %)" for what, (n, total) in counts.items() if total]
        p = contamination_p(published, generated)
        if p is not None:
            lines.append(
                f"p = {p:.2g} of at least as many if the published case were known no better than generated ones"
            )
        return lines


def same_answer(given: Any, true: str) -> bool:
    """Returns whether an answer has the same words as the true one, apart from articles, case and punctuation."""
    if isinstance(given, list):
        given = ", ".join(map(str, given))
    text = str(given) if isinstance(given, str | int) and not isinstance(given, bool) else ""
    return bool(text) and _plain(text) == _plain(true)


def probe_results(run: RunDir) -> list[ProbeResult]:
    """Returns the results of a run's knowledge judges by judge, game, level and whether the case is published. Judges
    with invalid settings and games that no longer exist are skipped."""
    probes = []
    for name in run.judges():
        try:
            judge = read_recorded_judge(run, name)
            if issubclass(JUDGES.get(judge.kind, trusted=()), KnowledgeJudge):
                probes.append(judge)
        except UsageError:
            continue
    if not probes:
        return []
    library, specs, results = load_catalog(run.libraries), episode_specs(run), []
    for judge in probes:
        counts: dict[tuple[str, Level, bool], list[int]] = {}
        for line in run.judgements(judge.name):
            spec = specs.get(line.key)
            game = library.games.get(spec.game) if spec else None
            truth = read_truth(game) if game else None
            if spec is None or truth is None or spec.game not in truth.games:
                continue
            for level, asked in questions_by_level(truth, spec.game, spec.seed).items():
                count = counts.setdefault((spec.game, level, spec.seed == truth.published), [0, 0])
                count[0] += len({*asked} & {*line.labels})
                count[1] += len(asked)
        for key, spec in specs.items():
            game = library.games.get(spec.game)
            truth = read_truth(game) if game else None
            played = judge.model.name in {m.name for m in spec.cell.models()} and run.has_episode(key)
            if truth is None or spec.game not in truth.games or spec.seed != truth.published or not played:
                continue
            wanted = [q.milestone for q in truth.games[spec.game].solution.values() if q.milestone]
            if wanted:
                reached = reached_milestones(run.read_steps(key, images=False))
                count = counts.setdefault((spec.game, "behavior", True), [0, 0])
                count[0] += sum(name in reached for name in wanted)
                count[1] += len(wanted)
        results += [ProbeResult(judge.name, judge.model.name, *where, *count) for where, count in counts.items()]
    return results


def _choice(question: Question) -> str:
    """Returns the sentence that lists the answers to choose from; empty for an open question."""
    given = question.of.values() or question.choices
    return f" One of: {', '.join(given)}." if given else ""


def _plain(text: str) -> list[str]:
    """Returns the lower-case words of an answer without punctuation and articles."""
    letters = "".join(c if c.isalnum() else " " for c in text.casefold().replace("’", "").replace("'", ""))
    return [word for word in letters.split() if word not in IGNORED_WORDS]
