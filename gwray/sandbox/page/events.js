// @ts-check
/**
 * The events that a page may get without losing its claim to be reproducible.
 *
 * `CONTROLLED_EVENTS` come within an input, within a call of the page, or on game time; `RENDERED_EVENTS` are handed over
 * in game frames. Any other event marks the episode when the browser sends it to an object that the page listens to.
 */

/** Controlled events, by type. Events that never come here, such as `offline`, need not be listed. */
const CONTROLLED_EVENTS = `
  abort afterprint animationcancel animationend animationiteration animationstart audioprocess auxclick beforecopy beforecut
  beforeinput beforepaste beforeprint beforetoggle beforeunload blocked blur cancel canplay canplaythrough change click command
  complete compositionend compositionstart compositionupdate contextmenu copy currententrychange cut dblclick DOMContentLoaded
  durationchange emptied ended error finish focus focusin focusout formdata gotpointercapture hashchange input invalid keydown
  keypress keyup load loadeddata loadedmetadata loadend loading loadingdone loadingerror loadstart lostpointercapture message
  mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup mousewheel navigate pagehide pageshow paste pause play
  playing pointercancel pointerdown pointerenter pointerleave pointerlockchange pointerlockerror pointermove pointerout
  pointerover pointerrawupdate pointerup popstate prioritychange progress ratechange readystatechange rejectionhandled reset
  search seeked seeking selectstart slotchange stalled statechange storage submit success suspend textInput timeout timeupdate
  touchcancel touchend touchmove touchstart transitioncancel transitionend transitionrun transitionstart unhandledrejection
  unload upgradeneeded versionchange volumechange waiting wheel
`.trim().split(/\s+/);
/** Older names, under which only the browser itself can send an event. */
const OLDER_NAMES = {
  webkitAnimationStart: 'animationstart', webkitAnimationEnd: 'animationend', webkitAnimationIteration: 'animationiteration',
  webkitTransitionEnd: 'transitionend',
};

const pathOfEvent = Event.prototype.composedPath;
const attributeOf = Element.prototype.getAttribute;
/** Whether an element on the way of an event has a handler for it in its markup. @param {any} e @param {string} type */
const hasHandlerInMarkup = (e, type) => {
  const path = apply(pathOfEvent, e, []);
  for (let i = 0; i < path.length; i++) {
    if (path[i] instanceof Element && apply(attributeOf, path[i], [`on${type}`]) !== null) return true;
  }
  return false;
};

/** Offers `home.heed`, which marks the page when an object gets an event that is not controlled.
 * @param {ReturnType<typeof makeCore>} core @param {any} home */
function installEvents(core, home) {
  const known = create(null);
  for (const type of [...CONTROLLED_EVENTS, ...RENDERED_EVENTS]) known[type] = true;
  /** @type {Record<string, (e: any) => void>} */
  const markers = create(null);
  const mark = (/** @type {string} */ type) => core.mark(`the event ${type}, which came in real time`);
  const Moving = global.Animation;
  /** @param {any} target @param {string} type */
  home.heed = (target, type) => {
    if (type === 'cancel' && target instanceof Moving) mark(type);
    if (known[type]) return;
    if (!markers[type]) markers[type] = (e) => e.isTrusted && mark(type);
    apply(listen, target, [type, markers[type], true]);
  };
  /** @param {any} owner */
  const watchHandlers = (owner) => {
    const names = Object.getOwnPropertyNames(owner);
    for (let i = 0; i < names.length; i++) {
      if (names[i][0] !== 'o' || names[i][1] !== 'n') continue;
      const type = apply(sliceText, names[i], [2]);
      if (known[type] && type !== 'cancel') continue;
      wrapSetter(owner, names[i], (native, self, f) => {
        if (f) home.heed(self === undefined ? global : self, type);
        apply(native, self, [f]);
      });
      if (owner === HTMLElement.prototype && !known[type]) {
        home.listen(type, (/** @type {any} */ e) => e.isTrusted && hasHandlerInMarkup(e, type) && mark(type));
      }
    }
  };
  const sliceText = String.prototype.slice;
  watchHandlers(global);
  const names = Object.getOwnPropertyNames(global);
  for (let i = 0; i < names.length; i++) {
    const Class = getOwnPropertyDescriptor(global, names[i])?.value;
    if (typeof Class === 'function' && Class.prototype) watchHandlers(Class.prototype);
  }
  // The bubble at an invalid field is drawn in real time.
  const { preventDefault } = Event.prototype;
  home.listen('invalid', (/** @type {any} */ e) => e.isTrusted && apply(preventDefault, e, []));
}
