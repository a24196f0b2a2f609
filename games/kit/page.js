// @ts-check
/** The page: one canvas of 1280×720, scaled by CSS only when the window has another size. */

export const WIDTH = 1280;
export const HEIGHT = 720;

/** A canvas of the game's size with its drawing context, not yet on the page. */
export function makeCanvas() {
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  // In main memory: the observation is encoded from it without waiting for a graphics process.
  const ctx = /** @type {CanvasRenderingContext2D} */ (
    canvas.getContext('2d', { alpha: false, willReadFrequently: true })
  );
  return { canvas, ctx };
}

export function makePage() {
  const { canvas, ctx } = makeCanvas();
  canvas.id = 'game';
  document.documentElement.style.cssText = 'height:100%;overflow:hidden;background:#10131a';
  document.body.style.cssText = 'margin:0;height:100%;overflow:hidden';
  document.body.append(canvas);

  let scale = 1;
  let left = 0;
  let top = 0;
  const fit = () => {
    scale = Math.min(innerWidth / WIDTH, innerHeight / HEIGHT) || 1;
    left = Math.floor((innerWidth - WIDTH * scale) / 2);
    top = Math.floor((innerHeight - HEIGHT * scale) / 2);
    const size = scale === 1 ? '' : `width:${WIDTH * scale}px;height:${HEIGHT * scale}px;`;
    canvas.style.cssText = `display:block;position:absolute;left:${left}px;top:${top}px;${size}`;
  };
  fit();
  addEventListener('resize', fit);

  return {
    canvas,
    ctx,
    /** @param {number} x @param {number} y */
    toCanvas: (x, y) => ({ x: Math.floor((x - left) / scale), y: Math.floor((y - top) / scale) }),
    /** Shows a message instead of the game. @param {string} message */
    fail(message) {
      canvas.remove();
      const p = document.createElement('p');
      p.style.cssText = 'color:#fff;font:20px sans-serif;margin:40px;white-space:pre-wrap';
      p.textContent = message;
      document.body.append(p);
    },
  };
}
