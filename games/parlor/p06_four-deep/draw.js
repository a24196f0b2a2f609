// @ts-check
/** Four Deep, the picture: both sides in a vault by torchlight, the acting hero's skills with their ranks below. */

import { bar, box, disc, polygon, sky, text } from '../../kit/draw.js';
import { fitted, wrapped } from '../parts/words.js';
import { CREATURES } from './data.js';
import { effects } from './describe.js';
import { acting, kindOf, usable } from './fight.js';
import { inHand, MOVES, placeOf, SKILL_BOX, TARGET_KEYS } from './play.js';
import { ALL_ROOMS, PACE, story, totalStress } from './rules.js';

/** @typedef {import('./rules.js').State} State */
/** @typedef {CanvasRenderingContext2D} Ctx */

const FLOOR = 396;
const GOLD = '#f3c95b';
const BONE = '#d9d2bd';

/** @param {Ctx} ctx @param {State} s */
export function draw(ctx, s) {
  vault(ctx, s);
  const h = acting(s);
  const slot = inHand(s);
  const skill = h && slot ? kindOf(h).skills[slot - 1] : null;
  s.heroes.forEach((o, i) => {
    const x = placeOf('heroes', i);
    const aimed = !!h && skill?.aim === 'hero' && skill.use.includes(s.heroes.indexOf(h) + 1) && skill.at.includes(i + 1);
    ground(ctx, o, x, o === h, aimed, '#7fd08a', i);
    hero(ctx, o, x + nudge(s, o.id, 1), FLOOR);
    plate(ctx, x, o.name, o.hp / o.max, `${o.hp}/${o.max}`, '#c8423f');
    bar(ctx, x - 56, 468, 112, 16, o.stress / 200, '#8d7bd8');
    text(ctx, `stress ${o.stress}`, x, 495, { size: 18, color: o.stress >= 100 ? '#ff9d9d' : '#c9c2ea' });
    badges(ctx, o, x, o === h);
  });
  s.foes.forEach((f, i) => {
    const x = placeOf('foes', i);
    const aimed = !!h && skill?.aim === 'enemy' && skill.use.includes(s.heroes.indexOf(h) + 1) && skill.at.includes(i + 1);
    ground(ctx, f, x, false, aimed, '#ff8d6b', i);
    if (f.corpse) corpse(ctx, x);
    else creature(ctx, f.kind, x + nudge(s, f.id, -1), FLOOR, s.age);
    plate(ctx, x, f.corpse ? 'corpse' : CREATURES[f.kind].title, f.hp / f.max, `${f.hp}/${f.max}`, f.corpse ? '#77705f' : '#c8423f');
    badges(ctx, f, x, false);
    if (f.corpse) return;
    const { dodge, protection, steady, threat } = CREATURES[f.kind];
    fitted(ctx, `dodge ${dodge}, prot. ${protection}%`, x, 474, 126, { size: 18, color: '#b7b0c4', bold: false });
    fitted(ctx, `stun res. ${steady}%, threat ${threat}`, x, 494, 126, { size: 18, color: '#b7b0c4', bold: false });
  });
  panel(ctx, s, h, slot);
}

/** How far one who acts leans forward. @param {State} s @param {string} id @param {number} way */
const nudge = (s, id, way) => (s.show.from === id && s.lean > 0 ? way * 22 * Math.sin((Math.PI * s.lean) / PACE) : 0);

