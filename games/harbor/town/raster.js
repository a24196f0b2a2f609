// @ts-check
/**
 * Harbour, the rasteriser: convex textured faces into a small picture with a depth buffer. No WebGL: software WebGL costs
 * several times as much, and differs between machines.
 *
 * A face is plain arrays, so that the town's thousands cost nothing to keep and little to skip. Metres; y is up.
 *
 * @typedef {{width: number, height: number, levels: {w: number, h: number, data: Uint32Array}[], open: boolean}} Texture
 *   `data`: 0xAABBGGRR; alpha 255 is lit, 254 shines by itself, 0 is a hole, anything else lets through. Sides are powers
 *   of two. `open`: it has texels that let through
 * @typedef {{p: number[], uv: number[], warm: number[], light: number[], texture: Texture, id: number, normal: number[],
 *   middle: number[], radius: number, dense: number, both: boolean, decal: number}} Face
 *   `p`: x, y, z of each corner; `uv`: texels; `warm`: lamp light at each corner; `light`: red, green, blue, 256 is full;
 *   `dense`: texels a metre; `both`: seen from both sides; `decal`: how much nearer it counts than it is
 * @typedef {{x: number, y: number, z: number, yaw: number, pitch: number}} Camera  radians; yaw 0 looks along +z
 */

const NEAR = 0.12;
/** Half the picture's width at distance one: 36 degrees to each side. */
const SPREAD = 0.7265;
/** What far things turn into, and how far that is. */
export const HAZE = [128, 104, 132];
const FOG = 1024;
/** Share of haze (of 256) by the inverse of the depth, in steps of 1/FOG. */
const fog = new Uint16Array(FOG + 2);
for (let i = 0; i < fog.length; i++) {
  const far = FOG / (i + 0.5);
  const m = Math.max(0, Math.min(1, (far - 9) / 62));
  fog[i] = Math.round(214 * m ** 0.85);
}
/** Colour of full lamp light. */
const WARM = [292, 214, 122];
/** How much (of 256) one sees of what stands between the camera and its subject. */
const VEIL = 72;

