"""Chooses what is learned: the best trajectories of each game, paraphrased prompts, a limit on tokens, and splits. The
rules are those of Orak, §4 and appendix O."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from gwray.catalog import Catalog
from gwray.errors import UsageError, choose
from gwray.plugins.training.samples import Sample
from gwray.records import EpisodeRecord

COLLECT, KEEP, MAX_TOKENS = 1000, 300, 4096
"""Published: collect more than 1,000 decisions a game, keep trajectories until more than 300, under 4,096 tokens."""
Split = Literal["seed", "scenario", "level", "game"]
SPLITS: tuple[Split, ...] = ("seed", "scenario", "level", "game")
TEST_SHARE = 0.1
"""Share of the groups that the splits `seed`, `level` and `game` hold back."""


@dataclass
class Audit:
    """Counts of one game on the way from collected decisions to used samples."""

    collected: int = 0
    """Decisions of all episodes."""
    kept: int = 0
    """Decisions of the selected episodes."""
    episodes: int = 0
    samples: int = 0
    """Questions of the selected episodes: decisions times modules."""
    copies: int = 1
    """1 plus the number of paraphrases."""
    too_long: int = 0
    """Samples dropped for their tokens."""

    @property
    def used(self) -> int:
        return self.samples * self.copies - self.too_long

    def row(self) -> dict[str, int]:
        """Returns all counts by name."""
        return asdict(self) | {"used": self.used}


def select_episodes(records: Sequence[EpisodeRecord], keep: int = KEEP) -> tuple[list[EpisodeRecord], dict[str, Audit]]:
    """Returns the trajectories with the highest scores of each game, until their decisions exceed `keep`.

    Args:
        records: finished episodes.
        keep: decisions per game; 0: keep all.

    Returns:
        The selected records, by game and from the best down, and the counts by game.
    """
    by_game: dict[str, list[EpisodeRecord]] = defaultdict(list)
    for record in records:
        by_game[record.game].append(record)
    selected: list[EpisodeRecord] = []
    audits: dict[str, Audit] = {}
    for game, episodes in sorted(by_game.items()):
        audit = audits[game] = Audit(collected=sum(r.decisions for r in episodes))
        for record in sorted(episodes, key=lambda r: (-(r.progress or 0.0), -(r.score or 0.0), r.key)):
            if keep and audit.kept > keep:
                break
            selected.append(record)
            audit.kept += record.decisions
            audit.episodes += 1
    return selected, audits


def refuse_held_out(records: Iterable[EpisodeRecord], held_out: Mapping[str, Sequence[str]], library: Catalog) -> None:
    """Raises `UsageError` if an episode is of a game, level, scenario or seed that is held out for the test."""
    tasks = [(game.id, task) for game in library.games.values() for task in game.tasks]
    known = {"game": {g for g, _ in tasks}, "level": {t.id for _, t in tasks}, "scenario": {"seen", "unseen"}}
    for kind, values in held_out.items():
        if kind not in SPLITS:
            raise choose("--hold-out", kind, SPLITS, "Example: --hold-out game=01_2048 --hold-out seed=7.")
        for value in values:
            if value not in known.get(kind, (value,)):
                raise choose(f"--hold-out {kind}", value, sorted(known[kind]))
    for record in records:
        facts = groups(record.game, record.task, record.seed, library)
        for kind, values in held_out.items():
            if facts[kind] in values:
                raise UsageError(
                    f"episode {record.key} is of {kind} '{facts[kind]}', which is held out for the test; leave its run "
                    f"out, or choose another --hold-out {kind}=…"
                )


def groups(game: str, task: str, seed: int, library: Catalog) -> dict[str, str]:
    """Returns the value of an episode for each way to split. Tasks of one game with one seed share their world."""
    scenario = library.game(game).task(task).scenario or "seen"
    return {"seed": str(seed), "scenario": scenario, "level": task, "game": game}


def is_test(game: str, task: str, seed: int, split: Split, library: Catalog) -> bool:
    """Whether a sample belongs to the test part. It depends on nothing but its group."""
    facts = groups(game, task, seed, library)
    if split == "scenario":
        return facts["scenario"] == "unseen"
    group = f"{game}/{seed}" if split == "seed" else facts[split]
    return int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) / 16**8 < TEST_SHARE


def augmented(samples: Sequence[Sample], paraphrases: Mapping[str, Sequence[str]]) -> list[Sample]:
    """Returns each sample, followed by one copy per paraphrase of its system prompt; user text and answer stay."""
    made: list[Sample] = []
    for sample in samples:
        worded = enumerate(paraphrases.get(sample.system, ()), 1)
        made += [sample, *(replace(sample, system=text, paraphrase=n) for n, text in worded)]
    return made


def within_tokens(
    samples: Iterable[Sample], audits: Mapping[str, Audit], count: Callable[[Sample], int], limit: int = MAX_TOKENS
) -> list[Sample]:
    """Returns the samples with fewer than `limit` tokens, and counts the others in the audit of their game."""
    kept = []
    for sample in samples:
        if count(sample) < limit:
            kept.append(sample)
        else:
            audits[sample.game].too_long += 1
    return kept
