// @ts-check
/**
 * Counts messages on their way inside the page (ports and `postMessage`), so that they arrive before time advances.
 *
 * A page that never stops sending itself messages runs on them as fast as the machine allows; `core.js` notices that.
 */

/** @param {ReturnType<typeof makeCore>} core @param {any} home @returns {() => number} messages that were sent and will be received */
function installMessages(core, home) {
  let open = 0;
  let mine = 0;
  apply(listen, global, ['message', (/** @type {any} */ e) => {
    if (e.isTrusted && isForeign(e.source)) core.mark('a message from a frame of another origin');
    else if (core.receive(home, global, e) && mine > 0) mine -= 1;
  }, true]);
  /** Whether a window belongs to another origin, and so has a clock of its own. @param {any} source */
  const isForeign = (source) => {
    try {
      return !!source && typeof source.document !== 'object';
    } catch {
      return true;
    }
  };

  /** @type {WeakMap<object, any>} */
  const known = new NativeWeakMap();
  const { get, set } = NativeWeakMap.prototype;
  /** @param {any} port */
  const recordOf = (port) => apply(get, known, [port]);
  const Port = MessagePort.prototype;

  watchClass('MessageChannel', (made) => {
    /** @type {any} */
    const one = { queued: 0, started: false, gone: false };
    /** @type {any} */
    const two = { queued: 0, started: false, gone: false };
    one.other = two;
    two.other = one;
    for (const [port, record] of [[made.port1, one], [made.port2, two]]) {
      apply(set, known, [port, record]);
      apply(listen, port, ['message', (/** @type {any} */ e) => {
        if (!core.receive(home, port, e) || !record.queued) return; // a message from elsewhere was not counted
        record.queued -= 1;
        open -= 1;
      }]);
    }
  });
  /** @param {any} record */
  const begin = (record) => {
    if (!record || record.started || record.gone) return;
    record.started = true;
    open += record.queued;
  };
  /** @param {any} record */
  const lose = (record) => {
    if (!record || record.gone) return;
    if (record.started) open -= record.queued;
    record.gone = true;
  };
  const start = Port.start;
  replaceMethod(Port, 'start', function () {
    // @ts-ignore
    begin(recordOf(this));
    // @ts-ignore
    apply(start, this, []);
  });
  const close = Port.close;
  replaceMethod(Port, 'close', function () {
    // @ts-ignore
    const record = recordOf(this);
    lose(record);
    lose(record && record.other);
    // @ts-ignore
    apply(close, this, []);
  });
  const handler = getOwnPropertyDescriptor(Port, 'onmessage');
  if (handler && handler.set) {
    const assign = handler.set;
    defineProperty(Port, 'onmessage', {
      ...handler,
      set(f) {
        begin(recordOf(this));
        apply(assign, this, [f]);
      },
    });
  }
  const postPort = Port.postMessage;
  replaceMethod(Port, 'postMessage', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    const record = recordOf(this);
    core.used.messages += 1;
    // @ts-ignore
    apply(postPort, this, args);
    if (!record || record.gone || record.other.gone) return;
    record.other.queued += 1;
    if (record.other.started) open += 1;
  });
  const post = global.postMessage;
  const counted = function (/** @type {any[]} */ ...args) {
    core.used.messages += 1;
    apply(post, global, args);
    mine += 1;
  };
  defineProperty(counted, 'name', { value: 'postMessage', configurable: true });
  /** @type {any} */
  let replaced = null;
  // Between frames the browser's own function must be called directly, or `event.source` would name the wrong frame.
  replace(global, 'postMessage', {
    get: () => replaced || (global.top === global && global.length === 0 ? counted : post),
    set: (f) => {
      replaced = f;
    },
  });
  return () => open + mine;
}

/** Counts steps through the history of the page that are under way: their events arrive before time advances.
 * @param {ReturnType<typeof makeCore>} core @returns {() => number} */
function installHistory(core) {
  let open = 0;
  const { back, forward, go } = History.prototype;
  const entries = global.navigation;
  const Navigation = global.Navigation && global.Navigation.prototype;
  const canGo = create(null);
  for (const name of ['canGoBack', 'canGoForward']) {
    const how = Navigation && getOwnPropertyDescriptor(Navigation, name);
    canGo[name] = () => !!how && !!how.get && apply(how.get, entries, []);
  }
  apply(listen, global, ['popstate', (/** @type {any} */ e) => {
    if (e.isTrusted && open > 0) open -= 1;
  }, true]);
  const begin = (/** @type {boolean} */ possible) => {
    core.used.messages += 1;
    if (!possible) return;
    open += 1;
    realSetTimeout(() => {
      if (!open) return;
      open = 0;
      core.mark('a step through the history that did not arrive');
    }, HISTORY_LIMIT_MS);
  };
  replaceMethod(History.prototype, 'back', function () {
    begin(canGo.canGoBack());
    // @ts-ignore
    return apply(back, this, []);
  });
  replaceMethod(History.prototype, 'forward', function () {
    begin(canGo.canGoForward());
    // @ts-ignore
    return apply(forward, this, []);
  });
  replaceMethod(History.prototype, 'go', function (/** @type {any[]} */ ...args) {
    const steps = trunc(+args[0]) || 0;
    begin(steps !== 0 && (steps < 0 ? canGo.canGoBack() : canGo.canGoForward()));
    // @ts-ignore
    return apply(go, this, args);
  });
  return () => open;
}

/** Real time after which a step through the history is given up. */
const HISTORY_LIMIT_MS = 2000;
