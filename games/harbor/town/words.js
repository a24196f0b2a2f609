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
/** @typedef {{name: string, pixels: number, turn: number, near: number}} Seen  from the figure: `turn`: degrees of its middle, to the right; `near`: least metres */

/** Everything that can be told apart in a view, the nearest first; what the box of words covers is not seen. @param {State} s @param {number} turn
 * @returns {Seen[]} */
export function seen(s, turn) {
  render(picture, s, turn);
  /** Sums over pixels, in metres from the figure: how far to the right and ahead. @type {Map<number, {pixels: number, right: number, ahead: number, near: number, first: number, last: number}>} */
  const found = new Map();
  const { width, height, ids, depth, focal } = picture;
  const { back, pitch } = cameraOf(s, turn);
  const [sp, cp] = [Math.sin(pitch), Math.cos(pitch)];
  const k = width / 1280;
  const covered = (/** @type {number} */ x, /** @type {number} */ y) => !turn && s.talk && x >= BOX.x * k && x < (BOX.x + BOX.w) * k && y >= BOX.y * k && y < (BOX.y + BOX.h) * k;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (!ids[i] || covered(x + 0.5, y + 0.5)) continue;
      const f = found.get(ids[i]) ?? { pixels: 0, right: 0, ahead: 0, near: Infinity, first: y, last: y };
      const right = (x + 0.5 - width / 2) / focal / depth[i];
      const ahead = (cp - ((height / 2 - y - 0.5) / focal) * sp) / depth[i] - back;
      f.pixels += 1;
      f.last = y;
      f.right += right;
      f.ahead += ahead;
      f.near = Math.min(f.near, Math.hypot(right, ahead));
      found.set(ids[i], f);
    }
  }
  const out = [...found].filter(([, f]) => f.pixels >= NOTICED && f.last > f.first).map(([id, f]) => ({ name: NAMES[id], pixels: f.pixels, turn: (Math.atan2(f.right, f.ahead) * 180) / Math.PI, near: f.near }));
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
  lines.push('In the picture, the nearest first (metres from you; degrees to the left or right of where you face; more than 90 is behind you):');
  for (const o of seen(s, 0).slice(0, MOST)) {
    const turn = Math.round(o.turn);
    const side = Math.abs(turn) < 3 ? 'straight on' : `${Math.abs(turn)} ${turn < 0 ? 'left' : 'right'}`;
    const how = o.name === 'the mump' && o.near < CLEAR ? `, ${mood(s.mump)}` : '';
    lines.push(`- ${o.name}: ${o.near.toFixed(1)} away, ${side}${how}${o.pixels > 3200 ? ', fills much of the picture' : ''}`);
  }
  return lines.join('\n');
}

