"""For all tests: examples are drawn, but the same ones each time, and however busy the machine is."""

from importlib.util import find_spec

if find_spec("hypothesis"):  # the engine's environment plays no examples
    from hypothesis import HealthCheck, settings

    settings.register_profile(
        "any machine", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("any machine")
