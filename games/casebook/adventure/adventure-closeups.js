// @ts-check
/**
 * A close look at several small things that lie side by side, as a scene of its own.
 *
 * @typedef {{id: string, name: string, icon: string, color: string, look?: import('./adventure.js').Words, act?: (s: any) => void,
 *   take?: string, when?: (s: any) => boolean, tell?: import('./adventure.js').Words}} Small
 */

import { stream } from '../../kit/random.js';
import { box, text } from '../../kit/draw.js';
import { icon } from './icons.js';
import { down, tone } from './props.js';

/** A small thing. @param {string} id @param {string} name @param {string} icon @param {string} color @param {string} look
 * @param {string} [take] what it becomes when it is taken @returns {Small} */
export const small = (id, name, icon, color, look, take) => ({ id, name, icon, color, look, take });

/**
 * Where each thing of a case lies, as a place and in words, and in which order the things of each place lie:
 * `{lies: thing → place, where: thing → words, mix}`.
 * @param {import('../../kit/random.js').Stream} r @param {Record<string, string | string[]>} owners thing → the places where it does not lie
 * @param {Record<string, string>} places place → where that is, in words
 */
export function deal(r, owners, places) {
  const lies = Object.fromEntries(Object.entries(owners).map(([thing, not]) => [thing, r.pick(Object.keys(places).filter((p) => ![not].flat().includes(p)))]));
  const where = Object.fromEntries(Object.entries(lies).map(([thing, place]) => [thing, places[place]]));
  return { lies, where, mix: r.int(1, 1e9) };
}

/**
 * @param {{name: string, back: string, wood: string, cloth: string, things: Small[], enter?: (s: any) => void,
 *   tell?: import('./adventure.js').Words}} style @param {string} [id] of the place, if things are dealt to it
 * @param {Small[]} [dealt] things that lie here in some cases (`s.data.lies`) @returns {import('./adventure.js').Scene}
 */
export function closeUp({ name, back, wood, cloth, things, enter, tell }, id = '', dealt = []) {
  /** @param {Small[]} list */
  const laid = (list) => {
    const columns = list.length > 8 ? 5 : list.length > 3 ? 4 : list.length;
    const rows = Math.ceil(list.length / columns);
    const pitch = Math.min(230, 1100 / columns);
    return list.map((t, i) => {
      const x = 640 + ((i % columns) - (columns - 1) / 2) * pitch;
      const y = 262 + (Math.floor(i / columns) - (rows - 1) / 2) * 210;
      return { ...t, at: [x - 80, y - 84, 160, 168] };
    });
  };
  const fixed = laid(things);
  const spotsOf = (/** @type {any} */ s) => {
    if (!dealt.length) return fixed;
    const order = stream({ seed: `${s.data.mix} ${id}`, streams: {} }, 'order');
    return laid(order.shuffle([...things, ...dealt.filter((t) => s.data.lies[t.id] === id)]));
  };
  return {
    name,
    back,
    enter,
    tell,
    spots: spotsOf,
    draw(ctx, s) {
      box(ctx, 0, 0, 1280, 524, down(ctx, 0, 524, tone(wood, 0.1), tone(wood, -0.35)));
      box(ctx, 60, 26, 1160, 472, cloth, { radius: 22, edge: tone(wood, -0.5), line: 8 });
      for (const spot of spotsOf(s)) {
        if ((spot.take && s.flags[`took_${spot.id}`]) || (spot.when && !spot.when(s))) continue;
        const [x, y] = spot.at;
        box(ctx, x, y, 160, 168, 'rgba(255,255,255,0.10)', { radius: 16 });
        ctx.save();
        ctx.translate(x + 80, y + 70);
        ctx.scale(1.7, 1.7);
        icon(ctx, spot.icon, spot.color);
        ctx.restore();
        text(ctx, spot.name, x + 80, y + 148, { size: 18, color: '#fff', outline: 'rgba(0,0,0,0.75)' });
      }
    },
  };
}
