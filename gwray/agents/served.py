"""Which model answered: providers move names to other models, and say so in the reply only."""

from __future__ import annotations

import re

from gwray.records import Reply
from gwray.spec import ModelSpec


def answered_by(model: ModelSpec, asked: str, reply: Reply) -> str:
    """The model that answered in place of `asked`; empty if it is that one, dated or with its provider's prefix, or if
    nobody says. What a self-hosted server calls its model says nothing."""
    if model.self_hosted or not model.api_key_env or not asked or not reply.served_model:
        return ""
    served, wanted = _plain(reply.served_model), _plain(asked)
    return "" if served == wanted or re.fullmatch(rf"{re.escape(wanted)}[-@:.]?(\d[\d-]*|latest)", served) else served


def _plain(name: str) -> str:
    return name.strip().lower().rpartition("/")[2]
