"""Plays episodes with a human player: sets up plan, run directory and page; the usual worker plays and stores them. One
task: an interrupted attempt is resumed, otherwise each call is a new repeat. Several tasks: each is played once, and
each call resumes where the last one stopped."""

import asyncio
import contextlib
import re
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gwray.agents import OutsideInput
from gwray.catalog import load_catalog, read_model, read_models
from gwray.errors import UsageError
from gwray.person.page import PageServer
from gwray.pipelines import Attempt, Plan, finished_keys, make_plan, next_attempt, run_spec
from gwray.records import EpisodeRecord, View
from gwray.settings import EpisodeSpec
from gwray.store import RunDir


@dataclass(frozen=True)
class PlayEnded:
    """The result of an episode."""

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
    run_dir: str = "",
    libraries: tuple[str, ...] = (),
    port: int = 0,
    open_page: bool = True,
    say: Callable[[str], None] = print,
) -> tuple[PlayEnded, ...]:
    """Serves the page, waits for the person and returns the stored episodes. After Ctrl-C the episode can be resumed.

    Args:
        game_word: game selector, as on the command line.
        task_word: task selector. Several tasks are played one after the other, without those that have a result.
        player: the person's name in tables; default: "human".
        run_dir: default: `runs/<player>`.

    Raises:
        UsageError: a selector matches no task, or `player` is the name of a model.
    """
    job = {**_job(player, run_dir, interface, timing, seed, libraries), "game": game_word, "task": task_word}
    run_dir = job["run_dir"]
    several = len(load_catalog(libraries).select([game_word], [task_word])) > 1
    with RunDir(run_dir).lock():
        if not several:
            plan, episode = next_attempt(run_spec(job))
            return await _play_on_page(plan, [episode], _Place(0, 1), port, open_page, say)
        plan = make_plan([run_spec(job)])
        done, total = finished_keys(run_dir), len(plan.episodes)
        left = [e for e in plan.episodes if e.key not in done]
        if not left:
            say(f"All {total} tasks are played: {run_dir}")
            return ()
        return await _play_on_page(plan, left, _Place(total - len(left), total), port, open_page, say)


async def _open_browser(url: str, open_page: bool) -> None:
    if open_page:
        with contextlib.suppress(webbrowser.Error):
            await asyncio.to_thread(webbrowser.open, url)


def _job(player: str, run_dir: str, interface: str, timing: str, seed: int, libraries: Sequence[str]) -> dict[str, Any]:
    """Returns the settings of the run, without game and task."""
    name = _check_name(player)
    return {
        "interface": interface, "timing": {"mode": timing}, "seed": seed,
        "model": read_model("human").model_copy(update={"name": name}).model_dump(),
        "run_dir": run_dir or f"runs/{name}", "name": name, "libraries": list(libraries),
        "executor": {"name": "inline", "lanes": 1}, "tracking": {"mode": "disabled"},
    }  # fmt: skip


def _check_name(player: str) -> str:
    """Returns the person's name in tables. Raises `UsageError` for an invalid name or that of a model."""
    if not player:
        return "human"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", player):
        raise UsageError(
            f"player '{player}': only letters, digits, '.', '_' and '-' are allowed, a letter or digit first"
        )
    if player != "human" and player in {m.name for m in read_models()}:
        raise UsageError(f"player '{player}' is the name of a model; choose another name.")
    return player


async def play_planned(
    plan: Plan, *, port: int = 0, open_page: bool = True, say: Callable[[str], None] = print
) -> PlayEnded:
    """Serves the page for the first unfinished episode of a plan; as `play_as_person`."""
    with RunDir(plan.run_dir).lock():
        done = finished_keys(plan.run_dir)
        episode = next((e for e in plan.episodes if e.key not in done), None)
        if episode is None:
            repeats = f"repeats={len(plan.episodes) + 1} plays it again"
            raise UsageError(f"{plan.run_dir} already has a result of this episode; {repeats}")
        name = episode.cell.model.name
        mine = [e for e in plan.episodes if e.cell.model.name == name]
        place = _Place(sum(e.key in done for e in mine), len(mine), name if len(mine) < len(plan.episodes) else "")
        (ended,) = await _play_on_page(plan, [episode], place, port, open_page, say)
        return ended


class _Place(NamedTuple):
    """Which of a person's episodes comes first on the page."""

    before: int
    """Number of the person's episodes that are done."""
    total: int
    player: str = ""
    """The person's name, in a run of several people."""

    def text(self, n: int) -> str:
        """Returns the position of the n-th episode on the page, from 0; empty if it is the only one."""
        among = f"task {self.before + n + 1} of {self.total}" if self.total > 1 else ""
        return ", ".join(filter(None, [self.player and f"player {self.player}", among]))


async def _play_on_page(
    plan: Plan, episodes: Sequence[EpisodeSpec], place: _Place, port: int, open_page: bool, say: Callable[[str], None]
) -> tuple[PlayEnded, ...]:
    """Plays episodes one after the other. The person starts each next one. `place`: position of the first one."""
    page, ended = PageServer(), []
    attempt = Attempt.begin(plan, episodes[0])
    inputs = _show_episode(page, attempt, place.text(0))
    async with page.running(port) as url:
        say(f"Player {place.player}: play at {url}" if place.player else f"Play at {url}")
        await _open_browser(url, open_page)
        for n, episode in enumerate(episodes):
            if n:
                await page.wait_for_next()
                attempt = Attempt.begin(plan, episode)
                inputs = _show_episode(page, attempt, place.text(n))
            await page.wait_for_start()
            record = await attempt.play(inputs, lambda rows: None, say)
            ended.append(PlayEnded(record, attempt.run.url))
            await page.show_end(record, _last_screen(attempt, record), more=n + 1 < len(episodes))
    return tuple(ended)


def _show_episode(page: PageServer, attempt: Attempt, place: str = "") -> dict[str, OutsideInput]:
    """Shows an episode on the page. Returns a new input for each role, which the worker reads."""
    game = attempt.plan.library.game(attempt.episode.game)
    inputs = {role.name: OutsideInput(page.notify) for role in game.roles}
    page.show_episode(game, game.task_of(attempt.episode), attempt.episode, inputs, place)
    return inputs


def _last_screen(attempt: Attempt, record: EpisodeRecord) -> View | None:
    """Returns the screen after the last action of a finished episode, if there is one."""
    if record.status != "finished":
        return None
    meta = attempt.run.read_meta(record.key)
    return View("front", meta.final_frame, meta.mime, 0, 0) if meta.final_frame else None
