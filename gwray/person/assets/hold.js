// @ts-check
/** The start gate of free play, inserted before a game's own scripts: the game waits for a key or a mouse button, at the
 * start and after each restart with Enter, and tells meanwhile what the roles do. Episodes are played without it. */
'use strict';
(() => {
  const next = window.requestAnimationFrame.bind(window);
  const api = () => /** @type {any} */ (window).gameAPI;
  const over = () => api()?.getState?.()?.terminal?.isTerminal === true;
  const roles = document.currentScript?.dataset.roles ?? '';
  const sign = document.createElement('p');
  sign.textContent = [roles, 'Press a key, or click, to begin'].filter(Boolean).join('\n\n');
  sign.setAttribute('role', 'status');
  sign.style.cssText = 'position:fixed;left:50%;bottom:4%;translate:-50% 0;margin:0;padding:.6em 1.2em;border-radius:6px;width:max-content;' +
    'max-width:min(90vw,54em);box-sizing:border-box;text-align:center;white-space:pre-line;text-wrap:balance;' +
    'background:#14181df2;color:#fff;font:600 18px/1.4 system-ui,sans-serif;z-index:9;pointer-events:none';
  let waiting = false;
  let restarted = false;

  function wait() {
    waiting = true;
    document.body?.append(sign);
    api()?.draw?.();
  }
  function begin() {
    waiting = false;
    sign.remove();
  }

  window.requestAnimationFrame = (callback) => next(function frame(now) {
    if (waiting) return void next(frame);
    callback(now);
    if (!restarted || over()) return;
    restarted = false;
    wait();
  });
  const quiet = ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift', 'Tab'];
  addEventListener('keydown', (e) => {
    if (waiting && !quiet.includes(e.key)) begin();
    else if (e.key === 'Enter' && over()) restarted = true;
  }, true);
  addEventListener('pointerdown', () => waiting && begin(), true);
  wait();
  addEventListener('load', () => waiting && wait());
})();
