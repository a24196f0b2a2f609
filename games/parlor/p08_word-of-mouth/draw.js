// @ts-check
/** Word of Mouth, the picture: a viewing desk with search field, monitor, transcript, and the listed clips. */

import { bar, box, disc, polygon, sky, text } from '../../kit/draw.js';
import { ARCHIVES } from './archives.js';
import { BUTTON, SPEAKS, TILES, transcript } from './rules.js';

const INK = '#2c2418';
const PAPER = '#f6efdd';
const DIM = '#6d5f49';

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
export function draw(ctx, s) {
  const { title, clips } = ARCHIVES[s.archive];
  sky(ctx, '#7a5a3a', '#4f3822');
  for (let y = 40; y < 720; y += 76) box(ctx, 0, y, 1280, 2, 'rgba(30,18,8,0.25)');
  field(ctx, s);
  text(ctx, title, 1256, 32, { size: 28, color: '#ffe9b8', align: 'right' });
  text(ctx, `${s.watched.length} of ${clips.length} clips watched`, 1256, 64, { size: 20, color: '#ffffff', align: 'right' });
  monitor(ctx, s);
  sheet(ctx, s);
  words(ctx, s);
  TILES.forEach((tile, n) => listed(ctx, s, tile, n));
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function field(ctx, s) {
  box(ctx, 20, 18, 530, 56, '#fffdf6', { radius: 10, edge: '#2a1c10' });
  text(ctx, s.typed || 'type one word', 38, 47, { size: 28, align: 'left', color: s.typed && !s.done ? INK : '#8f8168', bold: !s.done });
  if (!s.done && s.typed) box(ctx, 42 + ctx.measureText(s.typed).width, 30, 3, 32, '#b4532a');
  box(ctx, BUTTON.x, BUTTON.y, BUTTON.w, BUTTON.h, '#d9903a', { radius: 10, edge: '#2a1c10' });
  text(ctx, 'Search', BUTTON.x + BUTTON.w / 2, 47, { size: 25, color: '#2a1606' });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function monitor(ctx, s) {
  box(ctx, 20, 90, 350, 292, '#2a2622', { radius: 22, edge: '#100d0a', line: 4 });
  ctx.save();
  ctx.beginPath();
  ctx.roundRect(38, 106, 314, 236, 26);
  ctx.clip();
  if (s.open < 0) {
    box(ctx, 38, 106, 314, 236, '#16211f');
    for (let y = 112; y < 342; y += 12) box(ctx, 38, y, 314, 3, 'rgba(130,190,170,0.09)');
    text(ctx, 'no clip', 195, 224, { size: 24, color: '#7fa99b' });
  } else {
    const { look, date, time } = ARCHIVES[s.archive].clips[s.open];
    room(ctx, 38, 106, 314, 236);
    const talks = s.age < SPEAKS && s.age % 14 < 7;
    people(ctx, look, 195, 342, 1.5, talks);
    box(ctx, 38, 106, 314, 30, 'rgba(0,0,0,0.55)');
    text(ctx, `${date}  ${time}`, 50, 122, { size: 18, color: '#d8f7d0', align: 'left', mono: true });
  }
  ctx.restore();
  for (let i = 0; i < 3; i++) disc(ctx, 300 + i * 24, 362, 7, '#5b5147');
  box(ctx, 44, 354, 120, 16, '#1a1714', { radius: 6 });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} w @param {number} h */
function room(ctx, x, y, w, h) {
  box(ctx, x, y, w, h, '#9fa893');
  box(ctx, x, y + h * 0.62, w, h * 0.38, '#7f8874');
  box(ctx, x + w * 0.72, y + h * 0.14, w * 0.2, h * 0.3, '#cfe0e6', { edge: '#5f6759', line: 2 });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function sheet(ctx, s) {
  box(ctx, 386, 90, 560, 374, PAPER, { radius: 6, edge: '#3a2a18' });
  if (s.open < 0) {
    text(ctx, s.listed.length ? 'Choose a clip with the keys 1 to 5.' : 'Nothing to watch.', 666, 270, { size: 24, color: DIM, bold: false });
    return;
  }
  const said = transcript(s, s.open);
  const size = said.length > 430 ? 21 : said.length > 330 ? 24 : 27;
  wrapped(ctx, said, 520, size).forEach((line, i) => {
    let x = 408;
    for (const word of line.split(' ')) {
      text(ctx, word, x, 122 + i * (size * 1.36), { size, align: 'left', color: INK, bold: false });
      x += ctx.measureText(`${word} `).width;
    }
  });
}

/** Lines that are not wider than `width`. @param {CanvasRenderingContext2D} ctx @param {string} what @param {number} width
 * @param {number} size */
function wrapped(ctx, what, width, size) {
  ctx.font = `${size}px sans-serif`;
  /** @type {string[]} */
  const lines = [];
  let line = '';
  for (const word of what.split(' ')) {
    const longer = line ? `${line} ${word}` : word;
    if (line && ctx.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s */
function words(ctx, s) {
  const { clips } = ARCHIVES[s.archive];
  box(ctx, 962, 90, 298, 374, '#e9dcb9', { radius: 6, edge: '#3a2a18' });
  text(ctx, `Words searched: ${s.searched.length}`, 1111, 116, { size: 21, color: INK });
  const last = s.searched.slice(-20);
  last.forEach((word, i) => {
    const short = word.length > 12 ? `${word.slice(0, 11)}…` : word;
    text(ctx, short, 980 + (i % 2) * 142, 152 + Math.floor(i / 2) * 27, { size: 20, align: 'left', color: i === last.length - 1 ? '#a13d12' : INK, bold: i === last.length - 1 });
  });
  bar(ctx, 980, 434, 262, 18, s.watched.length / clips.length, '#e0a13a');
  const place = s.query.length > 16 ? `${s.query.slice(0, 15)}…` : s.query;
  text(ctx, `“${place}”: ${s.hits} ${s.hits === 1 ? 'clip' : 'clips'}`, 195, 412, { size: 24, color: '#ffe9b8' });
  text(ctx, !s.hits ? 'in no clip' : s.hits > s.listed.length ? `the first ${s.listed.length} are listed` : 'listed below', 195, 444, { size: 20, color: '#ffffff', bold: false });
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./rules.js').State} s @param {{x: number, y: number, w: number, h: number}} tile
 * @param {number} n */
function listed(ctx, s, tile, n) {
  const { x, y, w, h } = tile;
  const i = s.listed[n];
  if (i === undefined) {
    box(ctx, x, y, w, h, 'rgba(20,12,6,0.35)', { radius: 10 });
    return;
  }
  const { date, time, look } = ARCHIVES[s.archive].clips[i];
  const fresh = !s.watched.includes(i);
  box(ctx, x, y, w, h, '#221d18', { radius: 10, edge: i === s.open ? '#ffcf5a' : '#100d0a', line: i === s.open ? 5 : 3 });
  ctx.save();
  ctx.beginPath();
  ctx.rect(x + 10, y + 10, w - 20, 146);
  ctx.clip();
  room(ctx, x + 10, y + 10, w - 20, 146);
  people(ctx, look, x + w / 2, y + 156, 0.95, false);
  if (!fresh) box(ctx, x + 10, y + 10, w - 20, 146, 'rgba(30,24,18,0.45)');
  ctx.restore();
  disc(ctx, x + 30, y + 32, 18, '#ffe9b8', '#2a1c10', 2);
  text(ctx, n + 1, x + 30, y + 33, { size: 22, color: '#2a1606' });
  const tag = fresh ? { word: 'new', fill: '#3aa655' } : { word: 'watched', fill: '#6b6258' };
  box(ctx, x + w - 110, y + 16, 96, 28, tag.fill, { radius: 8 });
  text(ctx, tag.word, x + w - 62, y + 31, { size: 18, color: '#ffffff' });
  text(ctx, date, x + w / 2, y + 176, { size: 20, color: '#ffffff' });
  text(ctx, time, x + w / 2, y + 204, { size: 20, color: '#cfc3ad', bold: false });
}

/** Who is seen, from the waist up. @param {CanvasRenderingContext2D} ctx @param {string[]} look @param {number} x
 * @param {number} y the lower edge @param {number} size @param {boolean} talks */
function people(ctx, look, x, y, size, talks) {
  const [figure, hair, cloth, head] = look;
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  if (figure === 'boys') {
    bust(ctx, -42, 8, figure, '#c9a25a', '#2f6f4f', head, false);
    bust(ctx, 34, -4, figure, hair, cloth, head, talks);
  } else bust(ctx, 0, 0, figure, hair, cloth, head, talks);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} figure @param {string} hair
 * @param {string} cloth @param {string} head @param {boolean} talks */
function bust(ctx, x, y, figure, hair, cloth, head, talks) {
  const woman = figure === 'woman';
  ctx.save();
  ctx.translate(x, y);
  if (figure === 'boys') ctx.scale(0.8, 0.8);
  if (woman && head !== 'pinned') disc(ctx, 0, -92, 33, hair);
  polygon(ctx, [[-58, 4], [-50, -34], [-18, -50], [18, -50], [50, -34], [58, 4]], cloth, '#1d1712', 2);
  polygon(ctx, [[-11, -52], [11, -52], [0, -30]], '#ecc6a0');
  if (!woman && figure !== 'boys') {
    polygon(ctx, [[-16, -51], [0, -32], [16, -51], [10, -10], [-10, -10]], '#f4f1ea');
    polygon(ctx, [[-4, -36], [4, -36], [6, -6], [-6, -6]], head === 'panama' ? '#f4f1ea' : '#7a2b2b');
  }
  disc(ctx, 0, -82, 25, '#ecc6a0', '#8d6a48', 1.5);
  ctx.fillStyle = hair;
  ctx.beginPath();
  ctx.arc(0, -86, 26, Math.PI * 1.02, Math.PI * 1.98);
  ctx.fill();
  for (const dx of [-9, 9]) disc(ctx, dx, -82, 2.6, '#2a2018');
  if (head === 'beard') {
    ctx.fillStyle = hair;
    ctx.beginPath();
    ctx.arc(0, -76, 22, 0.1, Math.PI - 0.1);
    ctx.fill();
  }
  box(ctx, -7, talks ? -71 : -69, 14, talks ? 7 : 3, '#8c3b33', { radius: 2 });
  headgear(ctx, head, cloth);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {string} head @param {string} cloth */
function headgear(ctx, head, cloth) {
  if (head === 'straw' || head === 'panama') {
    box(ctx, -44, -108, 88, 9, head === 'straw' ? '#e2c46d' : '#f2ead6', { radius: 4, edge: '#9a8347', line: 1.5 });
    box(ctx, -24, -130, 48, 24, head === 'straw' ? '#e2c46d' : '#f2ead6', { radius: 9, edge: '#9a8347', line: 1.5 });
    box(ctx, -24, -112, 48, 6, head === 'straw' ? cloth : '#222222');
  } else if (head === 'cap' || head === 'flat') {
    box(ctx, -28, -118, 56, 18, head === 'cap' ? '#22384e' : '#58563c', { radius: 9, edge: '#15202b', line: 1.5 });
    box(ctx, -30, -103, 60, 7, head === 'cap' ? '#11202e' : '#45432e', { radius: 3 });
  } else if (head === 'feather') {
    box(ctx, -32, -112, 64, 12, cloth, { radius: 6, edge: '#1d1712', line: 1.5 });
    polygon(ctx, [[18, -110], [44, -144], [30, -108]], '#c8642f', '#7a3715', 1.5);
  } else if (head === 'nurse') {
    polygon(ctx, [[-24, -102], [-30, -126], [30, -126], [24, -102]], '#ffffff', '#9aa3b0', 1.5);
  } else if (head === 'scarf') {
    polygon(ctx, [[-28, -92], [-20, -114], [20, -114], [28, -92], [0, -104]], '#4d79b8', '#2c4b78', 1.5);
    for (const dx of [-14, 0, 14]) disc(ctx, dx, -104, 5, '#b9b3aa', '#77726a', 1.5);
  } else if (head === 'pinned') disc(ctx, 0, -114, 11, '#8d8577', '#5f594e', 1.5);
  else if (head === 'pearls') for (let i = -3; i < 4; i++) disc(ctx, i * 6, -48 + Math.abs(i) * -2 + 6, 3, '#ffffff', '#a9a9b5', 1);
  else if (head === 'trumpet') polygon(ctx, [[24, -84], [58, -104], [62, -80]], '#b98a3c', '#6b4d1b', 2);
  else if (head === 'glasses') for (const dx of [-9, 9]) disc(ctx, dx, -82, 8, 'rgba(220,235,245,0.5)', '#222222', 2);
  else if (head === 'gloves') for (const dx of [-34, 34]) disc(ctx, dx, -8, 11, '#d8c6ea', '#6f568c', 1.5);
}
