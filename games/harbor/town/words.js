// @ts-check
/** Harbour, the screen in words: what can be told apart in the picture, where it is, how far away. */

import { cameraOf } from './body.js';
import { NAMES } from './build.js';
import { fighting, lookOf } from './creatures.js';
import { BOX } from './hud.js';
import { present } from './people.js';
import { Picture } from './raster.js';
import { render } from './view.js';

const picture = new Picture(240, 135);
/** Pixels of the small picture, not all in one row, from which on a thing is noticed: the large picture has them too. */
const NOTICED = 7;
const MOST = 24;
/** Metres up to which one sees how the mump is. */
const CLEAR = 9;

/** @typedef {import('./rules.js').State} State */
/** @typedef {{name: string, pixels: number, x: number, near: number}} Seen  `x`: mean column, -1 to 1; `near`: least distance in metres */

/** Everything that can be told apart in a view, the nearest first; what the box of words covers is not seen. @param {State} s @param {number} turn
 * @returns {Seen[]} */
export function seen(s, turn) {
  render(picture, s, turn);
  /** @type {Map<number, {pixels: number, x: number, near: number, first: number, last: number}>} */
  const found = new Map();
  const { width, height, ids, depth, focal } = picture;
  const k = width / 1280;
  const covered = (/** @type {number} */ x, /** @type {number} */ y) => !turn && s.talk && x >= BOX.x * k && x < (BOX.x + BOX.w) * k && y >= BOX.y * k && y < (BOX.y + BOX.h) * k;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (!ids[i] || covered(x + 0.5, y + 0.5)) continue;
      const f = found.get(ids[i]) ?? { pixels: 0, x: 0, near: Infinity, first: y, last: y };
      const u = (x + 0.5 - width / 2) / focal;
      f.pixels += 1;
      f.last = y;
      f.x += u;
      f.near = Math.min(f.near, Math.sqrt(1 + u * u) / depth[i]);
      found.set(ids[i], f);
    }
  }
  const out = [...found].filter(([, f]) => f.pixels >= NOTICED && f.last > f.first).map(([id, f]) => ({ name: NAMES[id], pixels: f.pixels, x: f.x / f.pixels, near: f.near }));
  return out.sort((a, b) => a.near - b.near);
}

/** How the mump looks; nothing that its look does not show. @param {State['mump']} m */
function mood(m) {
  const { puff, hop, shut, red } = lookOf(m);
  if (red) return 'puffed up and red';
  if (shut) return puff < 0 ? 'green and out of breath, its eyes shut' : 'green, its eyes shut';
  return hop > 0.1 ? 'green, hopping' : 'green';
}

/** @param {State} s */
export function describe(s) {
  const lines = [];
  if (s.items.basket) lines.push('You carry a basket of mint.');
  if (s.items.parcel) lines.push('You carry a parcel for the harbour keeper.');
  if (fighting(s)) lines.push(`Hearts: ${s.hearts} of 3.`);
  const who = present(s).find((o) => o.id === s.talk?.who);
  if (who && s.talk) lines.push(`A box is open, and nothing else can be done until A has closed it. ${who.name[0].toUpperCase()}${who.name.slice(1)}: "${who.says(s)[s.talk.line] ?? ''}"`);
  const back = cameraOf(s, 0).back;
  lines.push('In the picture, the nearest first (metres from you; degrees to the left or right of straight on):');
  for (const o of seen(s, 0).slice(0, MOST)) {
    const turn = Math.round((Math.atan(o.x) * 180) / Math.PI);
    const side = Math.abs(turn) < 3 ? 'straight on' : `${Math.abs(turn)} ${turn < 0 ? 'left' : 'right'}`;
    const far = Math.max(0, o.near - back);
    const how = o.name === 'the mump' && far < CLEAR ? `, ${mood(s.mump)}` : '';
    lines.push(`- ${o.name}: ${far.toFixed(1)} away, ${side}${how}${o.pixels > 3200 ? ', fills much of the picture' : ''}`);
  }
  return lines.join('\n');
}

