"""YAML files from strangers: read once, with their lines, and never larger than they look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from gwray import yaml12

MOST_VALUES = 200_000
"""Values of a file with its aliases (`*name`) written out. The bundled games have some thousands each."""


def read_document(file: Path) -> tuple[Any, yaml.Node | None]:
    """What a file says, and the nodes that know its lines. Raises `OSError`, `UnicodeDecodeError` or `YAMLError`."""
    text = file.read_text(encoding="utf-8")
    root = yaml.compose(text, Loader=yaml12.Loader)
    if root is not None:
        _written_out(root, {})
    return yaml12.load(text), root


def _written_out(node: yaml.Node, known: dict[int, int | None]) -> int:
    """How many values a node comes to: an alias stands for all that it names, each time."""
    size = known.get(id(node), 0)
    if size is None:
        raise yaml.MarkedYAMLError(problem="an alias stands inside what it names", problem_mark=node.start_mark)
    if size:
        return size
    known[id(node)] = None
    size = 1
    if isinstance(node, yaml.MappingNode):
        size += sum(_written_out(k, known) + _written_out(v, known) for k, v in node.value)
    elif isinstance(node, yaml.SequenceNode):
        size += sum(_written_out(v, known) for v in node.value)
    if size > MOST_VALUES:
        problem = f"its aliases come to more than {MOST_VALUES:,} values; write out what is meant"
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
    known[id(node)] = size
    return size
