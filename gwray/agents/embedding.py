"""Embeds texts as hashed character n-grams: local, without a model, and the same on every machine.

Each word gives its n-grams of three characters, with marks for its start and end; each n-gram is hashed to one of
4,096 dimensions. Two texts are as similar as their counts point in the same direction (cosine).
"""

import math
import re
import zlib
from collections import Counter
from functools import lru_cache

LENGTH = 3
DIMENSIONS = 4096


@lru_cache(maxsize=4096)
def embed(text: str) -> Counter[int]:
    """Returns the counts of a text's n-grams by dimension. Do not change the result."""
    counts: Counter[int] = Counter()
    for word in re.findall(r"\w+", text.casefold()):
        marked = f"<{word}>"
        for i in range(max(1, len(marked) - LENGTH + 1)):
            counts[zlib.crc32(marked[i : i + LENGTH].encode("utf-8", "replace")) % DIMENSIONS] += 1
    return counts


def similarity(a: str, b: str) -> float:
    """Returns the similarity of two texts, 0 to 1."""
    x, y = embed(a), embed(b)
    product = sum(n * y[i] for i, n in x.items() if i in y)
    norm = math.sqrt(sum(n * n for n in x.values()) * sum(n * n for n in y.values()))
    return min(1.0, product / norm) if norm else 0.0
