"""The public names of the package are exactly `__all__`."""

import gwray.report


def test_exports_are_exact():
    public = {
        n for n, v in vars(gwray.report).items()
        if not n.startswith("_") and not isinstance(v, type(gwray.report))
    }  # fmt: skip
    assert public == set(gwray.report.__all__)
