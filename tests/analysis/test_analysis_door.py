"""The room's door is exactly what it says."""

import gwray.analysis


def test_exports_are_exact():
    public = {
        n for n, v in vars(gwray.analysis).items()
        if not n.startswith("_") and not isinstance(v, type(gwray.analysis))
    }  # fmt: skip
    assert public == set(gwray.analysis.__all__)
