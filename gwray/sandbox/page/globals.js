// @ts-check
/**
 * What a page calls to learn or await time, answered from game time: timers, animation frames, idle callbacks, Date,
 * Intl's default date, Temporal, performance, event time stamps.
 */

/** 2025-01-01T00:00:00Z: the date on which every game starts. */
const EPOCH = 1735689600000;

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installTimers(core, home) {
  /** @type {Record<number, any>} */
  const timers = create(null);
  let lastId = 0;
  let nesting = 0;

  /** @param {any} handler */
  const runnable = (handler) => {
    if (typeof handler === 'function') return handler;
    const code = toText(handler);
    return () => (0, global.eval)(code);
  };

  /** @param {any} handler @param {any} delay @param {any[]} args @param {boolean} repeat */
  function add(handler, delay, args, repeat) {
    const f = runnable(handler);
    const id = ++lastId;
    let level = nesting + 1;
    const wish = max(repeat ? 1 : 0, (delay = trunc(+delay)) > 0 ? min(delay, 2147483647) : 0);
    const clamp = () => (level > 5 ? max(4, wish) : wish);
    const fire = () => {
      const due = entry.due;
      if (!repeat) delete timers[id];
      nesting = level;
      try {
        apply(f, global, args);
      } finally {
        nesting = 0;
        if (repeat && timers[id]) {
          level += 1;
          entry = timers[id] = core.schedule(home, 0, fire, due + clamp());
        }
      }
    };
    let entry = (timers[id] = core.schedule(home, clamp(), fire));
    return id;
  }

  /** @param {any} id */
  const clear = (id) => {
    const entry = timers[id];
    if (!entry) return;
    entry.dead = true;
    core.used.timers += 1;
    delete timers[id];
  };

  replaceMethod(global, 'setTimeout', function (/** @type {any} */ f, /** @type {any} */ ms, /** @type {any[]} */ ...args) {
    return add(f, ms, args, false);
  });
  replaceMethod(global, 'setInterval', function (/** @type {any} */ f, /** @type {any} */ ms, /** @type {any[]} */ ...args) {
    return add(f, ms, args, true);
  });
  replaceMethod(global, 'clearTimeout', (/** @type {any} */ id) => clear(id));
  replaceMethod(global, 'clearInterval', (/** @type {any} */ id) => clear(id));

  /** @param {'rafs' | 'idles'} list @param {string} ask @param {string} cancel */
  const queueOf = (list, ask, cancel) => {
    let last = 0;
    /** @type {Record<number, any>} */
    const open = create(null);
    replaceMethod(global, ask, (/** @type {any} */ f, /** @type {any} */ options) => {
      if (typeof f !== 'function') throw new TypeError(`${ask}: the callback is not a function`);
      const id = ++last;
      const item = { f, dead: false, since: core.peekNow(), timeout: options ? +options.timeout || 0 : 0 };
      open[id] = item;
      core.used.frames += 1;
      item.f = (/** @type {any} */ arg) => {
        delete open[id];
        apply(f, undefined, [arg]);
      };
      home[list][home[list].length] = item;
      return id;
    });
    replaceMethod(global, cancel, (/** @type {any} */ id) => {
      if (!open[id]) return;
      open[id].dead = true;
      core.used.frames += 1;
      delete open[id];
    });
  };
  queueOf('rafs', 'requestAnimationFrame', 'cancelAnimationFrame');
  queueOf('rafs', 'webkitRequestAnimationFrame', 'webkitCancelAnimationFrame');
  queueOf('idles', 'requestIdleCallback', 'cancelIdleCallback');
}

