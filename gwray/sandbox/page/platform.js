// @ts-check
/**
 * The platform features that a page may use without losing its claim to be reproducible.
 *
 * A browser has about a thousand global classes, and every version adds some. Those that the clock controls, and those
 * that are pure functions of what the page gives them, are listed here. Using any other one marks the episode, whatever
 * it is called: constructing it, calling a method of one of its objects or of the class itself, or reading one of its
 * attributes. Asking whether a feature exists marks nothing.
 */

/** Classes that are allowed, by the beginnings of their names. */
const ALLOWED_BEGINNINGS = [
  'HTML', 'SVG', 'MathML', 'CSS', 'DOM', 'WebGL', 'IDB', 'Readable', 'Writable', 'Transform', 'URL', 'Canvas', 'XML',
  'XPath', 'Document', 'Mutation', 'Resize', 'Intersection', 'Animation', 'Message', 'Offscreen', 'Performance',
  'IdleDeadline', 'StyleSheet', 'StyleProperty',
];
/** Classes that are allowed by name. */
const ALLOWED_CLASSES = new Set(`
  Object Function Array Number Boolean String Symbol Date Promise RegExp Error AggregateError EvalError RangeError
  ReferenceError SyntaxError TypeError URIError SuppressedError ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array
  Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray Float32Array Float64Array Float16Array DataView
  Map BigInt Set Iterator WeakMap WeakSet DisposableStack AsyncDisposableStack Proxy
  Option Image Audio webkitURL WebKitMutationObserver WebKitCSSMatrix
  AbortController AbortSignal AbstractRange AnalyserNode Attr AudioBuffer AudioBufferSourceNode AudioContext
  AudioDestinationNode AudioListener AudioNode AudioParam AudioParamMap AudioProcessingEvent AudioScheduledSourceNode
  BarProp BaseAudioContext BiquadFilterNode Blob BroadcastChannel ByteLengthQueuingStrategy CDATASection Cache
  CacheStorage ChannelMergerNode ChannelSplitterNode CharacterData Comment CompressionStream ConstantSourceNode
  ConvolverNode CountQueuingStrategy Crypto CryptoKey CustomElementRegistry CustomStateSet DataTransfer
  DataTransferItem DataTransferItemList DecompressionStream DelayNode DynamicsCompressorNode Element ElementInternals
  EventTarget External FeaturePolicy File FileList FileReader FontFace FontFaceSet FormData GainNode Headers Highlight
  HighlightRegistry History IIRFilterNode ImageBitmap ImageBitmapRenderingContext ImageData KeyframeEffect Location
  MediaElementAudioSourceNode MediaError MediaList MediaMetadata MediaQueryList MediaSession MimeType MimeTypeArray
  NamedNodeMap Navigator Node NodeIterator NodeList OfflineAudioContext OscillatorNode PannerNode Path2D PeriodicWave
  Permissions PermissionStatus PermissionsPolicy Plugin PluginArray ProcessingInstruction QuotaExceededError
  RadioNodeList Range Request Response Sanitizer Scheduler Screen ScreenOrientation ScriptProcessorNode Selection
  ShadowRoot StaticRange StereoPannerNode Storage StorageManager SubtleCrypto TaskController TaskSignal Text
  InputDeviceCapabilities DeviceMotionEventAcceleration DeviceMotionEventRotationRate
  TextDecoder TextDecoderStream TextEncoder TextEncoderStream TextMetrics TextTrack TextTrackCue TextTrackCueList
  TextTrackList TimeRanges Touch TouchList TreeWalker TrustedHTML TrustedScript TrustedScriptURL TrustedTypePolicy
  TrustedTypePolicyFactory UserActivation VTTCue ValidityState VideoPlaybackQuality ViewTimeline ScrollTimeline
  VisualViewport WaveShaperNode Window XSLTProcessor NavigatorUAData webkitMediaStream
  Worker SharedWorker SharedArrayBuffer WebSocket WebSocketStream WebTransport EventSource RTCPeerConnection
  webkitRTCPeerConnection MediaRecorder VideoDecoder VideoEncoder AudioDecoder AudioEncoder WeakRef FinalizationRegistry
`.split(/\s+/));
/** Classes that an allowed beginning would let through. The last lines of `ALLOWED_CLASSES` are marked elsewhere. */
const REFUSED_CLASSES = new Set(`
  HTMLCameraElement HTMLMicrophoneElement HTMLGeolocationElement HTMLUserMediaElement HTMLFencedFrameElement
  DocumentPictureInPicture CanvasCaptureMediaStreamTrack PerformanceLongTaskTiming
`.split(/\s+/));
/** Functions of the window that are no pure functions of their arguments, nor controlled. */
const REFUSED_FUNCTIONS = [
  'fetchLater', 'getScreenDetails', 'queryLocalFonts', 'showDirectoryPicker', 'showOpenFilePicker', 'showSaveFilePicker',
  'requestResize', 'webkitRequestFileSystem', 'webkitResolveLocalFileSystemURL',
];
/** Attributes and methods of `navigator` that are constant here, or controlled. */
const ALLOWED_NAVIGATOR = new Set(`
  constructor vendorSub productSub vendor maxTouchPoints scheduling userActivation geolocation doNotTrack
  hardwareConcurrency cookieEnabled appCodeName appName appVersion platform product userAgent language languages onLine
  webdriver plugins mimeTypes pdfViewerEnabled connection getGamepads javaEnabled sendBeacon vibrate clipboard
  credentials keyboard managed mediaDevices serviceWorker virtualKeyboard wakeLock deviceMemory userAgentData locks
  storage gpu login ink mediaCapabilities permissions devicePosture hid mediaSession presentation serial usb xr
  storageBuckets getBattery windowControlsOverlay protectedAudience webkitTemporaryStorage webkitPersistentStorage
`.split(/\s+/));

