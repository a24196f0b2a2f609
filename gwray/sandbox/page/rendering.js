// @ts-check
/**
 * Events the browser ties to its own rendering: resize and intersection observers, animation and transition events.
 *
 * The browser renders whenever it likes. What it reports between two game frames is kept back and handed over in the next
 * game frame, and only if something the page watches really differs from the frame before.
 */

/** Further events that the browser reports with its rendering or in a task of its own. */
const RENDERED_EVENTS = [
  'scroll', 'scrollend', 'scrollsnapchange', 'scrollsnapchanging', 'toggle', 'close', 'select', 'selectionchange', 'resize',
  'fullscreenchange', 'fullscreenerror', 'webkitfullscreenchange', 'webkitfullscreenerror', 'visibilitychange',
  'contentvisibilityautostatechange', 'cuechange', 'enterpictureinpicture', 'leavepictureinpicture', 'freeze', 'resume', 'beginEvent', 'endEvent', 'repeatEvent',
];
/**
 * Those of them that come only after the page has called one of `SCREEN_CAUSES`: its size and visibility never change
 * otherwise. Most engines listen to some of them, and waiting for the browser's rendering after each key would be most
 * of the cost of a step. `resize` is one of them only outside of frames, whose size the page can change.
 */
const SCREEN_EVENTS = [
  'resize', 'fullscreenchange', 'fullscreenerror', 'webkitfullscreenchange', 'webkitfullscreenerror', 'visibilitychange', 'freeze',
  'resume',
];
/** Methods that ask for another size of the page, by class. */
const SCREEN_CAUSES = [
  ['Element', ['requestFullscreen', 'webkitRequestFullscreen', 'webkitRequestFullScreen']],
  ['HTMLVideoElement', ['webkitEnterFullscreen', 'webkitEnterFullScreen', 'webkitExitFullscreen', 'webkitExitFullScreen']],
  ['Document', ['exitFullscreen', 'webkitExitFullscreen', 'webkitCancelFullScreen']],
];
/** Methods and attributes that may cause such an event without changing an element, by class. */
const EVENT_CAUSES = [
  ['Element', ['scroll', 'scrollTo', 'scrollBy', 'scrollIntoView', 'scrollIntoViewIfNeeded', 'scrollTop', 'scrollLeft']],
  ['HTMLElement', ['focus', 'blur', 'showPopover', 'hidePopover', 'togglePopover']],
  ['HTMLDialogElement', ['show', 'showModal', 'close', 'requestClose']],
  ['HTMLInputElement', ['select', 'setSelectionRange', 'setRangeText', 'selectionStart', 'selectionEnd', 'value']],
  ['HTMLTextAreaElement', ['select', 'setSelectionRange', 'setRangeText', 'selectionStart', 'selectionEnd', 'value']],
  ['Document', ['exitFullscreen', 'webkitExitFullscreen', 'execCommand']],
  ['Selection', ['addRange', 'collapse', 'collapseToEnd', 'collapseToStart', 'deleteFromDocument', 'empty', 'extend', 'modify',
    'removeAllRanges', 'removeRange', 'selectAllChildren', 'setBaseAndExtent', 'setPosition']],
];
/** Game frames after a cause in which its events are waited for. */
const FRAMES_AFTER_CAUSE = 2;

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installRendering(core, home) {
  let open = false;
  /** Whether the page listens to any of `RENDERED_EVENTS` that may come: only then are they waited for. */
  let listening = false;
  /** Whether the page listens to any of `SCREEN_EVENTS`. */
  let listeningToScreen = false;
  /** Whether it may get any of them. */
  let screenMayChange = false;
  /** Frames in which the events of the latest cause are still waited for. */
  let expected = 0;
  /** @type {{target: any, event: any}[]} */
  let heldEvents = [];
  /** @type {any[]} */
  let observers = [];
  const stop = Event.prototype.stopImmediatePropagation;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const rectOf = Element.prototype.getBoundingClientRect;
  const parentOf = getterOf(Node.prototype, 'parentElement');
  const styleOf = global.getComputedStyle;
  const connected = getterOf(Node.prototype, 'isConnected');
  const targetOf = getterOf(Event.prototype, 'target');
  const trusted = (/** @type {any} */ e) => e.isTrusted;

  /** @param {any} e */
  const hold = (e) => {
    if (open || !trusted(e)) return;
    apply(stop, e, []);
    heldEvents[heldEvents.length] = { target: apply(pathOfEvent, e, [])[0] || apply(targetOf, e, []), event: e };
  };
  for (const type of ['start', 'iteration', 'end', 'cancel']) home.listen(`animation${type}`, hold);
  for (const type of ['run', 'start', 'end', 'cancel']) home.listen(`transition${type}`, hold);

  const typeOf = /** @type {any} */ (getOwnPropertyDescriptor(Event.prototype, 'type')).get;
  /** @param {any} e */
  const holdRendered = (e) => {
    if (open || core.delivering || !trusted(e)) return;
    const type = apply(typeOf, e, []);
    if (!expected && (listening || listeningToScreen || hasHandlerInMarkup(e, type))) core.mark(`the event ${type}, which came in real time`);
    hold(e);
  };
  const cause = () => {
    expected = FRAMES_AFTER_CAUSE;
  };
  for (let i = 0; i < RENDERED_EVENTS.length; i++) {
    home.listen(RENDERED_EVENTS[i], holdRendered);
    if (global.visualViewport) apply(listen, global.visualViewport, [RENDERED_EVENTS[i], holdRendered, true]);
  }
  for (const type of ['keydown', 'keyup', 'mousedown', 'mouseup', 'click', 'wheel', 'touchstart', 'touchend']) {
    apply(listen, global, [type, cause, true]);
  }
  watchMembers(EVENT_CAUSES, cause);
  for (const name of ['scroll', 'scrollTo', 'scrollBy', 'focus']) watchMember(global, name, cause);
  const screenCause = () => {
    screenMayChange = true;
    if (listeningToScreen) begin('');
    cause();
  };
  watchMembers(SCREEN_CAUSES, screenCause);
  const ofScreen = create(null);
  for (let i = 0; i < SCREEN_EVENTS.length; i++) ofScreen[SCREEN_EVENTS[i]] = true;
  if (global.top !== global) ofScreen.resize = false;

  /** The page listens: from now on changes of its elements are causes, too. @param {string} type */
  const begin = (type) => {
    if (ofScreen[type]) listeningToScreen = true;
    if (listening || (ofScreen[type] && !screenMayChange)) return;
    listening = true;
    cause();
    const observer = new Observer(cause);
    apply(observeChanges, observer, [global.document, { subtree: true, childList: true, attributes: true, characterData: true }]);
  };
  const Observer = MutationObserver;
  const observeChanges = MutationObserver.prototype.observe;
  const rendersLater = create(null);
  for (let i = 0; i < RENDERED_EVENTS.length; i++) rendersLater[RENDERED_EVENTS[i]] = true;
  for (const name of ['addEventListener', 'removeEventListener']) {
    wrapMethod(EventTarget.prototype, name, (native, self, [type, ...rest]) => {
      const target = self === undefined || self === null ? global : self;
      const key = toText(type);
      if (name === 'addEventListener') {
        if (rendersLater[key]) begin(key);
        else home.heed(target, key);
      }
      return apply(native, target, [/** @type {any} */ (OLDER_NAMES)[key] || type, ...rest]);
    });
  }
  for (const owner of [global, Document.prototype, HTMLElement.prototype, SVGElement.prototype, HTMLBodyElement.prototype]) {
    for (let i = 0; i < RENDERED_EVENTS.length; i++) {
      wrapSetter(owner, `on${RENDERED_EVENTS[i]}`, (native, self, f) => {
        if (f) begin(RENDERED_EVENTS[i]);
        apply(native, self, [f]);
      });
    }
  }

  for (const name of ['ResizeObserver', 'IntersectionObserver']) {
    const Class = global[name];
    if (!Class) continue;
    wrapClass(name, (make, args) => {
      /** @type {any} */
      const item = { callback: args[0], made: null, held: [], targets: [] };
      if (typeof args[0] !== 'function') return make(args);
      const keep = (/** @type {any[]} */ entries) => {
        for (let i = 0; i < entries.length; i++) item.held[item.held.length] = entries[i];
      };
      if (args[1] && (args[1].trackVisibility || args[1].delay)) core.mark('an IntersectionObserver with a delay (in real time)');
      item.made = make(args.length > 1 ? [keep, args[1]] : [keep]);
      observers[observers.length] = item;
      return item.made;
    });
    const owner = Class.prototype;
    /** @param {any} made */
    const itemOf = (made) => {
      for (let i = 0; i < observers.length; i++) if (observers[i].made === made) return observers[i];
      return null;
    };
    wrapMethod(owner, 'observe', (native, self, args) => {
      apply(native, self, args);
      const [item, element] = [itemOf(self), args[0]];
      if (!item) return;
      item.targets = withoutTarget(item.targets, element);
      item.targets[item.targets.length] = { element, sizes: name === 'ResizeObserver', last: '' };
    });
    wrapMethod(owner, 'unobserve', (native, self, args) => {
      apply(native, self, args);
      const item = itemOf(self);
      if (item) item.targets = withoutTarget(item.targets, args[0]);
    });
    wrapMethod(owner, 'disconnect', (native, self) => {
      apply(native, self, []);
      const item = itemOf(self);
      if (item) item.targets = item.held = [];
    });
    replaceMethod(owner, 'takeRecords', () => []);
  }
  if (global.IntersectionObserverEntry) {
    replaceGetter(global.IntersectionObserverEntry.prototype, 'time', () => core.peekNow());
  }

  /** Whether a watched element differs from the last game frame. */
  const changed = () => {
    let differs = false;
    for (let i = 0; i < observers.length; i++) {
      const targets = observers[i].targets;
      for (let j = 0; j < targets.length; j++) {
        const element = targets[j].element;
        const r = apply(rectOf, element, []);
        let now = `${apply(connected, element, [])} ${r.left} ${r.top} ${r.width} ${r.height} ${element.clientWidth} ${element.clientHeight}`;
        if (targets[j].sizes) {
          const style = apply(styleOf, global, [element]);
          now += `${style.paddingLeft} ${style.paddingRight} ${style.paddingTop} ${style.paddingBottom}`;
        } else {
          // What lies around it may cut it off.
          for (let e = apply(parentOf, element, []); e; e = apply(parentOf, e, [])) {
            const around = apply(rectOf, e, []);
            now += ` ${around.left} ${around.top} ${around.width} ${around.height}`;
          }
        }
        if (now !== targets[j].last) differs = true;
        targets[j].last = now;
      }
    }
    return differs;
  };

  return {
    changed,
    /** Let the browser render and report, then hand over what it reported. */
    async deliver() {
      open = true;
      await rendered();
      open = false;
      if (expected) expected -= 1;
      const events = heldEvents;
      heldEvents = [];
      for (let i = 0; i < events.length; i++) {
        const { target, event } = events[i];
        core.call(home, dispatch, target, [copyOf(event)]);
        await hop();
      }
      for (let i = 0; i < observers.length; i++) {
        const item = observers[i];
        const entries = lastPerTarget(item.held, item.targets);
        item.held = [];
        if (!entries.length) continue;
        core.call(home, item.callback, item.made, [entries, item.made]);
        await hop();
      }
    },
    /** Hands an event over in the next game frame. @param {any} target @param {any} event */
    report(target, event) {
      heldEvents[heldEvents.length] = { target, event };
    },
    /** Nothing watched has changed: what was reported meanwhile had no lasting cause. */
    forget() {
      for (let i = 0; i < observers.length; i++) observers[i].held = [];
    },
    /** Events wait to be handed over, or what may have caused some has happened and the page listens to them. */
    waiting: () => heldEvents.length > 0 || (listening && expected > 0),
  };
}

/** @param {any[]} table classes with their members @param {() => void} seen */
function watchMembers(table, seen) {
  for (const [name, members] of table) for (const member of members) watchMember(global[name] && global[name].prototype, member, seen);
}

const EventNow = Event;

/** The same event, to be dispatched again. A page cannot construct events of some classes, such as SnapEvent.
 * @param {any} event */
function copyOf(event) {
  try {
    return new event.constructor(event.type, event);
  } catch {
    const copy = new EventNow(event.type, event);
    for (const name in event) {
      if (!(name in copy)) defineProperty(copy, name, { value: event[name], enumerable: true });
    }
    return copy;
  }
}

/** @param {any[]} targets @param {any} element */
function withoutTarget(targets, element) {
  const left = [];
  for (let i = 0; i < targets.length; i++) if (targets[i].element !== element) left[left.length] = targets[i];
  return left;
}

/** @param {any[]} entries @param {any[]} targets in the order in which they are watched */
function lastPerTarget(entries, targets) {
  const out = [];
  for (let i = 0; i < targets.length; i++) {
    for (let j = entries.length - 1; j >= 0; j--) {
      if (entries[j].target !== targets[i].element) continue;
      out[out.length] = entries[j];
      break;
    }
  }
  return out;
}
