"""Sets a person's episodes up: plan, run directory, desks, the page; the usual worker plays and stores them.

One task: an attempt that was broken off is continued, otherwise each call is a new repeat. Several tasks: each is
played once, and every call goes on where the last one stopped.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gwray.agents import HumanInput
from gwray.catalog import load_catalog, read_model, read_models
from gwray.errors import GwrayError, UsageError
from gwray.person.page import Choice, PageServer
from gwray.pipelines import Plan, Worker, changed_since, make_plan, open_run, run_spec, seal_after, seal_before
from gwray.records import EpisodeRecord
from gwray.spec import EpisodeSpec
from gwray.store import RunDir, RunManifest, Seal, unseal_run


@dataclass(frozen=True)
class PlayEnded:
    """How a person's episode ended."""

    record: EpisodeRecord
    run_dir: str


async def play_as_person(
    game_word: str,
    task_word: str = "all",
    *,
    player: str = "",
    interface: str = "computer_use",
    timing: str = "paused",
    seed: int = 42,
    blind: bool = False,
    run_dir: str = "",
    libraries: tuple[str, ...] = (),
    port: int = 0,
    open_page: bool = True,
    say: Callable[[str], None] = print,
) -> tuple[PlayEnded, ...]:
    """Serve the page, wait for the person, return the stored episodes. Ctrl-C keeps every action for next time.

    `game_word`, `task_word`: as on the command line; `all` of them, and lists, are played one after the other, those
    that have a result left out. `player`: the name under which the person stands in tables ("human" without one).
    `blind`: score, best progress and steps left are not shown, and the episodes are of a cell of their own.
    `run_dir`: `runs/<player>` if empty. Raises `UsageError` for words that name no task and for a player's name that
    is a model's.
    """
    job = {**_job(player, run_dir, interface, timing, seed, blind, libraries), "game": game_word, "task": task_word}
    run_dir = job["run_dir"]
    several = len(load_catalog(libraries).select([game_word], [task_word])) > 1
    with RunDir(run_dir).lock():
        seal = seal_before(run_dir)
        if not several:
            plan, run = _next_attempt(job)
            return await _at_the_page(plan, plan.episodes, run, seal, port, open_page, say)
        plan = make_plan([run_spec(job)])
        run = open_run(plan)
        done = {r.key for r in run.results()}
        left = [e for e in plan.episodes if e.key not in done]
        if not left:
            say(f"All {len(plan.episodes)} tasks are played: {run.url}")
            return ()
        return await _at_the_page(plan, left, run, seal, port, open_page, say)


