// @ts-check
/** Harbour, the hotel: a lobby with a desk, stairs to a gallery, and a lift that goes nowhere. */

import { fence, planter } from './streets.js';
import { boards, facade, lampGlass, liftDoor, plain, rail, rough, sign, stripes, tiles } from './surfaces.js';

const WALL = [206, 170, 132];
const PAPER = [196, 150, 122];
export const X0 = 12;
export const X1 = 22;
export const Z0 = 13;
export const Z1 = 21;
const HIGH = 6.4;
/** Height of the gallery. */
export const UP = 3.1;

/** @param {import('./build.js').Builder} b */
export function hotel(b) {
  const name = 'the hotel';
  const t = 0.3;
  // Outside: the south side has the door, 16 to 18.
  for (const x of [X0, 18.6]) b.rect([x, 0, Z0], [3.4, 0, 0], [0, 3.2, 0], facade(WALL, 'lit'), { name, fit: true });
  b.rect([15.4, 0, Z0], [0.6, 0, 0], [0, 3.2, 0], facade(WALL, 'none'), { name });
  b.rect([18, 0, Z0], [0.6, 0, 0], [0, 3.2, 0], facade(WALL, 'none'), { name });
  b.rect([16, 2.6, Z0], [2, 0, 0], [0, 0.6, 0], facade(WALL, 'none'), { name });
  b.storeys([X0, 3.2, Z0], [X1 - X0, 0, 0], 1, HIGH - 3.2, WALL, { name, lit: 0.8 });
  b.storeys([X1, 0, Z1], [X0 - X1, 0, 0], 2, 3.2, WALL, { name });
  b.storeys([X0, 0, Z1], [0, 0, Z0 - Z1], 2, 3.2, WALL, { name });
  b.storeys([X1, 0, Z0], [0, 0, Z1 - Z0], 2, 3.2, WALL, { name });
  b.roof(X0, Z0, X1, Z1, HIGH, 'x', [126, 70, 66], WALL, name);
  b.words([14.6, 3.25, Z0 - 0.06], [4.8, 0, 0], 0.85, 'HOTEL HERON', '#ffe6a8', '#3a2430', { name: 'the sign "HOTEL HERON"' });
  const awning = stripes([176, 62, 66], [236, 220, 196]);
  b.rect([15.5, 2.84, Z0 - 1.2], [3, 0, 0], [0, 0.38, 1.2], awning, { name: 'the hotel awning', both: true });
  b.rect([15.5, 2.64, Z0 - 1.2], [3, 0, 0], [0, 0.2, 0], awning, { name: 'the hotel awning', both: true });
  b.light(17, 2.5, Z0 - 0.9, 0.9, '', [255, 210, 140]);
  for (const x of [14.8, 19.2]) planter(b, x, Z0 - 0.55, 1.1, 0.7);

  // What is in the way: walls with the door left open.
  b.block([X0, 0, Z0], [16, HIGH, Z0 + t]);
  b.block([18, 0, Z0], [X1, HIGH, Z0 + t]);
  b.block([16, 2.6, Z0], [18, HIGH, Z0 + t]);
  b.block([X0, 0, Z1 - t], [X1, HIGH, Z1]);
  b.block([X0, 0, Z0], [X0 + t, HIGH, Z1]);
  b.block([X1 - t, 0, Z0], [X1, HIGH, Z1]);
  b.block([X0, HIGH - 0.2, Z0], [X1, HIGH, Z1]);
  lobby(b, t);
}

