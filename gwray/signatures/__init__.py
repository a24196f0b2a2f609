"""State by memory signature: bytes with wildcards that lead to the game's values, wherever they lie this time.

How signatures are used (`MemoryState`), and the sums by which they are found (`Candidates`, `fewest_bytes`). Knows no
tasks and no scores; the search that plays a game for them is `gwray.authoring`'s.
"""

from gwray.signatures.candidates import FORMATS, Candidates, Change
from gwray.signatures.common import common_bytes, fewest_bytes
from gwray.signatures.patterns import Pattern
from gwray.signatures.reading import MemoryState, merge_values
from gwray.signatures.values import size_of, value_of

__all__ = [
    "FORMATS",
    "Candidates",
    "Change",
    "MemoryState",
    "Pattern",
    "common_bytes",
    "fewest_bytes",
    "merge_values",
    "size_of",
    "value_of",
]
