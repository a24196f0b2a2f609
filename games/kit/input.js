// @ts-check
/**
 * What the player did since the last update: keys, text, mouse, wheel.
 *
 * Events wait in a queue until the next update takes them all (`begin`). So input never changes in the middle of
 * an update, and a press and release between two updates is still seen as pressed. The same queue is fed by the
 * browser's events and by `lab.run`, which is why both give the same states.
 *
 * Key names are `KeyboardEvent.key`, letters lower-case, the space bar is `Space`.
 *
 * @typedef {'left'|'middle'|'right'} Button
 * @typedef {{kind: string, key?: string|null, x?: number|null, y?: number|null, dx?: number, dy?: number,
 *   button?: Button, clicks?: number}} InputEvent
 */

/** @type {Button[]} */
const BUTTONS = ['left', 'middle', 'right'];

/** @param {string} key */
export function keyName(key) {
  if (key === ' ' || key === 'Spacebar') return 'Space';
  return key.length === 1 ? key.toLowerCase() : key;
}

function nothing() {
  return {
    /** @type {InputEvent[]} */ queue: [],
    /** @type {string[]} */ down: [],
    /** @type {string[]} */ pressed: [],
    /** @type {string[]} */ released: [],
    text: '',
    x: 640,
    y: 360,
    moved: false,
    /** @type {{x: number, y: number}[]} */ path: [],
    /** @type {{x: number, y: number, button: Button, count: number}[]} */ clicks: [],
    /** @type {{x: number, y: number, button: Button}[]} */ lifts: [],
    /** @type {string[]} */ buttons: [],
    wheelX: 0,
    wheelY: 0,
  };
}

export class Input {
  constructor() {
    this.now = nothing();
  }

  /** Forgets everything, held keys too. */
  clear() {
    this.now = nothing();
  }

  /** Queues one event; coordinates are canvas pixels. @param {InputEvent} event */
  feed(event) {
    this.now.queue.push(event);
  }

  /** Takes the queued events; the kit calls it right before each update. */
  begin() {
    const s = this.now;
    if (s.pressed.length) s.pressed = [];
    if (s.released.length) s.released = [];
    if (s.clicks.length) s.clicks = [];
    if (s.lifts.length) s.lifts = [];
    s.text = '';
    s.moved = false;
    if (s.path.length) s.path = [];
    s.wheelX = s.wheelY = 0;
    if (!s.queue.length) return;
    const queue = s.queue;
    s.queue = [];
    for (const e of queue) take(s, e);
  }

  /** The key is down, or was tapped since the last update. @param {string} key */
  held(key) {
    return this.now.down.includes(key) || this.now.pressed.includes(key);
  }

  /** The key went down since the last update. @param {...string} keys any of them */
  pressed(...keys) {
    return keys.some((k) => this.now.pressed.includes(k));
  }

  /** The key went up since the last update. @param {string} key */
  released(key) {
    return this.now.released.includes(key);
  }

  /** -1, 0 or 1 from two opposite keys. @param {string} minus @param {string} plus */
  axis(minus, plus) {
    return (this.held(plus) ? 1 : 0) - (this.held(minus) ? 1 : 0);
  }

  /** Keys that went down since the last update, in order. */
  get keys() {
    return this.now.pressed;
  }

  /** Characters typed since the last update. */
  get text() {
    return this.now.text;
  }

  /** Pointer position; the middle of the canvas until it is first moved. */
  get mouse() {
    return { x: this.now.x, y: this.now.y };
  }

  /** The pointer moved since the last update. */
  get moved() {
    return this.now.moved;
  }

  /** Where the pointer went since the last update, in order: for games that look at how far it moved. */
  get path() {
    return this.now.path;
  }

  /** Mouse presses since the last update, in order. */
  get clicks() {
    return this.now.clicks;
  }

  /** Mouse releases since the last update, in order. */
  get lifts() {
    return this.now.lifts;
  }

  /** The first press of that button since the last update, or null. @param {Button} button */
  clicked(button = 'left') {
    return this.now.clicks.find((c) => c.button === button) ?? null;
  }

  /** The button is down, or was clicked since the last update. @param {Button} button */
  mouseHeld(button = 'left') {
    return this.now.buttons.includes(button) || this.clicked(button) !== null;
  }

  /** Wheel movement since the last update; positive y scrolls down. */
  get wheel() {
    return { x: this.now.wheelX, y: this.now.wheelY };
  }
}

/** @param {ReturnType<typeof nothing>} s @param {InputEvent} e */
function take(s, e) {
  if (e.kind.startsWith('mouse') || e.kind === 'wheel') {
    s.x = e.x ?? s.x;
    s.y = e.y ?? s.y;
  }
  const key = keyName(e.key ?? '');
  const button = e.button ?? 'left';
  switch (e.kind) {
    case 'key_down':
      if (!s.down.includes(key)) {
        s.down.push(key);
        s.pressed.push(key);
      }
      if (key === 'Space') s.text += ' ';
      else if (key.length === 1) s.text += e.key;
      break;
    case 'key_up':
      s.down = s.down.filter((k) => k !== key);
      s.released.push(key);
      break;
    case 'mouse_move':
      s.moved = true;
      s.path.push({ x: s.x, y: s.y });
      break;
    case 'mouse_down':
      if (!s.buttons.includes(button)) s.buttons.push(button);
      s.clicks.push({ x: s.x, y: s.y, button, count: e.clicks ?? 1 });
      break;
    case 'mouse_up':
      s.buttons = s.buttons.filter((b) => b !== button);
      s.lifts.push({ x: s.x, y: s.y, button });
      break;
    case 'wheel':
      s.wheelX += e.dx ?? 0;
      s.wheelY += e.dy ?? 0;
      break;
  }
}

/** The key, with digits as digits while Shift is held for something else. @param {KeyboardEvent} e */
function unshifted(e) {
  return e.shiftKey && /^Digit\d$/.test(e.code) && !/^\d$/.test(e.key) ? e.code.slice(5) : e.key;
}

/**
 * Feeds the browser's events into `input`.
 * @param {Input} input
 * @param {(clientX: number, clientY: number) => {x: number, y: number}} toCanvas
 */
export function listen(input, toCanvas) {
  const at = (/** @type {MouseEvent} */ e) => toCanvas(e.clientX, e.clientY);
  addEventListener('keydown', (e) => {
    // Browser shortcuts stay the person's; everything else (scrolling by arrows and space) is the game's.
    if (!e.ctrlKey && !e.metaKey && !e.altKey && !/^F\d/.test(e.key)) e.preventDefault();
    if (!e.repeat) input.feed({ kind: 'key_down', key: unshifted(e) });
  });
  addEventListener('keyup', (e) => input.feed({ kind: 'key_up', key: unshifted(e) }));
  addEventListener('mousemove', (e) => input.feed({ kind: 'mouse_move', ...at(e) }));
  addEventListener('mousedown', (e) => {
    if (e.button === 1) e.preventDefault();
    input.feed({ kind: 'mouse_down', ...at(e), button: BUTTONS[e.button], clicks: e.detail || 1 });
  });
  addEventListener('mouseup', (e) => input.feed({ kind: 'mouse_up', ...at(e), button: BUTTONS[e.button] }));
  addEventListener('contextmenu', (e) => e.preventDefault());
  addEventListener(
    'wheel',
    (e) => {
      e.preventDefault();
      input.feed({ kind: 'wheel', ...at(e), dx: e.deltaX, dy: e.deltaY });
    },
    { passive: false },
  );
}
