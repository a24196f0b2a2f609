"""Sizes of images for models, and the mapping of coordinates to the viewport and back."""

from __future__ import annotations

import io

import pytest
from agents.conftest import picture
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from gwray.agents.coordinates import Grid, resized
from gwray.agents.spaces.values import parse_number, point, texts
from gwray.settings import ImageGrid

SIZES = st.sampled_from([(1280, 720), (720, 1280), (1920, 1080), (640, 480), (800, 600), (1001, 701), (64, 48)])
GRIDS = st.builds(
    ImageGrid,
    coordinates=st.sampled_from(["viewport", "thousand", "resized"]),
    factor=st.sampled_from([1, 14, 28, 32]),
    min_pixels=st.sampled_from([None, 3136]),
    max_pixels=st.sampled_from([None, 401_408, 1_048_576]),
)


@given(viewport=SIZES, image=GRIDS, data=st.data())
def test_point_round_trip_within_one_grid_step(viewport, image, data):
    grid = Grid.from_spec(image, viewport)
    x = data.draw(st.integers(0, viewport[0] - 1))
    y = data.draw(st.integers(0, viewport[1] - 1))
    back = grid.to_viewport(*grid.from_viewport(x, y))
    step = {"viewport": (1, 1), "thousand": (1000, 1000), "resized": grid.sent}[grid.kind]
    for axis, (was, now) in enumerate(zip((x, y), back, strict=True)):
        assert abs(was - now) <= max(1.0, viewport[axis] / step[axis])


@given(viewport=SIZES, image=GRIDS, data=st.data())
def test_grid_points_stay_inside_or_outside_the_screen(viewport, image, data):
    grid = Grid.from_spec(image, viewport)
    w, h = grid.extent
    x, y = grid.to_viewport(data.draw(st.integers(0, w)), data.draw(st.integers(0, h)))
    assert 0 <= x < viewport[0] and 0 <= y < viewport[1]
    outside = data.draw(st.integers(w + 2, 10 * w) | st.integers(-10 * w, -1))
    assert not 0 <= grid.to_viewport(outside, 0)[0] < viewport[0]


@pytest.mark.parametrize("mime", ["image/jpeg", "image/png"])
def test_image_is_resized_in_its_own_file_format(mime):
    data = picture("teal", mime)
    assert resized(data, mime, (1280, 720)) is data
    small = resized(data, mime, (644, 364))
    assert small == resized(data, mime, (644, 364))
    with Image.open(io.BytesIO(small)) as image:
        assert image.size == (644, 364) and image.format == {"image/jpeg": "JPEG", "image/png": "PNG"}[mime]
        red, green, blue = image.convert("RGB").getpixel((322, 182))
        assert max(abs(red - 0), abs(green - 128), abs(blue - 128)) < 6


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([10, 20], (10, 20)),
        (["10", "20.5"], (10, 20.5)),
        ("10, 20", (10, 20)),
        ("(10,20)", (10, 20)),
        ("[10, 20]", (10, 20)),
        ("x=10, y=20", (10, 20)),
        ("<point>10 20</point>", (10, 20)),
        ("<|box_start|>(10,20)<|box_end|>", (10, 20)),
        ("[10, 20, 30, 40]", (20, 30)),
        ([[10, 20]], (10, 20)),
        ({"x": 10, "y": "20"}, (10, 20)),
        ("10", None),
        ("ten, twenty", None),
        ("10, 20, 30", None),
        ("10 20 click", None),
        ("", None),
        (None, None),
        (True, None),
        ([1, None], None),
        ([float("nan"), 1], None),
        ("1" * 300, None),
    ],
)
def test_a_point_is_recognised_in_its_many_spellings(value, expected):
    assert point(value) == expected


def test_numbers_and_words_are_read_and_nothing_is_made_up():
    assert [parse_number(v) for v in (1, "2", " 3.5 ", "-4", True, "five", None, [1], 10**400)] == [
        1, 2, 3.5, -4, None, None, None, None, None,
    ]  # fmt: skip
    assert texts("['a', 'b']") == ["a", "b"] and texts(["a", 7]) == ["a", "7"]
    assert texts({"a": 1}) is None and texts([{"a": 1}]) is None and texts(None) is None