/** @param {string} name */
function isAllowedClass(name) {
  if (apply(hasValue, ALLOWED_CLASSES, [name])) return true;
  if (apply(hasValue, REFUSED_CLASSES, [name])) return false;
  if (apply(endsWith, name, ['Event'])) return true;
  for (let i = 0; i < ALLOWED_BEGINNINGS.length; i++) if (apply(startsWith, name, [ALLOWED_BEGINNINGS[i]])) return true;
  return false;
}

/** Elements that the browser changes in real time, as selectors. */
const REFUSED_ELEMENTS = [
  'marquee', 'progress:not([value])', 'camera', 'microphone', 'geolocation', 'usermedia', 'fencedframe', '[interestfor]',
];

/** The browser's switch that stops animated images stops these elements of SVG, too. */
const STILL_ELEMENTS = 'animate, set, animateTransform, animateMotion';

/** @param {ReturnType<typeof makeCore>} core @param {any} home @param {any} config */
function installPlatform(core, home, config) {
  const selector = [...REFUSED_ELEMENTS, ...(config.reviewed ? removeUnreviewed(config.reviewed) : [])].join();
  const { document } = global;
  const { querySelectorAll } = Document.prototype;
  const mark = (/** @type {any} */ found) => {
    for (let i = 0; i < found.length; i++) core.mark(`<${found[i].localName}> (the browser changes it in real time)`);
  };
  home.checkElements = () => {
    mark(apply(querySelectorAll, document, [selector]));
    mark(home.inShadow(selector));
    const still = apply(querySelectorAll, document, [STILL_ELEMENTS]).length + home.inShadow(STILL_ELEMENTS).length;
    if (still) core.note('SVG animation elements stand still');
  };
  offerExtensions(config.extensions);
  const names = Object.getOwnPropertyNames(global);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const how = getOwnPropertyDescriptor(global, name);
    const Class = how && how.value;
    if (typeof Class !== 'function' || !how?.configurable || !Class.prototype || isAllowedClass(name)) continue;
    // Named after its first use: the message says which class it was.
    refuseClass(name, Class, () => core.mark(`${name} (not controlled)`));
  }
  for (let i = 0; i < REFUSED_FUNCTIONS.length; i++) {
    const name = REFUSED_FUNCTIONS[i];
    refuseMethod(global, name, () => core.mark(`${name} (not controlled)`));
  }
  const Navigator = global.Navigator.prototype;
  const own = Object.getOwnPropertyNames(Navigator);
  for (let i = 0; i < own.length; i++) {
    if (apply(hasValue, ALLOWED_NAVIGATOR, [own[i]])) continue;
    refuseProperty(Navigator, own[i], () => core.mark(`navigator.${own[i]} (not controlled)`));
  }
}

