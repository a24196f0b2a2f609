"""Hands out the episodes of one task to sessions that play at once. All land in one run directory."""

from __future__ import annotations

from dataclasses import replace

from gwray.catalog import Game
from gwray.errors import UsageError
from gwray.pipelines import Attempt, make_plan, next_attempt
from gwray.settings import RunSpec
from gwray.store import RunDir


class Arena:
    """The task that all sessions of a server play.

    Args:
        job: game, task and settings; its model plays the role of the clients.

    Raises:
        UsageError: the settings cannot work, or name several games, tasks or open roles.
    """

    def __init__(self, job: RunSpec):
        plan = make_plan([job])
        # A longer plan has another name; its episodes belong to the same run.
        self._job = plan.jobs[0].model_copy(update={"name": plan.name, "run_dir": plan.run_dir})
        self._by_seed: dict[int | None, RunSpec] = {}
        self._taken: set[str] = set()
        first = next(iter(plan.episodes))
        if len({(episode.game, episode.task) for episode in plan.episodes}) > 1:
            raise UsageError("gwray openenv serves one task; name a game and a task, such as 01_2048 1")
        self.game: Game = plan.library.game(first.game)
        players = {role.name: first.cell.player(role.name).model for role in self.game.roles}
        open_roles = [name for name, model in players.items() if model.provider == "mcp"]
        self.task = self.game.task_of(first)
        if len(open_roles) != 1 or (self.task.versus and open_roles[0] != self.game.roles[0].name):
            raise UsageError(
                f"{self.game.id} has {len(open_roles)} roles without a model ({', '.join(open_roles)}); a client plays "
                "one, in a duel the first. Give the others a model: roles.ROLE=MODEL, such as roles.right=scripted."
            )
        (self.role,) = open_roles
        self.run_dir = RunDir(plan.run_dir).url

    def begin(self, seed: int | None) -> Attempt:
        """Returns a new episode.

        Args:
            seed: of the game; None: the next seed of the run's own settings.
        """
        job = self._by_seed.get(seed) or (
            self._job if seed is None else self._job.model_copy(update={"seed": seed, "seed_policy": "fixed"})
        )
        while True:
            plan, episode = next_attempt(job, self._taken)
            self._taken.add(episode.key)
            self._by_seed[seed] = job = plan.jobs[0].model_copy(update={"name": job.name, "run_dir": job.run_dir})
            # An episode with replies was abandoned; resuming it would begin in the middle.
            if not RunDir.is_run(plan.run_dir) or not RunDir.open(plan.run_dir).log(episode.key).read():
                return Attempt.begin(replace(plan, jobs=(self._job,)), episode)  # a job per seed would fill run.json
