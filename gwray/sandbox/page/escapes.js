// @ts-check
/**
 * Notices what the stepped clock cannot control, so that an episode is never called repeatable when it is not.
 */

/** @param {ReturnType<typeof makeCore>} core */
function installReach(core) {
  const { test } = RegExp.prototype;
  const HOVER = /:hover/i;
  const classes = {
    Worker: 'Worker (a thread with its own time)',
    SharedWorker: 'SharedWorker (a thread with its own time)',
    SharedArrayBuffer: 'SharedArrayBuffer',
    WebSocket: 'WebSocket',
    WebSocketStream: 'WebSocket',
    WebTransport: 'WebTransport',
    EventSource: 'EventSource',
    RTCPeerConnection: 'RTCPeerConnection',
    webkitRTCPeerConnection: 'RTCPeerConnection',
    MediaRecorder: 'MediaRecorder',
    VideoDecoder: 'VideoDecoder',
    VideoEncoder: 'VideoEncoder',
    AudioDecoder: 'AudioDecoder',
    AudioEncoder: 'AudioEncoder',
    WeakRef: 'WeakRef (what it holds depends on garbage collection)',
    FinalizationRegistry: 'FinalizationRegistry (it calls back after garbage collection)',
  };
  for (const name of ownKeys(classes)) {
    const key = /** @type {keyof typeof classes} */ (name);
    watchClass(key, () => core.mark(classes[key]));
  }
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
  watchMethod(HTMLMediaElement.prototype, 'play', () => core.mark('a media element plays in real time'));
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
  for (const name of ['AudioContext', 'webkitAudioContext']) {
    watchClass(name, () => core.note('AudioContext: its currentTime is game time, its sound is not stepped'));
  }
  const Audio = global.BaseAudioContext && global.BaseAudioContext.prototype;
  const AudioTime = Audio && getOwnPropertyDescriptor(Audio, 'currentTime');
  const Offline = global.OfflineAudioContext;
  if (AudioTime && AudioTime.get) {
    const native = AudioTime.get;
    replaceGetter(Audio, 'currentTime', function () {
      // @ts-ignore
      return this instanceof Offline ? apply(native, this, []) : core.peekNow() / 1000;
    });
  }
  const Scheduled = global.AudioScheduledSourceNode && global.AudioScheduledSourceNode.prototype;
  const ended = Scheduled && getOwnPropertyDescriptor(Scheduled, 'onended');
  if (ended && ended.set) {
    const set = ended.set;
    defineProperty(Scheduled, 'onended', {
      ...ended,
      set(f) {
        if (typeof f === 'function') core.mark('a sound that calls back when it ends');
        apply(set, this, [f]);
      },
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
