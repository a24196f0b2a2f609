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
    else if (!core.receive(home, global, e)) return;
    else if (mine > 0) mine -= 1;
    else linger();
  }, true]);
  /** After a message that was not counted, such as one between frames: what answers it at once is here before a timer. */
  const linger = () => {
    open += 1;
    realSetTimeout(() => {
      open -= 1;
    }, 1);
  };
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
  wrapMethod(Port, 'start', (native, port) => {
    begin(recordOf(port));
    apply(native, port, []);
  });
  wrapMethod(Port, 'close', (native, port) => {
    const record = recordOf(port);
    lose(record);
    lose(record && record.other);
    apply(native, port, []);
  });
  wrapSetter(Port, 'onmessage', (native, port, f) => {
    begin(recordOf(port));
    apply(native, port, [f]);
  });
  wrapMethod(Port, 'postMessage', (native, port, args) => {
    const record = recordOf(port);
    core.used.messages += 1;
    apply(native, port, args);
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
  const entries = global.navigation;
  const [canGoBack, canGoForward] = ['canGoBack', 'canGoForward'].map((name) => getterOf(global.Navigation.prototype, name));
  const can = (/** @type {any} */ go) => apply(go, entries, []);
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
  watchMember(History.prototype, 'back', () => begin(can(canGoBack)));
  watchMember(History.prototype, 'forward', () => begin(can(canGoForward)));
  wrapMethod(History.prototype, 'go', (native, self, args) => {
    const steps = trunc(+args[0]) || 0;
    begin(steps !== 0 && can(steps < 0 ? canGoBack : canGoForward));
    return apply(native, self, args);
  });
  return () => open;
}

/** Real time after which a step through the history is given up. */
const HISTORY_LIMIT_MS = 2000;
