"""A judge that reads an episode's record and gives the labels that fit, such as why the episode failed."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from gwray.agents import Part
from gwray.analysis import Verdict
from gwray.catalog import Task, load_catalog
from gwray.errors import cut
from gwray.evaluation import field
from gwray.judges.kinds import JudgeKind, JudgeResult, RecordedEpisode
from gwray.judges.session import JudgeSession
from gwray.judges.spec import JudgeSpec
from gwray.records import StepRecord
from gwray.store import RunDir
from gwray.verification import episode_specs

MAX_WORDS = 300
"""Characters of one decision's text that a judge is shown."""
MAX_STATE = 200


class LabelJudge(JudgeKind):
    """Gives the labels of its profile that fit the record."""

    uses = ("labels",)

    @classmethod
    def check(cls, spec: JudgeSpec) -> None:
        super().check(spec)
        if not spec.labels:
            raise ValueError("a judge of kind `labels` needs `labels: {name: meaning}`")

    def by_rule(self, rows: Sequence[StepRecord], task: Task) -> Collection[str]:
        """Returns the labels that rules give an episode, as a baseline for judges: the answer of judge.model=scripted,
        and the reference "rules". A kind without rules has none."""
        return ()

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
        by_rule = [label for label in self.by_rule(rows, episode.task) if label in judge.labels]
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
                labels = frozenset(self.by_rule(run.read_steps(key, images=False), task)) & {*self.spec.labels}
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
