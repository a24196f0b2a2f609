"""The games as Gymnasium environments: `import gwray.gym`, then `gymnasium.make("gwray/13_flappy-bird", task=1)`.

Importing it registers every game that is here. Needs `pip install gwray[gym]`.
"""

from gwray.gym.registration import register_games

__all__ = ["register_games"]

register_games()
