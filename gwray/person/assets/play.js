// @ts-check
/** The person's page: shows the frame that the role is to decide on, sends one action for each question. */

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const frame = /** @type {HTMLImageElement} */ ($('frame'));
const about = await (await fetch('about')).json();
/** @type {Record<string, number>} Number of each role's open question, 0: none. */
let asked = {};
let known = '';
/** The control that a click on the picture means, in the semantic interface. @type {{role: string, control: any} | null} */
let armed = null;
/** Pixels of the game from which on a pressed button that moves drags. */
const PULLED = 8;
const ARROWS = /** @type {Record<string, string>} */ ({ ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' });

$('title').textContent = `${about.title}, task ${about.task}${about.place ? ` (${about.place})` : ''}`;
$('standing').hidden = about.blind;
if (!about.blind) showStanding({ score: null, progress: null, left: about.max_steps });
$('instruction').textContent = about.instruction;
$('rules').textContent = about.rules;
document.title = about.title;

for (const role of about.roles) $('roles').append(panel(role));

/** @param {any} role */
function panel(role) {
  const box = document.createElement('section');
  box.append(element('h2', about.roles.length > 1 ? role.name : 'What you can do'), element('p', role.description));
  const said = element('p', '');
  said.className = 'said';
  said.id = `said-${role.name}`;
  const controls = document.createElement('div');
  controls.className = 'controls';
  if (about.interface === 'semantic') role.controls.forEach((/** @type {any} */ c) => controls.append(control(role, c)));
  else controls.append(...raw(role));
  box.append(controls, said);
  return box;
}

/** One semantic control: a button, a button that arms the picture, or a form. @param {any} role @param {any} c */
function control(role, c) {
  const parameters = Object.entries(c.parameters);
  if (parameters.length && !c.by_cell) {
    const form = document.createElement('form');
    const fields = parameters.map(([name, schema]) => field(name, schema, parameters.length > 1 ? name : `${c.id}: ${c.description}`));
    form.append(...fields, element('button', c.id));
    form.onsubmit = (e) => {
      e.preventDefault();
      send(role.name, { action: c.id, arguments: Object.fromEntries(fields.map((f) => [f.name, f.value])) });
      for (const f of fields) if (f.type === 'text') f.value = '';
    };
    return form;
  }
  const button = element('button', c.id);
  button.append(element('small', c.description));
  button.onclick = () => {
    if (!c.by_cell) return send(role.name, { action: c.id, arguments: {} });
    armed = { role: role.name, control: c };
    document.querySelectorAll('[aria-pressed]').forEach((b) => b.setAttribute('aria-pressed', 'false'));
    button.setAttribute('aria-pressed', 'true');
  };
  if (c.by_cell) {
    button.setAttribute('aria-pressed', 'false');
    if (!armed) button.click();
  }
  return button;
}

/** Where a parameter of a control is filled in. @param {string} name @param {any} schema @param {string} label */
function field(name, schema, label) {
  const made = schema.enum ? document.createElement('select') : document.createElement('input');
  if (made instanceof HTMLSelectElement) made.append(...schema.enum.map((/** @type {string} */ word) => new Option(word)));
  else if (schema.type !== 'string') Object.assign(made, { type: 'number', min: schema.minimum, max: schema.maximum, value: schema.minimum, step: schema.type === 'integer' ? 1 : 'any', required: true });
  else made.placeholder = label;
  made.name = name;
  made.ariaLabel = made.title = label;
  return made;
}

/** @param {any} role */
function raw(role) {
  const rows = [];
  const keys = element('p', '');
  for (const key of role.keys) {
    const cap = element('kbd', ARROWS[key] ?? key);
    cap.title = key;
    keys.append(cap, ' ');
  }
  if (role.keys.length) rows.push(keys);
  if (role.clicks) rows.push(element('p', 'Click or drag in the picture; the right button counts as its own.'));
  const wait = element('button', 'wait');
  wait.append(element('small', 'Let a moment of game time pass.'));
  wait.onclick = () => send(role.name, { action: 'wait' });
  return [...rows, wait];
}

/** @param {string} tag @param {string} text */
function element(tag, text) {
  const e = document.createElement(tag);
  e.textContent = text;
  return e;
}

/** @param {string} role @param {any} action */
async function send(role, action) {
  if (about.waits) return;
  const question = asked[role];
  if (!question) return;
  asked[role] = 0;
  $('waiting').textContent = about.roles.some((/** @type {any} */ r) => asked[r.name]) ? 'Now the other role …' : '';
  await post('act', { role, asked: question, action });
}

/** @param {string} path @param {object} body */
function post(path, body) {
  return fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** How the task stands; null for who plays blind. @param {{score: number | null, progress: number | null, left: number} | null} now */
function showStanding(now) {
  if (!now) return;
  $('score').textContent = now.score === null ? '–' : String(Math.round(now.score * 100) / 100);
  $('progress').textContent = now.progress === null ? '–' : `${Math.round(100 * now.progress)} %`;
  $('left').textContent = String(now.left);
}

/** Where thinking takes game time, nothing begins before the person does. */
if (about.waits) {
  $('waiting').textContent = 'Thinking takes game time here. Press a key, or click here, to begin.';
  const begin = async (/** @type {Event} */ e) => {
    if (e instanceof KeyboardEvent && ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift', 'Tab'].includes(e.key)) return;
    e.stopImmediatePropagation();
    e.preventDefault();
    removeEventListener('keydown', begin, true);
    $('screen').removeEventListener('pointerdown', begin, true);
    $('waiting').textContent = 'Starting …';
    await post('begin', {});
    about.waits = false;
  };
  addEventListener('keydown', begin, true);
  $('screen').addEventListener('pointerdown', begin, true);
}

document.addEventListener('keydown', (e) => {
  if (e.repeat || e.ctrlKey || e.metaKey || e.altKey || e.target instanceof HTMLInputElement) return;
  const key = e.key === ' ' ? 'Space' : e.key.length === 1 ? e.key.toLowerCase() : e.key;
  for (const role of about.roles) {
    if (!role.keys.includes(key)) continue;
    e.preventDefault();
    if (about.interface === 'computer_use') return void send(role.name, { action: 'press_key', key });
    const match = role.controls.find((/** @type {any} */ c) => c.press.length === 1 && c.press[0] === key);
    if (match) return void send(role.name, { action: match.id, arguments: {} });
  }
});

frame.addEventListener('contextmenu', (e) => e.preventDefault());
/** Where the left button went down, until it comes up: there it was a click, elsewhere a drag. @type {{x: number, y: number} | null} */
let from = null;

frame.addEventListener('mousedown', (e) => {
  const { x, y } = inGame(e);
  if (about.interface === 'semantic') return clickCell(x, y, e.button);
  if (e.button === 0) from = { x, y };
  else if (e.button === 2) act({ action: 'click', x, y, button: 'right' });
});
addEventListener('mouseup', (e) => {
  if (!from || e.button !== 0) return;
  const [begin, end] = [from, inGame(e)];
  from = null;
  if (Math.hypot(end.x - begin.x, end.y - begin.y) < PULLED) act({ action: 'click', ...begin, button: 'left' });
  else act({ action: 'drag', ...begin, to_x: end.x, to_y: end.y });
});

/** The pointer in the game's pixels, not beyond its edges. @param {MouseEvent} e */
function inGame(e) {
  const box = frame.getBoundingClientRect();
  const [x, y] = [(e.clientX - box.left) / box.width, (e.clientY - box.top) / box.height].map((part, i) =>
    Math.max(0, Math.min(about.viewport[i] - 1, Math.round(part * about.viewport[i]))));
  return { x, y };
}

/** What the mouse did, by the role that has a mouse. @param {any} action */
function act(action) {
  const role = about.roles.find((/** @type {any} */ r) => r.clicks);
  if (role) send(role.name, action);
}

/** The cell under the pointer, for the armed control; the right button means the control that right-clicks. @param {number} x @param {number} y @param {number} button */
function clickCell(x, y, button) {
  if (!armed) return;
  const role = about.roles.find((/** @type {any} */ r) => r.name === armed?.role);
  const right = role.controls.find((/** @type {any} */ c) => c.click === 'right' && c.grid);
  const chosen = button === 2 && right ? right : armed.control;
  const g = chosen.grid;
  const column = Math.round((x - g.origin[0]) / g.pitch[0]);
  const row = Math.round((y - g.origin[1]) / g.pitch[1]);
  if (column < 0 || row < 0 || column >= g.columns || row >= g.rows) return;
  send(role.name, { action: chosen.id, arguments: { cell: `${String.fromCharCode(97 + column)}${row + 1}` } });
}

if (about.roles.some((/** @type {any} */ r) => r.clicks)) frame.classList.add('clicks');

for (;;) {
  let now;
  try {
    now = await (await fetch(`now?known=${encodeURIComponent(known)}`)).json();
  } catch {
    $('waiting').textContent = 'The command has ended.';
    break;
  }
  known = now.known;
  asked = now.asked;
  if (now.end) {
    showStanding(now.standing);
    showEnd(now.end);
    break;
  }
  const open = Object.keys(asked).find((role) => asked[role]);
  if (open) {
    frame.src = `frame/${open}/${asked[open]}`;
    $('waiting').textContent = '';
    const of = about.blind ? '' : ` of ${about.max_steps}`;
    $('budget').textContent = `action ${now.step + 1}${of} · ${about.timing}${about.blind ? ' · blind' : ''}`;
  }
  showStanding(now.standing);
  for (const [role, text] of Object.entries(now.said)) $(`said-${role}`).textContent = text;
}

/** @param {any} end */
function showEnd(end) {
  const box = $('end');
  box.hidden = false;
  box.textContent =
    end.status === 'failed'
      ? `The episode failed: ${end.error}`
      : `${end.success ? 'Solved' : 'Not solved'} in ${end.steps} actions. Progress ${Math.round(100 * end.progress)} %.`;
  if (end.more) box.append(document.createElement('br'), next());
  if (about.choice) box.append(document.createElement('br'), again(), back());
  document.body.dataset.ended = end.status;
}

/** The way on to the next episode, which begins when the person says so. */
function next() {
  const button = element('button', 'Next task');
  button.onclick = async () => {
    if (button instanceof HTMLButtonElement) button.disabled = true;
    await post('next', {});
    for (;;) {
      const now = await (await fetch('about', { cache: 'no-store' })).json();
      if (now.episode !== about.episode) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    location.reload();
  };
  return button;
}

/** Another attempt at the same task. */
function again() {
  const button = element('button', 'Play again');
  button.onclick = async () => {
    await post('../choose', { game: about.game, task: about.task });
    location.reload();
  };
  return button;
}

/** The way back to all games. */
function back() {
  const link = document.createElement('a');
  link.href = '../';
  link.textContent = 'All games';
  return link;
}
