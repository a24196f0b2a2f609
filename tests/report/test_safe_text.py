"""Untrusted text is bounded, visible and harmless."""

import json

from runs_to_report import HOSTILE

from gwray.pages import csv_text, safe_text
from gwray.report.pages import script_file, script_json


def test_invisible_and_bidi_characters_are_spelled_out():
    assert safe_text("a\u202eb\u200b\x00c\ud800") == "a⟦U+202E⟧b⟦U+200B⟧⟦U+0000⟧c⟦U+D800⟧"
    assert safe_text("two\nlines\tand ünïcödé 漢字 עברית") == "two\nlines\tand ünïcödé 漢字 עברית"


def test_tag_characters_are_spelled_out():
    assert safe_text("ok\U000e0068\U000e0069\u00ad\u3164") == "ok⟦U+E0068⟧⟦U+E0069⟧⟦U+00AD⟧⟦U+3164⟧"


def test_long_text_is_cut_with_its_length():
    assert safe_text("x" * 1_000_000, 10) == "xxxxxxxxxx… ⟦cut: 1,000,000 characters in all⟧"
    assert safe_text("x" * 10, 10) == "x" * 10


def test_script_json_cannot_end_the_script():
    text = script_json({HOSTILE: [HOSTILE, "\u2028", "<!--", 1.5, None]})
    assert text.isascii() and not set("<>&") & set(text)
    assert json.loads(text)[HOSTILE][0] == HOSTILE
    assert script_file("a", HOSTILE).count("</") == 0


def test_csv_text_is_no_formula():
    assert csv_text("=HYPERLINK(1)") == "'=HYPERLINK(1)" and csv_text("\r=1") == "'\r=1"
    assert csv_text(-1.5) == "-1.5" and csv_text(None) == ""
