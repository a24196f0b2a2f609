"""Tests share browsers."""

from shared_browser import own_browser, session_loop, shared_browser

__all__ = ["own_browser", "session_loop", "shared_browser"]
