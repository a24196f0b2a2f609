// @ts-check
/** The Thistle Road, the ground: one tile of a map at a time. */

import { box, disc, polygon } from '../../kit/draw.js';
import { isDoor, isThing } from './land.js';

/** @typedef {CanvasRenderingContext2D} Ctx */
/** Pixels of a tile. */
export const TILE = 72;

const PALETTES = {
  dale: { ground: '#93c572', dark: '#8ebf6d', path: '#e0c894', roof: ['#b5483c', '#8f3329', '#d4685a'], wall: '#f0dfbd', grass: ['#4f9447', '#3b7a39', '#6fb35a'], crown: ['#3e7d45', '#57a05a', '#74b96c'] },
  marsh: { ground: '#b3bd72', dark: '#aeb86d', path: '#d9cfa8', roof: ['#3f6f8f', '#2c526c', '#5f93b3'], wall: '#e6e4d2', grass: ['#8a8a3c', '#6f7030', '#b0a850'], crown: ['#4d7355', '#638f66', '#83a97b'] },
};
const WOOD = { ground: '#6f9a5a', dark: '#6a9455', path: '#b8a676', crown: ['#27563a', '#35704a', '#4c8a5a'] };

/** A number from 0 to n - 1 that stays the same for a place. @param {number} x @param {number} y @param {number} n */
const dice = (x, y, n) => ((x * 73 + y * 151 + ((x * y) % 7) * 31) % 101) % n;

/**
 * Draws a tile with its top left corner at (px, py).
 * @param {Ctx} ctx @param {string} c @param {number} px @param {number} py
 * @param {{land: string, kind: string, x: number, y: number, age: number, above: string, below: string}} at
 */
export function tile(ctx, c, px, py, at) {
  const base = PALETTES[/** @type {keyof PALETTES} */ (at.land)];
  const look = { ...base, ...(at.kind === 'wood' ? WOOD : {}) };
  ctx.save();
  ctx.translate(px, py);
  if (at.kind === 'indoor') indoors(ctx, c, at, look);
  else outdoors(ctx, c, at, look);
  ctx.restore();
}

