// @ts-check
/**
 * Events the browser ties to its own rendering: resize and intersection observers, animation and transition events.
 *
 * The browser renders whenever it likes. What it reports between two game frames is kept back and handed over in the next
 * game frame, and only if something the page watches really differs from the frame before.
 */

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installRendering(core, home) {
  let open = false;
  /** @type {{target: any, event: any}[]} */
  let heldEvents = [];
  /** @type {any[]} */
  let observers = [];
  const stop = Event.prototype.stopImmediatePropagation;
  const dispatch = EventTarget.prototype.dispatchEvent;
  const rectOf = Element.prototype.getBoundingClientRect;
  const connected = /** @type {any} */ (getOwnPropertyDescriptor(Node.prototype, 'isConnected')).get;
  const targetOf = /** @type {any} */ (getOwnPropertyDescriptor(Event.prototype, 'target')).get;
  const trusted = (/** @type {any} */ e) => e.isTrusted;

  /** @param {any} e */
  const hold = (e) => {
    if (open || !trusted(e)) return;
    apply(stop, e, []);
    heldEvents[heldEvents.length] = { target: apply(targetOf, e, []), event: e };
  };
  for (const type of ['start', 'iteration', 'end', 'cancel']) apply(listen, global, [`animation${type}`, hold, true]);
  for (const type of ['run', 'start', 'end', 'cancel']) apply(listen, global, [`transition${type}`, hold, true]);

  for (const name of ['ResizeObserver', 'IntersectionObserver']) {
    const Class = global[name];
    if (!Class) continue;
    const watched = new NativeProxy(Class, {
      construct(target, args, newTarget) {
        /** @type {any} */
        const item = { callback: args[0], made: null, held: [], targets: [], fresh: false };
        if (typeof args[0] !== 'function') return construct(target, args, newTarget === watched ? target : newTarget);
        const keep = (/** @type {any[]} */ entries) => {
          for (let i = 0; i < entries.length; i++) item.held[item.held.length] = entries[i];
        };
        const rest = args.length > 1 ? [keep, args[1]] : [keep];
        item.made = construct(target, rest, newTarget === watched ? target : newTarget);
        observers[observers.length] = item;
        return item.made;
      },
    });
    const owner = Class.prototype;
    /** @param {any} made */
    const itemOf = (made) => {
      for (let i = 0; i < observers.length; i++) if (observers[i].made === made) return observers[i];
      return null;
    };
    const { observe, unobserve, disconnect, takeRecords } = owner;
    replaceMethod(owner, 'observe', function (/** @type {any} */ element, /** @type {any[]} */ ...rest) {
      // @ts-ignore
      apply(observe, this, [element, ...rest]);
      // @ts-ignore
      const item = itemOf(this);
      if (!item) return;
      item.targets = withoutTarget(item.targets, element);
      item.targets[item.targets.length] = { element, last: '' };
    });
    replaceMethod(owner, 'unobserve', function (/** @type {any} */ element) {
      // @ts-ignore
      apply(unobserve, this, [element]);
      // @ts-ignore
      const item = itemOf(this);
      if (item) item.targets = withoutTarget(item.targets, element);
    });
    replaceMethod(owner, 'disconnect', function () {
      // @ts-ignore
      apply(disconnect, this, []);
      // @ts-ignore
      const item = itemOf(this);
      if (item) item.targets = item.held = [];
    });
    if (takeRecords) replaceMethod(owner, 'takeRecords', () => []);
    defineProperty(owner, 'constructor', { value: watched, writable: true, configurable: true });
    replace(global, name, { value: watched, writable: true });
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
        const now = `${apply(connected, element, [])} ${r.left} ${r.top} ${r.width} ${r.height} ${element.clientWidth} ${element.clientHeight}`;
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
      const events = heldEvents;
      heldEvents = [];
      for (let i = 0; i < events.length; i++) {
        const { target, event } = events[i];
        core.call(home, dispatch, target, [new event.constructor(event.type, event)]);
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
    /** Nothing watched has changed: what was reported meanwhile had no lasting cause. */
    forget() {
      for (let i = 0; i < observers.length; i++) observers[i].held = [];
    },
    /** Events wait to be handed over. */
    waiting: () => heldEvents.length > 0,
  };
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
