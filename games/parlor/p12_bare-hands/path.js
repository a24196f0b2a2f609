// @ts-check
/** Bare Hands, ways: the cheapest way of steps and dug blocks to a place that fits. */

import { BLOCKS, MAGMA, WATER } from './data.js';
import { at, digFrames, rests, solid, wall } from './rules.js';
import { DEEP, WIDE } from './world.js';

/** @typedef {{x: number, y: number, cost: number, back: Node | null}} Node */
/** Frames of one step of a command. */
export const STEP = 3;

/**
 * The places on the cheapest way to the first place that fits, without the first one; null if there is none.
 * @param {import('./rules.js').State} s
 * @param {(x: number, y: number) => boolean} fits
 * @param {number} radius
 */
export function findWay(s, fits, radius) {
  /** @type {Map<number, number>} */
  const best = new Map([[s.y * WIDE + s.x, 0]]);
  const heap = new Heap({ x: s.x, y: s.y, cost: 0, back: null });
  for (let node = heap.pop(); node; node = heap.pop()) {
    if (node.cost > (best.get(node.y * WIDE + node.x) ?? Infinity)) continue;
    if (fits(node.x, node.y)) return unwound(node);
    for (const [x, y, cost] of neighbours(s, node.x, node.y)) {
      if (Math.abs(x - s.x) > radius || Math.abs(y - s.y) > radius) continue;
      const total = node.cost + cost;
      if (total >= (best.get(y * WIDE + x) ?? Infinity)) continue;
      best.set(y * WIDE + x, total);
      heap.push({ x, y, cost: total, back: node });
    }
  }
  return null;
}

/** @param {Node} node */
function unwound(node) {
  const way = [];
  for (let n = node; n.back; n = n.back) way.unshift({ x: n.x, y: n.y });
  return way;
}

/** Frames to enter a place: 0 if it is open. @param {import('./rules.js').State} s @param {number} x @param {number} y */
function opening(s, x, y) {
  if (x < 1 || x >= WIDE - 1 || y < 1 || y >= DEEP - 1) return Infinity;
  const here = at(s, x, y);
  if ([here, at(s, x, y + 1)].includes(MAGMA)) return Infinity;
  if (!solid(s, x, y)) return here === WATER ? 2 * STEP : 0;
  return BLOCKS[here].made && here !== 'x' && here !== 'p' ? Infinity : 2 * digFrames(s, here);
}

/** @param {import('./rules.js').State} s @param {number} x @param {number} y @returns {[number, number, number][]} */
function neighbours(s, x, y) {
  /** @type {[number, number, number][]} */
  const out = [];
  for (const way of [-1, 1]) {
    const cost = opening(s, x + way, y);
    if (cost < Infinity) {
      let down = y;
      while (!rests(s, x + way, down) && !solid(s, x + way, down + 1) && down < DEEP - 2) down += 1;
      if (![at(s, x + way, down), at(s, x + way, down + 1)].includes(MAGMA)) out.push([x + way, down, STEP + cost + (down - y)]);
    }
    if (solid(s, x + way, y) && !solid(s, x, y - 1) && !solid(s, x + way, y - 1) && opening(s, x + way, y - 1) < Infinity) {
      out.push([x + way, y - 1, 2 * STEP]);
    }
  }
  const up = opening(s, x, y - 1);
  if (up < Infinity && (wall(s, x, y - 1) || at(s, x, y) === WATER)) out.push([x, y - 1, STEP + up]);
  const down = opening(s, x, y + 1);
  if (down < Infinity) out.push([x, y + 1, STEP + down]);
  return out;
}

/** A binary heap by cost; among equals in the order of their coming. */
class Heap {
  /** @param {Node} first */
  constructor(first) {
    /** @type {[number, number, Node][]} */
    this.nodes = [[first.cost, 0, first]];
    this.count = 1;
  }

  /** @param {Node} node */
  push(node) {
    const { nodes } = this;
    nodes.push([node.cost, this.count++, node]);
    for (let i = nodes.length - 1; i > 0; ) {
      const up = (i - 1) >> 1;
      if (!before(nodes[i], nodes[up])) break;
      [nodes[i], nodes[up]] = [nodes[up], nodes[i]];
      i = up;
    }
  }

  pop() {
    const { nodes } = this;
    const first = nodes[0];
    const last = nodes.pop();
    if (!first || !last) return null;
    if (nodes.length) {
      nodes[0] = last;
      for (let i = 0; ; ) {
        let least = i;
        for (const child of [2 * i + 1, 2 * i + 2]) if (child < nodes.length && before(nodes[child], nodes[least])) least = child;
        if (least === i) break;
        [nodes[i], nodes[least]] = [nodes[least], nodes[i]];
        i = least;
      }
    }
    return first[2];
  }
}

/** @param {[number, number, Node]} a @param {[number, number, Node]} b */
function before(a, b) {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}
