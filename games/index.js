// @ts-check
/** The list of games for a person, library by library. Reads the few fields it shows from each library.yaml and game.yaml;
 * what is missing is left out. */

import { GAMES } from './library.js';

/** @type {Record<string, string>} */
const COLORS = { arcade: '#c2410c', platformer: '#15803d', puzzle: '#6d28d9', runner: '#0369a1', simulation: '#a16207' };
/** @type {Record<string, string>} */
const ARROWS = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** @typedef {{id: string, title: string, genre: string, level: string, summary: string, keys: string[], mouse: boolean,
 *   starts: string[]}} Card */

/** @param {string} id @returns {Promise<Card|null>} */
async function read(id) {
  const answer = await fetch(`${id}/game.yaml`);
  if (!answer.ok) return null;
  const yaml = await answer.text();
  const field = (/** @type {string} */ name) =>
    (yaml.match(new RegExp(`^${name}: *(?:[>|]-?\\n +)?(.*(?:\\n +.*)*)`, 'm'))?.[1] ?? '').replace(/\s+#.*$/, '').replace(/\s*\n\s*/g, ' ').replace(/^["']|["']$/g, '');
  const keys = [...yaml.matchAll(/^ +(?:- )?keys: *\[(.*)\]/gm)].flatMap((m) => m[1].split(',').map((k) => k.trim().replace(/["']/g, '')));
  const starts = [...yaml.matchAll(/^ +options: *["']?([^"'\n]*)/gm)].map((m) => m[1].trim());
  return {
    id,
    title: field('title'),
    genre: field('genre'),
    level: field('level'),
    summary: field('summary'),
    keys: [...new Set(keys)].filter(Boolean),
    mouse: /^ +clicks: *true/m.test(yaml),
    starts: [...new Set(starts.length ? starts : [''])],
  };
}

/** Words for a start option: `?level=2` → Level 2. @param {string} start @param {number} count */
function label(start, count) {
  if (count === 1) return 'Play';
  const number = start.match(/(\w+)[=/](\d+)/);
  return number ? `${number[1][0].toUpperCase()}${number[1].slice(1)} ${number[2]}` : start || 'Play';
}

/** @param {string} tag @param {string} [text] @param {string} [className] */
function element(tag, text = '', className = '') {
  const e = document.createElement(tag);
  e.textContent = text;
  if (className) e.className = className;
  return e;
}

/** @param {Card} game */
function card(game) {
  const box = element('article', '', 'game');
  box.style.setProperty('--genre', COLORS[game.genre] ?? '#475569');
  const title = element('h4', game.title);
  if (game.level) title.append(element('span', `level ${game.level}`));
  const keys = element('div', '', 'keys');
  const shown = game.keys.length > 10 ? ['keyboard'] : game.keys.map((k) => ARROWS[k] ?? k);
  for (const key of [...shown, ...(game.mouse ? ['mouse'] : [])]) keys.append(element('kbd', key), ' ');
  const starts = element('div', '', 'starts');
  for (const start of game.starts) {
    const link = /** @type {HTMLAnchorElement} */ (element('a', label(start, game.starts.length)));
    link.href = `${game.id}/${start}`;
    link.setAttribute('aria-label', `${game.title}: ${link.textContent}`);
    starts.append(link);
  }
  box.append(title, element('p', game.summary), keys, starts);
  return box;
}

/** The title of a library, from its library.yaml; its folder's name if it says none. @param {string} folder */
async function titleOf(folder) {
  const answer = await fetch(`${folder}/library.yaml`);
  return (answer.ok && (await answer.text()).match(/^title: *["']?(.*?)["']? *$/m)?.[1]) || folder;
}

/** @param {string} folder @param {Card[]} games */
async function section(folder, games) {
  const box = element('section');
  box.append(element('h2', await titleOf(folder)));
  const genres = [...new Set([...Object.keys(COLORS), ...games.map((g) => g.genre)])];
  for (const genre of genres) {
    const some = games.filter((g) => g.genre === genre);
    if (!some.length) continue;
    const grid = element('div', '', 'games');
    grid.append(...some.map(card));
    box.append(...(genre ? [element('h3', genre)] : []), grid);
  }
  return box;
}

const games = (await Promise.all(GAMES.map(read))).filter((g) => g !== null);
const folders = [...new Set(games.map((g) => g.id.split('/')[0]))];
const list = /** @type {HTMLElement} */ (document.getElementById('list'));
list.append(...(await Promise.all(folders.map((f) => section(f, games.filter((g) => g.id.startsWith(`${f}/`)))))));