async def play_by_choice(
    *,
    player: str = "",
    interface: str = "computer_use",
    timing: str = "paused",
    seed: int = 42,
    blind: bool = False,
    run_dir: str = "",
    libraries: tuple[str, ...] = (),
    port: int = 0,
    open_page: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the page of all games, and play what the person chooses there, one task after the other, until cancelled.

    Who turns to another task in the middle of one goes on with it when it is chosen again. Arguments and errors as in
    `play_as_person`; what is wrong with a chosen game is told on the page.
    """
    job = _job(player, run_dir, interface, timing, seed, blind, libraries)
    page = PageServer(load_catalog(libraries), job["run_dir"])
    playing: asyncio.Task[None] | None = None
    async with page.running(port) as url:
        say(f"Choose a game at {url}")
        await _show(url, open_page)
        try:
            while True:
                choice = await page.chosen()
                await _stopped(playing)
                playing = asyncio.create_task(_play_chosen(page, choice, job, say))
        finally:
            await _stopped(playing)


async def _play_chosen(page: PageServer, choice: Choice, job: dict[str, Any], say: Callable[[str], None]) -> None:
    try:
        with RunDir(job["run_dir"]).lock():
            seal = seal_before(job["run_dir"])
            plan, run = _next_attempt({**job, "game": choice.game, "task": choice.task})
            (episode,) = plan.episodes
            if not seal.broken:
                unseal_run(run)
            desks = _seated(page, plan, episode, 0, 1)
            choice.seated.set_result(None)
            await page.show_end(await _played(plan, episode, run, desks, page))
            if notice := seal_after(run, seal):
                say(notice)
    except GwrayError as e:
        if choice.seated.done():
            say(str(e))
        else:
            choice.seated.set_exception(e)


async def _stopped(playing: asyncio.Task[None] | None) -> None:
    if playing is not None:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def _show(url: str, open_page: bool) -> None:
    if open_page:
        with contextlib.suppress(webbrowser.Error):
            await asyncio.to_thread(webbrowser.open, url)


def _job(
    player: str, run_dir: str, interface: str, timing: str, seed: int, blind: bool, libraries: Sequence[str]
) -> dict[str, Any]:
    """What a person plays is a run like any other; these are its settings, but for game and task."""
    name = _checked(player)
    return {
        "interface": interface, "timing": {"mode": timing}, "seed": seed, "observation": {"blind": blind},
        "model": read_model("human").model_copy(update={"name": name}).model_dump(),
        "run_dir": run_dir or f"runs/{name}", "name": name, "libraries": list(libraries),
        "executor": {"name": "inline", "lanes": 1}, "tracking": {"mode": "disabled"},
    }  # fmt: skip


def _checked(player: str) -> str:
    if not player:
        return "human"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", player):
        raise UsageError(
            f"player '{player}': only letters, digits, '.', '_' and '-' are allowed, a letter or digit first"
        )
    if player != "human" and player in {m.name for m in read_models()}:
        raise UsageError(f"player '{player}' is the name of a model, whose rows it would be taken for. Choose another.")
    return player


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
        (ended,) = await _at_the_page(plan, [episode], run, seal, port, open_page, say)
        return ended


async def _at_the_page(
    plan: Plan,
    episodes: Sequence[EpisodeSpec],
    run: RunDir,
    seal: Seal,
    port: int,
    open_page: bool,
    say: Callable[[str], None],
) -> tuple[PlayEnded, ...]:
    """Play these one after the other; between two of them the person says when to go on."""
    if not seal.broken:
        unseal_run(run)
    page, ended = PageServer(), []
    of, before = len(plan.episodes), len(plan.episodes) - len(episodes)
    desks = _seated(page, plan, episodes[0], before, of)
    async with page.running(port) as url:
        say(f"Play at {url}")
        await _show(url, open_page)
        for n, episode in enumerate(episodes):
            if n:
                await page.asked_for_next()
                desks = _seated(page, plan, episode, before + n, of)
            record = await _played(plan, episode, run, desks, page)
            ended.append(PlayEnded(record, run.url))
            await page.show_end(record, more=n + 1 < len(episodes))
    if notice := seal_after(run, seal):
        say(notice)
    return tuple(ended)


def _seated(page: PageServer, plan: Plan, episode: EpisodeSpec, before: int, of: int) -> dict[str, HumanInput]:
    game = plan.library.game(episode.game)
    desks = {role.name: HumanInput() for role in game.roles}
    page.seat(
        game,
        game.task(episode.task, episode.cell.limit.steps),
        episode,
        desks,
        f"task {before + 1} of {of}" if of > 1 else "",
    )
    return desks


async def _played(
    plan: Plan, episode: EpisodeSpec, run: RunDir, desks: dict[str, HumanInput], page: PageServer
) -> EpisodeRecord:
    await page.begun()
    worker = Worker(
        run.url,
        tuple(str(r) for r in plan.library.extra),
        plan.settings.executor,
        human_inputs={(episode.key, role): desk for role, desk in desks.items()},
        on_rows=page.stepped,
    )
    try:
        record = await worker.play(episode)
    finally:
        await worker.close()
    (run.append_result if record.status == "finished" else run.append_failure)(record)
    return record


def _next_attempt(job: dict[str, Any]) -> tuple[Plan, RunDir]:
    """The unfinished attempt at this task, or a new one: a plan of one episode. Attempts at the game as it was before
    its files changed stay what they are."""
    url = str(job["run_dir"])
    run = RunDir.open(url) if RunDir.is_run(url) else None
    before = run.manifest() if run else RunManifest()
    done = {r.key for r in run.results()} if run else set()
    repeats = 0
    while True:
        repeats += 1
        plan = make_plan([run_spec({**job, "repeats": repeats})])
        plan = replace(plan, episodes=plan.episodes[-1:])
        if plan.episodes[0].key not in done and not changed_since(before, plan.manifest()):
            return plan, open_run(plan)