export class Picture {
  /** @param {number} width @param {number} height */
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.color = new Uint32Array(width * height);
    this.depth = new Float32Array(width * height);
    /** What is seen at each pixel: the ids of faces. */
    this.ids = new Uint16Array(width * height);
    this.focal = width / 2 / SPREAD;
    // Left and right end of each row of the face being filled: x, 1/z, u/z, v/z, warm/z.
    this.left = new Float64Array(height * 5);
    this.right = new Float64Array(height * 5);
    this.shape = new Float64Array(16 * 6);
    this.other = new Float64Array(16 * 6);
  }

  /** Begins a picture. @param {Camera} camera @param {{x: number, y: number, z: number}|null} subject feet of the figure that it is of: what stands
   * between the two lets it through */
  begin(camera, subject) {
    this.depth.fill(0);
    this.ids.fill(0);
    this.camera = camera;
    this.subject = subject;
    this.sy = Math.sin(camera.yaw);
    this.cy = Math.cos(camera.yaw);
    this.sp = Math.sin(camera.pitch);
    this.cp = Math.cos(camera.pitch);
    this.before = -Infinity;
    if (subject) this.frame(subject);
  }

  /** Where the subject is in the picture, and how far away its near side. @param {{x: number, y: number, z: number}} feet */
  frame({ x, y, z }) {
    const c = /** @type {Camera} */ (this.camera);
    const { sp, cp } = /** @type {{sp: number, cp: number}} */ (this);
    const along = Math.hypot(x - c.x, z - c.z);
    const deep = along * cp + (y + 1 - c.y) * sp;
    const row = (/** @type {number} */ h) => this.height / 2 - (((y + h - c.y) * cp - along * sp) / (along * cp + (y + h - c.y) * sp)) * this.focal;
    this.before = deep - 0.45;
    this.wide = (0.36 / deep) * this.focal;
    [this.high, this.low] = [row(1.9), row(0.1)];
  }

  /** Draws opaque faces as they come, then those that let through, the farthest first, then those before the subject. @param {Face[][]} lists */
  faces(lists) {
    /** @type {[number, Face][]} */
    const open = [];
    /** @type {[number, Face][]} */
    const veils = [];
    const before = /** @type {number} */ (this.before);
    for (const list of lists) {
      for (const f of list) {
        const far = this.distance(f);
        if (far === null) continue;
        if (far < before && this.hides(f)) veils.push([far, f]);
        else if (f.texture.open) open.push([far, f]);
        else this.fill(f, far, 0);
      }
    }
    for (const [list, part] of /** @type {[[number, Face][], number][]} */ ([[open, 256], [veils, VEIL]])) {
      list.sort((a, b) => b[0] - a[0]);
      for (const [far, f] of list) this.fill(f, far, part);
    }
  }

  /** A face that is nearer than the subject covers some of it; the ground before its feet does not count. @param {Face} f */
  hides(f) {
    if (f.normal[1] > 0.9 && f.middle[1] < /** @type {{y: number}} */ (this.subject).y + 0.3) return false;
    const n = this.project(f);
    const s = this.shape;
    const { wide, high, low } = /** @type {{wide: number, high: number, low: number}} */ (this);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < n; i++) {
      const [x, y] = [s[i * 6] - this.width / 2, s[i * 6 + 1]];
      [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
    }
    return x0 < wide && x1 > -wide && y0 < low && y1 > high;
  }

  /** Depth of a face's middle; null if it cannot be in the picture. @param {Face} f @returns {number|null} */
  distance(f) {
    const c = /** @type {Camera} */ (this.camera);
    const x = f.middle[0] - c.x;
    const y = f.middle[1] - c.y;
    const z = f.middle[2] - c.z;
    if (!f.both && x * f.normal[0] + y * f.normal[1] + z * f.normal[2] >= 0) return null;
    const along = x * this.sy + z * this.cy;
    const deep = along * this.cp + y * this.sp;
    if (deep < -f.radius) return null;
    const side = x * this.cy - z * this.sy;
    const up = y * this.cp - along * this.sp;
    // 1.24: how much longer the edge of the view is than its depth.
    if (Math.abs(side) - deep * SPREAD > f.radius * 1.24) return null;
    if (Math.abs(up) - deep * SPREAD * (this.height / this.width) > f.radius * 1.1) return null;
    return deep;
  }

  /** @param {Face} f @param {number} far @param {number} open 0: it is opaque; else how much (of 256) of it is seen */
  fill(f, far, open) {
    const n = this.project(f);
    if (n < 3) return;
    const s = this.shape;
    let top = this.height;
    let bottom = 0;
    for (let i = 0; i < n; i++) {
      const y = s[i * 6 + 1];
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    const first = Math.max(0, Math.ceil(top - 0.5));
    const last = Math.min(this.height - 1, Math.ceil(bottom - 0.5) - 1);
    if (first > last) return;
    this.edges(n, first, last);
    const level = this.level(f, Math.max(NEAR, far));
    this.rows(f, f.texture.levels[level], 1 / (1 << level), first, last, open);
  }

  /** @param {Face} f @param {number} far */
  level(f, far) {
    let fine = (f.dense * far) / this.focal;
    let level = 0;
    for (; fine > 1.5 && level < f.texture.levels.length - 1; fine /= 2) level++;
    return level;
  }

  /** Corners in the picture, cut at the near plane: x, y, 1/z, u/z, v/z, warm/z. @param {Face} f @returns {number} */
  project(f) {
    const c = /** @type {Camera} */ (this.camera);
    const { sy, cy, sp, cp } = /** @type {{sy: number, cy: number, sp: number, cp: number}} */ (this);
    const a = this.other;
    const n = f.p.length / 3;
    let near = false;
    for (let i = 0; i < n; i++) {
      const x = f.p[i * 3] - c.x;
      const y = f.p[i * 3 + 1] - c.y;
      const z = f.p[i * 3 + 2] - c.z;
      const along = x * sy + z * cy;
      const o = i * 6;
      a[o] = x * cy - z * sy;
      a[o + 1] = y * cp - along * sp;
      a[o + 2] = along * cp + y * sp;
      a[o + 3] = f.uv[i * 2];
      a[o + 4] = f.uv[i * 2 + 1];
      a[o + 5] = f.warm[i];
      if (a[o + 2] < NEAR) near = true;
    }
    const s = this.shape;
    let m = n;
    let from = a;
    if (near) {
      m = 0;
      for (let i = 0; i < n; i++) {
        const o = i * 6;
        const q = ((i + 1) % n) * 6;
        const inside = a[o + 2] >= NEAR;
        if (inside) for (let k = 0; k < 6; k++) s[m * 6 + k] = a[o + k];
        if (inside) m++;
        if (inside !== a[q + 2] >= NEAR) {
          const t = (NEAR - a[o + 2]) / (a[q + 2] - a[o + 2]);
          for (let k = 0; k < 6; k++) s[m * 6 + k] = a[o + k] + (a[q + k] - a[o + k]) * t;
          m++;
        }
      }
      from = s;
    }
    for (let i = 0; i < m; i++) {
      const o = i * 6;
      const iz = 1 / from[o + 2];
      s[o] = this.width / 2 + from[o] * iz * this.focal;
      s[o + 1] = this.height / 2 - from[o + 1] * iz * this.focal;
      s[o + 3] = from[o + 3] * iz;
      s[o + 4] = from[o + 4] * iz;
      s[o + 5] = from[o + 5] * iz;
      s[o + 2] = iz;
    }
    return m;
  }

  /** Where each row of a face begins and ends. @param {number} n @param {number} first @param {number} last */
  edges(n, first, last) {
    const { left, right, shape: s } = this;
    for (let y = first; y <= last; y++) {
      left[y * 5] = Infinity;
      right[y * 5] = -Infinity;
    }
    for (let i = 0; i < n; i++) {
      let a = i * 6;
      let b = ((i + 1) % n) * 6;
      if (s[a + 1] > s[b + 1]) [a, b] = [b, a];
      const y0 = s[a + 1];
      const tall = s[b + 1] - y0;
      if (tall <= 0) continue;
      const from = Math.max(first, Math.ceil(y0 - 0.5));
      const to = Math.min(last, Math.ceil(s[b + 1] - 0.5) - 1);
      for (let y = from; y <= to; y++) {
        const t = (y + 0.5 - y0) / tall;
        const x = s[a] + (s[b] - s[a]) * t;
        const r = y * 5;
        if (x < left[r]) {
          left[r] = x;
          for (let k = 1; k < 5; k++) left[r + k] = s[a + k + 1] + (s[b + k + 1] - s[a + k + 1]) * t;
        }
        if (x > right[r]) {
          right[r] = x;
          for (let k = 1; k < 5; k++) right[r + k] = s[a + k + 1] + (s[b + k + 1] - s[a + k + 1]) * t;
        }
      }
    }
  }

  /** @param {Face} f @param {{w: number, h: number, data: Uint32Array}} map @param {number} shrink @param {number} first
   * @param {number} last @param {number} open */
  rows(f, map, shrink, first, last, open) {
    const { left, right, width, color, depth, ids } = this;
    const { data } = map;
    const wide = map.w;
    const um = map.w - 1;
    const vm = map.h - 1;
    const [lr, lg, lb] = f.light;
    const id = f.id;
    const nearer = f.decal;
    for (let y = first; y <= last; y++) {
      const r = y * 5;
      const x0 = left[r];
      const x1 = right[r];
      const span = x1 - x0;
      if (!(span > 0)) continue;
      const from = Math.max(0, Math.ceil(x0 - 0.5));
      const to = Math.min(width - 1, Math.ceil(x1 - 0.5) - 1);
      if (from > to) continue;
      const t = (from + 0.5 - x0) / span;
      const dz = (right[r + 1] - left[r + 1]) / span;
      const du = ((right[r + 2] - left[r + 2]) / span) * shrink;
      const dv = ((right[r + 3] - left[r + 3]) / span) * shrink;
      const dw = (right[r + 4] - left[r + 4]) / span;
      const off = t * span;
      let iz = left[r + 1] + dz * off;
      let uz = left[r + 2] * shrink + du * off;
      let vz = left[r + 3] * shrink + dv * off;
      let wz = left[r + 4] + dw * off;
      for (let i = y * width + from, end = y * width + to; i <= end; i++) {
        const key = iz * nearer;
        if (key > depth[i]) {
          const z = 1 / iz;
          const texel = data[((vz * z) & vm) * wide + ((uz * z) & um)];
          const a = texel >>> 24;
          if (a) {
            let red = texel & 255;
            let green = (texel >> 8) & 255;
            let blue = (texel >> 16) & 255;
            if (a !== 254) {
              const w = wz * z;
              red = (red * (lr + w * WARM[0])) >> 8;
              green = (green * (lg + w * WARM[1])) >> 8;
              blue = (blue * (lb + w * WARM[2])) >> 8;
              if (red > 255) red = 255;
              if (green > 255) green = 255;
              if (blue > 255) blue = 255;
            }
            const m = a === 254 ? fog[Math.min(FOG, (iz * FOG) | 0)] >> 1 : fog[Math.min(FOG, (iz * FOG) | 0)];
            red += ((HAZE[0] - red) * m) >> 8;
            green += ((HAZE[1] - green) * m) >> 8;
            blue += ((HAZE[2] - blue) * m) >> 8;
            if (open && (a < 254 || open < 256)) {
              const under = color[i];
              const k = a < 254 ? (a * open) >> 8 : open;
              red = (under & 255) + (((red - (under & 255)) * k) >> 8);
              green = ((under >> 8) & 255) + (((green - ((under >> 8) & 255)) * k) >> 8);
              blue = ((under >> 16) & 255) + (((blue - ((under >> 16) & 255)) * k) >> 8);
            } else {
              depth[i] = key;
              ids[i] = id;
            }
            color[i] = 0xff000000 | (blue << 16) | (green << 8) | red;
          }
        }
        iz += dz;
        uz += du;
        vz += dv;
        wz += dw;
      }
    }
  }
}
