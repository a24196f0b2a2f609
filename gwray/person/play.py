"""Sets a person's episode up: plan, run directory, desks, the page; plays it through the usual worker and stores it.

An attempt that was broken off is continued; otherwise each call is a new repeat of the task.
"""

from __future__ import annotations

import asyncio
import contextlib
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, replace

from gwray.agents.players.human import DESKS, Desk
from gwray.catalog import Game, Task, load_library
from gwray.errors import UsageError
from gwray.person.page import PageServer
from gwray.pipelines.plan import Plan, make_plan, run_spec
from gwray.pipelines.run import changed_since, open_run
from gwray.pipelines.worker import Worker
from gwray.records import EpisodeRecord
from gwray.store import RunDir


@dataclass(frozen=True)
class PlayEnded:
    """How a person's episode ended."""

    record: EpisodeRecord
    run_dir: str


async def play_as_person(
    game_id: str,
    task_word: str,
    *,
    interface: str = "computer_use",
    timing: str = "paused",
    seed: int = 42,
    run_dir: str = "runs/human",
    libraries: tuple[str, ...] = (),
    port: int = 0,
    open_page: bool = True,
    say: Callable[[str], None] = print,
) -> PlayEnded:
    """Serve the page, wait for the person, return the stored episode. Ctrl-C keeps every action for next time."""
    library = load_library(libraries)
    pairs = library.select([game_id], [task_word])
    if len(pairs) != 1:
        raise UsageError(f"task '{task_word}' of {game_id} names {len(pairs)} tasks; a person plays one at a time")
    game, task = pairs[0]
    with RunDir(run_dir).lock():
        plan, run = _next_attempt(game, task, interface, timing, seed, run_dir, libraries)
        (episode,) = plan.episodes
        desks = {role.name: Desk() for role in game.roles}
        for role, desk in desks.items():
            DESKS[episode.key, role] = desk
        worker = Worker(run.url, tuple(str(r) for r in library.roots[1:]), plan.settings.executor)
        page = PageServer(game, task, episode, desks)
        try:
            async with page.running(port) as url:
                say(f"Play at {url}")
                if open_page:
                    with contextlib.suppress(webbrowser.Error):
                        await asyncio.to_thread(webbrowser.open, url)
                record = await worker.play(episode)
                (run.append_result if record.status == "finished" else run.append_failure)(record)
                await page.show_end(record)
        finally:
            for role in desks:
                DESKS.pop((episode.key, role), None)
            await worker.close()
    return PlayEnded(record, run.url)


def _next_attempt(
    game: Game, task: Task, interface: str, timing: str, seed: int, run_dir: str, libraries: tuple[str, ...]
) -> tuple[Plan, RunDir]:
    """The unfinished attempt at this task, or a new one: a plan of one episode. Attempts at the game as it was before
    its files changed stay what they are."""
    job = {
        "game": game.id, "task": task.id, "model": "human", "interface": interface, "timing": {"mode": timing},
        "seed": seed, "run_dir": run_dir, "name": "human", "libraries": list(libraries),
        "executor": {"name": "inline", "lanes": 1}, "tracking": {"mode": "disabled"},
    }  # fmt: skip
    run = RunDir.open(run_dir) if RunDir.is_run(run_dir) else None
    before = run.manifest() if run else {}
    done = {r.key for r in run.results()} if run else set()
    repeats = 0
    while True:
        repeats += 1
        plan = make_plan([run_spec({**job, "repeats": repeats})])
        plan = replace(plan, episodes=plan.episodes[-1:])
        if plan.episodes[0].key not in done and not changed_since(before, plan.manifest()):
            return plan, open_run(plan)
