// @ts-check
/**
 * Side-view platform movement: ASCII tile maps, bodies that run, jump, fall and stop at walls, a camera.
 *
 * A body is a plain rectangle in the state (x, y: its top left corner, in pixels; speeds in pixels per update).
 * What a tile means is the game's business: it passes `kind(char)`, which says 'solid', 'oneway' (stands from
 * above only) or null. Spikes, coins and doors are read with `touching`.
 *
 * @typedef {{rows: string[], tile: number}} TileMap
 * @typedef {{x: number, y: number, w: number, h: number}} Rect
 * @typedef {Rect & {vx: number, vy: number, onGround: boolean, coyote?: number, buffer?: number, drop?: number}} Body
 * @typedef {'solid'|'oneway'|null|undefined} Kind
 * @typedef {{left: boolean, right: boolean, up: boolean, down: boolean, tiles: {char: string, col: number, row: number,
 *   side: 'left'|'right'|'up'|'down'}[], box: number}} Contacts  `box`: index of the extra box stood on, or -1
 */

/** A map from rows of characters, filled up to one width with '.'. @param {string[]} rows @param {number} tile */
export function tileMap(rows, tile) {
  const width = Math.max(...rows.map((r) => r.length));
  return { rows: rows.map((r) => r.padEnd(width, '.')), tile };
}

/** The character at a cell; outside the map: `outside`. @param {TileMap} map @param {number} col @param {number} row */
export function tileAt(map, col, row, outside = '.') {
  return map.rows[row]?.[col] ?? outside;
}

/** Replaces one character (a collected coin in a map that is kept in the state). @param {TileMap} map
 * @param {number} col @param {number} row @param {string} char */
export function setTile(map, col, row, char) {
  const r = map.rows[row];
  map.rows[row] = r.slice(0, col) + char + r.slice(col + 1);
}

/** All cells of these characters, with the pixel of their top left corner. @param {TileMap} map @param {string} chars */
export function findTiles(map, chars) {
  const found = [];
  for (const [row, line] of map.rows.entries()) {
    for (let col = 0; col < line.length; col++) {
      if (chars.includes(line[col])) {
        found.push({ char: line[col], col, row, x: col * map.tile, y: row * map.tile });
      }
    }
  }
  return found;
}

