"""Ray actors that play or replay episodes on a cluster."""

from gwray.actors.replays import RayReplays
from gwray.actors.sandbox import RayExecutor
