const data = await (await fetch('/clock/data.txt')).text();
const frames = { n: 0 };
(function loop() { requestAnimationFrame(() => { frames.n += 1; loop(); }); })();
export async function start() {
  await import('../log.js');
  const base = window.gameAPI.getState;
  window.gameAPI.getState = () => ({ ...base(), data: data.trim(), frames: frames.n, at: performance.now() });
}
