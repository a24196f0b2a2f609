// @ts-check
/** 120 figures fly about and bounce; arrow keys steer the first. One canvas, drawn on request under the stepped clock. */
const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'));
const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const stepped = '__gwray' in window;
const keys = new Set();
let figures = [];
let ticks = 0;
let status = 'loading';

function start() {
  figures = Array.from({ length: 120 }, (_, i) => ({
    x: Math.random() * 1280, y: Math.random() * 720,
    vx: Math.random() * 8 - 4, vy: Math.random() * 8 - 4,
    r: 8 + Math.random() * 16, hue: (i * 37) % 360,
  }));
  ticks = 0;
  status = 'playing';
}

function update() {
  ticks += 1;
  if (keys.has('ArrowRight')) figures[0].x += 6;
  if (keys.has('ArrowLeft')) figures[0].x -= 6;
  for (const f of figures) {
    f.x += f.vx;
    f.y += f.vy;
    if (f.x < 0 || f.x > 1280) f.vx = -f.vx;
    if (f.y < 0 || f.y > 720) f.vy = -f.vy;
  }
}

function draw() {
  g.fillStyle = '#102';
  g.fillRect(0, 0, 1280, 720);
  for (const f of figures) {
    g.fillStyle = `hsl(${f.hue} 80% 60%)`;
    g.beginPath();
    g.arc(f.x, f.y, f.r, 0, 7);
    g.fill();
  }
  g.fillStyle = '#fff';
  g.font = '24px monospace';
  g.fillText(`tick ${ticks}`, 20, 40);
}

function loop() {
  if (status === 'playing') update();
  if (!stepped) draw();
  requestAnimationFrame(loop);
}

addEventListener('keydown', (e) => keys.add(e.key));
addEventListener('keyup', (e) => keys.delete(e.key));
/** @type {any} */ (window).gameAPI = {
  init: start,
  reset: start,
  draw,
  getState: () => ({
    gameId: 'flight', status, timestampMs: Date.now(), gameTimeMs: performance.now(),
    terminal: { isTerminal: false, outcome: null, reason: null },
    game_state: { score: Math.round(figures[0].x), ticks },
    raw: { sum: figures.reduce((s, f) => s + f.x * 3 + f.y, 0) },
  }),
};
requestAnimationFrame(loop);
