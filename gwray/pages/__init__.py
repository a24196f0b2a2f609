"""What all pages of ours share: a style sheet in two themes, the frame of a page, and policies that keep it quiet: it
may load what lies beside it, and nothing else.

Each room has its own templates and assets; they extend `page.html.jinja` of this one. Escaping is on everywhere.
"""

from gwray.pages.policies import SERVED_POLICY, STATIC_POLICY, inline_policy
from gwray.pages.rendering import asset, render, stream

__all__ = ["SERVED_POLICY", "STATIC_POLICY", "asset", "inline_policy", "render", "stream"]
