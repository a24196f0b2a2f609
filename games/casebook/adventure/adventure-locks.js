// @ts-check
/**
 * Combination locks as scenes of their own: a row of dials, arrows above and below each, and a handle to try.
 *
 * What the dials stand at is kept in `state.dials`, by the lock's name.
 *
 * @typedef {{id: string, name: string, back: string, count: number, symbols: string[], solved: (s: any, shown: string[]) => boolean,
 *   open: (s: any) => void, wrong?: string, picture: (ctx: CanvasRenderingContext2D, s: any) => void, tell?: import('./adventure.js').Words,
 *   symbol?: (ctx: CanvasRenderingContext2D, what: string, x: number, y: number) => void, enter?: (s: any) => void,
 *   metal?: string, handle?: string}} Lock
 *   `picture` paints everything behind the dials, the plate with its hint too. `symbol`: how a position looks; as text if left out.
 */

import { say } from './adventure.js';
import { box, polygon, text } from '../../kit/draw.js';
import { down, tone } from './props.js';

const PITCH = 150;

/** What the dials of a lock show. @param {any} s @param {Lock} lock @returns {string[]} */
const shown = (s, lock) => Array.from({ length: lock.count }, (_, i) => lock.symbols[s.dials[lock.id]?.[i] ?? 0]);

/** @param {Lock} lock @returns {import('./adventure.js').Scene} */
export function dialLock(lock) {
  const middle = (/** @type {number} */ i) => 640 + (i - (lock.count - 1) / 2) * PITCH;
  const turn = (/** @type {number} */ i, /** @type {number} */ by) => (/** @type {any} */ s) => {
    const at = (s.dials[lock.id] ??= Array(lock.count).fill(0));
    at[i] = (at[i] + by + lock.symbols.length) % lock.symbols.length;
  };
  const spots = Array.from({ length: lock.count }, (_, i) => [
    { id: `up${i + 1}`, name: `Dial ${i + 1} up`, at: [middle(i) - 54, 130, 108, 66], act: turn(i, 1) },
    { id: `down${i + 1}`, name: `Dial ${i + 1} down`, at: [middle(i) - 54, 344, 108, 66], act: turn(i, -1) },
  ]).flat();
  const handle = {
    id: 'handle',
    name: lock.handle ?? 'Try the handle',
    at: [530, 430, 220, 74],
    act: (/** @type {any} */ s) => (lock.solved(s, shown(s, lock)) ? lock.open(s) : say(s, lock.wrong ?? 'It does not move. The dials are not right.')),
  };
  const metal = lock.metal ?? '#8a93a3';
  return {
    name: lock.name,
    back: lock.back,
    enter: lock.enter,
    tell: (s) => `The dials show: ${shown(s, lock).join(', ')}. ${typeof lock.tell === 'function' ? lock.tell(s) : (lock.tell ?? '')}`,
    spots: [...spots, handle],
    draw(ctx, s) {
      lock.picture(ctx, s);
      shown(s, lock).forEach((what, i) => {
        const x = middle(i);
        box(ctx, x - 66, 116, 132, 308, tone(metal, -0.35), { radius: 16, edge: tone(metal, -0.6) });
        polygon(ctx, [[x - 40, 186], [x, 140], [x + 40, 186]], tone(metal, 0.45), '#222');
        polygon(ctx, [[x - 40, 354], [x, 400], [x + 40, 354]], tone(metal, 0.45), '#222');
        box(ctx, x - 56, 206, 112, 128, down(ctx, 206, 128, '#b9b4a6', '#fbf7ea', '#b9b4a6'), { radius: 8, edge: '#222' });
        if (lock.symbol) lock.symbol(ctx, what, x, 270);
        else text(ctx, what, x, 272, { size: 78, color: '#1f2024' });
      });
      box(ctx, 530, 430, 220, 74, down(ctx, 430, 74, tone(metal, 0.3), tone(metal, -0.2)), { radius: 30, edge: tone(metal, -0.6) });
      text(ctx, lock.handle ?? 'Try the handle', 640, 468, { size: 22, color: '#1d2027' });
    },
  };
}
