"""Similarity of texts for retrieval: the cosine of text embeddings, or of n-gram counts where these are not available.

The embeddings are WordLlama's: 256 values for each token of a text, added up. The weights are a file of the package
`wordllama`, so nothing is downloaded. All sums are exact, so a similarity is the same on every machine.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

import numpy as np

from gwray.errors import UsageError, choose

GATE = 0.42
"""Similarity from which two sentences are about the same thing: it separates twenty related from twenty unrelated
pairs (`tests/agents/test_retrieval.py`) but for one, by n-grams but for four."""
_PACKAGE = "wordllama"
_WEIGHTS, _TENSOR = "wordllama/weights/l2_supercat_256.safetensors", "embedding.weight"
_TOKENIZER = "wordllama/tokenizers/l2_supercat_tokenizer_config.json"


def similarity_by(retrieval: str) -> Callable[[str, str], float]:
    """Returns the function that gives the similarity of two texts, 0 to 1.

    Args:
        retrieval: `embeddings`, or `ngrams`: counts of the three characters in a row of each word.

    Raises:
        UsageError: another value, or the package of the embeddings is not installed.
    """
    if retrieval == "embeddings":
        _model()
        return lambda a, b: _cosine(_embedding(a), _embedding(b))
    if retrieval == "ngrams":
        return lambda a, b: _cosine(_ngrams(a), _ngrams(b))
    raise choose("agent.options.retrieval", retrieval, ["embeddings", "ngrams"])


@cache
def _model() -> tuple[Any, Any]:
    """Returns the tokenizer and the weights, loaded once in a process."""
    try:
        package = distribution(_PACKAGE)
    except PackageNotFoundError:
        raise UsageError(
            f"agent.options.retrieval 'embeddings': the package {_PACKAGE} is not installed, and it has no build for "
            "some machines. Install gwray's dependencies again, or set agent.options.retrieval=ngrams."
        ) from None
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    weights = load_file(str(package.locate_file(_WEIGHTS)))[_TENSOR]
    return Tokenizer.from_file(str(package.locate_file(_TOKENIZER))), weights


@lru_cache(maxsize=4096)
def _embedding(text: str) -> dict[int, float]:
    tokenizer, weights = _model()
    tokens = tokenizer.encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids
    return dict(enumerate(weights[tokens].astype(np.float64).sum(axis=0).tolist()))


@lru_cache(maxsize=4096)
def _ngrams(text: str) -> Counter[str]:
    """Returns the counts of three characters in a row of each word, with marks for its ends."""
    words = re.findall(r"\w+", text.casefold())
    return Counter(f"<{word}>"[i : i + 3] for word in words for i in range(len(word)))


def _cosine(a: Any, b: Any) -> float:
    norm = math.sqrt(math.fsum(n * n for n in a.values()) * math.fsum(n * n for n in b.values()))
    return min(1.0, max(0.0, math.fsum(n * b[i] for i, n in a.items() if i in b) / norm)) if norm else 0.0
