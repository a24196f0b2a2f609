// @ts-check
/**
 * How an adventure looks around its pictures: the bar above, words, things carried, talk, notebook, what the pointer is on.
 *
 * @typedef {{frame: string, ink: string, paper: string, accent: string, dark: string, serif?: boolean}} Look
 *   Colours of one case: bars, text on paper, paper, highlights, text background.
 */

import { BAR, CAPTION, CELL, ON_A_PAGE, PICTURE, SLOT, hit, targets, words } from './adventure-targets.js';
import { box, drawEnd, text } from '../../kit/draw.js';
import { HEIGHT, WIDTH } from '../../kit/page.js';
import { portrait } from './people.js';

/** Lines of text that fit a width. @param {CanvasRenderingContext2D} ctx @param {string} what @param {number} width
 * @param {string} font */
export function wrap(ctx, what, width, font) {
  ctx.font = font;
  const lines = [];
  for (const part of what.split('\n')) {
    let line = '';
    for (const word of part.split(' ')) {
      const longer = line ? `${line} ${word}` : word;
      if (line && ctx.measureText(longer).width > width) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    lines.push(line);
  }
  return lines;
}

/** Wrapped text from a corner. @param {CanvasRenderingContext2D} ctx @param {string} what @param {number} x @param {number} y
 * @param {number} width @param {{size?: number, color?: string, gap?: number, family?: string}} [style] */
export function paragraph(ctx, what, x, y, width, style = {}) {
  const { size = 20, color = '#fff', gap = 1.25, family = 'sans-serif' } = style;
  const font = `${size}px ${family}`;
  const lines = wrap(ctx, what, width, font);
  ctx.font = font;
  ctx.fillStyle = color;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  lines.forEach((line, i) => ctx.fillText(line, x, y + size * (0.9 + i * gap)));
  return lines.length * size * gap;
}

/** @param {CanvasRenderingContext2D} ctx @param {import('./adventure.js').Story} story @param {any} s */
export function drawAdventure(ctx, story, s) {
  const { look } = story;
  const all = targets(story, s);
  const over = hit(all, s.pointer.x, s.pointer.y);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, PICTURE.y, PICTURE.w, PICTURE.h);
  ctx.clip();
  ctx.translate(0, PICTURE.y);
  story.scenes[s.scene].draw(ctx, s);
  ctx.restore();
  if (over?.kind === 'spot' && !story.quiet) {
    ctx.save();
    ctx.setLineDash([10, 6]);
    box(ctx, over.x + 1, over.y + 1, over.w - 2, over.h - 2, 'rgba(255,255,255,0.10)', { radius: 10, edge: look.accent, line: 3 });
    ctx.restore();
  }
  drawTop(ctx, story, s, all, over);
  drawCaption(ctx, story, s, over);
  drawThings(ctx, story, s, all, over);
  if (s.mode?.kind === 'talk') drawTalk(ctx, story, s, all, over);
  if (s.mode?.kind === 'book') drawBook(ctx, story, s, all, over);
  if (s.ending && !s.over) drawEnd(ctx, { outcome: 'win', reason: s.ending.reason });
}

/** The same with the cells and their names over it. @param {CanvasRenderingContext2D} ctx
 * @param {import('./adventure.js').Story} story @param {any} s */
