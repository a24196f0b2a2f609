"""Players that need no model provider."""

LOCAL_PLAYERS = frozenset({"random", "noop", "scripted", "fixed", "human"})
"""Providers of profiles whose replies are computed in the process that plays."""
