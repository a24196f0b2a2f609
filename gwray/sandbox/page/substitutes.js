// @ts-check
/**
 * Features that a page reaches beside those of `globals.js`, `loading.js` and `random.js`, and that would bring real
 * time, real chance or the machine in by another door: each is answered from game time, or marked.
 */

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installSubstitutes(core, home) {
  installTasks(core, home);
  installStamps(core);
  installKeys(core);
  installChannels(core, home);
  installStorage(core, home);
}

/** `AbortSignal.timeout`, `scheduler.postTask` and `scheduler.yield` on game time.
 * @param {ReturnType<typeof makeCore>} core @param {any} home */
function installTasks(core, home) {
  const Controller = AbortController;
  const { abort } = AbortController.prototype;
  const signalOf = /** @type {any} */ (getOwnPropertyDescriptor(AbortController.prototype, 'signal')).get;
  const Failure = DOMException;
  replaceMethod(AbortSignal, 'timeout', (/** @type {any} */ ms) => {
    const controller = new Controller();
    core.schedule(home, max(0, trunc(+ms) || 0), () => {
      apply(abort, controller, [new Failure('signal timed out', 'TimeoutError')]);
    });
    return apply(signalOf, controller, []);
  });

  const Scheduler = global.Scheduler && global.Scheduler.prototype;
  if (!Scheduler) return;
  const PRIORITIES = ['user-blocking', 'user-visible', 'background'];
  const abortedOf = /** @type {any} */ (getOwnPropertyDescriptor(AbortSignal.prototype, 'aborted')).get;
  const reasonOf = /** @type {any} */ (getOwnPropertyDescriptor(AbortSignal.prototype, 'reason')).get;
  /** @param {any} callback @param {any} options */
  const post = (callback, options) =>
    new NativePromise((done, fail) => {
      if (typeof callback !== 'function') throw new TypeError('postTask: the callback is not a function');
      const { delay = 0, signal, priority = 'user-visible' } = options || {};
      if (PRIORITIES.indexOf(priority) < 0) throw new TypeError(`postTask: the priority ${priority} does not exist`);
      const stopped = () => signal && apply(abortedOf, signal, []);
      const give = () => fail(apply(reasonOf, signal, []));
      if (stopped()) return give();
      const entry = core.schedule(home, max(0, +delay || 0), () => {
        if (stopped()) return give();
        try {
          done(callback());
        } catch (e) {
          fail(e);
        }
      });
      if (signal) {
        apply(listen, signal, ['abort', () => {
          if (entry.dead) return;
          entry.dead = true;
          give();
        }, { once: true }]);
      }
    });
  replaceMethod(Scheduler, 'postTask', (/** @type {any} */ callback, /** @type {any} */ options) => post(callback, options));
  replaceMethod(Scheduler, 'yield', () => post(() => undefined, {}));
}

/** Time stamps of objects that are made without asking a clock: performance marks, and files in forms.
 * @param {ReturnType<typeof makeCore>} core */
function installStamps(core) {
  wrapClass('PerformanceMark', (make, [name, options]) => {
    const at = options && options.startTime !== undefined ? options.startTime : core.peekNow();
    return make([name, { ...options, startTime: at }]);
  });
  // A form makes a file of a blob, changed now.
  const Bytes = Blob;
  const Files = global.File;
  for (const name of ['append', 'set']) {
    wrapMethod(FormData.prototype, name, (native, self, args) => {
      const [key, value, filename] = args;
      const plain = value instanceof Bytes && (filename !== undefined || !(value instanceof Files));
      const file = plain ? new Files([value], filename === undefined ? 'blob' : toText(filename), { type: value.type }) : value;
      return apply(native, self, plain ? [key, file] : args);
    });
  }
  const Stream = ReadableStream;
  const { add: addFed } = NativeWeakSet.prototype;
  // The text of a form in a request has a border that the browser draws.
  for (const name of ['Request', 'Response']) {
    wrapClass(name, (make, args) => {
      const body = name === 'Response' ? args[0] : args[1] && args[1].body;
      if (body instanceof FormData) core.mark('the text of a multipart form (its border is random)');
      const made = make(args);
      if (body instanceof Stream) apply(addFed, core.fed, [made]);
      return made;
    });
  }
  // How long an activation lasts is real time.
  const once = getterOf(UserActivation.prototype, 'hasBeenActive');
  wrapGetter(UserActivation.prototype, 'isActive', (_, self) => apply(once, self, []));
}