/** @param {ReturnType<typeof makeCore>} core */
function installDates(core) {
  const today = () => EPOCH + floor(core.now());

  const watched = new NativeProxy(NativeDate, {
    apply: () => new NativeDate(today()).toString(),
    construct: (target, args, newTarget) =>
      construct(target, args.length ? args : [today()], newTarget === watched ? target : newTarget),
  });
  replaceMethod(NativeDate, 'now', () => today());
  replace(global, 'Date', { value: watched, writable: true });
  replace(NativeDate.prototype, 'constructor', { value: watched, writable: true });

  // A file that the page makes was changed now, unless the page says when.
  wrapClass('File', (make, args) => {
    if (args.length < 2) return make(args);
    const said = args[2] ? args[2].lastModified : undefined;
    return make([args[0], args[1], { ...args[2], lastModified: said === undefined ? today() : said }]);
  });

  const format = Intl.DateTimeFormat.prototype;
  wrapGetter(format, 'format', (native, self) => {
    const bound = apply(native, self, []);
    return (/** @type {any} */ date) => bound(date === undefined ? today() : date);
  });
  wrapMethod(format, 'formatToParts', (native, self, [date]) => apply(native, self, [date === undefined ? today() : date]));

  const T = global.Temporal;
  if (T && T.Now && T.Instant) {
    const instant = T.Instant.fromEpochMilliseconds;
    const at = () => apply(instant, T.Instant, [today()]);
    const zoned = (/** @type {any} */ zone) => at().toZonedDateTimeISO(zone === undefined ? 'UTC' : zone);
    replaceMethod(T.Now, 'instant', () => at());
    replaceMethod(T.Now, 'zonedDateTimeISO', (/** @type {any} */ zone) => zoned(zone));
    replaceMethod(T.Now, 'plainDateTimeISO', (/** @type {any} */ zone) => zoned(zone).toPlainDateTime());
    replaceMethod(T.Now, 'plainDateISO', (/** @type {any} */ zone) => zoned(zone).toPlainDate());
    replaceMethod(T.Now, 'plainTimeISO', (/** @type {any} */ zone) => zoned(zone).toPlainTime());
  }
}

/** @param {ReturnType<typeof makeCore>} core */
function installPerformance(core) {
  const owner = Performance.prototype;
  replaceMethod(owner, 'now', () => core.now());
  replaceGetter(owner, 'timeOrigin', () => EPOCH);
  replaceGetter(owner, 'memory', () => ({ jsHeapSizeLimit: 2 ** 31, totalJSHeapSize: 2 ** 24, usedJSHeapSize: 2 ** 23 }));

  wrapMethod(owner, 'mark', (native, self, [name, options]) => {
    const at = options && options.startTime !== undefined ? options.startTime : core.peekNow();
    return apply(native, self, [name, { ...options, startTime: at }]);
  });
  wrapMethod(owner, 'measure', (native, self, [name, from, to]) => {
    let options = from;
    if (typeof from !== 'object' || from === null) options = { start: from === undefined ? 0 : from, end: to };
    const { start = options.duration === undefined ? 0 : undefined, end, duration, detail } = options;
    const last = end === undefined && duration === undefined ? core.peekNow() : end;
    return apply(native, self, [name, { start, end: last, duration, detail }]);
  });
  /** What the page itself recorded is in game time; what the browser measured is not and is left out. */
  for (const name of ['getEntries', 'getEntriesByName', 'getEntriesByType']) {
    wrapMethod(owner, name, (native, self, args) => {
      const all = apply(native, self, args);
      const own = [];
      for (let i = 0; i < all.length; i++) {
        if (all[i].entryType === 'mark' || all[i].entryType === 'measure') own[own.length] = all[i];
      }
      return own;
    });
  }
  if (global.PerformanceObserver) replaceMethod(global.PerformanceObserver.prototype, 'observe', () => undefined);
  const still = freeze({ navigationStart: EPOCH, toJSON: () => ({ navigationStart: EPOCH }) });
  replaceGetter(owner, 'timing', () =>
    new NativeProxy(still, { get: (t, key) => (key in t ? /** @type {any} */ (t)[key] : EPOCH) }));

  replaceMethod(owner, 'toJSON', () => ({ timeOrigin: EPOCH, timing: still.toJSON() }));
  // The number of a visit is drawn by the browser.
  const Entry = global.PerformanceEntry && global.PerformanceEntry.prototype;
  if (Entry && 'navigationId' in Entry) {
    replaceGetter(Entry, 'navigationId', () => 1);
    wrapMethod(Entry, 'toJSON', (native, self) => ({ ...apply(native, self, []), navigationId: 1 }));
  }

  const stamps = new NativeWeakMap();
  const { get, set, has } = NativeWeakMap.prototype;
  wrapGetter(Event.prototype, 'timeStamp', (_, event) => {
    if (!apply(has, stamps, [event])) apply(set, stamps, [event, core.peekNow()]);
    return apply(get, stamps, [event]);
  });
  replaceGetter(Document.prototype, 'lastModified', () => '01/01/2025 00:00:00');
}
