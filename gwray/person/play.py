"""Sets a person's episode up: plan, run directory, desks, the page; plays it through the usual worker and stores it.

An attempt that was broken off is continued; otherwise each call is a new repeat of the task.
"""

from __future__ import annotations

import asyncio
import contextlib
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass, replace

from gwray.agents import Desk
from gwray.catalog import Game, Task, load_catalog
from gwray.errors import UsageError
from gwray.person.page import PageServer
from gwray.pipelines import Plan, Worker, changed_since, make_plan, open_run, run_spec, seal_after, seal_before
from gwray.records import EpisodeRecord
from gwray.spec import EpisodeSpec
from gwray.store import RunDir, Seal, unseal_run


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
    library = load_catalog(libraries)
    pairs = library.select([game_id], [task_word])
    if len(pairs) != 1:
        raise UsageError(f"task '{task_word}' of {game_id} names {len(pairs)} tasks; a person plays one at a time")
    game, task = pairs[0]
    with RunDir(run_dir).lock():
        seal = seal_before(run_dir)
        plan, run = _next_attempt(game, task, interface, timing, seed, run_dir, libraries)
        return await _at_the_page(plan, plan.episodes[0], run, seal, port, open_page, say)


async def play_planned(
    plan: Plan, *, port: int = 0, open_page: bool = True, say: Callable[[str], None] = print
) -> PlayEnded:
    """Serve the page for the first episode of a plan that is not finished; as `play_as_person`."""
    with RunDir(plan.run_dir).lock():
        seal = seal_before(plan.run_dir)
        run = open_run(plan)
        done = {r.key for r in run.results()}
        episode = next((e for e in plan.episodes if e.key not in done), None)
        if episode is None:
            raise UsageError(
                f"{run.url} has this episode, played to its end; repeats={len(plan.episodes) + 1} plays again"
            )
        return await _at_the_page(plan, episode, run, seal, port, open_page, say)


async def _at_the_page(
    plan: Plan, episode: EpisodeSpec, run: RunDir, seal: Seal, port: int, open_page: bool, say: Callable[[str], None]
) -> PlayEnded:
    if not seal.broken:
        unseal_run(run)
    game = plan.library.game(episode.game)
    desks = {role.name: Desk() for role in game.roles}
    worker = Worker(
        run.url,
        tuple(str(r) for r in plan.library.extra),
        plan.settings.executor,
        desks={(episode.key, role): desk for role, desk in desks.items()},
    )
    page = PageServer(game, game.task(episode.task), episode, desks)
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
        await worker.close()
    if notice := seal_after(run, seal):
        say(notice)
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
