// @ts-check
/** Cars and ball: driving, jumping, boosting, bouncing. Pixels and updates; x, y are middles. Knows no score. */

export const LEFT = 70;
export const RIGHT = 1210;
export const TOP = 84;
export const FLOOR = 630;
/** Upper edge of the goal mouths. */
export const BAR = 490;
export const BALL_R = 34;
export const CAR_W = 104;
export const CAR_H = 44;

const DRIVE = 8;
const BOOSTED = 13.5;
const JUMP = 11.5;
const GRAVITY = 0.55;
const BALL_GRAVITY = 0.34;
const FASTEST_BALL = 19;
export const FULL = 100;

/** @typedef {{x: number, y: number, vx: number, vy: number, face: number, ground: boolean, boost: number, gas: number,
 *   flame: boolean, top: number}} Car  `top`: part of the full speed it can reach */
/** @typedef {{x: number, y: number, vx: number, vy: number, turn: number}} Ball */
/** @typedef {{dir: number, jump: boolean, boost: boolean}} Wish */

/** @param {number} x @param {number} face @param {number} [top] @returns {Car} */
export function makeCar(x, face, top = 1) {
  return { x, y: FLOOR - CAR_H / 2, vx: 0, vy: 0, face, ground: true, boost: 60, gas: 0, flame: false, top };
}

/** @param {number} value @param {number} goal @param {number} step */
const toward = (value, goal, step) => (value < goal ? Math.min(goal, value + step) : Math.max(goal, value - step));

/** @param {Car} c @param {Wish} wish */
export function drive(c, wish) {
  if (wish.dir) c.face = wish.dir;
  c.gas = wish.dir;
  c.flame = wish.boost && c.boost >= 1;
  if (c.flame) {
    c.boost -= 1.2;
    c.vx = toward(c.vx, c.face * BOOSTED * c.top, 0.85);
    if (!c.ground) c.vy -= 0.42;
  } else if (wish.dir) {
    const fast = Math.sign(c.vx) === wish.dir && Math.abs(c.vx) > DRIVE * c.top;
    c.vx = toward(c.vx, wish.dir * DRIVE * c.top, fast ? 0.15 : c.ground ? 0.6 : 0.35);
  } else if (c.ground) c.vx = toward(c.vx, 0, 0.3);
  c.boost = Math.min(FULL, c.boost + 0.12);
  if (wish.jump && c.ground) {
    c.vy = -JUMP;
    c.ground = false;
  }
  c.vy += GRAVITY;
  c.x += c.vx;
  c.y += c.vy;
  const [low, high] = [LEFT + CAR_W / 2, RIGHT - CAR_W / 2];
  if (c.x < low || c.x > high) {
    c.x = Math.max(low, Math.min(high, c.x));
    c.vx = 0;
  }
  if (c.y < TOP + CAR_H / 2) {
    c.y = TOP + CAR_H / 2;
    c.vy = Math.max(0, c.vy);
  }
  c.ground = c.y >= FLOOR - CAR_H / 2;
  if (c.ground) {
    c.y = FLOOR - CAR_H / 2;
    c.vy = Math.min(0, c.vy);
  }
}

/** Two cars push each other apart. @param {Car} a @param {Car} b */
export function bump(a, b) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const deepX = CAR_W - Math.abs(dx);
  const deepY = CAR_H - Math.abs(dy);
  if (deepX <= 0 || deepY <= 0) return;
  if (deepY < deepX && Math.abs(dy) > CAR_H / 2) {
    // One stands on the other's roof.
    const [upper, lower] = dy > 0 ? [a, b] : [b, a];
    upper.y = lower.y - CAR_H;
    upper.vy = Math.min(upper.vy, -4);
    return;
  }
  const side = dx >= 0 ? 1 : -1;
  a.x -= (side * deepX) / 2;
  b.x += (side * deepX) / 2;
  [a.vx, b.vx] = [b.vx * 0.6 + a.vx * 0.2, a.vx * 0.6 + b.vx * 0.2];
}

/** The ball flies, rolls and bounces off floor, walls and ceiling; the goal mouths are open. @param {Ball} b */
export function fly(b) {
  b.vy += BALL_GRAVITY;
  b.vx *= 0.998;
  b.x += b.vx;
  b.y += b.vy;
  b.turn += b.vx / BALL_R;
  if (b.y > FLOOR - BALL_R) {
    b.y = FLOOR - BALL_R;
    b.vy = b.vy > 1.2 ? -b.vy * 0.7 : 0;
    b.vx *= 0.992;
  }
  if (b.y < TOP + BALL_R) {
    b.y = TOP + BALL_R;
    b.vy = Math.abs(b.vy) * 0.8;
  }
  const inMouth = b.y > BAR + 8;
  if (inMouth && (b.x < LEFT + BALL_R || b.x > RIGHT - BALL_R)) {
    // Below the bar.
    if (b.y < BAR + BALL_R) {
      b.y = BAR + BALL_R;
      b.vy = Math.abs(b.vy) * 0.5;
    }
  } else if (b.x < LEFT + BALL_R) {
    b.x = LEFT + BALL_R;
    b.vx = Math.abs(b.vx) * 0.8;
  } else if (b.x > RIGHT - BALL_R) {
    b.x = RIGHT - BALL_R;
    b.vx = -Math.abs(b.vx) * 0.8;
  }
  // The net at the back of the goals.
  if (b.x < LEFT - 34 || b.x > RIGHT + 34) {
    b.x = Math.max(LEFT - 34, Math.min(RIGHT + 34, b.x));
    b.vx = 0;
  }
  const speed = Math.hypot(b.vx, b.vy);
  if (speed > FASTEST_BALL) {
    b.vx *= FASTEST_BALL / speed;
    b.vy *= FASTEST_BALL / speed;
  }
}

/** A car hits the ball: away from the nearest point of the car, and a little upwards. `care` (−1, 0, 1) names the side
 * to which a careful driver touches it only softly. @param {Car} c @param {Ball} b @param {number} [care] */
export function hit(c, b, care = 0) {
  const px = Math.max(c.x - CAR_W / 2, Math.min(c.x + CAR_W / 2, b.x));
  const py = Math.max(c.y - CAR_H / 2, Math.min(c.y + CAR_H / 2, b.y));
  let nx = b.x - px;
  let ny = b.y - py;
  const far = Math.hypot(nx, ny);
  if (far >= BALL_R) return false;
  if (far > 0.01) {
    nx /= far;
    ny /= far;
  } else {
    [nx, ny] = [0, -1];
  }
  b.x = px + nx * BALL_R;
  b.y = Math.min(FLOOR - BALL_R, py + ny * BALL_R);
  // Nothing rests on a roof: it rolls off to the nearer side.
  if (ny < -0.9) b.vx += (b.x < c.x ? -1 : 1) * 0.35;
  const closing = (c.vx - b.vx) * nx + (c.vy - b.vy) * ny;
  if (closing <= 0) return false;
  const force = closing * (care && nx * care > 0.1 ? 1.05 : 1.45);
  b.vx += nx * force;
  b.vy += ny * force - Math.abs(nx) * closing * 0.42;
  return true;
}
