"""The kit's parts for platform games, boards and pictures in perspective, tried inside a page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

OpenGame = Callable[..., Awaitable[Any]]

WORLD = """
const P = await import('/kit/platform.js')
const map = P.tileMap(['........', '........', '...--...', '........', '#......#', '########'], 40)
const kind = (c) => (c === '#' ? 'solid' : c === '-' ? 'oneway' : null)
const how = {run: 5, accel: 0.6, stop: 0.8, gravity: 0.6, jump: 13, fall: 14, cut: 0.4}
const play = (b, updates, want = () => ({}), boxes = []) => {
  let c
  for (let i = 0; i < updates; i++) {
    P.steer(b, {dir: 0, jump: false, held: false, ...want(i)}, how)
    c = P.moveBody(b, map, kind, boxes)
  }
  return c
}
"""


async def in_world(open_game: OpenGame, body: str) -> Any:
    page = await open_game("recorder")
    return await page.ask(f"async () => {{ {WORLD} {body} }}")


async def test_a_body_falls_to_the_floor_and_stops_at_walls(open_game: OpenGame):
    x, y, ground, left = await in_world(
        open_game,
        """const b = P.makeBody(160, 100, 30, 38)
        play(b, 60)
        const ground = b.onGround, y = b.y
        const c = play(b, 60, () => ({dir: -1}))
        return [b.x, y, ground, c.left]""",
    )
    assert (x, y, ground, left) == (40, 162, True, True)


async def test_a_one_way_is_jumped_through_stood_on_and_left_downwards(open_game: OpenGame):
    below, on, dropped = await in_world(
        open_game,
        """const b = P.makeBody(145, 150, 30, 38)
        play(b, 20)
        const below = b.y
        play(b, 80, (i) => ({jump: i === 0, held: true}))
        const on = b.y
        b.drop = 8
        play(b, 60)
        return [below, on, b.y]""",
    )
    assert (below, on, dropped) == (162, 42, 162)


async def test_jump_height_and_buffered_press(open_game: OpenGame):
    long, short, early = await in_world(
        open_game,
        """const top = (want, from = 162) => {
          const b = P.makeBody(60, from, 30, 38)
          let least = 999
          for (let i = 0; i < 60; i++) { play(b, 1, () => want(i)); if (i > 8) least = Math.min(least, b.y) }
          return least
        }
        return [top((i) => ({jump: i === 3, held: i >= 3})), top((i) => ({jump: i === 3, held: i < 8})),
                top((i) => ({jump: i === 3, held: true}), 150)]""",
    )
    assert long < short - 20
    assert early < 60


async def test_nothing_is_too_fast_for_a_wall_and_moving_boxes_carry(open_game: OpenGame):
    fast, on, index = await in_world(
        open_game,
        """const b = P.makeBody(160, 0, 30, 38)
        b.vy = 300
        P.moveBody(b, map, (c) => (c === '#' ? 'solid' : null))
        const a = P.makeBody(245, 60, 30, 38)
        const c = play(a, 40, undefined, [{x: 0, y: 0, w: 5, h: 5}, {x: 240, y: 120, w: 80, h: 16, oneway: true}])
        return [b.y, a.y, c.box]""",
    )
    assert (fast, on, index) == (162, 82, 1)


async def test_boards_turn_flood_and_find_cells(open_game: OpenGame):
    page = await open_game("recorder")
    turned, area, name, cell, outside = await page.ask(
        """async () => {
            const G = await import('/kit/grid.js')
            const place = {x: 100, y: 50, size: 40}
            const g = G.makeGrid(3, 3, (c, r) => (c === 1 ? 1 : 0))
            return [G.turn([[1, 2, 3], [4, 5, 6]]), G.flood(g, 0, 0, (c, r) => !g[r][c]).length, G.cellName(2, 3),
                    G.cellAt(place, g, {x: 185, y: 95}), G.cellAt(place, g, {x: 99, y: 95})]
        }"""
    )
    assert turned == [[4, 1], [5, 2], [6, 3]]
    assert (area, name, cell, outside) == (3, "c4", {"col": 2, "row": 1}, None)


async def test_depth_order_and_camera_rotation(open_game: OpenGame):
    page = await open_game("recorder")
    pixel, ahead, turned, raised, behind = await page.ask(
        """async () => {
            const {Scene, project} = await import('/kit/solid.js')
            const ctx = document.querySelector('canvas').getContext('2d')
            const cam = {x: 0, y: 0, z: 0}
            const s = new Scene(cam)
            s.box([-1, -1, 4], [2, 2, 1], '#ff0000')
            s.box([-9, -9, 20], [18, 18, 1], '#0000ff')
            s.paint(ctx)
            const at = (more) => { const p = project({...cam, ...more}, [0, 0, 10]); return p && [p.x, p.y] }
            return [[...ctx.getImageData(640, 360, 1, 1).data], at({}), at({yaw: 0.2}), at({pitch: 0.2}), at({z: 11})]
        }"""
    )
    assert pixel == [255, 0, 0, 255]
    assert ahead == [640, 360]
    assert turned[0] < 640 and turned[1] == 360
    assert raised[1] > 360 and raised[0] == 640
    assert behind is None
