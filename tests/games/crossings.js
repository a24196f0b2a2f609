/** Plays every order of a stage of Crate Escape with jumps of 12 frames; returns those that cannot be crossed. */
async () => {
  const { STAGES } = await import('./levels.js');
  const { create, update } = await import('./rules.js');
  const { seeded } = await import('../../kit/random.js');
  const input = (jump) => ({ held: () => jump, mouseHeld: () => false });
  const barred = [];
  for (const [i, stage] of STAGES.entries()) {
    const all = stage.ways;
    for (const way of all) {
      stage.ways = [way];
      // The crate's place follows from the step, so that two states at equal heights are one.
      let now = [create({ level: i + 1 }, seeded(1))];
      let crossed = false;
      for (let step = 0; step < 100 && !crossed; step++) {
        const next = new Map();
        for (const state of now) for (const jump of [false, true]) {
          const s = structuredClone({ ...state, rng: null });
          for (let frame = 0; frame < 12; frame++) if (!s.over) update(s, input(jump));
          crossed ||= s.over?.outcome === 'win';
          if (!s.over) next.set([s.y, s.vy, s.grounded].join(), s);
        }
        now = [...next.values()];
      }
      if (!crossed) barred.push([i + 1, way]);
    }
    stage.ways = all;
  }
  return barred;
}
