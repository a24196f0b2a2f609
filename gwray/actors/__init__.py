"""Ray: sandbox actors and their pool."""

from gwray.actors.sandbox import RayPool

__all__ = ["RayPool"]
