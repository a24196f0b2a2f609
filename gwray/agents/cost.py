"""What one request cost, in USD: the profile's own prices, otherwise those that `genai-prices` ships.

Unknown prices give None, never 0: a free request and an unpriced one are different things.
"""

from __future__ import annotations

from functools import lru_cache

from gwray.records import Usage
from gwray.spec import ModelSpec, Prices


def cost_usd(spec: ModelSpec, usage: Usage, served: str = "") -> float | None:
    """Price of one request's tokens; cached input counts at its own price. `served`: the model that answered, if it is
    another one than was asked; its listed price counts, unless the profile says one."""
    if spec.prices is not None:
        return _own(spec.prices, usage)
    if spec.self_hosted or not spec.model_id:
        return None
    if served:
        price = _listed(served, spec.options.get("price_provider"), usage.input, usage.cached, usage.output)
        if price is not None:
            return price
    reference = str(spec.options.get("price_ref", spec.model_id))
    return _listed(reference, spec.options.get("price_provider"), usage.input, usage.cached, usage.output)


def price_date(spec: ModelSpec) -> str:
    """Where a profile's price comes from and of when it is; empty if there is none."""
    if spec.prices is not None:
        return f"profile, {spec.prices.as_of}"
    if cost_usd(spec, Usage(input=1)) is None:
        return ""
    from importlib.metadata import version

    return f"genai-prices {version('genai-prices')}"


def _own(prices: Prices, usage: Usage) -> float:
    cached = prices.input if prices.cached is None else prices.cached
    fresh = max(0, usage.input - usage.cached)
    return (fresh * prices.input + usage.cached * cached + usage.output * prices.output) / 1e6


@lru_cache(maxsize=4096)
def _listed(reference: str, provider: str | None, tokens: int, cached: int, output: int) -> float | None:
    import genai_prices

    usage = genai_prices.Usage(input_tokens=tokens, cache_read_tokens=min(cached, tokens), output_tokens=output)
    try:
        found = genai_prices.calc_price(usage, reference, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return float(found.total_price)
