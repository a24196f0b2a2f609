// @ts-check
/**
 * A tiny 3D picture on the 2D canvas: a camera, flat polygons sorted from far to near, fog. No WebGL.
 *
 * World: x to the right, y up, z away from the viewer. The camera looks along +z; `yaw` turns it to the right,
 * `pitch` upwards (radians). Polygons that cut the near plane are clipped. The order is by distance, so large polygons
 * that cut through each other should be split into smaller ones (floors into tiles).
 *
 * @typedef {[number, number, number]} Point
 * @typedef {{x: number, y: number, z: number, yaw?: number, pitch?: number, focal?: number, horizon?: number,
 *   centre?: number}} Camera  focal length and the middle of the picture in pixels
 * @typedef {{color: string, near: number, far: number}} Fog
 */

import { HEIGHT, WIDTH } from './page.js';

const NEAR = 0.2;

/** @param {Camera} cam @param {Point} p @returns {Point} the point as the camera sees it */
export function toCamera(cam, [x, y, z]) {
  let dx = x - cam.x;
  let dy = y - cam.y;
  let dz = z - cam.z;
  const yaw = cam.yaw ?? 0;
  if (yaw) {
    const s = Math.sin(yaw);
    const c = Math.cos(yaw);
    [dx, dz] = [dx * c - dz * s, dx * s + dz * c];
  }
  const pitch = cam.pitch ?? 0;
  if (pitch) {
    const s = Math.sin(pitch);
    const c = Math.cos(pitch);
    [dy, dz] = [dy * c - dz * s, dy * s + dz * c];
  }
  return [dx, dy, dz];
}

/** @param {Camera} cam @param {Point} v a point in camera coordinates, in front of it */
function onScreen(cam, v) {
  const f = (cam.focal ?? 700) / v[2];
  return [(cam.centre ?? 640) + v[0] * f, (cam.horizon ?? 360) - v[1] * f];
}

/** Where a world point is drawn, its distance and the pixels of one unit there; null behind the camera.
 * @param {Camera} cam @param {Point} p */
export function project(cam, p) {
  const v = toCamera(cam, p);
  if (v[2] < NEAR) return null;
  const [x, y] = onScreen(cam, v);
  return { x, y, depth: v[2], scale: (cam.focal ?? 700) / v[2] };
}

/** The part of a polygon in front of the near plane. @param {Point[]} points @returns {Point[]} */
function clip(points) {
  /** @type {Point[]} */
  const out = [];
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length];
    if (a[2] >= NEAR) out.push(a);
    if (a[2] >= NEAR !== b[2] >= NEAR) {
      const t = (NEAR - a[2]) / (b[2] - a[2]);
      out.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, NEAR]);
    }
  });
  return out;
}

/** Collects one picture; make a new one for each drawing. */
export class Scene {
  /** @param {Camera} camera @param {Fog} [fog] */
  constructor(camera, fog) {
    this.camera = camera;
    this.fog = fog;
    /** @type {{depth: number, paint: (ctx: CanvasRenderingContext2D) => void}[]} */
    this.items = [];
  }

  /**
   * A flat polygon. `bias` moves it in the order: positive is drawn earlier (as if farther away).
   * @param {Point[]} points @param {string} color @param {{edge?: string, line?: number, bias?: number}} [style]
   */
  face(points, color, style = {}) {
    const seen = points.map((p) => toCamera(this.camera, p));
    const kept = seen.some((p) => p[2] < NEAR) ? clip(seen) : seen;
    if (kept.length < 3) return;
    const depth = seen.reduce((sum, p) => sum + Math.hypot(...p), 0) / seen.length;
    if (this.fog && depth > this.fog.far) return;
    const flat = kept.map((p) => onScreen(this.camera, p));
    if (flat.every((p) => p[0] < 0) || flat.every((p) => p[0] > WIDTH)) return;
    if (flat.every((p) => p[1] < 0) || flat.every((p) => p[1] > HEIGHT)) return;
    const fill = this.misty(color, depth);
    const edge = style.edge && this.misty(style.edge, depth);
    this.items.push({
      depth: depth + (style.bias ?? 0),
      paint(ctx) {
        ctx.beginPath();
        for (const [x, y] of flat) ctx.lineTo(x, y);
        ctx.closePath();
        ctx.fillStyle = fill;
        ctx.fill();
        // A line of the same colour closes the hairline between neighbouring polygons.
        ctx.strokeStyle = edge || fill;
        ctx.lineWidth = edge ? (style.line ?? 2) : 1;
        ctx.stroke();
      },
    });
  }