/** @param {Ctx} ctx @param {string} c @param {any} at @param {any} look */
function outdoors(ctx, c, at, look) {
  const { x, y, age } = at;
  box(ctx, 0, 0, TILE, TILE, dice(x, y, 2) ? look.ground : look.dark);
  if (c === '~') return water(ctx, x, y, age);
  if (c === ':' || c === 'z') {
    box(ctx, 0, 0, TILE, TILE, look.path);
    for (let i = 0; i < 3; i++) disc(ctx, 12 + dice(x + i, y, 50), 12 + dice(x, y + i, 52), 3, 'rgba(120,95,50,0.35)');
    return;
  }
  if (c === ',') return grass(ctx, x, y, age, look.grass);
  if (c === '#') return tree(ctx, x, y, look.crown, at.kind === 'wood');
  if (c === 'o') return rock(ctx, x, y);
  if (c === '-') return fence(ctx);
  if (c === 'v') return ledge(ctx, look);
  if (c === '^') return roof(ctx, at, look);
  if (c === '|' || isDoor(c)) return wall(ctx, c, at, look);
  if (c === '"') {
    for (let i = 0; i < 5; i++) flower(ctx, 10 + dice(x + i, y + 2 * i, 54), 12 + dice(x + 3 * i, y, 50), ['#f4f0ff', '#b98be0', '#f7d75c'][dice(x, y + i, 3)]);
    return;
  }
  if (!isThing(c)) for (let i = 0; i < 3; i++) tuft(ctx, 8 + dice(x + i, y, 56), 20 + dice(x, y + i, 46), look.crown[2]);
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {string} color */
function tuft(ctx, x, y, color) {
  for (const d of [-5, 0, 5]) polygon(ctx, [[x + d - 2, y], [x + d * 1.4, y - 10], [x + d + 2, y]], color);
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {string} color */
function flower(ctx, x, y, color) {
  box(ctx, x - 1, y, 2, 9, '#4d8a44');
  for (const [dx, dy] of [[-4, 0], [4, 0], [0, -4], [0, 4]]) disc(ctx, x + dx, y + dy, 4, color);
  disc(ctx, x, y, 3, '#e8a23a');
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} age @param {string[]} colors */
function grass(ctx, x, y, age, colors) {
  box(ctx, 0, 0, TILE, TILE, colors[0]);
  const sway = Math.sin(age / 40 + x + y) * 3;
  for (let row = 0; row < 3; row++) {
    for (let i = 0; i < 5; i++) {
      const a = 4 + i * 14 + (row % 2) * 7;
      const b = 26 + row * 22;
      polygon(ctx, [[a - 6, b], [a + sway, b - 22], [a + 6, b]], colors[1 + ((i + row) % 2)]);
    }
  }
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {string[]} crown @param {boolean} pine */
function tree(ctx, x, y, crown, pine) {
  disc(ctx, 36, 62, 24, 'rgba(20,40,20,0.25)');
  box(ctx, 30, 46, 12, 24, '#6f4b2f', { radius: 3 });
  if (pine) {
    for (const [i, w] of [[0, 32], [1, 27], [2, 20]]) polygon(ctx, [[36 - w, 56 - i * 18], [36, 18 - i * 16], [36 + w, 56 - i * 18]], crown[i]);
    return;
  }
  const lean = dice(x, y, 7) - 3;
  disc(ctx, 36, 30, 31, crown[0]);
  disc(ctx, 26 + lean, 24, 20, crown[1]);
  disc(ctx, 44 + lean, 34, 14, crown[1]);
  disc(ctx, 24 + lean, 18, 10, crown[2]);
}

/** @param {Ctx} ctx @param {number} x @param {number} y @param {number} age */
function water(ctx, x, y, age) {
  box(ctx, 0, 0, TILE, TILE, '#4f97c9');
  ctx.strokeStyle = 'rgba(255,255,255,0.45)';
  ctx.lineWidth = 3;
  for (let i = 0; i < 3; i++) {
    const shift = Math.sin(age / 50 + x * 2 + i) * 6;
    ctx.beginPath();
    ctx.arc(18 + i * 18 + shift, 18 + i * 20, 9, Math.PI * 0.15, Math.PI * 0.85);
    ctx.stroke();
  }
}

/** @param {Ctx} ctx @param {number} x @param {number} y */
function rock(ctx, x, y) {
  const tall = dice(x, y, 10);
  polygon(ctx, [[5, 66], [10, 26 - tall / 2], [30, 8 - tall / 3], [54, 16], [68, 42], [66, 66]], '#8d8f97', '#5d6069');
  polygon(ctx, [[12, 30], [30, 10], [44, 24], [28, 44]], '#a9abb3');
  polygon(ctx, [[44, 26], [54, 18], [66, 42], [50, 50]], '#787b84');
}

/** @param {Ctx} ctx */
function fence(ctx) {
  for (const a of [6, 30, 54]) {
    box(ctx, a, 22, 12, 44, '#d9c19a', { radius: 4, edge: '#8a6d45', line: 2 });
  }
  box(ctx, 0, 32, TILE, 8, '#cbb086', { edge: '#8a6d45', line: 2 });
  box(ctx, 0, 50, TILE, 8, '#cbb086', { edge: '#8a6d45', line: 2 });
}

/** @param {Ctx} ctx @param {any} look */
function ledge(ctx, look) {
  box(ctx, 0, 26, TILE, 34, '#a3743f');
  box(ctx, 0, 20, TILE, 14, look.crown[2], { radius: 6 });
  for (const a of [10, 34, 58]) polygon(ctx, [[a - 6, 60], [a, 38], [a + 6, 60]], '#855a2e');
  box(ctx, 0, 58, TILE, 6, 'rgba(40,25,10,0.35)');
}

/** @param {Ctx} ctx @param {any} at @param {any} look */
function roof(ctx, at, look) {
  box(ctx, 0, 0, TILE, TILE, look.roof[0]);
  for (let row = 0; row < 4; row++) {
    for (let i = -1; i < 4; i++) {
      const a = i * 20 + (row % 2) * 10 + 2;
      box(ctx, a, row * 18, 18, 16, (i + row + at.x) % 3 ? look.roof[0] : look.roof[2], { radius: 6, edge: look.roof[1], line: 2 });
    }
  }
  if (at.above !== '^') box(ctx, 0, 0, TILE, 8, look.roof[1]);
  if (at.below !== '^') box(ctx, 0, TILE - 8, TILE, 8, look.roof[1]);
}

/** @param {Ctx} ctx @param {string} c @param {any} at @param {any} look */
function wall(ctx, c, at, look) {
  box(ctx, 0, 0, TILE, TILE, look.wall);
  box(ctx, 0, 0, TILE, 8, 'rgba(90,60,30,0.4)');
  box(ctx, 0, 0, 6, TILE, '#a98659');
  box(ctx, TILE - 6, 0, 6, TILE, '#a98659');
  box(ctx, 0, TILE - 8, TILE, 8, '#9a958c');
  if (isDoor(c)) {
    box(ctx, 16, 12, 40, 60, '#7a4c2a', { radius: 10, edge: '#4d2d17' });
    box(ctx, 23, 20, 26, 52, '#94623a', { radius: 6 });
    disc(ctx, 45, 46, 3.5, '#f2cf63');
  } else if (dice(at.x, at.y, 3)) {
    box(ctx, 20, 18, 32, 30, '#bfe3f2', { radius: 4, edge: '#7a5a35', line: 4 });
    box(ctx, 34, 18, 4, 30, '#7a5a35');
    box(ctx, 16, 48, 40, 7, '#c26a5a', { radius: 3 });
  } else {
    ctx.strokeStyle = '#a98659';
    ctx.lineWidth = 5;
    ctx.beginPath();
    ctx.moveTo(8, 62);
    ctx.lineTo(64, 10);
    ctx.stroke();
  }
}

/** @param {Ctx} ctx @param {string} c @param {any} at @param {any} look */
function indoors(ctx, c, at, look) {
  const { x, y } = at;
  if (c === '%') {
    box(ctx, 0, 0, TILE, TILE, '#5d4632');
    if (at.below && at.below !== '%') {
      box(ctx, 0, 0, TILE, TILE, look.wall);
      box(ctx, 0, TILE - 14, TILE, 14, '#8d6a44');
      if (dice(x, y, 3) === 1) box(ctx, 18, 12, 36, 32, '#bfe3f2', { radius: 4, edge: '#8d6a44', line: 4 });
    }
    return;
  }
  box(ctx, 0, 0, TILE, TILE, '#cfa877');
  for (const b of [0, 24, 48]) {
    box(ctx, 0, b, TILE, 2, '#b98f5e');
    box(ctx, (dice(x, y + b, 3) + 1) * 18, b, 2, 24, '#b98f5e');
  }
  if (c === 'o') return rock(ctx, x, y);
  if (c === '&') return furniture(ctx, dice(x, y, 4));
  if (!isDoor(c)) return;
  if (at.below) {
    // Stairs.
    for (let i = 0; i < 4; i++) box(ctx, 6 + i * 5, 8 + i * 16, 60 - i * 10, 13, ['#8d6a44', '#a17c52', '#b68f63', '#cba476'][i], { edge: '#5d4632', line: 2 });
    return;
  }
  box(ctx, 8, 14, 56, 44, '#a8433a', { radius: 6, edge: '#f0dfbd', line: 4 });
  polygon(ctx, [[24, 30], [48, 30], [36, 48]], '#f0dfbd');
}

/** @param {Ctx} ctx @param {number} which */
function furniture(ctx, which) {
  box(ctx, 4, 60, 64, 8, 'rgba(60,35,10,0.3)', { radius: 4 });
  if (which === 0) {
    box(ctx, 6, 8, 60, 56, '#7d5634', { radius: 4, edge: '#4f331c' });
    ['#b5483c', '#3f6f8f', '#d9a441', '#57874c'].forEach((color, i) => {
      box(ctx, 12 + i * 12, 14, 10, 18, color);
      box(ctx, 14 + i * 12, 38, 9, 18, ['#d9a441', '#57874c', '#b5483c', '#8d6ab0'][i]);
    });
  } else if (which === 1) {
    box(ctx, 4, 16, 64, 44, '#a9743f', { radius: 8, edge: '#6b4522' });
    disc(ctx, 26, 34, 9, '#f4efe2', '#c9bfa5', 2);
    box(ctx, 42, 24, 14, 18, '#e4d3a8', { radius: 3 });
  } else if (which === 2) {
    box(ctx, 10, 14, 52, 50, '#9b7a4e', { radius: 6, edge: '#5d4426' });
    box(ctx, 10, 26, 52, 5, '#5d4426');
    box(ctx, 10, 48, 52, 5, '#5d4426');
  } else {
    box(ctx, 18, 38, 36, 28, '#b5653f', { radius: 6, edge: '#7a3f24' });
    for (const [a, b] of [[36, 8], [20, 18], [52, 18], [28, 24], [44, 24]]) disc(ctx, a, b + 6, 11, '#57a05a', '#3e7d45', 2);
  }
}
