// @ts-check
/** The Long Stair, the picture: the climber and the enemies on a landing, the hand below, floor and items above. */

import { bar, box, disc, polygon, sky, text } from '../../kit/draw.js';
import { fitted, wrapped } from '../parts/words.js';
import { CARDS, CLIMBER, face, ITEMS, say, title } from './cards.js';
import { deckOf, intent, WHEN } from './describe.js';
import { FLOORS, KINDS } from './foes.js';
import { BUTTON, cardBoxes, foeBox } from './play.js';
import { actOf, MOST_MISSTEPS } from './rules.js';

/** Colours of a card's head, by kind. */
const HEADS = { attack: '#b5413a', skill: '#3a6fa8', power: '#a3781f' };
/** Wall, darker wall, landing of each act. */
const WALLS = [['#3d3550', '#2b263a', '#57496b'], ['#2f4a52', '#20343a', '#45686f'], ['#4f4334', '#382f24', '#75644b']];
const FEET = 400;
/** @type {Record<string, [string, string]>} sign and colour */
const SIGNS = {
  might: ['might', '#ff8f6b'], steady: ['steady', '#8fd0ff'], ward: ['ward', '#9fe0c0'], spikes: ['spikes', '#c9e08a'],
  glow: ['glow', '#ffc45a'], dim: ['dim', '#b7a9d6'], mark: ['mark', '#ff9fc0'], burn: ['burn', '#ff9a3c'],
};

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const [wall, dark, landing] = WALLS[actOf(s)];
  sky(ctx, dark, wall);
  for (let y = 76; y < FEET; y += 54) for (let x = (y / 54) % 2 < 1 ? -60 : 0; x < 1280; x += 120) box(ctx, x + 3, y + 3, 114, 48, 'rgba(255,255,255,0.035)', { radius: 6 });
  for (const x of [90, 560, 1040]) window_(ctx, x, actOf(s));
  box(ctx, 0, FEET, 1280, 60, landing);
  for (let i = 0; i < 8; i++) box(ctx, i * 164, FEET + 60 + (i % 2) * 4, 160, 270, dark, { radius: 4 });
  climber(ctx, s);
  if (s.phase === 'battle') s.foes.forEach((f, i) => foe(ctx, s, f, foeBox(s, i), i));
  else {
    box(ctx, 370, 112, 540, 76 + 26 * s.news.length, 'rgba(16,12,22,0.72)', { radius: 16 });
    text(ctx, 'Take one card', 640, 146, { size: 38, color: '#ffe9b0' });
    s.news.forEach((line, i) => text(ctx, line, 640, 186 + i * 26, { size: 20, color: '#e6dff2', bold: false }));
  }
  for (const b of cardBoxes(s)) {
    const c = s.phase === 'battle' ? s.hand[b.place] : s.offer[b.place];
    if (c) cardFace(ctx, s, c, b);
  }
  above(ctx, s);
  below(ctx, s);
  if (s.listed) listed(ctx, s);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} act */
