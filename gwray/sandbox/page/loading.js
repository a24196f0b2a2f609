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
  ['FontFace', ['load']],
  ['FontFaceSet', ['load']],
  ['BaseAudioContext', ['decodeAudioData']],
  ['OffscreenCanvas', ['convertToBlob']],
  ['SubtleCrypto', ['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'importKey', 'exportKey', 'deriveKey', 'deriveBits']],
  ['CacheStorage', ['open', 'match', 'has', 'delete', 'keys']],
  ['Cache', ['match', 'matchAll', 'add', 'addAll', 'put', 'delete', 'keys']],
  ['ReadableStreamDefaultReader', ['read']],
  ['StorageManager', ['estimate', 'persist', 'persisted', 'getDirectory']],
];

const DATABASE = [
  ['IDBFactory', ['open', 'deleteDatabase']],
  ['IDBObjectStore', ['add', 'put', 'get', 'getAll', 'getKey', 'getAllKeys', 'delete', 'clear', 'count', 'openCursor', 'openKeyCursor']],
  ['IDBIndex', ['get', 'getAll', 'getKey', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor']],
];

/** @returns {() => number} how much is still open */
function installLoading() {
  let open = 0;
  const end = () => {
    open -= 1;
  };
  const then = NativePromise.prototype.then;

  /** @param {any} promise */
  const follow = (promise) => {
    open += 1;
    apply(then, promise, [end, end]);
    return promise;
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
  /** @param {EventTarget} target @param {string[]} ends */
  const followEvents = (target, ends) => {
    open += 1;
    let over = false;
    const once = () => {
      if (!over) end();
      over = true;
    };
    for (let i = 0; i < ends.length; i++) apply(listen, target, [ends[i], once, { once: true }]);
  };

  followAll(global, ['fetch', 'createImageBitmap']);
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
        followEvents(request, ['success', 'error', 'blocked']);
        return request;
      });
    }
  }

  const send = XMLHttpRequest.prototype.send;
  replaceMethod(XMLHttpRequest.prototype, 'send', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    followEvents(this, ['loadend']);
    // @ts-ignore
    return apply(send, this, args);
  });
  const toBlob = HTMLCanvasElement.prototype.toBlob;
  replaceMethod(HTMLCanvasElement.prototype, 'toBlob', function (/** @type {any} */ done, /** @type {any[]} */ ...args) {
    open += 1;
    // @ts-ignore
    return apply(toBlob, this, [(/** @type {any} */ blob) => {
      end();
      done(blob);
    }, ...args]);
  });
  if (global.FileReader) {
    for (const name of ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText']) {
      const native = global.FileReader.prototype[name];
      replaceMethod(global.FileReader.prototype, name, function (/** @type {any[]} */ ...args) {
        // @ts-ignore
        followEvents(this, ['loadend']);
        // @ts-ignore
        return apply(native, this, args);
      });
    }
  }

  /** Elements whose `src` was set by script; counted only while they really load. @type {any[]} */
  let elements = [];
  /** @param {any} element */
  const watch = (element) => {
    for (let i = 0; i < elements.length; i++) if (elements[i].element === element && !elements[i].over) return;
    const item = { element, over: false, completeAt: 0 };
    const over = () => {
      item.over = true;
    };
    elements[elements.length] = item;
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
        watch(this);
        apply(set, this, [value]);
      },
    });
  }
  const setAttribute = Element.prototype.setAttribute;
  replaceMethod(Element.prototype, 'setAttribute', function (/** @type {any} */ name, /** @type {any} */ value) {
    const key = toText(name);
    // @ts-ignore
    if ((key === 'src' || key === 'href') && (this instanceof HTMLImageElement || this instanceof HTMLScriptElement || this instanceof HTMLLinkElement)) watch(this);
    // @ts-ignore
    return apply(setAttribute, this, [name, value]);
  });
  const href = getOwnPropertyDescriptor(HTMLLinkElement.prototype, 'href');
  if (href && href.set) {
    const set = href.set;
    defineProperty(HTMLLinkElement.prototype, 'href', {
      ...href,
      set(value) {
        watch(this);
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
  const fontStatus = fonts && /** @type {any} */ (getOwnPropertyDescriptor(FontFaceSet.prototype, 'status')).get;

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
          if (realNow() - item.completeAt > 100) continue;
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
