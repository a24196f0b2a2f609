"""Ray: actors that play and actors that replay, spread over a cluster."""

from gwray.actors.replays import RayReplays
from gwray.actors.sandbox import RayPool

__all__ = ["RayPool", "RayReplays"]
