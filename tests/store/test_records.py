"""Hashes and canonical text, on which comparisons of episodes rely."""

import pytest

from gwray.records import canonical, digest


def test_a_digest_knows_where_one_part_ends():
    assert len({digest("ab", "c"), digest("a", "bc"), digest("abc"), digest("abc", "")}) == 4
    assert digest("é") == digest("é".encode())
    assert len(digest("")) == 32


def test_equal_values_have_equal_text_and_what_json_cannot_hold_has_none():
    assert canonical({"b": 1, "a": [1.0, "ü"]}) == canonical({"a": [1.0, "ü"], "b": 1}) == '{"a":[1.0,"ü"],"b":1}'
    with pytest.raises(ValueError):
        canonical({"x": float("nan")})
