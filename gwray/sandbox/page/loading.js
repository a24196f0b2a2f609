// @ts-check
/**
 * Counts real work the page has started and not yet seen the end of, so that game time can wait for it.
 *
 * How fast a file loads or an image decodes must not decide on which frame it arrives.
 */

const PROMISING = [
  ['Response', ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']],
  ['Blob', ['arrayBuffer', 'text', 'bytes']],
  ['HTMLImageElement', ['decode']],
  ['Element', ['requestFullscreen', 'requestPointerLock']],
  ['Document', ['exitFullscreen']],
  ['Permissions', ['query']],
  ['NavigatorUAData', ['getHighEntropyValues']],
  ['FontFace', ['load']],
  ['BaseAudioContext', ['decodeAudioData']],
  ['OffscreenCanvas', ['convertToBlob']],
  ['SubtleCrypto', ['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'importKey', 'exportKey', 'deriveKey', 'deriveBits']],
  ['CacheStorage', ['open', 'match', 'has', 'delete', 'keys']],
  ['Cache', ['match', 'matchAll', 'add', 'addAll', 'put', 'delete', 'keys']],
  ['StorageManager', ['estimate', 'persist', 'persisted', 'getDirectory']],
];

const DATABASE = [
  ['IDBFactory', ['open', 'deleteDatabase']],
  ['IDBObjectStore', ['add', 'put', 'get', 'getAll', 'getKey', 'getAllKeys', 'delete', 'clear', 'count', 'openCursor', 'openKeyCursor']],
  ['IDBIndex', ['get', 'getAll', 'getKey', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor']],
];

/** @param {ReturnType<typeof makeCore>} core @returns {() => number} how much is still open */
function installLoading(core) {
  let open = 0;
  const begin = () => {
    open += 1;
    core.used.files += 1;
  };
  const end = () => {
    open -= 1;
  };
  const NativeURL = URL;
  const hrefOf = /** @type {any} */ (getOwnPropertyDescriptor(URL.prototype, 'href')).get;
  const baseOf = /** @type {any} */ (getOwnPropertyDescriptor(Node.prototype, 'baseURI')).get;
  /** Tell the clock that a file is waited for; the answer says that it has come. @param {any} address */
  const expect = (address) => {
    try {
      const url = toText(apply(hrefOf, new NativeURL(toText(address), apply(baseOf, global.document, [])), []));
      return core.expect(url);
    } catch {
      return () => {};
    }
  };

  /** Settled when the last local job that began has been delivered. @type {any} */
  let tail = null;
  /** Work inside the browser, delivered in the order in which it began. @param {any} promise */
  const follow = (promise) => {
    const previous = tail;
    /** @type {any} */
    let release;
    const mine = new NativePromise((done) => {
      release = done;
    });
    tail = mine;
    begin();
    core.local(1);
    return (async () => {
      try {
        return await promise;
      } finally {
        if (previous) await previous;
        end();
        core.local(-1);
        if (tail === mine) tail = null;
        release();
      }
    })();
  };
  /** @param {any} owner @param {readonly string[]} names */
  const followAll = (owner, names) => {
    for (const name of names) {
      const native = owner && owner[name];
      if (typeof native !== 'function') continue;
      replaceMethod(owner, name, function (/** @type {any[]} */ ...args) {
        // @ts-ignore
        const made = apply(native, this, args);
        return made instanceof NativePromise ? follow(made) : made;
      });
    }
  };
  /** @param {EventTarget} target @param {string[]} ends @param {() => void} [also] */
  const followEvents = (target, ends, also) => {
    begin();
    let over = false;
    const once = () => {
      if (over) return;
      over = true;
      end();
      if (also) also();
    };
    for (let i = 0; i < ends.length; i++) apply(listen, target, [ends[i], once, { once: true }]);
  };

  followAll(global, ['createImageBitmap']);
  // Some versions of Chromium have no global name for this class.
  followAll(global.document.fonts && Object.getPrototypeOf(global.document.fonts), ['load']);
  const fetch = global.fetch;
  replaceMethod(global, 'fetch', (/** @type {any[]} */ ...args) => {
    const came = expect(args[0] && typeof args[0] === 'object' && 'url' in args[0] ? args[0].url : args[0]);
    begin();
    return (async () => {
      try {
        return await apply(fetch, global, args);
      } finally {
        end();
        came();
      }
    })();
  });
  followAll(global.WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']);
  for (const [owner, names] of PROMISING) {
    followAll(global[/** @type {string} */ (owner)] && global[/** @type {string} */ (owner)].prototype, /** @type {string[]} */ (names));
  }
  for (const [name, methods] of DATABASE) {
    const owner = global[/** @type {string} */ (name)] && global[/** @type {string} */ (name)].prototype;
    for (const method of methods) {
      const native = owner && owner[method];
      if (typeof native !== 'function') continue;
      replaceMethod(owner, method, function (/** @type {any[]} */ ...args) {
        // @ts-ignore
        const request = apply(native, this, args);
        core.local(1);
        followEvents(request, ['success', 'error', 'blocked'], () => core.local(-1));
        return request;
      });
    }
  }

  // A stream is waited for only if it is an answer's body: one the page feeds itself may wait for game time.
  const bodies = new NativeWeakSet();
  const readers = new NativeWeakSet();
  const { add, has } = NativeWeakSet.prototype;
  const body = getOwnPropertyDescriptor(Response.prototype, 'body');
  if (body && body.get) {
    const get = body.get;
    replaceGetter(Response.prototype, 'body', function () {
      // @ts-ignore
      const stream = apply(get, this, []);
      if (stream) apply(add, bodies, [stream]);
      return stream;
    });
    const getReader = ReadableStream.prototype.getReader;
    replaceMethod(ReadableStream.prototype, 'getReader', function (/** @type {any[]} */ ...args) {
      // @ts-ignore
      const reader = apply(getReader, this, args);
      // @ts-ignore
      if (apply(has, bodies, [this])) apply(add, readers, [reader]);
      return reader;
    });
    const read = ReadableStreamDefaultReader.prototype.read;
    replaceMethod(ReadableStreamDefaultReader.prototype, 'read', function () {
      // @ts-ignore
      const made = apply(read, this, []);
      // @ts-ignore
      return apply(has, readers, [this]) ? follow(made) : made;
    });
  }

  const addresses = new NativeWeakMap();
  const { get: addressOf, set: keepAddress } = NativeWeakMap.prototype;
  const { open: openRequest, send } = XMLHttpRequest.prototype;
  replaceMethod(XMLHttpRequest.prototype, 'open', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    apply(keepAddress, addresses, [this, args[1]]);
    // @ts-ignore
    return apply(openRequest, this, args);
  });
  replaceMethod(XMLHttpRequest.prototype, 'send', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    const result = apply(send, this, args);
    // @ts-ignore
    if (this.readyState === 4) return result;
    // @ts-ignore
    followEvents(this, ['loadend'], expect(apply(addressOf, addresses, [this])));
    return result;
  });
  const toBlob = HTMLCanvasElement.prototype.toBlob;
  replaceMethod(HTMLCanvasElement.prototype, 'toBlob', function (/** @type {any} */ done, /** @type {any[]} */ ...args) {
    // @ts-ignore
    const canvas = this;
    const made = new NativePromise((ready) => apply(toBlob, canvas, [ready, ...args]));
    const delivered = follow(made);
    void (async () => {
      const blob = await delivered;
      try {
        done(blob);
      } catch (e) {
        report(e);
      }
    })();
  });
  if (global.FileReader) {
    for (const name of ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText']) {
      const native = global.FileReader.prototype[name];
      replaceMethod(global.FileReader.prototype, name, function (/** @type {any[]} */ ...args) {
        // @ts-ignore
        const result = apply(native, this, args);
        core.local(1);
        // @ts-ignore
        followEvents(this, ['loadend'], () => core.local(-1));
        return result;
      });
    }
  }

  /** Elements whose `src` was set by script; counted only while they really load. @type {any[]} */
  let elements = [];
  /** @param {any} element @param {any} address */
  const watch = (element, address) => {
    const came = expect(address);
    for (let i = 0; i < elements.length; i++) if (elements[i].element === element && !elements[i].over) elements[i].over = true;
    const item = { element, over: false, completeAt: 0, came };
    const over = () => {
      item.over = true;
      came();
    };
    elements[elements.length] = item;
    core.used.files += 1;
    apply(listen, element, ['load', over, { once: true }]);
    apply(listen, element, ['error', over, { once: true }]);
  };
  for (const name of ['HTMLImageElement', 'HTMLScriptElement']) {
    const owner = global[name].prototype;
    const src = getOwnPropertyDescriptor(owner, 'src');
    if (!src || !src.set) continue;
    const set = src.set;
    defineProperty(owner, 'src', {
      ...src,
      set(value) {
        watch(this, value);
        apply(set, this, [value]);
      },
    });
  }
  const setAttribute = Element.prototype.setAttribute;
  replaceMethod(Element.prototype, 'setAttribute', function (/** @type {any} */ name, /** @type {any} */ value) {
    const key = toText(name);
    // @ts-ignore
    if ((key === 'src' || key === 'href') && (this instanceof HTMLImageElement || this instanceof HTMLScriptElement || this instanceof HTMLLinkElement)) watch(this, value);
    // @ts-ignore
    return apply(setAttribute, this, [name, value]);
  });
  const href = getOwnPropertyDescriptor(HTMLLinkElement.prototype, 'href');
  if (href && href.set) {
    const set = href.set;
    defineProperty(HTMLLinkElement.prototype, 'href', {
      ...href,
      set(value) {
        watch(this, value);
        apply(set, this, [value]);
      },
    });
  }

  const complete = /** @type {any} */ (getOwnPropertyDescriptor(HTMLImageElement.prototype, 'complete')).get;
  const connected = /** @type {any} */ (getOwnPropertyDescriptor(Node.prototype, 'isConnected')).get;
  const loadingOf = /** @type {any} */ (getOwnPropertyDescriptor(HTMLImageElement.prototype, 'loading')).get;
  const Image = HTMLImageElement;
  const Link = HTMLLinkElement;
  /** @param {any} element */
  const isBusy = (element) => {
    if (element instanceof Image) return !apply(complete, element, []) && apply(loadingOf, element, []) !== 'lazy';
    if (element instanceof Link) return apply(connected, element, []) && element.rel === 'stylesheet';
    return apply(connected, element, []);
  };

  const document = global.document;
  const images = document.images;
  const fonts = document.fonts;
  const fontStatus = fonts && /** @type {any} */ (getOwnPropertyDescriptor(Object.getPrototypeOf(fonts), 'status')).get;

  return () => {
    let count = open;
    if (elements.length) {
      const left = [];
      for (let i = 0; i < elements.length; i++) {
        const item = elements[i];
        if (item.over) continue;
        if (item.element instanceof Image && apply(complete, item.element, [])) {
          // The load event follows within a task or two; without one (its src was removed) stop waiting.
          if (!item.completeAt) item.completeAt = realNow();
          if (realNow() - item.completeAt > 100) {
            item.came();
            continue;
          }
          count += 1;
        } else if (isBusy(item.element)) count += 1;
        left[left.length] = item;
      }
      elements = left;
    }
    for (let i = 0; i < images.length; i++) if (isBusy(images[i])) count += 1;
    if (fonts && apply(fontStatus, fonts, []) === 'loading') count += 1;
    return count;
  };
}
