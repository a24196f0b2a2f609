/** Searches a way over a first wall that is climbed backwards, to the right and to the left; returns where there is none. */
async () => {
  const { create, update } = await import('./rules.js');
  const { makePlan } = await import('./levels.js');
  const { seeded } = await import('../../kit/random.js');
  const keys = ['', 'R', 'L', 'U', 'UL', 'UR', 'DL', 'DR'];
  const arrow = { ArrowLeft: 'L', ArrowRight: 'R', ArrowUp: 'U', ArrowDown: 'D' };
  const blocked = [];
  for (const turned of [0, 1]) {
    let seed = 0;
    const wanted = ([before, , , , , , back, , way]) => before === 1 && back === 1 && way === turned;
    while (!wanted(makePlan(seeded(seed)))) seed++;
    const start = create({ level: 1 }, seeded(seed));
    const walked = (s) => Math.abs(s.hero.x - start.hero.x) / 48;
    let now = [start];
    const seen = new Set();
    let over = false;
    for (let step = 0; step < 30 && !over; step++) {
      const next = [];
      for (const state of now) for (const down of keys) {
        const s = { ...state, hero: { ...state.hero } };
        const held = (key) => down.includes(arrow[key]);
        const axis = (left, right) => held(right) - held(left);
        for (let frame = 0; frame < 12; frame++) {
          update(s, { held, axis, pressed: (key) => frame === 0 && held(key), clicked: () => null });
        }
        const { x, y, vx, vy, onGround } = s.hero;
        const cell = [x / 16, y / 16, vx / 3, vy / 4].map(Math.round).join() + onGround;
        if (seen.has(cell)) continue;
        seen.add(cell);
        next.push(s);
        // The wall stands seven to nine columns behind the start.
        over ||= walked(s) > 11 && onGround;
      }
      now = next;
    }
    if (!over) blocked.push([turned, seed]);
  }
  return blocked;
}
