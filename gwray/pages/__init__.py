"""Shared by all pages: a style sheet with two themes, the base template, and content security policies that allow local
files only. Each package has its own templates and assets, which extend `page.html.jinja` of this one. Escaping is
always on."""

from gwray.pages.rendering import SERVED_POLICY, STATIC_POLICY, asset, inline_policy, render, stream
