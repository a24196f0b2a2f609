// @ts-check
/** The page of a human player: shows the current screen of the role and sends one action per decision. */

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const frame = /** @type {HTMLImageElement} */ ($('frame'));
const about = await (await fetch('about')).json();
/** @type {Record<string, number>} Number of each role's open question, 0: none. */
let asked = {};
let known = '';
/** The control that a click on the screen triggers, in the semantic interface. @type {{role: string, control: any} | null} */
let armed = null;
/** Distance in pixels from which on a mouse movement with a pressed button is a drag. */
const DRAG_DISTANCE = 8;
const ARROWS = /** @type {Record<string, string>} */ ({ ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' });

$('title').textContent = `${about.title}, task ${about.task}${about.place ? ` (${about.place})` : ''}`;
$('instruction').textContent = about.instruction;
$('rules').textContent = about.rules;
document.title = about.title;

if (about.roles.length > 1) $('roles').append(element('p', 'You play all roles, also those that a text gives to another player.'));
for (const role of about.roles) $('roles').append(panel(role));

/** @param {any} role */
function panel(role) {
  const box = document.createElement('section');
  box.append(element('h2', about.roles.length > 1 ? role.name : 'What you can do'), element('p', role.description));
  const feedback = element('p', '');
  feedback.className = 'feedback';
  feedback.id = `feedback-${role.name}`;
  const controls = document.createElement('div');
  controls.className = 'controls';
  if (about.interface === 'semantic') role.controls.forEach((/** @type {any} */ c) => controls.append(control(role, c)));
  else controls.append(...raw(role));
  if (about.finish) controls.append(finishButton(role));
  box.append(controls, feedback);
  return box;
}

/** One semantic control: a button, a button that arms clicks on the screen, or a form. @param {any} role @param {any} c */
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

/** The input element of a parameter. @param {string} name @param {any} schema @param {string} label */
function field(name, schema, label) {
  const input = schema.enum ? document.createElement('select') : document.createElement('input');
  if (input instanceof HTMLSelectElement) input.append(...schema.enum.map((/** @type {string} */ word) => new Option(word)));
  else if (schema.type !== 'string') Object.assign(input, { type: 'number', min: schema.minimum, max: schema.maximum, value: schema.minimum, step: schema.type === 'integer' ? 1 : 'any', required: true });
  else input.placeholder = label;
  input.name = name;
  input.ariaLabel = input.title = label;
  return input;
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
  if (role.clicks) rows.push(element('p', 'Click or drag on the screen, with the left or right button.'));
  const wait = element('button', 'wait');
  wait.append(element('small', 'Let a moment of game time pass.'));
  wait.onclick = () => send(role.name, { action: 'wait' });
  if (role.controls.some((/** @type {any} */ c) => c.command)) {
    rows.push(element('p', role.keys.length || role.clicks
      ? 'Each key press and click counts as one action. Models have commands here, which may stand for several of them: --interface semantic gives you the same commands.'
      : 'You can only wait here: this role has commands and no keys. --interface semantic gives you the commands.'));
  }
  return [...rows, wait];
}

/** Declares the task done. @param {any} role */
function finishButton(role) {
  const button = element('button', 'finish');
  button.append(element('small', 'Say that you are done; this ends the game. If the task is not done then, it counts as failed.'));
  button.onclick = () => send(role.name, { action: 'finish' });
  return button;
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
  const next = about.roles.find((/** @type {any} */ r) => asked[r.name]);
  $('waiting').textContent = next ? `Now ${next.name} …` : '';
  await post('act', { role, asked: question, action });
}

/** @param {string} path @param {object} body */
function post(path, body) {
  return fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

/** If thinking takes game time, the episode starts with the first key or click. */
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
/** Where the left button was pressed, until its release: a click at the same place, otherwise a drag. @type {{x: number, y: number} | null} */
let pressed = null;

frame.addEventListener('mousedown', (e) => {
  const { x, y } = inGame(e);
  if (about.interface === 'semantic') return clickCell(x, y, e.button);
  if (e.button === 0) pressed = { x, y };
  else if (e.button === 2) act({ action: 'click', x, y, button: 'right' });
});
addEventListener('mouseup', (e) => {
  if (!pressed || e.button !== 0) return;
  const [begin, end] = [pressed, inGame(e)];
  pressed = null;
  if (Math.hypot(end.x - begin.x, end.y - begin.y) < DRAG_DISTANCE) act({ action: 'click', ...begin, button: 'left' });
  else act({ action: 'drag', ...begin, to_x: end.x, to_y: end.y });
});

/** The pointer position in pixels of the game, clamped to its edges. @param {MouseEvent} e */
function inGame(e) {
  const box = frame.getBoundingClientRect();
  const [x, y] = [(e.clientX - box.left) / box.width, (e.clientY - box.top) / box.height].map((part, i) =>
    Math.max(0, Math.min(about.viewport[i] - 1, Math.round(part * about.viewport[i]))));
  return { x, y };
}

/** Sends a mouse action for the role with a mouse. @param {any} action */
function act(action) {
  const role = about.roles.find((/** @type {any} */ r) => r.clicks);
  if (role) send(role.name, action);
}

/** Sends the armed control with the cell under the pointer; the right button sends the control that right-clicks. @param {number} x @param {number} y @param {number} button */
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
    showEnd(now.end);
    break;
  }
  const open = Object.keys(asked).find((role) => asked[role]);
  if (open) {
    frame.src = `frame/${open}/${asked[open]}`;
    $('waiting').textContent = '';
    $('budget').textContent = `action ${now.step + 1} · ${about.timing}`;
  }
  for (const [role, text] of Object.entries(now.feedback)) $(`feedback-${role}`).textContent = text;
}

/** @param {any} end */
function showEnd(end) {
  const box = $('end');
  box.hidden = false;
  if (end.final) frame.src = 'final';
  box.textContent =
    end.status === 'failed'
      ? `The episode failed: ${end.error}`
      : `${end.success ? 'Solved' : 'Not solved'} in ${end.steps} actions. Progress ${Math.round(100 * end.progress)} %.`;
  if (end.more) box.append(document.createElement('br'), nextButton());
  document.body.dataset.ended = end.status;
}

/** The button that starts the next episode. */
function nextButton() {
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