/** Removes what this browser offers to pages beyond the reviewed interfaces, and returns the tags of removed elements.
 * @param {Record<string, string[]>} reviewed members by class */
function removeUnreviewed(reviewed) {
  const tags = [];
  const names = Object.getOwnPropertyNames(global);
  /** @param {any} owner @param {string[]} known */
  const keepOnly = (owner, known) => {
    const own = Object.getOwnPropertyNames(owner);
    for (let i = 0; i < own.length; i++) {
      if (!known.includes(own[i]) && getOwnPropertyDescriptor(owner, own[i])?.configurable) delete owner[own[i]];
    }
  };
  for (let i = 0; i < names.length; i++) {
    const Class = getOwnPropertyDescriptor(global, names[i])?.value;
    if (typeof Class !== 'function' || !Class.prototype || !isAllowedClass(names[i])) continue;
    if (reviewed[names[i]]) {
      keepOnly(Class.prototype, reviewed[names[i]]);
      keepOnly(Class, [...reviewed[names[i]], 'length', 'name']);
    } else {
      const element = /^HTML(\w+)Element$/.exec(names[i]);
      if (element) tags[tags.length] = element[1].toLowerCase();
      delete global[names[i]];
    }
  }
  keepOnly(global, [...reviewed.window, ...ownKeys(reviewed), ...names.filter((name) => !isAllowedClass(name) && /^[A-Z]/.test(name))]);
  return tags;
}

/** Offers reviewed extensions of WebGL only. @param {string[]} reviewed */
function offerExtensions(reviewed) {
  const names = new Set(reviewed);
  for (const kind of ['WebGLRenderingContext', 'WebGL2RenderingContext']) {
    const owner = global[kind] && global[kind].prototype;
    if (!owner) continue;
    const { getExtension, getSupportedExtensions } = owner;
    replaceMethod(owner, 'getExtension', function (/** @type {any} */ name) {
      // @ts-ignore
      return apply(hasValue, names, [toText(name)]) ? apply(getExtension, this, [name]) : null;
    });
    replaceMethod(owner, 'getSupportedExtensions', function () {
      // @ts-ignore
      const all = apply(getSupportedExtensions, this, []);
      const offered = [];
      for (let i = 0; all && i < all.length; i++) if (apply(hasValue, names, [all[i]])) offered[offered.length] = all[i];
      return all && offered;
    });
  }
}

/** Calls `seen` when the page constructs a class, calls one of its static methods, or uses one of its objects.
 * @param {string} name @param {any} Class @param {() => void} seen */
function refuseClass(name, Class, seen) {
  const watched = new NativeProxy(Class, {
    construct(target, args, newTarget) {
      seen();
      return construct(target, args, newTarget === watched ? target : newTarget);
    },
    get(target, key) {
      const value = target[key];
      if (key === 'prototype' || typeof value !== 'function' || typeof key !== 'string') return value;
      return function (/** @type {any[]} */ ...args) {
        seen();
        return apply(value, target, args);
      };
    },
  });
  const owner = Class.prototype;
  replace(global, name, { value: watched, writable: true });
  const keys = Object.getOwnPropertyNames(owner);
  for (let i = 0; i < keys.length; i++) if (keys[i] !== 'constructor') refuseProperty(owner, keys[i], seen);
  replace(owner, 'constructor', { value: watched, writable: true });
}

/** @param {any} owner @param {string} name @param {() => void} seen */
function refuseProperty(owner, name, seen) {
  const how = getOwnPropertyDescriptor(owner, name);
  if (!how || !how.configurable) return;
  if (typeof how.value === 'function') refuseMethod(owner, name, seen);
  else if (how.get && !apply(startsWith, name, ['on'])) {
    const native = how.get;
    replaceGetter(owner, name, function () {
      seen();
      // @ts-ignore
      return apply(native, this, []);
    });
  }
}

/** @param {any} owner @param {string} name @param {() => void} seen */
function refuseMethod(owner, name, seen) {
  const how = owner && getOwnPropertyDescriptor(owner, name);
  if (!how || typeof how.value !== 'function') return;
  const native = how.value;
  replaceMethod(owner, name, function (/** @type {any[]} */ ...args) {
    seen();
    // @ts-ignore
    return apply(native, this, args);
  });
}

const hasValue = Set.prototype.has;
const { startsWith, endsWith } = String.prototype;
