"""Which model answered: providers move names to other models, and say so in the reply only."""

from __future__ import annotations

import re

from gwray.records import Reply
from gwray.spec import ModelSpec


def substitute_model(model: ModelSpec, asked: str, reply: Reply) -> str:
    """The model that answered in place of `asked`; empty if it is that one, dated or with its provider's prefix, or if
    nobody says. What a self-hosted server calls its model says nothing."""
    if model.self_hosted or not model.api_key_env or not asked or not reply.served_model:
        return ""
    return "" if is_same_model(asked, reply.served_model) else _plain(reply.served_model)


def is_same_model(asked: str, name: str) -> bool:
    """Whether `name` is the model that was asked for, perhaps dated or with its provider's prefix. A number of one or
    two digits is no date: `gpt-5.2` is not `gpt-5`, nor is `claude-sonnet-4-6` `claude-sonnet-4`."""
    dated = rf"{re.escape(_plain(asked))}([-@:.](\d{{3}}[\d-]*|\d\d-\d\d(-\d+)?|latest))?"
    return re.fullmatch(dated, _plain(name)) is not None


def _plain(name: str) -> str:
    return name.strip().lower().rpartition("/")[2]
