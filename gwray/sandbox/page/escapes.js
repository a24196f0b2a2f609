// @ts-check
/**
 * Notices what the stepped clock cannot control, so that an episode is never called repeatable when it is not.
 */

/** Fields with a picker, and the keys that open it. */
const PICKERS = 'select:not([multiple], [size]), input:is([type=color], [type=date], [type=datetime-local], [type=month], [type=time], [type=week])';
const OPENING = /^( |Enter|F4)$/;
/** Fields that search for the letters that are typed within a second of real time; digits are values in dates. */
const SEARCHED = 'select, input:is([type=date], [type=datetime-local], [type=month], [type=time], [type=week])';
const DIGIT = /^\d$/;

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installReach(core, home) {
  const { test } = RegExp.prototype;
  const HOVER = /:hover/i;
  for (const name of ['wait', 'waitAsync']) watchMember(global.Atomics, name, () => core.mark(`Atomics.${name}`));
  watchMember(global.StorageManager && global.StorageManager.prototype, 'estimate', () =>
    core.mark('navigator.storage.estimate (the size of the disk)'));
  watchMember(HTMLCanvasElement.prototype, 'transferControlToOffscreen', () =>
    core.mark('transferControlToOffscreen (what its canvas shows comes in real time)'));
  // What lies under a pointer that rests is found when a frame is drawn, and frames are drawn when something looks.
  /** @type {(native: any, self: any, args: any[]) => any} */
  const select = (native, self, args) => {
    if (typeof args[0] === 'string' && apply(test, HOVER, [args[0]])) core.mark(':hover in a script (it follows drawn frames)');
    return apply(native, self, args);
  };
  for (const owner of [Element.prototype, Document.prototype, DocumentFragment.prototype]) {
    for (const name of ['matches', 'webkitMatchesSelector', 'closest', 'querySelector', 'querySelectorAll']) wrapMethod(owner, name, select);
  }
  if (global.HTMLVideoElement) {
    watchMember(global.HTMLVideoElement.prototype, 'requestVideoFrameCallback', () => core.mark('video frame callbacks'));
  }
  const WebGL2 = global.WebGL2RenderingContext && global.WebGL2RenderingContext.prototype;
  watchMember(WebGL2, 'endQuery', () => core.mark('a WebGL query (its result comes in real time)'));
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
      if (!e.isTrusted || !(target instanceof HTMLElement)) return;
      const opens = apply(matches, target, [PICKERS]) && (!e.key || e.altKey || apply(test, OPENING, [e.key]));
      const searches = type === 'keypress' && apply(matches, target, [SEARCHED]) && (target.localName === 'select' || !apply(test, DIGIT, [e.key]));
      if (!opens && !searches) return;
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

  wrapMethod(HTMLCanvasElement.prototype, 'getContext', (native, self, [kind, options]) => {
    const name = toText(kind);
    if (name === 'webgl' || name === 'webgl2' || name === 'experimental-webgl') {
      // Without this the picture of a WebGL canvas is gone once its frame has been shown.
      options = { ...options, preserveDrawingBuffer: true };
    } else if (name === 'webgpu') core.mark('WebGPU');
    return apply(native, self, options === undefined ? [kind] : [kind, options]);
  });
}

/** Lets a fence be passed when a later game frame has begun; what waits for its commands then waits in real time.
 * @param {ReturnType<typeof makeCore>} core @param {any} WebGL2 */
function installFences(core, WebGL2) {
  const { CONDITION_SATISFIED, TIMEOUT_EXPIRED, WAIT_FAILED, SYNC_STATUS, SIGNALED, UNSIGNALED } = WebGL2;
  const { get, set } = NativeWeakMap.prototype;
  const fences = new NativeWeakMap();
  const isPassed = (/** @type {any} */ fence) => core.frame() > apply(get, fences, [fence]);
  wrapMethod(WebGL2, 'fenceSync', (native, self, args) => {
    const fence = apply(native, self, args);
    if (fence) apply(set, fences, [fence, core.frame()]);
    return fence;
  });
  wrapMethod(WebGL2, 'clientWaitSync', (native, self, args) => {
    if (apply(native, self, args) === WAIT_FAILED) return WAIT_FAILED;
    return isPassed(args[0]) ? CONDITION_SATISFIED : TIMEOUT_EXPIRED;
  });
  wrapMethod(WebGL2, 'getSyncParameter', (native, self, args) => {
    const found = apply(native, self, args);
    return args[1] !== SYNC_STATUS || found === null ? found : isPassed(args[0]) ? SIGNALED : UNSIGNALED;
  });
}

/** Makes weak references strong and calls back for no object: a browser may collect garbage late, or never. */
function installReferences() {
  const { set } = NativeWeakMap.prototype;
  const { deref } = global.WeakRef.prototype;
  const kept = new NativeWeakMap();
  watchClass('WeakRef', (made) => apply(set, kept, [made, apply(deref, made, [])]));
  wrapClass('FinalizationRegistry', (make, [f]) => make([typeof f === 'function' ? () => {} : f]));
}
