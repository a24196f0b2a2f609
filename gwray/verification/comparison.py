"""Compares a recorded episode with its replay."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gwray.pipelines import OTHER_BROWSER, PlayedEpisode
from gwray.records import UNMOVED, EpisodeRecord
from gwray.settings import EpisodeSpec
from gwray.store import Episode
from gwray.verification.findings import (
    OF_BROWSER,
    RECORD_FIELDS,
    Verification,
    difference,
    differing_field,
    first_difference,
)
from gwray.verification.rescore import ends_earlier, is_note


@dataclass(frozen=True)
class Replayed:
    """A replayed episode."""

    played: PlayedEpisode
    unused: list[tuple[int, str, int]]
    """Logged replies that were not requested: decision, role, call."""
    untrusted_agent: str = ""
    """Why recorded actions were played instead of the agent's decisions; empty: the agent decided."""
    skipped_metrics: tuple[str, ...] = ()
    """Metrics that were not recomputed, because their code is neither part of gwray nor trusted."""
    notes: tuple[str, ...] = ()
    """Caveats about the replies: models that answered in place of another, unknown finish reasons."""
    irreproducible: tuple[str, ...] = ()
    """Inputs that the environment could not control in this replay."""
    log: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a record that follow from the whole reply log, which may be longer than the episode."""
    other_reply: str = ""
    """The first reply that its player, which asks no model, gives otherwise; empty: none."""
    other_pictures: str = ""
    """Why the log answers other screenshots than the replay drew; empty: it does not. Compared only if the browser is
    that of the recording."""


def compared(
    episode: Episode, recorded: EpisodeRecord, replayed: Replayed, spec: EpisodeSpec, unknown: Verification
) -> Verification:
    """Compares a recorded episode with its replay: `identical`, or the first difference."""
    played, made = replayed.played, replayed.played.record
    same = recorded.browser == made.browser
    # Another browser may draw the same screenshots.
    pictures = same or recorded.frame_chain == made.frame_chain
    compared = pictures and spec.cell.observation.pictures
    finding = replace(unknown, verdict="different", pictures=compared, browser=made.browser)
    if found := first_difference(episode.steps, played.steps, pictures):
        return replace(finding, step=found[0], detail=found[1])
    log_continues = _log_continues(recorded, replayed)
    shown = _shown_difference(episode, replayed, log_continues, same)
    if detail := shown or result_difference(recorded, replayed):
        return replace(finding, detail=detail)
    if unused := [u for u in replayed.unused if not (log_continues and u[0] >= recorded.decisions)]:
        decision, role, call = unused[0]
        detail = f"the log has an unused reply: decision {decision}, {role}, call {call}"
        return replace(finding, detail=detail)
    unproven = [f"game verified, agent not: {replayed.untrusted_agent}"] if replayed.untrusted_agent else []
    unproven += [
        f"metric not compared: '{name}' is not part of gwray (--trust {name})" for name in replayed.skipped_metrics
    ]
    if not same:
        what = "same screenshots" if pictures else "screenshots not compared"
        browsers = f"recorded with {recorded.browser}, replayed with {made.browser}"
        unproven.append(f"{what}: {browsers} (console, final frame, page errors and caveats not compared)")
    if log_continues:
        unproven.append("replies and screenshots after the end that rescoring set were not replayed")
    if made.blocked_requests:
        unproven.append("console and page errors not compared: the page requests the network, which is not stepped")
    unproven += [c for c in made.caveats if OTHER_BROWSER in c]
    return replace(finding, verdict="identical", detail="; ".join(unproven))


def _log_continues(recorded: EpisodeRecord, replayed: Replayed) -> bool:
    """Returns whether the log continues after the earlier end that rescoring set."""
    later = any(decision >= recorded.decisions for decision, _, _ in replayed.unused)
    return later and ends_earlier(recorded)


OF_NETWORK = {"blocked_requests", "page_errors", "shown_hash"}
"""Fields that depend on when a refused network request fails, which is not game time."""


def result_difference(recorded: EpisodeRecord, replayed: Replayed) -> str:
    """Returns the first field of the result that differs in the replay, and how; empty if none does. Fields that depend
    on the browser are compared only if it is the same."""
    ignored: set[str] = set() if recorded.browser == replayed.played.record.browser else {*OF_BROWSER}
    if continues := _log_continues(recorded, replayed):
        # Warnings and costs after the end remain in the record.
        ignored |= {*OF_BROWSER} - {"frame_chain", "row_chain", "browser", "reproducible"}
        for name in ("page_errors", "health"):
            if missing := {*getattr(replayed.played.record, name)} - {*getattr(recorded, name), UNMOVED}:
                return f"{name}: the record lacks {', '.join(sorted(missing))}"
    if replayed.played.record.blocked_requests:
        ignored |= OF_NETWORK
    if replayed.untrusted_agent:
        ignored |= {"shown_hash"}  # the agent's questions
    # Notes of rescoring and caveats of skipped metrics are not part of a replay.
    notes = tuple(f"metric {name} failed: " for name in replayed.skipped_metrics)
    kept = tuple(c for c in recorded.caveats if not (is_note(c) or c.startswith(notes)))
    recorded = recorded.model_copy(update={"caveats": kept})
    fields = [f for f in (*RECORD_FIELDS, *OF_BROWSER) if f not in ignored]
    made = replayed.played.record.model_copy(update=replayed.log if continues else {})
    found = differing_field(recorded, made, fields=fields, skipped_metrics=replayed.skipped_metrics)
    return found or replayed.other_reply or (replayed.other_pictures if recorded.browser == made.browser else "")


def _shown_difference(episode: Episode, replayed: Replayed, log_continues: bool, same: bool) -> str:
    """Returns the first difference in prompts, console and final frame; empty if there is none.

    `same`: the same browser played both; prompts and answering models do not depend on it.
    """
    meta, played = episode.meta, replayed.played
    final = played.final_view.data if played.final_view else b""
    prompts, console = meta.prompts, meta.console
    if replayed.untrusted_agent:
        prompts = played.prompts
    if played.record.blocked_requests:
        console = played.console
    if log_continues:
        prompts, console = {k: v for k, v in prompts.items() if k in played.prompts}, console[: len(played.console)]
    caveats = episode.meta.record.caveats
    if missing := [m for m in replayed.notes if m not in caveats]:
        return difference("caveats", caveats, (*caveats, *missing))
    for name, old, new in (
        ("final_frame", meta.final_frame or b"", final), ("prompts", prompts, played.prompts),
        ("console", console, played.console),
    ):  # fmt: skip
        if old != new and (same or name == "prompts"):
            return difference(name, old, new)
    return ""
