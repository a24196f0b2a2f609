// @ts-check
/**
 * Counts real work the page has started and not yet seen the end of, so that game time can wait for it.
 *
 * How fast a file loads or an image decodes must not decide on which frame it arrives.
 */

/** Methods with promises that may wait for game time or the page itself, or that are replaced. */
const SELF_PACED =
  /^(Readable|Writable|AudioContext|OfflineAudioContext\.(re|su)|HTMLMedia|Scheduler|Array|Async|Custom|Element\.(requestPointerLock|scroll))/;

/** Size of the parts of a file that is read as a stream. */
const PART_BYTES = 65536;

/** Real tasks after which an answer waits in naps for what is ahead of it. */
const TASKS_AHEAD = 200;

/** @param {ReturnType<typeof makeCore>} core @param {any} home @param {string[]} promises methods that answer with promises
 * @returns {() => number} how much is still open */
function installLoading(core, home, promises) {
  const { test } = RegExp.prototype;
  const { split: splitText } = String.prototype;
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
  const pass = makeHop();
  /** Lets messages and jobs of `jobs.js` pass: they come first. */
  const giveWay = async () => {
    for (let passed = 0; core.isAhead(); passed++) {
      if (passed > LONGEST_CHAIN) return;
      await (passed < TASKS_AHEAD ? pass() : nap(1));
    }
  };
  /** Work inside the browser, delivered in the order in which it began.
   * @param {any} promise @param {boolean} ordered */
  const follow = (promise, ordered = true) => {
    const previous = ordered ? tail : null;
    /** @type {any} */
    let release;
    const mine = new NativePromise((done) => {
      release = done;
    });
    if (ordered) tail = mine;
    begin();
    core.local(1);
    return (async () => {
      try {
        return await promise;
      } finally {
        if (previous) await previous;
        if (core.isAhead()) await giveWay();
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
      wrapMethod(owner, name, (native, self, args) => {
        const made = apply(native, self, args);
        return made instanceof NativePromise ? follow(made, !isFed([self, args[0], args[1]])) : made;
      });
    }
  };
  /** Whether any of these is an answer that the page may feed. @param {any[]} things */
  const isFed = (things) => {
    for (let i = 0; i < things.length; i++) if (apply(has, core.fed, [things[i]])) return true;
    return false;
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
  const bytesOfResponse = Response.prototype.arrayBuffer;
  const bytesOfBlob = Blob.prototype.arrayBuffer;
  followAll(global.WebAssembly, ['compile', 'compileStreaming', 'instantiate', 'instantiateStreaming']);
  for (const name of promises) {
    if (apply(test, SELF_PACED, [name])) continue;
    const [owner, member, ofClass] = apply(splitText, name, ['.']);
    followAll(global[owner] && (ofClass ? global[owner] : global[owner].prototype), [ofClass || member]);
  }
  // How the browser cuts a file into parts depends on the machine: a stream of a file begins when the file is here.
  const { add, has } = NativeWeakSet.prototype;
  const Stream = /** @type {any} */ (ReadableStream);
  const Bytes = Uint8Array;
  /** @param {any} owner @param {any} all reads the complete file */
  const inParts = (owner, all) => {
    /** @type {any} */
    let bytes = null;
    let at = 0;
    return new Stream({
      type: 'bytes',
      async pull(/** @type {any} */ to) {
        if (!bytes) bytes = new Bytes(await follow(apply(all, owner, [])));
        const end = min(at + PART_BYTES, bytes.length);
        if (end > at) to.enqueue(apply(part, bytes, [at, end]));
        at = end;
        if (at < bytes.length) return;
        to.close();
        if (to.byobRequest) to.byobRequest.respond(0);
      },
    }, { highWaterMark: 0 });
  };
  const part = Bytes.prototype.slice;
  const streams = new NativeWeakMap();
  const { get: streamOf, set: keepStream } = NativeWeakMap.prototype;
  wrapGetter(Response.prototype, 'body', (native, response) => {
    const body = apply(native, response, []);
    if (!body || apply(has, core.fed, [response])) return body;
    if (!apply(streamOf, streams, [response])) apply(keepStream, streams, [response, inParts(response, bytesOfResponse)]);
    return apply(streamOf, streams, [response]);
  });
  wrapMethod(Blob.prototype, 'stream', (_, blob) => inParts(blob, bytesOfBlob));

  const addresses = new NativeWeakMap();
  const { get: addressOf, set: keepAddress } = NativeWeakMap.prototype;
  wrapMethod(XMLHttpRequest.prototype, 'open', (native, request, args) => {
    apply(keepAddress, addresses, [request, args[1]]);
    return apply(native, request, args);
  });
  wrapMethod(XMLHttpRequest.prototype, 'send', (native, request, args) => {
    const result = apply(native, request, args);
    if (request.readyState !== 4) followEvents(request, ['loadend'], expect(apply(addressOf, addresses, [request])));
    return result;
  });
  // How often the browser tells of progress depends on the machine: it tells once, at the end.
  const { stopImmediatePropagation } = Event.prototype;
  for (const name of ['XMLHttpRequest', 'FileReader']) {
    watchClass(name, (made) => {
      let told = false;
      for (const type of ['loadstart', 'progress', 'readystatechange']) {
        apply(listen, made, [type, (/** @type {any} */ e) => {
          if (!e.isTrusted) return;
          const early = type === 'progress' ? told || e.loaded < e.total : type !== 'loadstart' && made.readyState === 3;
          if (early) apply(stopImmediatePropagation, e, []);
          else if (type !== 'readystatechange') told = type === 'progress';
        }]);
      }
    });
  }
  wrapMethod(HTMLCanvasElement.prototype, 'toBlob', (native, canvas, [done, ...args]) => {
    const made = new NativePromise((ready) => apply(native, canvas, [ready, ...args]));
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

  const HERE = /^(data|blob):/;
  /** Elements whose `src` was set by script; counted only while they really load. @type {any[]} */
  let elements = [];
  const watchedElements = new NativeWeakSet();
  /** @param {any} element @param {any} address */
  const watch = (element, address) => {
    apply(add, watchedElements, [element]);
    const arrived = expect(address);
    // No request for data that the page has can wait for its turn.
    const done = element instanceof Image && apply(test, HERE, [toText(address)]) ? core.begin({ kind: 'image', base: '', stores: [], writes: false }) : null;
    let ended = !done;
    const came = () => {
      arrived();
      if (!ended && done) done();
      ended = true;
    };
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
  for (const [name, attribute] of [
    ['HTMLImageElement', 'src'], ['HTMLImageElement', 'srcset'], ['HTMLScriptElement', 'src'], ['HTMLLinkElement', 'href'],
    ['HTMLIFrameElement', 'src'], ['HTMLIFrameElement', 'srcdoc']]) {
    wrapSetter(global[name].prototype, attribute, (native, self, value) => {
      watch(self, attribute === 'srcset' || attribute === 'srcdoc' ? '' : value);
      apply(native, self, [value]);
    });
  }
  wrapMethod(Element.prototype, 'setAttribute', (native, self, args) => {
    const key = toText(args[0]);
    const loads = key === 'src' || key === 'href' || key === 'srcset' || key === 'srcdoc';
    if (loads && (self instanceof Image || self instanceof HTMLScriptElement || self instanceof Link || self instanceof Inner)) watch(self, args[1]);
    return apply(native, self, args);
  });

  const complete = getterOf(HTMLImageElement.prototype, 'complete');
  const connected = getterOf(Node.prototype, 'isConnected');
  const Image = HTMLImageElement;
  const Link = HTMLLinkElement;
  const Inner = HTMLIFrameElement;
  /** Links that tell when they have loaded. */
  const TELLS = /\b(stylesheet|preload|modulepreload|prefetch)\b/i;
  /** @param {any} element */
  const isBusy = (element) => {
    if (element instanceof Image) return !apply(complete, element, []) && apply(ownerOf, element, []) === document;
    if (element instanceof Link) return apply(connected, element, []) && apply(test, TELLS, [element.rel]);
    return apply(connected, element, []);
  };

  const document = global.document;
  const images = document.images;
  const ownerOf = getterOf(Node.prototype, 'ownerDocument');
  const inner = document.getElementsByTagName('iframe');
  const { querySelectorAll: within } = Element.prototype;
  const inFragment = DocumentFragment.prototype.querySelectorAll;
  /** Images and frames that came with HTML or a copy, and not into the document: nothing else waits for them.
   * @param {any} root */
  const watchLoads = (root) => {
    if (apply(connected, root, [])) return;
    const found = apply(root instanceof DocumentFragment ? inFragment : within, root, ['img, iframe']);
    for (let i = 0; i < found.length; i++) watch(found[i], found[i].src);
    if (root instanceof Image) watch(root, root.src);
  };
  for (const owner of [Element.prototype, ShadowRoot.prototype]) {
    wrapSetter(owner, 'innerHTML', (native, self, value) => {
      apply(native, self, [value]);
      watchLoads(self);
    });
  }
  for (const [owner, name] of /** @type {[any, string][]} */ ([
    [Node.prototype, 'cloneNode'], [Document.prototype, 'importNode'], [Range.prototype, 'createContextualFragment']])) {
    wrapMethod(owner, name, (native, self, args) => {
      const made = apply(native, self, args);
      if (made instanceof Element || made instanceof DocumentFragment) {
        watchLoads(made);
        home.findRoots(made);
      }
      return made;
    });
  }
  /** Whether a frame waits for its page. @param {any} frame */
  const isArriving = (frame) => {
    if (!frame.srcdoc && (!frame.src || frame.src === 'about:blank')) return false;
    const page = frame.contentDocument;
    return !page || page.readyState !== 'complete' || page.URL === 'about:blank';
  };
  let loaded = false;
  apply(listen, global, ['load', (/** @type {any} */ e) => {
    if (e.target !== document || !e.isTrusted) return;
    loaded = true;
    for (let i = 0; i < inner.length; i++) apply(add, watchedElements, [inner[i]]);
  }, true]);
  /** Elements whose loading is awaited elsewhere, or takes no time. */
  const AWAITED = [Image, Inner, HTMLMediaElement, HTMLSourceElement, SVGSVGElement];
  /** @param {any} e */
  const seen = (e) => {
    if (!loaded || !e.isTrusted || !(e.target instanceof Element) || apply(has, watchedElements, [e.target])) return;
    for (let i = 0; i < AWAITED.length; i++) if (e.target instanceof AWAITED[i]) return;
    if (e.target instanceof HTMLStyleElement && !apply(test, /@import/i, [e.target.textContent])) return;
    core.mark(`<${e.target.localName}> loads in real time`);
  };
  for (const type of ['load', 'error']) home.listen(type, seen);

  const fonts = document.fonts;
  const fontStatus = fonts && getterOf(Object.getPrototypeOf(fonts), 'status');

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
    for (let i = 0; i < inner.length; i++) {
      if (!loaded || apply(has, watchedElements, [inner[i]]) || !isArriving(inner[i])) continue;
      watch(inner[i], inner[i].src);
      count += 1;
    }
    const more = home.inShadow('img');
    for (let i = 0; i < more.length; i++) if (isBusy(more[i])) count += 1;
    if (fonts && apply(fontStatus, fonts, []) === 'loading') count += 1;
    return count;
  };
}
