"""A judge that reads an episode's record and gives the labels that fit, such as why the episode failed. The labels of
PokeGym can also be given by rule, from positions and words alone, as a baseline for judges. `PictureJudge` compares the
last screenshot with a reference image."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from gwray.agents import Part
from gwray.analysis import Verdict
from gwray.catalog import Task, load_catalog
from gwray.errors import UsageError, cut
from gwray.evaluation import field, stuck_turns
from gwray.judges.kinds import JudgeKind, JudgeResult, RecordedEpisode
from gwray.judges.session import JudgeSession, mime_type
from gwray.judges.spec import JudgeSpec
from gwray.pipelines import episode_specs
from gwray.places import read_regular
from gwray.records import StepRecord
from gwray.store import RunDir

MAX_WORDS = 300
"""Characters of one decision's text that a judge is shown."""
MAX_STATE = 200

STUCK_SHARE = 0.5
"""An episode is stuck from this share of ineffective moves among the last ones."""
LAST = 20
"""Decisions at the end that the rules look at."""
DOING_SHARE = 0.3
"""From this share of last decisions that neither move, turn nor wait, the agent found its goal but could not finish."""
ADMITS_STUCK = re.compile(
    r"\b(stuck|blocked|obstruct\w*|trapped|jammed|in the way|(?:not|n't|cannot|can't|no longer) (?:\w+ )?(?:mov\w+|"
    r"pass\w*|get (?:past|through)|chang\w+)|no (?:progress|movement|change|effect))",
    re.IGNORECASE,
)


class LabelJudge(JudgeKind):
    """Gives the labels of its profile that fit the record."""

    uses = ("labels",)

    @classmethod
    def check(cls, spec: JudgeSpec) -> None:
        super().check(spec)
        if not spec.labels:
            raise ValueError("a judge of kind `labels` needs `labels: {name: meaning}`")

    async def judge(self, episode: RecordedEpisode, session: JudgeSession) -> JudgeResult:
        judge, rows = self.spec, episode.rows()
        system = session.context.instructions_for(judge.question, labels=judge.labels)
        lines = describe_steps(rows, judge, episode.task)
        parts: list[Part | str] = ["What was said and done:\n" + "\n".join(lines)]
        if "score" in judge.sees:
            record = episode.run.read_meta(episode.spec.key).record
            parts.append(f"Success: {record.success}. Progress: {record.progress}.")
        if "pictures" in judge.sees:
            for caption, data, mime in judged_screens(episode.run, episode.spec.key, rows, judge.pictures):
                parts += [caption, session.image(data, mime)]
        by_rule = [label for label in rule_labels(rows, episode.task) if label in judge.labels]
        answer = await session.ask_json(system, parts, json.dumps({"labels": by_rule}))
        given = (answer or {}).get("labels")
        if not isinstance(given, list) or not all(isinstance(x, str) and x in judge.labels for x in given):
            return JudgeResult(malformed=1)
        return JudgeResult([label for label in judge.labels if label in given])

    def references(self, run: RunDir, keys: Collection[str]) -> Mapping[str, Mapping[str, Verdict]]:
        """Returns the labels of the profile that the rules give each episode, under the name "rules"."""
        library, found = load_catalog(run.libraries), {}
        for key, spec in episode_specs(run).items():
            if key in keys and run.has_episode(key):
                task = library.game(spec.game).task(spec.task)
                labels = frozenset(rule_labels(run.read_steps(key, images=False), task)) & {*self.spec.labels}
                if labels:
                    found[key] = Verdict(labels)
        return {"rules": found}


