"""Ray: sandbox actors and their pool."""

from gwray.actors.sandbox import NAMESPACE, RayPool, connect

__all__ = ["NAMESPACE", "RayPool", "connect"]