/** @param {Ctx} ctx @param {State} s */
function vault(ctx, s) {
  sky(ctx, '#17141c', '#2b2430', '#17141c');
  for (let i = -1; i < 5; i++) {
    const x = i * 320 + 160;
    box(ctx, x - 26, 60, 52, 350, '#39313d', { edge: '#211b26' });
    box(ctx, x - 38, 60, 76, 26, '#463c4a', { edge: '#211b26' });
    polygon(ctx, [[x + 26, 110], [x + 90, 66], [x + 160, 54], [x + 230, 66], [x + 294, 110], [x + 294, 60], [x + 26, 60]], '#39313d');
    const flame = 5 * Math.sin(s.age / 7 + i * 2);
    disc(ctx, x, 190, 60 + flame, 'rgba(255,170,70,0.10)');
    disc(ctx, x, 190, 32 + flame, 'rgba(255,190,90,0.18)');
    polygon(ctx, [[x - 9, 196], [x, 164 + flame], [x + 9, 196]], '#ffb347');
    polygon(ctx, [[x - 5, 196], [x, 178 + flame], [x + 5, 196]], '#fff0a8');
    box(ctx, x - 5, 196, 10, 30, '#6b4a2c');
  }
  box(ctx, 0, 372, 1280, 138, '#3a3238');
  for (let i = -1; i < 12; i++) polygon(ctx, [[i * 128, 372], [i * 128 + 4, 372], [i * 128 - 36, 502], [i * 128 - 44, 502]], '#2c262c');
  box(ctx, 0, 0, 1280, 46, 'rgba(10,8,14,0.85)');
  const items = [`Room ${Math.min(s.rooms + 1, ALL_ROOMS)} of ${ALL_ROOMS}`, ...(s.round ? [`round ${s.round}`] : []), `food ${s.food}`, `torches ${s.torches}`, `stress ${totalStress(s)} of 800`];
  if (s.fallen.length) items.push(`dead: ${s.fallen.join(', ')}`);
  fitted(ctx, items.join('   ·   '), 24, 24, 980, { size: 22, color: GOLD, align: 'left' });
  text(ctx, '1–4 skill, then target', 1256, 24, { size: 20, color: BONE, align: 'right', bold: false });
}

/** A ring at the feet, and an arrow and a key above all badges. @param {Ctx} ctx @param {any} u @param {number} x
 * @param {boolean} acts @param {boolean} aimed @param {string} color @param {number} i */
function ground(ctx, u, x, acts, aimed, color, i) {
  ctx.save();
  ctx.translate(x, FLOOR + 4);
  ctx.scale(1, 0.24);
  disc(ctx, 0, 0, 50, 'rgba(0,0,0,0.45)', acts ? GOLD : aimed ? color : undefined, 8);
  ctx.restore();
  const y = above(u) - 8 - BADGE * Math.max(1, badgesOf(u).length);
  if (acts) polygon(ctx, [[x - 12, y - 9], [x + 12, y - 9], [x, y + 9]], GOLD);
  else if (aimed) polygon(ctx, [[x - 9, y - 7], [x + 9, y - 7], [x, y + 7]], color);
  if (aimed) text(ctx, TARGET_KEYS[i].toUpperCase(), x - 26, y, { size: 22, color });
}

/** @param {Ctx} ctx @param {number} x @param {string} name @param {number} part @param {string} hp @param {string} color */
function plate(ctx, x, name, part, hp, color) {
  text(ctx, name, x, 424, { size: name.length > 11 ? 18 : 20, color: BONE });
  bar(ctx, x - 56, 438, 112, 24, part, color);
  text(ctx, hp, x, 451, { size: 18, color: '#ffffff', outline: '#1a1014' });
}

/** Height of a line of badges, and where the lowest one is: the captain wears a hat. */
const BADGE = 19;
/** @param {any} u */
const above = (u) => (u.kind === 'captain' && !u.corpse ? 142 : 166);

/** Stun, bleeding, blight and what else changes a turn: words and colors. @param {any} u */
function badgesOf(u) {
  const marks = [];
  if (u.stun) marks.push(['stun', '#ffe27a']);
  if (u.bleed.turns) marks.push([`bleed ${u.bleed.amount} for ${u.bleed.turns}`, '#ff7070']);
  if (u.blight.turns) marks.push([`blight ${u.blight.amount} for ${u.blight.turns}`, '#a6e05a']);
  if (u.guard) marks.push(['guarded', '#9cc7ff']);
  if (u.mind) marks.push([u.mind, u.mind === 'afflicted' ? '#ff9d9d' : '#bff0c4']);
  if (u.hp === 0) marks.push(['death’s door', '#ff5050']);
  return marks;
}

/** Badges above the head, and a sign for a moved turn. @param {Ctx} ctx @param {any} u @param {number} x @param {boolean} acts */
function badges(ctx, u, x, acts) {
  badgesOf(u).forEach(([word, color], i) => fitted(ctx, word, x, above(u) - BADGE * i, 124, { size: 18, color, outline: '#120d14' }));
  if (u.moved && !u.corpse && !acts) text(ctx, '✓', x + 48, 404, { size: 20, color: '#9a94a8' });
}

/** Cloak, armour and what they carry, by class. @type {Record<string, [string, string, string]>} */
const CLOTHES = {
  warden: ['#5d6f8a', '#aeb9c9', 'sword'],
  duelist: ['#7c3440', '#caa46a', 'pistol'],
  chantress: ['#e4dccb', '#c9a23a', 'book'],
  apothecary: ['#3f5b46', '#8fae6a', 'flask'],
  bulwark: ['#6d5a3d', '#b3a07a', 'mace'],
  delver: ['#4a3d63', '#8b7bb5', 'knife'],
};