/** Cryptography that draws chance of its own. @param {ReturnType<typeof makeCore>} core */
function installKeys(core) {
  const subtle = global.SubtleCrypto && global.SubtleCrypto.prototype;
  if (!subtle) return;
  const RANDOM = /^(ecdsa|rsa-pss|rsa-oaep|(ml-dsa|ml-kem)-.*)$/i;
  const { test } = RegExp.prototype;
  const algorithmOf = /** @type {any} */ (getOwnPropertyDescriptor(CryptoKey.prototype, 'algorithm')).get;
  /** A key works with its own algorithm only; an argument could name another one to each reader. @param {any} key */
  const nameOf = (key) => (key instanceof CryptoKey ? toText(apply(algorithmOf, key, []).name) : '');
  for (const [name, at] of /** @type {[string, number][]} */ (
    [['sign', 1], ['encrypt', 1], ['wrapKey', 2], ['encapsulateBits', 1], ['encapsulateKey', 1]])) {
    wrapMethod(subtle, name, (native, self, args) => {
      if (apply(test, RANDOM, [nameOf(args[at])])) core.mark(`${nameOf(args[at])} in crypto.subtle (it draws a random number)`);
      return apply(native, self, args);
    });
  }
}

/** Messages of a BroadcastChannel arrive in the instant in which they are sent, as those of ports do.
 * @param {ReturnType<typeof makeCore>} core @param {any} home */
function installChannels(core, home) {
  const owner = BroadcastChannel.prototype;
  const nameOf = getterOf(owner, 'name');
  watchClass('BroadcastChannel', (made) => {
    const item = { channel: made, name: apply(nameOf, made, []), closed: false };
    core.channels[core.channels.length] = item;
    apply(listen, made, ['message', (/** @type {any} */ e) => {
      if (core.receive(home, made, e)) core.broadcasts -= 1;
    }]);
  });
  /** @param {any} channel */
  const itemOf = (channel) => {
    for (let i = 0; i < core.channels.length; i++) if (core.channels[i].channel === channel) return core.channels[i];
    return null;
  };
  wrapMethod(owner, 'postMessage', (native, self, args) => {
    apply(native, self, args);
    core.used.messages += 1;
    const mine = itemOf(self);
    for (let i = 0; mine && i < core.channels.length; i++) {
      const other = core.channels[i];
      if (other !== mine && !other.closed && other.name === mine.name) core.broadcasts += 1;
    }
  });
  wrapMethod(owner, 'close', (native, self) => {
    const item = itemOf(self);
    if (item && !item.closed) {
      item.closed = true;
      // Messages on their way to it never arrive; how many they were is not known.
      if (core.broadcasts > 0) core.mark('a BroadcastChannel closed with messages on their way');
      core.channels = without(core.channels, item);
    }
    apply(native, self, []);
  });
}

/** Cookies end on game time. Changes of the storage by another frame are reported in real time.
 * @param {ReturnType<typeof makeCore>} core @param {any} home */
function installStorage(core, home) {
  const { split, trim, toLowerCase } = String.prototype;
  const { parse } = Date;
  const DAY_MS = 86400000;
  /** Ends of cookies by name. @type {Record<string, any>} */
  const ending = create(null);
  wrapSetter(Document.prototype, 'cookie', (native, document, value) => {
    const [pair, ...attributes] = apply(split, toText(value), [';']);
    let kept = pair;
    let ends = NaN;
    let lasts = NaN;
    for (let i = 0; i < attributes.length; i++) {
      const [name, ...rest] = apply(split, attributes[i], ['=']);
      const key = apply(toLowerCase, apply(trim, name, []), []);
      if (key === 'max-age') lasts = +rest[0] * 1000;
      else if (key === 'expires') ends = parse(rest[0]) - EPOCH - floor(core.peekNow());
      else kept += `;${attributes[i]}`;
    }
    const ms = lasts === lasts ? lasts : ends;
    const end = () => apply(native, document, [`${kept};max-age=0`]);
    const name = apply(split, kept, ['='])[0];
    if (ending[name]) ending[name].dead = true;
    if (ms <= 0) return end();
    apply(native, document, [kept]);
    if (ms < DAY_MS) ending[name] = core.schedule(home, ms, end);
  });
  apply(listen, global, ['storage', (/** @type {any} */ e) => {
    if (e.isTrusted) core.mark('the storage was changed by another frame (its event comes in real time)');
  }, true]);
}