/** @param {import('./build.js').Builder} b @param {number} t */
function lobby(b, t) {
  const room = 'hotel';
  const how = { room, name: 'the lobby' };
  const wall = rough(PAPER, 0.1);
  const wood = boards([142, 92, 62]);
  const [x0, x1, z0, z1] = [X0 + t, X1 - t, Z0 + t, Z1 - t];
  b.rect([x0, 0, z1], [x1 - x0, 0, 0], [0, HIGH - 0.2, 0], wall, how);
  b.rect([x0, 0, z0], [0, 0, z1 - z0], [0, HIGH - 0.2, 0], wall, how);
  b.rect([x1, 0, z1], [0, 0, z0 - z1], [0, HIGH - 0.2, 0], wall, how);
  b.rect([16, 0, z0], [x0 - 16, 0, 0], [0, HIGH - 0.2, 0], wall, how);
  b.rect([x1, 0, z0], [18 - x1, 0, 0], [0, HIGH - 0.2, 0], wall, how);
  b.rect([18, 2.6, z0], [-2, 0, 0], [0, HIGH - 2.8, 0], wall, how);
  b.rect([x0, HIGH - 0.2, z1], [x1 - x0, 0, 0], [0, 0, z0 - z1], plain([226, 206, 178]), how);
  // The door's sides and lintel.
  const stone = plain([212, 190, 166]);
  b.rect([16, 0, Z0], [0, 0, t], [0, 2.6, 0], stone, {});
  b.rect([18, 0, z0], [0, 0, -t], [0, 2.6, 0], stone, {});
  b.rect([16, 2.6, z0], [2, 0, 0], [0, 0, -t], stone, {});
  b.rect([16, 0.004, Z0], [2, 0, 0], [0, 0, t], stone, {});
  b.rect([x0, 0.005, z0], [x1 - x0, 0, 0], [0, 0, z1 - z0], tiles([146, 106, 96]), { ...how, piece: 2 });
  b.rect([16.2, 0.012, z0], [1.6, 0, 0], [0, 0, 3.6], stripes([150, 48, 58], [164, 58, 64]), { ...how, name: 'a red carpet' });
  // The desk, with an end that keeps one from walking round it.
  b.box([13.2, 0, 17.3], [17, 1.08, 17.95], boards([112, 70, 50]), plain([76, 52, 44]), { ...how, name: 'the reception desk' });
  b.box([16.4, 0, 17.95], [17, 1.08, 20.7], boards([112, 70, 50]), plain([76, 52, 44]), { ...how, name: 'the reception desk' });
  b.block([x0, 0, 17.3], [13.2, 1.08, 17.95]);
  b.box([15, 1.08, 17.45], [15.16, 1.2, 17.6], plain([240, 206, 100], true), plain([240, 206, 100], true), { ...how, name: 'a bell', solid: false });
  b.words([13.6, 1.75, z1 - 0.04], [2.4, 0, 0], 0.6, 'RECEPTION', '#ffe6a8', '#4a2c30', { room });
  // Stairs along the east wall, and the gallery.
  b.stairs(20.1, 14.2, x1, 18.3, 0, UP, wood, { ...how, name: 'the stairs' });
  b.block([20.1, 0, 16.5], [x1, 1.2, 18.3]);
  b.block([20.02, 0, 14.6], [20.1, UP + 0.9, 18.3], { thin: true });
  for (let i = 0; i < 4; i++) {
    const [za, ya] = [14.3 + i, (UP / 4.1) * i];
    b.rect([20.06, ya + UP / 4.1, za + 1], [0, -UP / 4.1, -1], [0, 1, 0], rail, { ...how, both: true, name: 'a railing' });
  }
  b.floors.push({ x0, x1, z0: 18.3, z1, y: UP, rise: 0, along: 'x' });
  b.rect([x0, UP, 18.3], [x1 - x0, 0, 0], [0, 0, z1 - 18.3], wood, { ...how, name: 'the gallery' });
  b.rect([x0, UP - 0.25, z1], [x1 - x0, 0, 0], [0, 0, 18.3 - z1], plain([206, 182, 152]), how);
  b.rect([x0, UP - 0.25, 18.3], [x1 - x0, 0, 0], [0, 0.25, 0], boards([112, 70, 50]), { ...how, name: 'the gallery' });
  b.block([x0, UP - 0.25, 18.3], [20.1, UP - 0.01, z1]);
  b.block([20.1, UP - 0.25, 18.5], [x1, UP - 0.01, z1]);
  fenceIn(b, room, [x0, 18.3], [20.1, 18.3], UP);
  // The lift: its sign promises the gallery.
  b.box([x0, 0, 16.5], [x0 + 1.7, 2.7, 16.62], plain([132, 128, 136]), plain([132, 128, 136]), { ...how, name: 'the lift' });
  b.box([x0, 0, 14.5], [x0 + 1.7, 2.7, 14.62], plain([132, 128, 136]), plain([132, 128, 136]), { ...how, name: 'the lift' });
  b.box([x0, 2.4, 14.5], [x0 + 1.72, 2.75, 16.62], plain([150, 146, 154]), plain([132, 128, 136]), { ...how, name: 'the lift', bottom: true });
  b.rect([x0 + 0.02, 0, 14.62], [0, 0, 1.88], [0, 2.4, 0], liftDoor, { ...how, fit: true, name: 'the lift' });
  b.rect([x0 + 1.735, 2.4, 14.62], [0, 0, 1.9], [0, 0.36, 0], sign('LIFT to GALLERY', '#b8ffb0', '#182018', 256, 64), { room, fit: true, name: 'the sign "LIFT to GALLERY"' });
  b.box([x0 + 0.03, 1.05, 16.22], [x0 + 0.1, 1.5, 16.42], plain([90, 230, 120], true), plain([70, 70, 80]), { ...how, name: 'the lift buttons', solid: false });
  for (const [x, y, z] of [[17, 5, 16], [14.5, 2.6, 19.5], [18.5, 5.2, 19.5], [13, 2.2, 15.5]]) b.light(x, y, z, 0.55, room);
  for (const x of [15, 19]) b.post(x, 15.6, 0.3, 5.1, 5.5, lampGlass([255, 222, 150]), plain([180, 140, 80]), { ...how, name: 'a hanging lamp', slim: 0.12, sides: 6, solid: false });
  b.box([18.4, 0, 19.4], [19.6, 0.5, 20.4], rough([120, 64, 70]), rough([150, 84, 86]), { ...how, name: 'an armchair' });
  b.box([18.4, 0.5, 20.1], [19.6, 1.1, 20.5], rough([120, 64, 70]), rough([150, 84, 86]), { ...how, name: 'an armchair' });
}

/** A railing inside. @param {import('./build.js').Builder} b @param {string} room @param {number[]} from @param {number[]} to @param {number} y */
function fenceIn(b, room, from, to, y) {
  const first = b.faces.length;
  fence(b, from, to, y);
  for (const f of b.faces.slice(first)) {
    b.rooms.set(f, room);
    f.light = [190, 150, 116];
  }
}