/** @param {Ctx} ctx @param {import('./rules.js').Hero} h @param {number} x @param {number} y */
function hero(ctx, h, x, y) {
  const [cloak, metal, tool] = CLOTHES[h.kind];
  ctx.save();
  ctx.translate(x, y);
  if (!h.hp) ctx.rotate(-0.12);
  box(ctx, -17, -46, 14, 48, '#2a2228', { radius: 5 });
  box(ctx, 4, -46, 14, 48, '#2a2228', { radius: 5 });
  polygon(ctx, [[-30, -30], [-22, -128], [22, -128], [32, -30]], cloak, '#1a1318', 4);
  box(ctx, -19, -122, 38, 52, metal, { radius: 8, edge: '#1a1318' });
  box(ctx, -21, -72, 42, 9, '#2a1d16');
  disc(ctx, 0, -150, 22, '#e7bd94', '#1a1318', 4);
  if (h.kind === 'apothecary') {
    disc(ctx, 0, -152, 22, '#2e2a26', '#1a1318', 4);
    polygon(ctx, [[10, -156], [48, -138], [10, -140]], '#cdbb95', '#1a1318');
    disc(ctx, 8, -158, 5, '#f3e9c8');
    box(ctx, -28, -178, 56, 8, '#1f1b18', { radius: 3 });
  } else if (h.kind === 'warden' || h.kind === 'bulwark') {
    disc(ctx, 0, -152, 23, metal, '#1a1318', 4);
    box(ctx, -6, -158, 28, 7, '#15101a');
    if (h.kind === 'warden') polygon(ctx, [[-4, -174], [4, -174], [-22, -204], [-16, -178]], '#b23a3a', '#1a1318');
  } else if (h.kind === 'chantress') {
    polygon(ctx, [[-26, -112], [-24, -164], [0, -182], [24, -164], [16, -150], [-4, -166], [-14, -112]], '#f4eee0', '#1a1318', 3);
    disc(ctx, 9, -150, 3, '#2a2228');
  } else {
    polygon(ctx, [[-30, -160], [34, -166], [20, -172], [12, -194], [-16, -192], [-20, -170]], cloak, '#1a1318', 3);
    disc(ctx, 10, -150, 3, '#2a2228');
    box(ctx, -2, -142, 22, 12, cloak, { radius: 4 });
  }
  weapon(ctx, tool, metal);
  ctx.restore();
}

/** @param {Ctx} ctx @param {string} tool @param {string} metal */
function weapon(ctx, tool, metal) {
  disc(ctx, 30, -92, 9, '#e7bd94', '#1a1318');
  if (tool === 'sword') {
    polygon(ctx, [[28, -100], [33, -182], [40, -186], [42, -100]], '#dfe6ee', '#1a1318');
    box(ctx, 20, -104, 30, 7, '#8a6a2c');
    polygon(ctx, [[-40, -118], [-8, -118], [-8, -82], [-24, -62], [-40, -82]], '#7b2f36', '#d8c27a', 4);
  } else if (tool === 'pistol') {
    box(ctx, 28, -104, 38, 9, '#9a8f84', { edge: '#1a1318' });
    polygon(ctx, [[28, -98], [38, -98], [32, -80], [24, -80]], '#6b4426', '#1a1318');
  } else if (tool === 'book') {
    polygon(ctx, [[18, -92], [36, -102], [54, -92], [36, -82]], '#f4eee0', '#8a2c2c', 4);
    disc(ctx, 36, -116, 8, 'rgba(255,236,150,0.8)');
  } else if (tool === 'flask') {
    disc(ctx, 40, -92, 12, '#9be05a', '#1a1318');
    box(ctx, 36, -114, 8, 12, '#cfe9c0', { edge: '#1a1318' });
  } else if (tool === 'mace') {
    box(ctx, 30, -156, 8, 66, '#6b4426', { edge: '#1a1318' });
    disc(ctx, 34, -162, 15, metal, '#1a1318');
    box(ctx, -42, -124, 34, 62, '#8a6f44', { radius: 8, edge: '#d8c27a', line: 4 });
  } else {
    polygon(ctx, [[30, -94], [58, -106], [34, -86]], '#dfe6ee', '#1a1318');
    polygon(ctx, [[-34, -60], [-28, -130], [-22, -130], [-24, -60]], '#6b4426', '#1a1318');
    polygon(ctx, [[-48, -128], [-24, -138], [-4, -124], [-24, -128]], '#b8c0cc', '#1a1318');
  }
}

