// @ts-check
/** Put before a game's own scripts where a person plays it freely: nothing moves before a key is pressed or a button of
 * the mouse, at the start and after each start anew with Enter. Episodes are played without this. */
'use strict';
(() => {
  const next = window.requestAnimationFrame.bind(window);
  const api = () => /** @type {any} */ (window).gameAPI;
  const over = () => api()?.getState?.()?.terminal?.isTerminal === true;
  const sign = document.createElement('p');
  sign.textContent = 'Press a key, or click, to begin';
  sign.setAttribute('role', 'status');
  sign.style.cssText = 'position:fixed;left:50%;bottom:8%;translate:-50% 0;margin:0;padding:.6em 1.2em;border-radius:6px;' +
    'background:#14181de6;color:#fff;font:600 20px system-ui,sans-serif;z-index:9;pointer-events:none';
  let held = false;
  let again = false;

  function hold() {
    held = true;
    document.body?.append(sign);
    api()?.draw?.();
  }
  function go() {
    held = false;
    sign.remove();
  }

  window.requestAnimationFrame = (callback) => next(function frame(now) {
    if (held) return void next(frame);
    callback(now);
    if (!again || over()) return;
    again = false;
    hold();
  });
  const quiet = ['Alt', 'AltGraph', 'Control', 'Meta', 'Shift', 'Tab'];
  addEventListener('keydown', (e) => {
    if (held && !quiet.includes(e.key)) go();
    else if (e.key === 'Enter' && over()) again = true;
  }, true);
  addEventListener('pointerdown', () => held && go(), true);
  hold();
  addEventListener('load', () => held && hold());
})();