def judged_screens(run: RunDir, key: str, rows: Sequence[StepRecord], count: int) -> Iterator[tuple[str, bytes, str]]:
    """Yields caption, image file and type of the last screenshot and of up to `count - 1` others, spread evenly."""
    with_image = [row.step for row in rows if row.screenshot_hash]
    meta, others = run.read_meta(key), count - 1
    if others < 0 or not with_image:
        return
    chosen = {with_image[len(with_image) * i // others] for i in range(others)} if others else set()
    for row in run.iter_steps(key) if chosen else ():
        if row.step in chosen and row.screenshot:
            yield f"The screen at decision {row.decision + 1}:", row.screenshot, meta.mime
    if meta.final_frame:
        yield "The last screen:", meta.final_frame, meta.mime


def describe_steps(rows: Sequence[StepRecord], judge: JudgeSpec, task: Task) -> list[str]:
    """Returns the rows of an episode as text, with what the judge sees of each."""
    return [_describe(row, judge, task) for row in rows]


def _describe(row: StepRecord, judge: JudgeSpec, task: Task) -> str:
    """Returns one row as text: role and action, with the reply and the resulting state if the judge sees them."""
    words = [f"Decision {row.decision + 1}, {row.role}:"]
    if "replies" in judge.sees and not row.index:
        reply = " ".join((row.reasoning or row.text).split())
        words.append(f'"{cut(reply, MAX_WORDS)}"' if reply else "")
    words.append("(pushed)" if row.forced else "")
    if row.validity != "valid":
        words.append(f"does nothing ({row.validity})")
    else:
        # Only the end of a task is valid and no action.
        words.append(f"does {row.control or row.action or 'finish'}")
    if "state" in judge.sees:
        words.append(f"→ {_state(row, task)}")
    return " ".join(w for w in words if w)


def _state(row: StepRecord, task: Task) -> str:
    """Returns the role's position as JSON if the game defines one; otherwise the beginning of the state."""
    state = json.loads(row.state)
    if task.motion is None:
        return cut(row.state, MAX_STATE)
    names = [name.replace("{role}", row.role) for name in task.motion.position]
    return json.dumps({name: field(state, name) for name in names})


def rule_labels(rows: Sequence[StepRecord], task: Task) -> tuple[str, ...]:
    """Returns one of PokeGym's four labels for a failed episode; none where the game does not define movement.

    An episode is a deadlock if at least half of its last moves were ineffective: aware if the agent's words in these
    turns say so, unaware otherwise. Without a deadlock it is an execution failure if the agent often did something else
    than moving, turning and waiting; otherwise the agent was lost.
    """
    if task.motion is None or not rows:
        return ()
    turns = stuck_turns(rows, rows[0].role, task.motion)[-LAST:]
    moves = [turn for turn in turns if turn.moves]
    bad = [turn for turn in moves if turn.ineffective]
    if moves and len(bad) / len(moves) >= STUCK_SHARE:
        aware = sum(bool(ADMITS_STUCK.search(turn.words)) for turn in bad)
        return ("aware_deadlock" if aware * 2 >= len(bad) else "unaware_deadlock",)
    doing = [turn for turn in turns if turn.acts and not turn.moves]
    return ("execution_failure" if len(doing) >= DOING_SHARE * len(turns) else "lost",)


SAME = "same"
"""The label of an episode whose last screenshot shows what the reference shows."""


class PictureJudge(JudgeKind):
    """Says whether the last screenshot shows what `judge.reference` has for the task."""

    uses = ()

    @property
    def annotation_labels(self) -> Collection[str]:
        return SAME, "none"

    async def judge(self, episode: RecordedEpisode, session: JudgeSession) -> JudgeResult:
        reference, meta = self._reference(episode.spec.task), episode.run.read_meta(episode.spec.key)
        if not meta.final_frame:
            raise UsageError(
                f"episode {episode.spec.key} has no screenshots (observation.format=none) to compare with a reference; "
                "judge a run that records them"
            )
        parts: list[Part | str] = ["The reference:", session.image(reference, mime_type(reference))]
        parts += ["The last screen:", session.image(meta.final_frame, meta.mime)]
        neutral = json.dumps({"same": reference == meta.final_frame})
        answer = await session.ask_json(session.context.instructions_for(self.spec.question), parts, neutral)
        same = (answer or {}).get("same")
        if not isinstance(same, bool):
            return JudgeResult(malformed=1)
        return JudgeResult([SAME] if same else [])

    def references(self, run: RunDir, keys: Collection[str]) -> Mapping[str, Mapping[str, Verdict]]:
        """Returns `same` for each successful episode and no label for the others, under the name "state"."""
        return {
            "state": {r.key: Verdict(frozenset([SAME] if r.success else ())) for r in run.results() if r.key in keys}
        }

    def _reference(self, task: str) -> bytes:
        """Returns the bytes of a task's reference image. Raises `UsageError` if there is none."""
        folder = self.spec.reference
        for suffix in (".png", ".jpg", ".jpeg"):
            file = Path(folder, task + suffix)
            with suppress(OSError):
                if folder and Path(task).name == task and mime_type(data := read_regular(file)):
                    return data
        raise UsageError(
            f"judge.reference '{folder}' has no image {task}.png or {task}.jpg. Name a folder that has one for each "
            "task: judge.reference=FOLDER."
        )
