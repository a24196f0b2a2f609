"""Fixtures of the tests that play runs, and forged copies of runs."""

from pipelines.conftest import marked, own_browser, session_loop, shared_browser

from verification.forging import forger, honest, own_cache

__all__ = ["forger", "honest", "marked", "own_browser", "own_cache", "session_loop", "shared_browser"]
