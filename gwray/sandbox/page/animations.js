// @ts-check
/**
 * CSS animations, transitions and Web Animations on game time.
 *
 * The browser's own animation clock is stopped from outside (playback rate 0), so an animation stays where it is;
 * each game frame moves every running one by exactly that frame's time, starting at the first frame that sees it.
 */

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installAnimations(core, home) {
  const document = global.document;
  const listed = document.getAnimations.bind(document);
  const list = () => {
    const all = listed();
    const more = home.shadowAnimations();
    for (let i = 0; i < more.length; i++) all[all.length] = more[i];
    return all;
  };
  const Animation = global.Animation.prototype;
  const currentTime = /** @type {any} */ (getOwnPropertyDescriptor(Animation, 'currentTime'));
  const [playState, rate, effect, timelineOf] = ['playState', 'playbackRate', 'effect', 'timeline'].map((name) => getterOf(Animation, name));
  const seen = new NativeWeakSet();
  const { has, add } = NativeWeakSet.prototype;
  const timing = global.AnimationEffect.prototype.getComputedTiming;
  let last = 0;

  replaceGetter(global.AnimationTimeline.prototype, 'currentTime', () => core.peekNow());

  /** Which part of its course an animation is in: a change makes the browser queue events. @param {any} animation */
  const phase = (animation) => {
    const of = apply(effect, animation, []);
    if (!of) return '';
    const t = apply(timing, of, []);
    return `${t.progress === null}${t.currentIteration}${apply(playState, animation, [])}`;
  };

  /** @returns {boolean} whether the browser has events to deliver */
  return () => {
    const step = core.peekNow() - last;
    last = core.peekNow();
    let events = false;
    // Each look at an animation whose page has changed computes the styles of the page: first all looks, then all changes.
    const all = list();
    /** @type {{animation: any, known: boolean, to: number, before: string}[]} */
    const running = [];
    for (let i = 0; i < all.length; i++) {
      const animation = all[i];
      if (apply(playState, animation, []) !== 'running') continue;
      const of = apply(timelineOf, animation, []);
      if (!of) continue;
      if (!(of instanceof global.DocumentTimeline)) {
        core.mark('an animation that follows scrolling (its progress comes in real time)');
        continue;
      }
      const at = apply(currentTime.get, animation, []) || 0;
      const known = apply(has, seen, [animation]);
      const to = known ? at + step * apply(rate, animation, []) : at;
      running[running.length] = { animation, known, to, before: known ? phase(animation) : '' };
    }
    for (let i = 0; i < running.length; i++) {
      const { animation, known, to } = running[i];
      if (!known) apply(add, seen, [animation]);
      apply(currentTime.set, animation, [to]);
      if (!known) events = true;
    }
    for (let i = 0; i < running.length && !events; i++) {
      events = running[i].known && phase(running[i].animation) !== running[i].before;
    }
    return events;
  };
}
