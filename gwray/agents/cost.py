"""The price of one request in USD: from the profile's own prices, otherwise from `genai-prices`. An unknown price is
None, never 0: a free request and an unpriced one are different things."""

from functools import lru_cache

from gwray.records import Usage
from gwray.settings import ModelSpec


def cost_usd(spec: ModelSpec, usage: Usage, served: str = "") -> float | None:
    """Returns the price of one request's tokens in USD; None if it is unknown.

    Args:
        spec: the model profile.
        usage: token counts; cached input has its own price.
        served: name of the model that answered, if it is not the requested one. Its listed price is used unless the
            profile has prices.
    """
    if not usage.known:
        return None
    if (prices := spec.prices) is not None:
        cached = prices.input if prices.cached is None else prices.cached
        fresh = max(0, usage.input - usage.cached)
        return (fresh * prices.input + usage.cached * cached + usage.output * prices.output) / 1e6
    if spec.self_hosted or not spec.model_id:
        return None
    counts = (spec.options.get("price_provider"), usage.input, usage.cached, usage.output)
    if served and (price := _listed(served, *counts)) is not None:
        return price
    return _listed(str(spec.options.get("price_ref", spec.model_id)), *counts)


def price_date(spec: ModelSpec) -> str:
    """Returns where a profile's price comes from and how old it is: `profile, ` and the date in the profile, or
    `genai-prices ` and the version of the installed package. Empty if the price is unknown."""
    if spec.prices is not None:
        return f"profile, {spec.prices.as_of}"
    if cost_usd(spec, Usage(input=1)) is None:
        return ""
    from importlib.metadata import version

    return f"genai-prices {version('genai-prices')}"


@lru_cache(maxsize=4096)
def _listed(reference: str, provider: str | None, tokens: int, cached: int, output: int) -> float | None:
    """Returns the price in USD that `genai-prices` lists; None if it does not list the model.

    Args:
        reference: model id in `genai-prices`.
        provider: provider id there; None: any.
        tokens: input tokens, including cached ones.
        cached: input tokens that were read from the provider's cache.
        output: output tokens.
    """
    import genai_prices

    usage = genai_prices.Usage(input_tokens=tokens, cache_read_tokens=min(cached, tokens), output_tokens=output)
    try:
        found = genai_prices.calc_price(usage, reference, provider_id=provider)
    except (LookupError, ValueError):
        return None
    return float(found.total_price)