/** @param {Ctx} ctx @param {number} x */
function corpse(ctx, x) {
  for (const [dx, dy, w] of [[-34, -10, 68], [-20, -22, 50], [4, -30, 22]]) box(ctx, x + dx, FLOOR + dy, w, 13, '#8d866f', { radius: 6, edge: '#3a3427' });
  disc(ctx, x - 26, FLOOR - 24, 14, '#b5ad92', '#3a3427');
  disc(ctx, x - 30, FLOOR - 25, 4, '#2a2228');
}

/** Body, rags, height and what they carry, by kind. @type {Record<string, [string, string, number, string]>} */
const SHAPES = {
  husk: ['#bfc6b8', '#6f7466', 0.92, 'claws'],
  guard: ['#9d6a45', '#5c4a3a', 1, 'halberd'],
  harpooner: ['#a9b7b4', '#35525c', 1, 'harpoon'],
  mourner: ['#c9c4d4', '#3c3357', 1.05, 'goblet'],
  anchorite: ['#8fa3a0', '#4d5c59', 1.15, 'anchor'],
  wrecker: ['#caa98a', '#6b2e2e', 0.97, 'knives'],
  raver: ['#e0b98f', '#7a6a2a', 0.97, 'bell'],
  captain: ['#b7c9c4', '#1f3a4a', 1.25, 'cutlass'],
};

/** @param {Ctx} ctx @param {string} kind @param {number} x @param {number} y @param {number} age */
function creature(ctx, kind, x, y, age) {
  const [skin, rags, size, tool] = SHAPES[kind];
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(-size, size);
  ctx.translate(0, Math.sin(age / 30 + x) * 1.5);
  box(ctx, -16, -44, 11, 46, skin, { radius: 4, edge: '#191420' });
  box(ctx, 5, -44, 11, 46, skin, { radius: 4, edge: '#191420' });
  polygon(ctx, [[-28, -24], [-24, -122], [24, -122], [28, -30], [14, -40], [4, -22], [-8, -38], [-16, -20]], rags, '#191420', 4);
  for (const dy of [-108, -96, -84]) box(ctx, -12, dy, 24, 5, skin, { radius: 2 });
  disc(ctx, 2, -144, 21, skin, '#191420', 4);
  disc(ctx, 10, -148, 5, '#191420');
  disc(ctx, 10, -148, 2.4, kind === 'raver' ? '#ff6b6b' : '#8ff0e0');
  box(ctx, 2, -134, 16, 4, '#191420');
  if (kind === 'guard') polygon(ctx, [[-22, -150], [-14, -172], [18, -172], [26, -150]], '#7a4a2c', '#191420');
  if (kind === 'mourner') polygon(ctx, [[-28, -90], [-28, -166], [4, -184], [26, -160], [4, -164], [-12, -130]], rags, '#191420');
  if (kind === 'captain') polygon(ctx, [[-36, -156], [0, -196], [36, -156], [0, -168]], '#14242e', '#c9a23a', 3);
  if (kind === 'harpooner') box(ctx, -22, -168, 46, 12, '#35525c', { radius: 6, edge: '#191420' });
  if (kind === 'raver') for (const d of [-16, -4, 8]) polygon(ctx, [[d - 4, -160], [d, -186], [d + 8, -162]], '#d8d0b0', '#191420', 2);
  arm(ctx, tool, skin);
  ctx.restore();
}

