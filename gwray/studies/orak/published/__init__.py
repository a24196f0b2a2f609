"""Published results of Orak as data, to compare with. They were measured on games and models of its own."""

from functools import partial

from gwray.analysis import read_published

published = partial(read_published, __name__)
"""Returns a table as published; null for a dash. `README.md` has its source."""
