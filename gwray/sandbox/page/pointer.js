// @ts-check
/**
 * Lets only those pointer movements through that the sandbox sent.
 *
 * A browser makes movements of its own: some time after a page was laid out or scrolled it tells the page again where
 * the pointer is. When that happens depends on real time.
 */

/** @param {ReturnType<typeof makeCore>} core */
function installPointer(core) {
  const isTop = global.top === global;
  const stop = Event.prototype.stopImmediatePropagation;
  const mouse = MouseEvent.prototype;
  const xOf = /** @type {any} */ (getOwnPropertyDescriptor(mouse, 'clientX')).get;
  const yOf = /** @type {any} */ (getOwnPropertyDescriptor(mouse, 'clientY')).get;
  const typeOf = /** @type {any} */ (getOwnPropertyDescriptor(Event.prototype, 'type')).get;

  /** @param {any} e */
  const check = (e) => {
    if (!e.isTrusted) return;
    const gate = core.pointer;
    const type = apply(typeOf, e, []);
    const moves = type === 'mousemove' || type === 'pointermove' || type === 'pointerrawupdate';
    let expected = gate.open && (!moves || gate.moves > 0);
    if (expected && isTop) {
      expected = false;
      for (let i = 0; i < gate.points.length; i++) {
        const [x, y] = gate.points[i];
        if (abs(apply(xOf, e, []) - x) < 1 && abs(apply(yOf, e, []) - y) < 1) expected = true;
      }
    }
    if (!expected) apply(stop, e, []);
    else if (type === 'mousemove') gate.moves -= 1;
  };
  for (const kind of ['mouse', 'pointer']) {
    for (const what of ['move', 'over', 'out', 'enter', 'leave']) apply(listen, global, [kind + what, check, true]);
  }
  apply(listen, global, ['pointerrawupdate', check, true]);

  // Where the browser expects the pointer next depends on when, in real time, its movements arrived.
  wrapMethod(PointerEvent.prototype, 'getPredictedEvents', (native, self) => {
    const predicted = apply(native, self, []);
    return self.isTrusted ? [] : predicted;
  });
}
