"""The players that need no provider: one set, for everybody who has to know. No behaviour."""

LOCAL_PLAYERS = frozenset({"random", "noop", "scripted", "fixed", "human"})
"""Providers of profiles whose replies are made in the process that plays."""
