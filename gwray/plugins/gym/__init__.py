"""The games as environments for learning: `import gwray.plugins.gym`, then `gymnasium.make("gwray/13_flappy-bird",
task=1)`. Importing it registers all games. Needs `pip install gwray[gym]`."""

from gwray.plugins.gym.registration import register_games

register_games()
