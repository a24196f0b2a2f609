"""One browser and its lanes: takes episodes, gives records.

Both executors run this same class; under Ray it sits in an actor. An episode ends here as a record, never as an
exception; only a broken run directory (`StoreError`) and cancellation get through. The browser is replaced, never
repaired: after so many episodes, above its memory limit, or when it crashed or hung.
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gwray.agents import Agent, Gate, Seat, close_clients, make_agent
from gwray.catalog import Game, Task, load_library
from gwray.errors import GameError, GwrayError, InternalError, StoreError, boundary
from gwray.pipelines.episode import Played, Replies, Watch, label, play
from gwray.pipelines.live import LiveLane
from gwray.records import EpisodeRecord
from gwray.redaction import redacted_text
from gwray.sandbox import Browser, Frame, Lane, PageSource
from gwray.spec import EpisodeSpec, ExecutorSpec, ModelSpec
from gwray.store import EpisodeMeta, RunDir


@dataclass
class _Tenancy:
    """A browser and how many episodes are in it."""

    browser: Browser
    episodes: int = 0
    playing: int = 0
    retired: bool = False


@dataclass
class Worker:
    """Plays episodes in one browser. Safe to use from several tasks of one event loop at once."""

    run_dir: str
    libraries: Sequence[str] = ()
    executor: ExecutorSpec = field(default_factory=ExecutorSpec)
    endpoints: Mapping[str, str] = field(default_factory=dict)
    """Base URLs of self-hosted models, by profile name."""
    gate: Gate | None = None
    """Admission to providers shared with other workers; None: this one's own."""
    steps_played: int = 0

    def __post_init__(self) -> None:
        self._run = RunDir.open(self.run_dir)
        self._planned = self._run.manifest().get("games", {})
        self._library = load_library(self.libraries)
        self._tenancy: _Tenancy | None = None
        self._opening = asyncio.Lock()

    async def play(self, spec: EpisodeSpec, tries: int = 1, lane_name: str = "") -> EpisodeRecord:
        """Play one episode to its record. `tries` counts from 1 and is written down."""
        try:
            with boundary(InternalError, f"episode {spec.key} ({spec.task})"):
                return await self._play(spec, tries, lane_name)
        except StoreError:
            raise
        except GwrayError as e:
            return await asyncio.to_thread(self._failed, spec, e, tries)

    async def _play(self, spec: EpisodeSpec, tries: int, lane_name: str) -> EpisodeRecord:
        game = self._library.game(spec.game)
        if self._planned.get(game.id, game.files_hash) != game.files_hash:
            raise GameError(
                f"the files of {game.id} on {platform.node()} are not those that the run was planned with; every "
                "machine of a cluster needs the same commit and libraries"
            )
        task = game.task(spec.task)
        agents = {r.name: self._agent(spec, game, task, r.name) for r in game.roles}
        tenancy = await self._browser()
        tenancy.playing += 1
        tenancy.episodes += 1
        try:
            log = await asyncio.to_thread(self._run.log, spec.key)
            wallclock = spec.cell.timing.mode == "wallclock"
            replies = Replies(await asyncio.to_thread(log.read), log.append, at_their_pace=wallclock)
            lane = await open_lane(tenancy.browser, spec, game, task)
            try:
                watch = self._watch(spec, lane_name)
                version = tenancy.browser.version
                played = await play(spec, game, task, lane, agents, replies, browser=version, watch=watch)
            finally:
                await lane.close()
        finally:
            tenancy.playing -= 1
            await self._settle(tenancy)
            for agent in agents.values():
                await agent.close()
        played.record = played.record.model_copy(update={"tries": tries})
        await asyncio.to_thread(self._save, spec.key, played)
        return played.record

    def _agent(self, spec: EpisodeSpec, game: Game, task: Task, role: str) -> Agent:
        model = spec.cell.roles.get(role, spec.cell.model)
        return make_agent(self._reachable(model), spec.cell.agent, seat(spec, game, task, role), gate=self.gate)

    def _reachable(self, model: ModelSpec) -> ModelSpec:
        url = self.endpoints.get(model.name)
        return model.model_copy(update={"base_url": url}) if url else model

    def _watch(self, spec: EpisodeSpec, lane_name: str) -> Watch:
        live = LiveLane(self._run, lane_name) if self.executor.live and lane_name else None

        def watch(step: int, best: float, frame: Frame | None) -> None:
            self.steps_played += 1
            if live is not None:
                live.show(spec, step, best, frame)

        return watch

    def _save(self, key: str, played: Played) -> None:
        frame = played.final_frame
        meta = EpisodeMeta(
            record=played.record,
            prompts=played.prompts,
            final_frame=frame.data if frame else None,
            mime=frame.mime if frame else "image/jpeg",
            console=played.console,
        )
        self._run.write_episode(key, played.steps, meta)

    def _failed(self, spec: EpisodeSpec, error: GwrayError, tries: int) -> EpisodeRecord:
        """What the replies have cost is known from the log: money is spent, whatever came of the episode."""
        game = self._library.games.get(spec.game)
        replies = [line.reply for line in self._run.log(spec.key).read()]
        costs = [r.cost_usd for r in replies]
        return label(spec).model_copy(
            update={
                "genre": game.genre if game else "",
                "level": game.level if game else 0,
                "status": "failed",
                "proposals": len(replies),
                "input_tokens": sum(r.usage.input for r in replies),
                "cached_tokens": sum(r.usage.cached for r in replies),
                "output_tokens": sum(r.usage.output for r in replies),
                "reasoning_tokens": sum(r.usage.reasoning for r in replies),
                "cost_usd": None if None in costs else round(sum(c or 0 for c in costs), 8),
                "error_class": type(error).__name__,
                "error_message": redacted_text(str(error)[:20_000])[:4000],
                "tries": tries,
                "finished_at": datetime.now(UTC).isoformat(timespec="seconds"),
            }
        )

    async def _browser(self) -> _Tenancy:
        async with self._opening:
            now = self._tenancy
            if now is not None:
                worn = now.episodes >= self.executor.episodes_per_browser
                if worn or await asyncio.to_thread(now.browser.needs_replacing):
                    now.retired = True
                    self._tenancy = None
                    await self._settle(now)
            if self._tenancy is None:
                limit = self.executor.browser_memory_mb
                self._tenancy = _Tenancy(await Browser.launch(memory_limit_mb=limit))
            return self._tenancy

    async def _settle(self, tenancy: _Tenancy) -> None:
        if tenancy.retired and tenancy.playing == 0:
            await tenancy.browser.close()

    async def close(self) -> None:
        """Close the browser; episodes in it must have ended or been cancelled."""
        await close_clients()
        tenancy, self._tenancy = self._tenancy, None
        if tenancy is not None:
            await tenancy.browser.close()


def seat(spec: EpisodeSpec, game: Game, task: Task, role: str) -> Seat:
    """Where the agent of `role` sits."""
    return Seat(
        game=game,
        role=game.role(role),
        task=task,
        seed=spec.seed,
        repeat=spec.repeat,
        episode_key=spec.key,
        viewport=game.viewport,
    )


async def open_lane(browser: Browser, spec: EpisodeSpec, game: Game, task: Task) -> Lane:
    """A lane with the game of this episode ready to be played."""
    source = PageSource(
        root=game.folder.parent,
        page=f"{game.folder.name}/{game.page}",
        query=task.options,
        seed=spec.seed,
        viewport=game.viewport,
        canvas=game.observation == "canvas",
    )
    seen = spec.cell.observation
    image = "png" if seen.format == "png" else "jpeg"
    clock = "native" if spec.cell.timing.mode == "wallclock" else "stepped"
    return await browser.open(source, clock=clock, image=image, quality=seen.quality)