function window_(ctx, x, act) {
  box(ctx, x, 150, 92, 150, ['#1c2a4a', '#33507a', '#7a5a4a'][act], { radius: 46, edge: 'rgba(0,0,0,0.35)', line: 6 });
  disc(ctx, x + 60, 190, 12, ['#e9e6ff', '#fff3c9', '#ffd08a'][act]);
  box(ctx, x + 44, 150, 4, 150, 'rgba(0,0,0,0.35)');
  box(ctx, x, 230, 92, 4, 'rgba(0,0,0,0.35)');
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function climber(ctx, s) {
  const x = 190;
  polygon(ctx, [[x - 34, FEET + 20], [x - 22, 296], [x + 22, 296], [x + 34, FEET + 20]], '#a8642f', '#2a1d14', 3);
  disc(ctx, x, 274, 24, '#f0c79c', '#5a3a22', 3);
  polygon(ctx, [[x - 34, 264], [x, 222], [x + 34, 264]], '#3c4a66', '#221a14', 3);
  disc(ctx, x + 8, 274, 3, '#221a14');
  box(ctx, x + 40, 270, 6, 150, '#6a4a2c');
  disc(ctx, x + 43, 256, 40, 'rgba(255,205,90,0.22)');
  box(ctx, x + 30, 240, 26, 34, '#ffd35c', { radius: 6, edge: '#5a4210' });
  bar(ctx, x - 100, 424, 200, 26, s.hp / s.most, '#c9413a');
  text(ctx, `${s.hp} / ${s.most}`, x, 438, { size: 20, color: '#ffffff' });
  if (s.block) shield(ctx, x - 112, 436, s.block);
  powers(ctx, s.powers, x, 466, 3);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} n */
function shield(ctx, x, y, n) {
  polygon(ctx, [[x - 22, y - 24], [x + 22, y - 24], [x + 20, y + 6], [x, y + 26], [x - 20, y + 6]], '#5f8fd0', '#dfe9ff', 3);
  text(ctx, n, x, y - 3, { size: 22, color: '#ffffff' });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').Powers} p @param {number} x @param {number} y
 * @param {number} columns */
function powers(ctx, p, x, y, columns) {
  const found = Object.entries(p).filter(([, n]) => n);
  // A third row would lie under the hand of cards.
  const [per, apart, size] = found.length > 2 * columns ? [columns + 1, columns === 2 ? 66 : 80, 15] : [columns, 94, 18];
  const wide = Math.min(per, found.length);
  found.forEach(([name, n], i) => {
    const [sign, color] = SIGNS[name];
    text(ctx, `${sign} ${n}`, x + ((i % per) - (wide - 1) / 2) * apart, y + Math.floor(i / per) * 20, { size, color, outline: '#1a1622' });
  });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {import('./rules.js').Foe} f
 * @param {import('./play.js').Box} b @param {number} i */
function foe(ctx, s, f, b, i) {
  if (!f.hp) return;
  const { name, look } = KINDS[f.kind];
  const [color, size] = look;
  const x = b.x + b.w / 2;
  const y = FEET + 10 - size * 0.62;
  if (s.picked >= 0) box(ctx, b.x + 8, 204, b.w - 16, 276, 'rgba(255,233,176,0.16)', { radius: 16, edge: '#ffe9b0' });
  creature(ctx, f.kind, x + (s.age < 8 ? (s.age % 4) - 2 : 0), y, size, color);
  const words = intent(s, f).split(', ');
  words.forEach((w, n) => text(ctx, w, x, 128 + n * 23 + (3 - words.length) * 10, { size: 19, color: w.startsWith('attacks') ? '#ffb0a0' : '#cfe3ff', outline: '#1a1622' }));
  bar(ctx, b.x + 24, 408, b.w - 48, 22, f.hp / f.most, '#c9413a');
  text(ctx, `${f.hp} / ${f.most}`, x, 420, { size: 18, color: '#ffffff' });
  if (f.block) shield(ctx, b.x + 20, 418, f.block);
  text(ctx, `${i + 1}  ${name}`, x, 446, { size: 18, color: '#f2ecff', outline: '#1a1622' });
  powers(ctx, f.powers, x, 466, 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {string} kind @param {number} x @param {number} y @param {number} r
 * @param {string} color */
function creature(ctx, kind, x, y, r, color) {
  const k = r * 0.6;
  if (['moth', 'bat', 'raven'].includes(kind)) {
    for (const d of [-1, 1]) polygon(ctx, [[x, y], [x + d * r * 1.3, y - r * 0.8], [x + d * r * 1.1, y + r * 0.1]], color, '#1d1826', 3);
  }
  if (['rat', 'gnawer', 'twin'].includes(kind)) for (const d of [-1, 1]) disc(ctx, x + d * k * 0.8, y - k * 0.9, k * 0.35, color, '#1d1826', 3);
  if (['warden', 'clock', 'golem', 'captain'].includes(kind)) box(ctx, x - k, y - k * 1.1, 2 * k, 2.1 * k, color, { radius: k * 0.25, edge: '#1d1826', line: 4 });
  else if (['vine', 'storm', 'sludge'].includes(kind)) {
    for (const [dx, dy, q] of [[-0.6, 0.2, 0.6], [0.6, 0.2, 0.6], [0, -0.3, 0.75], [0, 0.3, 0.7]]) disc(ctx, x + dx * k, y + dy * k, q * k, color, '#1d1826', 3);
  } else disc(ctx, x, y, k, color, '#1d1826', 4);
  if (kind.startsWith('keeper')) {
    polygon(ctx, [[x - k * 0.7, y - k * 0.75], [x - k * 0.8, y - k * 1.5], [x - k * 0.35, y - k * 1.1], [x, y - k * 1.6], [x + k * 0.35, y - k * 1.1], [x + k * 0.8, y - k * 1.5], [x + k * 0.7, y - k * 0.75]], '#f2cf5a', '#5a4210', 3);
  }
  for (const d of [-1, 1]) {
    disc(ctx, x + d * k * 0.35, y - k * 0.15, k * 0.2, '#ffffff', '#1d1826', 2);
    disc(ctx, x + d * k * 0.35 - k * 0.06, y - k * 0.13, k * 0.09, '#1d1826');
  }
  box(ctx, x - k * 0.35, y + k * 0.35, k * 0.7, k * 0.12, '#1d1826', { radius: 3 });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {import('./cards.js').Held} c
 * @param {import('./play.js').Box & {place: number}} b */
function cardFace(ctx, s, c, b) {
  const { kind, cost } = CARDS[c.id];
  const dear = s.phase === 'battle' && cost > s.energy;
  const y = b.y - (s.picked === b.place && s.phase === 'battle' ? 24 : 0);
  box(ctx, b.x, y, b.w, b.h, dear ? '#b9b1a4' : '#f6efe0', { radius: 14, edge: '#221a14', line: 4 });
  box(ctx, b.x + 6, y + 6, b.w - 12, 44, HEADS[kind], { radius: 9 });
  fitted(ctx, title(c), b.x + b.w / 2 + 10, y + 29, 98, { size: 19, color: c.plus ? '#fff0a0' : '#ffffff' });
  disc(ctx, b.x + 14, y + 14, 19, dear ? '#6b6b6b' : '#2f8f5b', '#ffffff', 3);
  text(ctx, cost, b.x + 14, y + 15, { size: 23, color: '#ffffff' });
  face(c).forEach((line, i) => fitted(ctx, line, b.x + b.w / 2, y + 80 + i * 27, b.w - 12, { size: 20, color: '#2a211a' }));
  text(ctx, `${b.place + 1}`, b.x + b.w / 2, y + b.h - 18, { size: 20, color: '#8a7a64' });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function above(ctx, s) {
  box(ctx, 0, 0, 1280, 76, 'rgba(16,12,22,0.82)');
  text(ctx, CLIMBER.name, 20, 26, { size: 24, align: 'left', color: '#ffe9b0' });
  text(ctx, `Floor ${Math.min(FLOORS, s.cleared + (s.phase === 'battle' ? 1 : 0))} of ${FLOORS}`, 232, 26, { size: 24, align: 'left', color: '#ffffff' });
  bar(ctx, 430, 16, 330, 20, s.cleared / FLOORS, '#f2cf5a');
  for (const [i, floor] of [17, 34, 50].entries()) disc(ctx, 433 + (324 * floor) / FLOORS, 26, 9, i < s.bosses ? '#5fd08a' : '#7d6a8f', '#ffffff', 2);
  text(ctx, `Deck ${s.deck.length}   Draw ${s.pile.length}   Discard ${s.discard.length}   Spent ${s.spent.length}`, 1260, 26, { size: 20, align: 'right', color: '#d9d0ea', bold: false });
  const names = s.items.map((id) => ITEMS[id].name).join(' · ');
  fitted(ctx, names, 20, 56, 1040, { size: 18, align: 'left', color: '#c9bfe0', bold: false });
  text(ctx, s.phase === 'battle' ? 'Key I: items' : 'Key I: items, deck', 1260, 56, { size: 18, align: 'right', color: '#ffe9b0', bold: false });
}

/** The items and what they do; after a battle also the deck. @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function listed(ctx, s) {
  const lines = s.items.map((id) => `${ITEMS[id].name}: ${WHEN[ITEMS[id].when]}, ${say(ITEMS[id].effects)}`);
  if (s.phase === 'reward') lines.push('', ...wrapped(`Your deck of ${s.deck.length} cards: ${deckOf(s).join(', ')}`, 96));
  box(ctx, 60, 84, 1160, 40 + 26 * lines.length, 'rgba(16,12,22,0.96)', { radius: 14, edge: '#ffe9b0' });
  lines.forEach((line, i) => fitted(ctx, line, 84, 118 + i * 26, 1112, { size: 20, align: 'left', color: '#f2ecff', bold: false }));
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function below(ctx, s) {
  const battle = s.phase === 'battle';
  if (battle) {
    disc(ctx, 50, 352, 42, '#2f8f5b', '#dff5e6', 4);
    text(ctx, s.energy, 50, 346, { size: 34, color: '#ffffff' });
    text(ctx, 'energy', 50, 372, { size: 18, color: '#dff5e6', bold: false });
  }
  box(ctx, BUTTON.x, BUTTON.y, BUTTON.w, BUTTON.h, '#f2cf5a', { radius: 14, edge: '#5a4210' });
  text(ctx, battle ? 'E  End turn' : 'S  Skip', BUTTON.x + BUTTON.w / 2, BUTTON.y + 29, { size: 22, color: '#3a2a08' });
  const pointed = battle ? s.hand[s.shown] : s.offer[s.shown];
  const missteps = s.missteps ? ` Missteps on this floor: ${s.missteps} of ${MOST_MISSTEPS}.` : '';
  const words = pointed ? say(CARDS[pointed.id].effects, pointed.plus, CARDS[pointed.id].spent) : s.said + missteps;
  if (words) text(ctx, s.picked >= 0 ? 'Choose an enemy.' : words, 640, 94, { size: 20, color: s.ok || pointed ? '#fff3d0' : '#ffb0a0', outline: '#1a1622' });
}
