"""A judge that compares the last screenshot with a reference image."""

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from gwray.agents import Part
from gwray.analysis import Verdict
from gwray.errors import UsageError
from gwray.judges import JudgeKind, JudgeResult, JudgeSession, RecordedEpisode
from gwray.places import read_regular
from gwray.store import RunDir

MIME_TYPES = {b"\xff\xd8": "image/jpeg", b"\x89P": "image/png"}
"""First bytes of an image file → its type."""
SAME = "same"
"""The label of an episode whose last screenshot shows what the reference shows."""


class PictureJudge(JudgeKind):
    """Says whether the last screenshot shows what `judge.reference` has for the task."""

    uses = ()

    @property
    def annotation_labels(self) -> Collection[str]:
        return (SAME,)

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


def mime_type(data: bytes) -> str:
    """Returns the type of an image file; empty if models do not take it."""
    return MIME_TYPES.get(data[:2], "")