export function drawWithGrid(ctx, story, s) {
  drawAdventure(ctx, story, s);
  ctx.strokeStyle = 'rgba(255,255,255,0.35)';
  ctx.lineWidth = 1;
  for (let c = 0; c < CELL.columns; c++) {
    ctx.strokeRect(c * CELL.w, 0, CELL.w, HEIGHT);
    for (const y of [47, 571]) text(ctx, String.fromCharCode(97 + c), (c + 0.5) * CELL.w, y, { size: 18, color: '#fff', outline: '#000' });
  }
  for (let r = 0; r < CELL.rows; r++) {
    ctx.strokeRect(0, r * CELL.h, WIDTH, CELL.h);
    for (const x of [12, 1266]) text(ctx, r + 1, x, (r + 0.5) * CELL.h, { size: 18, color: '#fff', outline: '#000' });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {any} t @param {boolean} lit @param {Look} look */
function button(ctx, t, lit, look) {
  box(ctx, t.x, t.y + 3, t.w, t.h - 6, lit ? look.accent : 'rgba(255,255,255,0.16)', { radius: 8 });
  text(ctx, t.name, t.x + t.w / 2, t.y + t.h / 2 + 1, { size: 18, color: lit ? look.dark : '#fff' });
}

/** @param {CanvasRenderingContext2D} ctx @param {any} story @param {any} s @param {any[]} all @param {any} over */
function drawTop(ctx, story, s, all, over) {
  box(ctx, 0, 0, WIDTH, PICTURE.y, story.look.frame);
  const status = (story.status?.(s) ?? []).map((/** @type {any[]} */ e) => e.join(' ')).join('   ·   ');
  text(ctx, [words(story.scenes[s.scene].name, s), status].filter(Boolean).join('   ·   '), 590, 19, { size: 20, color: '#fff' });
  for (const t of all) if (['back', 'map', 'book'].includes(t.kind)) button(ctx, t, t === over, story.look);
}

/** @param {CanvasRenderingContext2D} ctx @param {any} story @param {any} s @param {any} over */
function drawCaption(ctx, story, s, over) {
  box(ctx, 0, CAPTION.y, WIDTH, CAPTION.h, story.look.dark);
  box(ctx, 0, CAPTION.y, WIDTH, 3, story.look.accent);
  if (s.said) {
    const line = s.said.who ? `${s.said.who}: ${s.said.text}` : s.said.text;
    const tall = wrap(ctx, line, 1240, '20px sans-serif').length;
    paragraph(ctx, line, 20, CAPTION.y + (tall > 2 ? 3 : tall > 1 ? 11 : 24), 1240, { size: 20, color: '#fff8ea', gap: 1.08 });
  } else if (over && over.kind !== 'choice' && !(story.quiet && over.kind === 'spot')) {
    const verb = s.held && over.kind === 'spot' ? `Use ${words(story.items[s.held].name, s)} on: ` : '';
    text(ctx, verb + over.name, WIDTH / 2, CAPTION.y + 36, { size: 22, color: story.look.accent });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {any} story @param {any} s @param {any[]} all @param {any} over */
function drawThings(ctx, story, s, all, over) {
  box(ctx, 0, BAR.y, WIDTH, BAR.h, story.look.frame);
  for (let i = 0; i < 15; i++) box(ctx, 10 + i * SLOT.w, BAR.y + 6, SLOT.w - 4, SLOT.h, 'rgba(0,0,0,0.22)', { radius: 10 });
  for (const t of all.filter((a) => a.kind === 'item')) {
    const held = s.held === t.id;
    const edge = held ? '#ffffff' : t === over ? story.look.accent : undefined;
    box(ctx, t.x, t.y, t.w, t.h, held ? story.look.accent : 'rgba(255,255,255,0.20)', { radius: 10, edge, line: 4 });
    ctx.save();
    ctx.translate(t.x + t.w / 2, t.y + t.h / 2);
    story.items[t.id].icon(ctx);
    ctx.restore();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {any} story @param {any} s @param {any[]} all @param {any} over */
function drawTalk(ctx, story, s, all, over) {
  const { look } = story;
  const talk = story.talks[s.mode.id];
  const who = story.people[talk.who];
  box(ctx, 0, PICTURE.y, WIDTH, PICTURE.h, 'rgba(8,10,18,0.62)');
  box(ctx, 46, 70, 320, 462, look.paper, { radius: 18, edge: look.accent, line: 5 });
  ctx.save();
  ctx.beginPath();
  ctx.roundRect(50, 74, 312, 400, 14);
  ctx.clip();
  ctx.translate(206, 474);
  portrait(ctx, who.face, 360);
  ctx.restore();
  text(ctx, who.name, 206, 503, { size: 23, color: look.ink });
  box(ctx, 386, 70, 860, 206, look.paper, { radius: 18, edge: look.accent, line: 4 });
  paragraph(ctx, words(talk.nodes[s.mode.node].say, s), 412, 86, 810, { size: 22, color: look.ink, gap: 1.22, family: look.serif ? 'serif' : 'sans-serif' });
  for (const t of all) {
    box(ctx, t.x, t.y, t.w, t.h, t === over ? look.accent : look.dark, { radius: 12, edge: look.accent, line: 2 });
    text(ctx, t.name, t.x + 18, t.y + t.h / 2 + 1, { size: 20, color: t === over ? look.dark : '#fff', align: 'left', bold: false });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {any} story @param {any} s @param {any[]} all @param {any} over */
function drawBook(ctx, story, s, all, over) {
  const { look } = story;
  box(ctx, 0, PICTURE.y, WIDTH, PICTURE.h, 'rgba(8,10,18,0.62)');
  box(ctx, 180, 56, 920, 490, look.paper, { radius: 14, edge: look.accent, line: 6 });
  text(ctx, `${story.notebook}, page ${s.mode.page + 1}`, 220, 94, { size: 26, color: look.ink, align: 'left' });
  const shown = s.notes.slice(s.mode.page * ON_A_PAGE, (s.mode.page + 1) * ON_A_PAGE);
  let y = 124;
  for (const n of shown.length ? shown : ['Nothing yet.']) y += paragraph(ctx, `• ${n}`, 220, y, 840, { size: 19, color: look.ink, gap: 1.18 }) + 5;
  for (const t of all) {
    box(ctx, t.x, t.y, t.w, t.h, t === over ? look.accent : look.dark, { radius: 10 });
    text(ctx, t.kind === 'close' ? 'Close' : t.name, t.x + t.w / 2, t.y + t.h / 2, { size: 20, color: '#fff' });
  }
}