/** Two rectangles overlap. @param {Rect} a @param {Rect} b */
export function overlap(a, b) {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Cells that a rectangle overlaps, made smaller by `inset` on each side. @param {TileMap} map @param {Rect} r */
export function touching(map, r, inset = 0) {
  const t = map.tile;
  const cells = [];
  const right = r.x + r.w - inset;
  const bottom = r.y + r.h - inset;
  for (let row = Math.floor((r.y + inset) / t); row * t < bottom; row++) {
    for (let col = Math.floor((r.x + inset) / t); col * t < right; col++) {
      cells.push({ char: tileAt(map, col, row), col, row });
    }
  }
  return cells;
}

/** A body at rest. @param {number} x @param {number} y @param {number} w @param {number} h @returns {Body} */
export function makeBody(x, y, w, h) {
  return { x, y, w, h, vx: 0, vy: 0, onGround: false, coyote: 0, buffer: 0, drop: 0 };
}

/**
 * Running and jumping: sets the speeds from what the player wants; call `moveBody` afterwards.
 *
 * Forgiving as platform games are: a jump still works a few updates after the edge (`coyote`) and a press shortly
 * before landing is remembered (`buffer`). Letting go early cuts the jump (`cut` of the speed stays; 1: never).
 * @param {Body} b @param {{dir: number, jump: boolean, held: boolean}} want `jump`: pressed now; `held`: still down
 * @param {{run: number, accel: number, stop: number, gravity: number, jump: number, fall: number, cut?: number,
 *   coyote?: number, buffer?: number}} how  speeds in pixels per update
 * @returns {boolean} the body jumped now
 */
export function steer(b, want, how) {
  if (want.dir) b.vx = toward(b.vx, want.dir * how.run, how.accel);
  else b.vx = toward(b.vx, 0, how.stop);
  b.coyote = b.onGround ? (how.coyote ?? 5) : Math.max(0, (b.coyote ?? 0) - 1);
  b.buffer = want.jump ? (how.buffer ?? 6) : Math.max(0, (b.buffer ?? 0) - 1);
  let jumped = false;
  if (b.buffer > 0 && b.coyote > 0) {
    b.vy = -how.jump;
    b.coyote = b.buffer = 0;
    b.onGround = false;
    jumped = true;
  } else if (b.vy < 0 && !want.held && how.cut !== undefined) {
    b.vy = Math.max(b.vy, -how.jump * how.cut);
  }
  b.vy = Math.min(how.fall, b.vy + how.gravity);
  return jumped;
}

/** @param {number} value @param {number} goal @param {number} step */
export function toward(value, goal, step) {
  return value < goal ? Math.min(goal, value + step) : Math.max(goal, value - step);
}

/**
 * Moves a body by its speed, first sideways, then up or down, and stops it at what is solid. Sets `onGround`.
 *
 * Extra boxes (moving platforms, crates) are solid too; `oneway: true` makes one stand-on-only. Move the boxes
 * first and carry along a body that stands on one (`contacts.box`). `body.drop > 0` lets it fall through one-ways.
 * @param {Body} b @param {TileMap} map @param {(char: string) => Kind} kind
 * @param {(Rect & {oneway?: boolean})[]} [boxes] @param {string} [outside] character beyond the map's edges
 * @returns {Contacts}
 */
export function moveBody(b, map, kind, boxes = [], outside = '.') {
  /** @type {Contacts} */
  const c = { left: false, right: false, up: false, down: false, tiles: [], box: -1 };
  // In parts shorter than half a tile, so that nothing is jumped over.
  const parts = Math.max(1, Math.ceil(Math.max(Math.abs(b.vx), Math.abs(b.vy)) / (map.tile / 2)));
  b.onGround = false;
  for (let i = 0; i < parts; i++) {
    sideways(b, b.vx / parts, map, kind, boxes, outside, c);
    upright(b, b.vy / parts, map, kind, boxes, outside, c);
  }
  if (b.drop) b.drop -= 1;
  return c;
}

/** @param {Body} b @param {number} dx @param {TileMap} map @param {(c: string) => Kind} kind
 * @param {(Rect & {oneway?: boolean})[]} boxes @param {string} outside @param {Contacts} c */
function sideways(b, dx, map, kind, boxes, outside, c) {
  if (!dx) return;
  b.x += dx;
  const side = dx > 0 ? 'right' : 'left';
  for (const o of obstacles(b, map, kind, boxes, outside)) {
    if (o.oneway || !overlap(b, o)) continue;
    b.x = dx > 0 ? o.x - b.w : o.x + o.w;
    b.vx = 0;
    c[side] = true;
    if (o.char) c.tiles.push({ char: o.char, col: o.col, row: o.row, side });
  }
}

/** @param {Body} b @param {number} dy @param {TileMap} map @param {(c: string) => Kind} kind
 * @param {(Rect & {oneway?: boolean})[]} boxes @param {string} outside @param {Contacts} c */
function upright(b, dy, map, kind, boxes, outside, c) {
  const feet = b.y + b.h;
  b.y += dy;
  const side = dy > 0 ? 'down' : 'up';
  let stop = null;
  for (const o of obstacles(b, map, kind, boxes, outside)) {
    if (!overlap(b, o)) continue;
    // A one-way holds only a body whose feet were above it; the pixel forgives a platform that rises.
    if (o.oneway && (dy <= 0 || feet > o.y + 1 + (o.rise ?? 0) || b.drop)) continue;
    if (o.char) c.tiles.push({ char: o.char, col: o.col, row: o.row, side });
    if (dy > 0 && o.index >= 0) c.box = o.index;
    const y = dy > 0 ? o.y - b.h : o.y + o.h;
    stop = stop === null ? y : dy > 0 ? Math.min(stop, y) : Math.max(stop, y);
  }
  if (stop === null) return;
  b.y = stop;
  b.vy = 0;
  c[side] = true;
  if (dy > 0) b.onGround = true;
}

/** @param {Rect} r @param {TileMap} map @param {(c: string) => Kind} kind
 * @param {(Rect & {oneway?: boolean, rise?: number})[]} boxes @param {string} outside */
function obstacles(r, map, kind, boxes, outside) {
  const t = map.tile;
  const out = [];
  for (let row = Math.floor(r.y / t); row * t < r.y + r.h; row++) {
    for (let col = Math.floor(r.x / t); col * t < r.x + r.w; col++) {
      const char = tileAt(map, col, row, outside);
      const k = kind(char);
      if (k) out.push({ x: col * t, y: row * t, w: t, h: t, oneway: k === 'oneway', rise: 0, char, col, row, index: -1 });
    }
  }
  for (const [index, o] of boxes.entries()) {
    out.push({ ...o, oneway: !!o.oneway, rise: o.rise ?? 4, char: '', col: 0, row: 0, index });
  }
  return out;
}

/** Left top of a view of the given size that follows a body and stays on the map. @param {Rect} b @param {TileMap} map */
export function follow(b, map, width = 1280, height = 720) {
  const clamp = (/** @type {number} */ v, /** @type {number} */ most) => Math.max(0, Math.min(most, v));
  return {
    x: Math.round(clamp(b.x + b.w / 2 - width / 2, map.rows[0].length * map.tile - width)),
    y: Math.round(clamp(b.y + b.h / 2 - height / 2, map.rows.length * map.tile - height)),
  };
}

/** Calls back for each tile that a view shows. @param {TileMap} map @param {{x: number, y: number}} view
 * @param {(char: string, x: number, y: number, col: number, row: number) => void} paint  x, y: on the canvas */
export function eachTile(map, view, paint, width = 1280, height = 720) {
  const t = map.tile;
  for (let row = Math.max(0, Math.floor(view.y / t)); row < map.rows.length && row * t < view.y + height; row++) {
    const line = map.rows[row];
    for (let col = Math.max(0, Math.floor(view.x / t)); col < line.length && col * t < view.x + width; col++) {
      paint(line[col], col * t - view.x, row * t - view.y, col, row);
    }
  }
}
