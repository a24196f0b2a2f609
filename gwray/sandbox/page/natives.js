// @ts-check
/**
 * The browser functions the sandbox itself relies on, taken before any page script can replace them.
 *
 * Everything in this folder is joined into one function by `script.py` and runs first in every frame, so these
 * names are local to that function and invisible to the page. Nothing here changes the page.
 */

const global = /** @type {any} */ (globalThis);
const { apply, construct, ownKeys, getOwnPropertyDescriptor } = Reflect;
const { defineProperty, freeze, create } = Object;
const NativePromise = Promise;
const NativeProxy = Proxy;
const NativeDate = Date;
const NativeError = Error;
const NativeWeakMap = WeakMap;
const NativeWeakSet = WeakSet;
const stringify = JSON.stringify;
const toText = String;
const { abs, floor, max, min, imul, trunc } = Math;
const realSetTimeout = global.setTimeout.bind(global);
const realNow = performance.now.bind(performance);
const realFrame = global.requestAnimationFrame.bind(global);
const report = typeof global.reportError === 'function' ? global.reportError.bind(global) : () => {};
const listen = EventTarget.prototype.addEventListener;

/**
 * Makes a function that resolves in a later task, after every promise reaction that is due: a message between two
 * private ports is a real task. One waiter at a time.
 */
const makeHop = () => {
  const channel = new MessageChannel();
  const from = channel.port2;
  const post = MessagePort.prototype.postMessage;
  /** @type {(() => void) | null} */
  let resume = null;
  channel.port1.onmessage = () => {
    const go = resume;
    resume = null;
    if (go) go();
  };
  return () =>
    new NativePromise((done) => {
      resume = /** @type {() => void} */ (done);
      apply(post, from, [0]);
    });
};
const hop = makeHop();

/** Tells how often the page's elements changed while `work` ran. @param {() => Promise<void>} work */
const countChanges = (() => {
  const Observer = MutationObserver;
  const { observe, takeRecords, disconnect } = Observer.prototype;
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };
  return async (/** @type {() => Promise<void>} */ work) => {
    let count = 0;
    const observer = new Observer((records) => {
      count += records.length;
    });
    apply(observe, observer, [document, everything]);
    try {
      await work();
    } finally {
      count += apply(takeRecords, observer, []).length;
      apply(disconnect, observer, []);
    }
    return count;
  };
})();

const askForFrame = global.__gwray_frame;
delete global.__gwray_frame;
/** Whether the browser draws on request only; see `frames.py`. */
const onRequest = typeof askForFrame === 'function';
/** Requests a frame where the browser draws on request only. @type {() => void} */
const requestFrame = (() => {
  if (!onRequest) return () => {};
  // A browser waits for a page's part of a frame only if it knows that the page needs one, and might learn that too late
  // for a screenshot: so the page always needs the next frame.
  const stay = () => realFrame(stay);
  stay();
  return () => askForFrame('');
})();
/** Real milliseconds between frames while something is waited for, as a browser draws them. */
const FRAME = 16;
let framed = 0;

/** What is waited for may need frames: decoding an image does. @param {number} ms real milliseconds */
const nap = (ms) => {
  if (realNow() - framed >= FRAME) {
    framed = realNow();
    requestFrame();
  }
  return new NativePromise((done) => realSetTimeout(done, ms));
};

/** Resolves after the browser's own rendering step has run twice: its queued events are then delivered. */
const rendered = () =>
  new NativePromise((done) => {
    // In case the browser does not render at all, as in a hidden frame.
    realSetTimeout(done, onRequest && global.top === global ? 10_000 : 250);
    realFrame(() => {
      realFrame(() => realSetTimeout(done, 0));
      requestFrame();
    });
    requestFrame();
  });

/**
 * Replace a property, keeping whether it shows up in loops.
 * @param {any} owner @param {string} name @param {PropertyDescriptor} how
 */
function replace(owner, name, how) {
  const old = getOwnPropertyDescriptor(owner, name);
  if (old && !old.configurable) return;
  defineProperty(owner, name, { configurable: true, enumerable: old ? old.enumerable : false, ...how });
}

/** The function that reads an attribute, out of the page's reach. @param {any} owner @param {string} name */
const getterOf = (owner, name) => /** @type {any} */ (getOwnPropertyDescriptor(owner, name)).get;

/** @param {any} owner @param {string} name @param {Function} f */
function replaceMethod(owner, name, f) {
  if (!owner || typeof owner[name] !== 'function') return;
  defineProperty(f, 'name', { value: name, configurable: true });
  replace(owner, name, { value: f, writable: true });
}

/** @param {any} owner @param {string} name @param {() => any} get */
function replaceGetter(owner, name, get) {
  if (!owner) return;
  const old = getOwnPropertyDescriptor(owner, name);
  replace(owner, name, { get, set: old ? old.set : undefined });
}

/**
 * Lets `f` make the objects of a class, also where the page took the class from one of them.
 * @param {string} name @param {(make: (args: any[], other?: any) => any, args: any[]) => any} f it gets the native
 *   constructor, which can construct another class in its place, and the arguments @param {any} [owner]
 */
function wrapClass(name, f, owner = global) {
  const Class = owner[name];
  if (typeof Class !== 'function') return;
  const watched = new NativeProxy(Class, {
    construct: (target, args, newTarget) =>
      f((given, of = target) => construct(of, given, newTarget === watched ? target : newTarget), args),
  });
  replace(owner, name, { value: watched, writable: true });
  // `Audio` makes objects of another class.
  if (Class.prototype.constructor === Class) replace(Class.prototype, 'constructor', { value: watched, writable: true });
}

/** Calls `seen` with each object that the page constructs of a class.
 * @param {string} name @param {(made: any) => void} seen @param {any} [owner] */
function watchClass(name, seen, owner = global) {
  wrapClass(name, (make, args) => {
    const made = make(args);
    seen(made);
    return made;
  }, owner);
}

/** Replaces a method by `f`, which gets the native one, the object and the arguments.
 * @param {any} owner @param {string} name @param {(native: any, self: any, args: any[]) => any} f */
function wrapMethod(owner, name, f) {
  const how = owner && getOwnPropertyDescriptor(owner, name);
  if (!how || typeof how.value !== 'function') return;
  replaceMethod(owner, name, function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    return f(how.value, this, args);
  });
}

/** Replaces how an attribute is read by `f`, which gets the native function and the object.
 * @param {any} owner @param {string} name @param {(native: any, self: any) => any} f */
function wrapGetter(owner, name, f) {
  const how = owner && getOwnPropertyDescriptor(owner, name);
  if (!how || !how.get || !how.configurable) return;
  const { get } = how;
  replaceGetter(owner, name, function () {
    // @ts-ignore
    return f(get, this);
  });
}

/** Replaces how an attribute is set by `f`, which gets the native function, the object and the value.
 * @param {any} owner @param {string} name @param {(native: any, self: any, value: any) => void} f */
function wrapSetter(owner, name, f) {
  const how = owner && getOwnPropertyDescriptor(owner, name);
  if (!how || !how.set || !how.configurable) return;
  const { set } = how;
  defineProperty(owner, name, {
    ...how,
    set(value) {
      f(set, this, value);
    },
  });
}

/** Call `seen` before a method is called or an attribute is set. @param {any} owner @param {string} name @param {() => void} seen */
function watchMember(owner, name, seen) {
  wrapMethod(owner, name, (native, self, args) => {
    seen();
    return apply(native, self, args);
  });
  wrapSetter(owner, name, (native, self, value) => {
    seen();
    apply(native, self, [value]);
  });
}
