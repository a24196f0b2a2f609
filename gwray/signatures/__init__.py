"""State from memory signatures: byte patterns with wildcards that locate a game's values in memory. `MemoryState` reads
the values of known signatures; `Candidates` and `shortest_pattern` are used to find new ones. The search that plays a
game for them is in `gwray.authoring`. This package knows no tasks and no scores."""

from gwray.signatures.candidates import FORMATS, Candidates, Change
from gwray.signatures.patterns import Pattern, common_bytes, decode_value, shortest_pattern, size_of
from gwray.signatures.reading import MemoryState, merge_values