  /**
   * A box from its lowest corner; only sides that face the camera are drawn, each with its own light.
   * @param {Point} at @param {Point} size @param {string} color @param {{edge?: string, line?: number, bias?: number}} [style]
   */
  box([x, y, z], [w, h, d], color, style = {}) {
    const { camera: c } = this;
    const X = x + w;
    const Y = y + h;
    const Z = z + d;
    if (c.z < z) this.face([[x, y, z], [X, y, z], [X, Y, z], [x, Y, z]], color, style);
    if (c.z > Z) this.face([[x, y, Z], [X, y, Z], [X, Y, Z], [x, Y, Z]], color, style);
    if (c.x < x) this.face([[x, y, z], [x, y, Z], [x, Y, Z], [x, Y, z]], shade(color, 0.72), style);
    if (c.x > X) this.face([[X, y, z], [X, y, Z], [X, Y, Z], [X, Y, z]], shade(color, 0.72), style);
    if (c.y > Y) this.face([[x, Y, z], [X, Y, z], [X, Y, Z], [x, Y, Z]], shade(color, 1.22), style);
    if (c.y < y) this.face([[x, y, z], [X, y, z], [X, y, Z], [x, y, Z]], shade(color, 0.5), style);
  }

  /**
   * Something flat that always faces the viewer; `paint(ctx, x, y, scale)` gets its place and the pixels of one unit.
   * @param {Point} at @param {(ctx: CanvasRenderingContext2D, x: number, y: number, scale: number) => void} paint
   */
  sprite(at, paint, bias = 0) {
    const p = project(this.camera, at);
    if (!p || (this.fog && p.depth > this.fog.far)) return;
    const v = toCamera(this.camera, at);
    this.items.push({ depth: Math.hypot(...v) + bias, paint: (ctx) => paint(ctx, p.x, p.y, p.scale) });
  }

  /** Draws everything, far things first. @param {CanvasRenderingContext2D} ctx */
  paint(ctx) {
    this.items.sort((a, b) => b.depth - a.depth);
    ctx.lineJoin = 'round';
    for (const item of this.items) item.paint(ctx);
  }

  /** A colour as it looks at that distance. @param {string} color @param {number} depth */
  misty(color, depth) {
    if (!this.fog) return color;
    const t = (depth - this.fog.near) / (this.fog.far - this.fog.near);
    return t <= 0 ? color : blend(color, this.fog.color, Math.min(1, t));
  }
}

/** @param {string} hex #rrggbb @returns {number[]} */
function parts(hex) {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** @param {number[]} rgb */
function join(rgb) {
  return '#' + rgb.map((v) => Math.max(0, Math.min(255, Math.round(v))).toString(16).padStart(2, '0')).join('');
}

/** A colour made lighter (> 1) or darker (< 1). @param {string} hex #rrggbb @param {number} factor */
export function shade(hex, factor) {
  return join(parts(hex).map((v) => v * factor));
}

/** Between two colours: 0 is the first, 1 the second. @param {string} a #rrggbb @param {string} b @param {number} t */
export function blend(a, b, t) {
  const to = parts(b);
  return join(parts(a).map((v, i) => v + (to[i] - v) * t));
}