/** @param {Ctx} ctx @param {string} tool @param {string} skin */
function arm(ctx, tool, skin) {
  disc(ctx, 30, -92, 8, skin, '#191420');
  if (tool === 'claws') for (const d of [-6, 0, 6]) polygon(ctx, [[30, -96 + d], [52, -92 + d], [30, -90 + d]], '#f0eddf', '#191420', 2);
  else if (tool === 'halberd' || tool === 'harpoon') {
    box(ctx, 30, -186, 6, 180, '#6b4426', { edge: '#191420' });
    polygon(ctx, tool === 'halberd' ? [[36, -180], [60, -168], [56, -140], [36, -150]] : [[24, -184], [33, -216], [42, -184]], '#c6ccd4', '#191420');
  } else if (tool === 'goblet') {
    polygon(ctx, [[28, -118], [56, -118], [46, -98], [38, -98]], '#c9a23a', '#191420');
    disc(ctx, 42, -120, 12, 'rgba(160,120,255,0.7)');
  } else if (tool === 'anchor') {
    box(ctx, 32, -150, 9, 80, '#707b86', { edge: '#191420' });
    polygon(ctx, [[8, -90], [36, -62], [66, -90], [60, -70], [36, -48], [14, -70]], '#707b86', '#191420');
    disc(ctx, 36, -156, 9, '#39313d', '#8d98a4', 5);
  } else if (tool === 'bell') {
    polygon(ctx, [[30, -120], [44, -120], [54, -92], [20, -92]], '#d9b64a', '#191420');
    disc(ctx, 37, -88, 5, '#191420');
  } else {
    polygon(ctx, [[30, -98], [72, -126], [66, -104], [32, -84]], '#dfe6ee', '#191420');
    if (tool === 'knives') polygon(ctx, [[-30, -92], [-58, -116], [-36, -82]], '#dfe6ee', '#191420');
  }
}

/** @param {Ctx} ctx @param {State} s @param {import('./rules.js').Hero|null} h @param {number} slot */
function panel(ctx, s, h, slot) {
  box(ctx, 0, 504, 1280, 216, '#120e15', { edge: '#4d3f2b', line: 3 });
  if (h) {
    const rank = s.heroes.indexOf(h) + 1;
    const { title, damage, crit, dodge, protection } = kindOf(h);
    const stats = `${h.name} the ${title}, rank ${rank}: damage ${damage.join('–')}, critical ${crit}%, dodge ${dodge}, prot. ${protection}%`;
    fitted(ctx, stats, 22, 528, 590, { size: 19, align: 'left', color: GOLD });
    text(ctx, 'move', 698, 528, { size: 18, align: 'right', color: BONE, bold: false });
    kindOf(h).skills.forEach((k, i) => skillBox(ctx, s, h, k, i, slot === i + 1));
    for (const m of MOVES) {
      box(ctx, m.x, m.y, m.w, m.h, '#3b3040', { radius: 10, edge: '#8a7a55' });
      text(ctx, m.label, m.x + m.w / 2, m.y + m.h / 2 + 1, { size: 22, color: BONE });
    }
  }
  box(ctx, 882, 512, 388, 200, '#1c1622', { radius: 10 });
  const lines = [...story(s), ...(s.refused ? [s.refused] : [])].flatMap((line) => wrapped(line, 36)).slice(-8);
  lines.forEach((line, i) => text(ctx, line, 894, 530 + i * 23.5, { size: 18, align: 'left', bold: false, color: i > lines.length - 3 ? '#ffffff' : '#aaa3b5' }));
}

/** @param {Ctx} ctx @param {State} s @param {import('./rules.js').Hero} h @param {import('./data.js').Skill} k @param {number} i @param {boolean} chosen */
function skillBox(ctx, s, h, k, i, chosen) {
  const { y, w, h: height, step } = SKILL_BOX;
  const x = SKILL_BOX.x + i * step;
  const open = usable(s, h, k);
  box(ctx, x, y, w, height, open ? '#33283a' : '#1d1820', { radius: 10, edge: chosen ? GOLD : '#574a60', line: chosen ? 4 : 2 });
  const color = open ? '#ffffff' : '#7d7587';
  text(ctx, `${i + 1}  ${k.name}`, x + 12, y + 20, { size: 20, align: 'left', color });
  // From which own ranks (they are counted towards the middle), and which ranks it reaches.
  for (let rank = 1; rank <= 4; rank++) {
    disc(ctx, x + 84 - rank * 17, y + 46, 6.5, k.use.includes(rank) ? GOLD : '#3f3646');
    const at = k.aim === 'enemy' ? x + 106 + rank * 17 : x + 191 - rank * 17;
    disc(ctx, at, y + 46, 6.5, k.at.includes(rank) ? (k.aim === 'enemy' ? '#ff7d5c' : '#7fd08a') : '#3f3646');
  }
  text(ctx, k.all ? 'all' : '→', x + 102, y + 46, { size: 18, color, bold: false });
  wrapped(effects(k).join(', '), 18).slice(0, 5).forEach((line, n) => text(ctx, line, x + 12, y + 72 + n * 20, { size: 18, align: 'left', bold: false, color: open ? '#d8d0e0' : '#7d7587' }));
}
