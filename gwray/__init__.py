"""gwray: play browser games with multimodal agents, at scale, with scores that anyone can verify."""

import os

os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")
"""Ray reads it when it is imported, by whichever room comes first. Its own handler prints a native stack at SIGTERM and
aborts the process three seconds later, even one that ends in order."""
__version__ = "0.1.0"
