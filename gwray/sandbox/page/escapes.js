// @ts-check
/**
 * Notices what the stepped clock cannot control, so that an episode is never called repeatable when it is not.
 */

/** Fields with a picker, and the keys that open it. */
const PICKERS = 'select:not([multiple], [size]), input:is([type=color], [type=date], [type=datetime-local], [type=month], [type=time], [type=week])';
const OPENING = /^( |Enter|F4)$/;

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installReach(core, home) {
  const { test } = RegExp.prototype;
  const HOVER = /:hover/i;
  /** @param {any} owner @param {string} name @param {(self: any, first: any) => void} seen */
  const watchMethod = (owner, name, seen) => {
    const native = owner && owner[name];
    replaceMethod(owner, name, function (/** @type {any[]} */ ...args) {
      // @ts-ignore
      seen(this, args[0]);
      // @ts-ignore
      return apply(native, this, args);
    });
  };
  watchMethod(global.Atomics, 'wait', () => core.mark('Atomics.wait'));
  watchMethod(global.Atomics, 'waitAsync', () => core.mark('Atomics.waitAsync'));
  watchMethod(global.StorageManager && global.StorageManager.prototype, 'estimate', () =>
    core.mark('navigator.storage.estimate (the size of the disk)'));
  watchMethod(HTMLCanvasElement.prototype, 'transferControlToOffscreen', () =>
    core.mark('transferControlToOffscreen (what its canvas shows comes in real time)'));
  // What lies under a pointer that rests is found when a frame is drawn, and frames are drawn when something looks.
  const hovers = (/** @type {any} */ _, /** @type {any} */ selector) => {
    if (typeof selector === 'string' && apply(test, HOVER, [selector])) core.mark(':hover in a script (it follows drawn frames)');
  };
  for (const owner of [Element.prototype, Document.prototype, DocumentFragment.prototype]) {
    for (const name of ['matches', 'webkitMatchesSelector', 'closest', 'querySelector', 'querySelectorAll']) watchMethod(owner, name, hovers);
  }
  if (global.HTMLVideoElement) {
    watchMethod(global.HTMLVideoElement.prototype, 'requestVideoFrameCallback', () => core.mark('video frame callbacks'));
  }
  const WebGL2 = global.WebGL2RenderingContext && global.WebGL2RenderingContext.prototype;
  watchMethod(WebGL2, 'endQuery', () => core.mark('a WebGL query (its result comes in real time)'));
  if (WebGL2) installFences(core, WebGL2);
  installReferences();
  // What a device without these sensors says once, at a time of its own.
  for (const type of ['devicemotion', 'deviceorientation', 'deviceorientationabsolute']) {
    apply(listen, global, [type, (/** @type {any} */ e) => e.isTrusted && apply(stopImmediatePropagation, e, []), true]);
  }
  const { stopImmediatePropagation } = Event.prototype;
  // A picker is a window of the browser, which takes the frames of the page.
  const { matches } = Element.prototype;
  const { preventDefault } = Event.prototype;
  const { focus } = HTMLElement.prototype;
  for (const type of ['mousedown', 'click', 'keydown', 'keypress']) {
    home.listen(type, (/** @type {any} */ e) => {
      const target = apply(pathOfEvent, e, [])[0];
      if (!e.isTrusted || !(target instanceof HTMLElement) || !apply(matches, target, [PICKERS])) return;
      if (e.key && !e.altKey && !apply(test, OPENING, [e.key])) return;
      apply(preventDefault, e, []);
      if (type === 'mousedown') apply(focus, target, []);
    });
  }
  replaceMethod(global, 'open', () => null);
  for (const name of ['time', 'timeLog', 'timeEnd']) replaceMethod(global.console, name, () => undefined);
  const Failure = DOMException;
  const Orientation = global.ScreenOrientation && global.ScreenOrientation.prototype;
  replaceMethod(Orientation, 'lock', () => NativePromise.reject(new Failure('the screen cannot be locked', 'NotSupportedError')));
  for (const name of ['HTMLInputElement', 'HTMLSelectElement']) {
    replaceMethod(global[name].prototype, 'showPicker', () => {
      throw new Failure('pickers are not shown', 'NotAllowedError');
    });
  }

  const Navigator = global.Navigator.prototype;
  replaceGetter(Navigator, 'hardwareConcurrency', () => 4);
  replaceGetter(Navigator, 'deviceMemory', () => 8);
  if ('connection' in Navigator) replaceGetter(Navigator, 'connection', () => undefined);
  if ('getBattery' in Navigator) {
    replaceMethod(Navigator, 'getBattery', () =>
      NativePromise.resolve({ charging: true, chargingTime: 0, dischargingTime: Infinity, level: 1, addEventListener() {} }));
  }

  const getContext = HTMLCanvasElement.prototype.getContext;
  replaceMethod(HTMLCanvasElement.prototype, 'getContext', function (/** @type {any} */ kind, /** @type {any} */ options) {
    const name = toText(kind);
    if (name === 'webgl' || name === 'webgl2' || name === 'experimental-webgl') {
      // Without this the picture of a WebGL canvas is gone once its frame has been shown.
      options = { ...options, preserveDrawingBuffer: true };
    } else if (name === 'webgpu') core.mark('WebGPU');
    // @ts-ignore
    return options === undefined ? apply(getContext, this, [kind]) : apply(getContext, this, [kind, options]);
  });
}

/** Lets a fence be passed when a later game frame has begun; what waits for its commands then waits in real time.
 * @param {ReturnType<typeof makeCore>} core @param {any} WebGL2 */
function installFences(core, WebGL2) {
  const { fenceSync, clientWaitSync, getSyncParameter, CONDITION_SATISFIED, TIMEOUT_EXPIRED, WAIT_FAILED, SYNC_STATUS, SIGNALED, UNSIGNALED } = WebGL2;
  const { get, set } = NativeWeakMap.prototype;
  const fences = new NativeWeakMap();
  const isPassed = (/** @type {any} */ fence) => core.frame() > apply(get, fences, [fence]);
  replaceMethod(WebGL2, 'fenceSync', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    const fence = apply(fenceSync, this, args);
    if (fence) apply(set, fences, [fence, core.frame()]);
    return fence;
  });
  replaceMethod(WebGL2, 'clientWaitSync', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    if (apply(clientWaitSync, this, args) === WAIT_FAILED) return WAIT_FAILED;
    return isPassed(args[0]) ? CONDITION_SATISFIED : TIMEOUT_EXPIRED;
  });
  replaceMethod(WebGL2, 'getSyncParameter', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    const found = apply(getSyncParameter, this, args);
    return args[1] !== SYNC_STATUS || found === null ? found : isPassed(args[0]) ? SIGNALED : UNSIGNALED;
  });
}

/** Makes weak references strong and calls back for no object: a browser may collect garbage late, or never. */
function installReferences() {
  const { set } = NativeWeakMap.prototype;
  const { deref } = global.WeakRef.prototype;
  const kept = new NativeWeakMap();
  watchClass('WeakRef', (made) => apply(set, kept, [made, apply(deref, made, [])]));
  const Registry = global.FinalizationRegistry;
  const watched = new NativeProxy(Registry, {
    construct(target, args, newTarget) {
      const never = typeof args[0] === 'function' ? () => {} : args[0];
      return construct(target, [never], newTarget === watched ? target : newTarget);
    },
  });
  replace(global, 'FinalizationRegistry', { value: watched, writable: true });
  replace(Registry.prototype, 'constructor', { value: watched, writable: true });
}
