"""gwray: play browser games with multimodal agents, at scale, with scores that anyone can verify."""

__version__ = "0.1.0"
