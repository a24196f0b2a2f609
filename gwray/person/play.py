"""Plays episodes with a human player: sets up plan, run directory and page; the usual worker plays and stores them. One
task: an interrupted attempt is resumed, otherwise each call is a new repeat. Several tasks: each is played once, and
each call resumes where the last one stopped."""

import asyncio
import contextlib
import re
import webbrowser
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gwray.agents import HumanInput
from gwray.catalog import load_catalog, read_model, read_models
from gwray.errors import UsageError
from gwray.person.page import PageServer
from gwray.pipelines import Attempt, Plan, finished_keys, make_plan, next_attempt, run_spec
from gwray.records import EpisodeRecord, View, digest
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
    blind: bool = False,
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
        blind: hide score, best progress and remaining steps; blind episodes are a separate cell.
        run_dir: default: `runs/<player>`.

    Raises:
        UsageError: a selector matches no task, or `player` is the name of a model.
    """
    job = {
        **_job(player, run_dir, interface, timing, seed, blind, libraries),
        "game": game_word,
        "task": task_word,
    }
    run_dir = job["run_dir"]
    several = len(load_catalog(libraries).select([game_word], [task_word])) > 1
    with RunDir(run_dir).lock():
        if not several:
            plan, episode = _next_attempt(job)
            return await _play_on_page(plan, [episode], _Place(0, 1), port, open_page, say)
        plan = make_plan([run_spec(job)])
        mine = one_text_each(plan, player, _known_tasks(run_dir, plan))
        if len(mine) < len(plan.episodes):
            # The run is complete with these texts.
            plan = make_plan([run_spec({**job, "task": [e.task for e in mine]})])
            mine = list(plan.episodes)
        done = finished_keys(run_dir)
        left = [e for e in mine if e.key not in done]
        if not left:
            say(f"All {len(mine)} tasks are played: {run_dir}")
            return ()
        return await _play_on_page(plan, left, _Place(len(mine) - len(left), len(mine)), port, open_page, say)


def one_text_each(plan: Plan, player: str, known: Collection[tuple[str, str]] = ()) -> list[EpisodeSpec]:
    """Returns the episodes of a plan with one text of each quest: a person who walked it once knows the way. Which text
    depends on the person's name and the quest, so that the texts are spread over people and quests, unless one is among
    the `known` games and tasks."""
    quests: dict[tuple[str, str], list[EpisodeSpec]] = {}
    for episode in plan.episodes:
        quests.setdefault((episode.game, _quest(plan, episode)), []).append(episode)
    return [
        next((e for e in texts if (e.game, e.task) in known), texts[int(digest(player, *quest)[:8], 16) % len(texts)])
        for quest, texts in quests.items()
    ]


def _quest(plan: Plan, episode: EpisodeSpec) -> str:
    task = plan.library.game(episode.game).task(episode.task)
    return task.id.removesuffix(f"_{task.variant}") if task.variant else task.id


def _known_tasks(run_dir: str, plan: Plan) -> set[tuple[str, str]]:
    """Returns game and task of a run's finished episodes, and of those of a plan that have begun."""
    if not RunDir.is_run(run_dir):
        return set()
    run = RunDir.open(run_dir)
    begun = {*run.logged_keys()}
    return {(r.game, r.task) for r in run.results()} | {(e.game, e.task) for e in plan.episodes if e.key in begun}


def _next_attempt(job: dict[str, Any]) -> tuple[Plan, EpisodeSpec]:
    """Returns the unfinished attempt at a task, or a new one. Raises `UsageError` if the person knows its quest from
    another text."""
    plan, episode = next_attempt(run_spec(job))
    every = make_plan([run_spec({**job, "game": episode.game, "task": "all", "repeats": episode.repeat + 1})])
    known, quest = _known_tasks(plan.run_dir, every), _quest(plan, episode)
    others = {e.task for e in every.episodes if _quest(every, e) == quest and (e.game, e.task) in known}
    if others - {episode.task}:
        other = min(others - {episode.task})
        raise UsageError(
            f"task {episode.task} is the same quest as {other}, which {episode.cell.model.name} has played, in other "
            f"words: its way is known. Play {other} again or another quest, or let another --player play it"
        )
    return plan, episode


async def _open_browser(url: str, open_page: bool) -> None:
    if open_page:
        with contextlib.suppress(webbrowser.Error):
            await asyncio.to_thread(webbrowser.open, url)


def _job(
    player: str,
    run_dir: str,
    interface: str,
    timing: str,
    seed: int,
    blind: bool,
    libraries: Sequence[str],
) -> dict[str, Any]:
    """Returns the settings of the run, without game and task."""
    name = _check_name(player)
    return {
        "interface": interface, "timing": {"mode": timing}, "seed": seed, "observation": {"blind": blind},
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
    plan: Plan,
    episodes: Sequence[EpisodeSpec],
    place: _Place,
    port: int,
    open_page: bool,
    say: Callable[[str], None],
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
            record, final = await _play_episode(page, attempt, inputs, say)
            ended.append(PlayEnded(record, attempt.run.url))
            await page.show_end(record, final, more=n + 1 < len(episodes))
    return tuple(ended)


def _show_episode(page: PageServer, attempt: Attempt, place: str = "") -> dict[str, HumanInput]:
    """Shows an episode on the page. Returns a new input for each role, which the worker reads."""
    game = attempt.plan.library.game(attempt.episode.game)
    inputs = {role.name: HumanInput() for role in game.roles}
    page.show_episode(game, game.task_of(attempt.episode), attempt.episode, inputs, place)
    return inputs


async def _play_episode(
    page: PageServer, attempt: Attempt, inputs: dict[str, HumanInput], say: Callable[[str], None]
) -> tuple[EpisodeRecord, View | None]:
    """Plays an episode with the person's inputs. Returns its stored record and the screen after its last action, if
    there is one."""
    await page.wait_for_start()
    record = await attempt.play(inputs, page.on_steps, say)
    if record.status != "finished":
        return record, None
    meta = attempt.run.read_meta(record.key)
    return record, View("front", meta.final_frame, meta.mime, 0, 0) if meta.final_frame else None
