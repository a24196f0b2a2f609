"""The games as environments for learning: `import gwray.gym`, then `gymnasium.make("gwray/13_flappy-bird", task=1)`, or
`gwray.gym.parallel_env("12_fireboy-and-watergirl")` where several roles act at once. Importing it registers every game
that is here. Needs `pip install gwray[gym]`."""

from gwray.gym.registration import parallel_env, register_games

__all__ = ["parallel_env", "register_games"]

register_games()
