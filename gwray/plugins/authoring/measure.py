"""Measures the difficulty of tasks: the progress of a random player, of a player that only waits, of the strongest
blind list (`gwray.plugins.authoring.blind`), and of a search.

The players run in the lab, with the same updates as in an episode: none observes the game, so all their actions are
known in advance. The tasks of a game are played by the same random players (common random numbers), so that differences
between tasks are not due to the draw. Results are written to `docs/library.json` with the identity of game and task, so
that only changed tasks are measured again.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from gwray.agents import AgentContext, ClientPool, Observation, RoleContext, Situation, build_request, make_responder
from gwray.catalog import Difficulty, Game, Task, read_difficulties, task_identity, write_difficulties
from gwray.environments import joint_events
from gwray.plugins.authoring.blind import BlindResult, strongest_lists
from gwray.plugins.authoring.lab import LAB_JS, Lab, Labs, open_labs, rules
from gwray.plugins.authoring.search import search
from gwray.records import Action
from gwray.settings import AgentSpec, ModelSpec, PlayerSpec

SEEDS = (43, 44, 45, 46, 47)
"""Game seeds of the random player and of blind lists; committed solutions were found with seed 42. The random player's
stream depends on the seed and the game, but not on the task."""


async def measure(
    game: Game, task: Task, labs: Labs, lab: Lab, *, expansions: int = 0, blind: BlindResult | None = None
) -> Difficulty:
    """Measures one task. `lab` is open with the task's options; `expansions` > 0 also measures the search; `blind` is
    its strongest blind list."""
    same = game.tasks[0]
    played = [await play_in_lab(lab, game, task, "random", seed, stream_task=same) for seed in SEEDS]
    idle = await play_in_lab(lab, game, task, "noop", SEEDS[0])
    reach = None
    if expansions:
        reach = (await search(game, task, expansions=expansions, labs=labs, shorten=False)).best_progress
    return Difficulty(
        task=task.id,
        identity=task_identity(game, task),
        random_progress=tuple(round(p["progress"], 4) for p in played),
        random_success=tuple(p["success"] for p in played),
        noop_progress=round(idle["progress"], 4),
        blind_pattern=blind.pattern if blind else "",
        blind_progress=blind.progress if blind else (),
        blind_success=blind.success if blind else (),
        blind_lists=blind.lists if blind else 0,
        blind_steps=blind.steps if blind else 0,
        search_progress=None if reach is None else round(reach, 4),
        search_expansions=expansions,
    )


async def play_in_lab(
    lab: Lab, game: Game, task: Task, player: str, seed: int, *, stream_task: Task | None = None
) -> dict[str, Any]:
    """Plays an episode of a player that needs no screenshots. Returns success, progress, steps and resets. The random
    player's stream depends on `stream_task`; default: the task that it plays, as in a run."""
    timelines = await _timelines(game, stream_task or task, task.steps_allowed(), player, seed)
    script = f"([task, seed, timelines]) => {{ {LAB_JS}\nreturn playEpisode(gameAPI.lab, task, seed, timelines); }}"
    return await lab.call(script, [rules(task), seed, timelines])


async def _timelines(game: Game, task: Task, steps: int, player: str, seed: int) -> list[list[dict[str, Any]]]:
    """Returns the input of all steps of a player that needs no screenshots."""
    spec, agent, pool = ModelSpec(name=player, provider=player), AgentSpec(), ClientPool()
    role_contexts = [RoleContext(game, r, task, seed, 0, f"{player}-{task.id}-{seed}") for r in game.roles]
    contexts = [AgentContext(role_context, PlayerSpec(model=spec, agent=agent)) for role_context in role_contexts]
    responders = [make_responder(spec, agent, role_context, pool) for role_context in role_contexts]
    out = []
    for step in range(steps):
        seen = Observation(step)
        actions: dict[str, Action] = {}
        for role, context, responder in zip(game.roles, contexts, responders, strict=True):
            prompt = context.action_prompt(seen)
            request = build_request(prompt, spec, agent.interface, "")
            decision = context.decide(await responder.answer(request, prompt, Situation(seen)))
            if decision.actions:
                actions[role.name] = decision.actions[0]
        out.append([e.model_dump() for e in joint_events(game, actions)])
    return out


async def measure_library(
    games: Sequence[Game],
    *,
    expansions: int = 0,
    lanes: int = 2,
    again: bool = False,
    on_measured: Callable[[Difficulty], None] | None = None,
) -> dict[str, Difficulty]:
    """Measures the tasks of games that have changed since they were last measured (`again`: all), and saves their rows.
    Rows that another process has written meanwhile stay."""
    known, measured = read_difficulties(), dict[str, Difficulty]()
    queue = [g for g in reversed(games) if again or any(_stale(known.get(t.id), g, t, expansions) for t in g.tasks)]

    async def lane(labs: Labs) -> None:
        while queue:
            game = queue.pop()
            for options in dict.fromkeys(t.options for t in game.tasks):
                tasks = [t for t in game.tasks if t.options == options]
                tasks = [t for t in tasks if again or _stale(known.get(t.id), game, t, expansions)]
                if not tasks:
                    continue
                lab = await labs.open(game, options)
                try:
                    blind = await strongest_lists(lab, game, tasks, SEEDS)
                    for task in tasks:
                        found = await measure(game, task, labs, lab, expansions=expansions, blind=blind.get(task.id))
                        row = measured[task.id] = _with_search(found, known.get(task.id))
                        if on_measured:
                            on_measured(row)
                finally:
                    await lab.close()
            write_difficulties(read_difficulties() | measured)

    async with open_labs() as labs:
        await asyncio.gather(*(lane(labs) for _ in range(max(1, lanes))))
    return known | measured


def _with_search(found: Difficulty, before: Difficulty | None) -> Difficulty:
    """Keeps an earlier result of search of the same task if there is no new one."""
    if before is None or before.identity != found.identity or found.search_expansions:
        return found
    kept = {name: getattr(before, name) for name in ("search_progress", "search_expansions")}
    return found.model_copy(update=kept)


def _stale(known: Difficulty | None, game: Game, task: Task, expansions: int) -> bool:
    return known is None or known.identity != task_identity(game, task) or known.search_expansions < expansions
