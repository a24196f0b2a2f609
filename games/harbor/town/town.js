// @ts-check
/** Harbour, the town as it stands: built once, never changed. */

import { Builder } from './build.js';
import { hotel } from './hotel.js';
import { places } from './places.js';
import { streets } from './streets.js';

const b = new Builder();
streets(b);
hotel(b);
places(b);
b.finish();

export const { faces: FACES, gates: GATES, boxes: BOXES, posts: POSTS, floors: FLOORS, lamps: LAMPS, glows: GLOWS, fires: FIRES } = b;

/** The room that a point lies in; empty outside. @param {number} x @param {number} y @param {number} z */
export function roomAt(x, y, z) {
  if (x > 12.1 && x < 21.9 && z > 13.1 && z < 20.9 && y < 6.2) return 'hotel';
  return x > 40.1 && x < 48.9 && z > 13.6 && z < 19.9 && y < 3.1 ? 'keeper' : '';
}
