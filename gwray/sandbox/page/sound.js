// @ts-check
/**
 * Sound on game time. No sound of a page is ever played.
 *
 * An `AudioContext` is an offline context that is never rendered, so no thread of the browser runs for it: its clock, its
 * state, the ends of its sounds and its processing callbacks follow game time; analysers hear silence, and parameters keep
 * the values that were set. An audio element gets the duration of its file; what it plays is game time.
 */

/** @param {ReturnType<typeof makeCore>} core @param {any} home @returns {() => number} files that audio elements load */
function installSound(core, home) {
  installContexts(core, home);
  return installAudioElements(core, home);
}

/** Sample rate of a context that does not ask for one, in Hz: that of a device differs between machines. */
const SAMPLE_RATE = 44100;

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installContexts(core, home) {
  const Offline = global.OfflineAudioContext;
  const Base = global.BaseAudioContext && global.BaseAudioContext.prototype;
  const Context = global.AudioContext;
  if (!Offline || !Base || !Context) return;
  const { get, set } = NativeWeakMap.prototype;
  const { dispatchEvent } = EventTarget.prototype;
  const NativeEvent = Event;
  const contextOf = getterOf(global.AudioNode.prototype, 'context');
  /** The course of each context, in ms of its own time. */
  const courses = new NativeWeakMap();
  /** @param {any} context */
  const courseOf = (context) => apply(get, courses, [context]);
  /** @param {any} node */
  const ofNode = (node) => courseOf(apply(contextOf, node, []));
  /** @param {any} course */
  const timeOf = (course) => course.base + (course.state === 'running' ? core.peekNow() - course.since : 0);
  /** Runs `work` when a context reaches a time. @param {any} course @param {number} at @param {() => void} work */
  const when = (course, at, work) => {
    const check = () => {
      if (course.state !== 'running') course.waiting[course.waiting.length] = check;
      else if (timeOf(course) + TOLERANCE < at) core.schedule(home, at - timeOf(course), check);
      else work();
    };
    if (at < Infinity) core.schedule(home, max(0, at - timeOf(course)), check);
  };

  wrapClass('AudioContext', (make, [options]) => {
    core.note('AudioContext: its time is game time, its sound is not played');
    const rate = options && options.sampleRate;
    const made = make([2, 1, rate === undefined ? SAMPLE_RATE : rate], Offline);
    apply(set, courses, [made, { state: 'running', base: 0, since: core.peekNow(), waiting: [] }]);
    return made;
  });
  const Live = Context.prototype;
  for (const [name, state] of [['resume', 'running'], ['suspend', 'suspended'], ['close', 'closed']]) {
    wrapMethod(Live, name, (_, context) => {
      const course = courseOf(context);
      if (!course || course.state === 'closed') return NativePromise.reject(new DOMException('the context is closed', 'InvalidStateError'));
      if (course.state !== state) {
        course.base = timeOf(course);
        course.since = core.peekNow();
        course.state = state;
        core.schedule(home, 0, () => apply(dispatchEvent, context, [new NativeEvent('statechange')]));
        const waiting = course.waiting;
        course.waiting = [];
        for (let i = 0; i < waiting.length; i++) waiting[i]();
      }
      return NativePromise.resolve();
    });
  }
  for (const [name, answer] of /** @type {[string, (course: any) => any][]} */ ([
    ['state', (course) => course.state], ['currentTime', (course) => timeOf(course) / 1000]])) {
    wrapGetter(Base, name, (native, context) => {
      const course = courseOf(context);
      if (course) return answer(course);
      if (name === 'currentTime' && context.state === 'running') core.mark('the time of a sound that is being computed');
      return apply(native, context, []);
    });
  }
  replaceGetter(Live, 'baseLatency', () => 0.01);
  replaceGetter(Live, 'outputLatency', () => 0);
  wrapMethod(Live, 'getOutputTimestamp', (_, context) => ({ contextTime: timeOf(courseOf(context)) / 1000, performanceTime: core.peekNow() }));
  const { createGain } = Base;
  for (const name of ['createMediaElementSource', 'createMediaStreamSource', 'createMediaStreamTrackSource', 'createMediaStreamDestination']) {
    wrapMethod(Live, name, (_, context, [source]) => {
      if (name !== 'createMediaElementSource') core.mark('a media stream as a sound');
      const node = apply(createGain, context, []);
      defineProperty(node, 'mediaElement', { value: source, configurable: true });
      return node;
    });
  }

  const Buffered = global.AudioBufferSourceNode.prototype;
  const Scheduled = global.AudioScheduledSourceNode.prototype;
  const [bufferOf, loopOf, rateOf] = ['buffer', 'loop', 'playbackRate'].map((name) => getterOf(Buffered, name));
  const valueOf = getterOf(global.AudioParam.prototype, 'value');
  const durationOf = getterOf(global.AudioBuffer.prototype, 'duration');
  /** Start and end of each started sound. */
  const sounds = new NativeWeakMap();
  /** @param {any} course @param {any} node @param {any} sound */
  const awaitEnd = (course, node, sound) => {
    const { end } = sound;
    when(course, end, () => {
      if (sound.over || sound.end !== end) return;
      sound.over = true;
      apply(dispatchEvent, node, [new NativeEvent('ended')]);
    });
  };
  for (const owner of [Scheduled, Buffered]) {
    wrapMethod(owner, 'start', (native, node, args) => {
      apply(native, node, args);
      const course = ofNode(node);
      if (!course) return;
      const start = max(timeOf(course), (+args[0] || 0) * 1000);
      let lasts = Infinity;
      const buffer = owner === Buffered ? apply(bufferOf, node, []) : null;
      if (buffer && !apply(loopOf, node, [])) {
        const whole = max(0, apply(durationOf, buffer, []) - (+args[1] || 0));
        lasts = (min(whole, args[2] === undefined ? Infinity : +args[2]) * 1000) / (abs(apply(valueOf, apply(rateOf, node, []), [])) || 1);
      }
      const sound = { start, end: start + lasts, over: false };
      apply(set, sounds, [node, sound]);
      awaitEnd(course, node, sound);
    });
  }
  wrapMethod(Scheduled, 'stop', (native, node, args) => {
    apply(native, node, args);
    const [course, sound] = [ofNode(node), apply(get, sounds, [node])];
    if (!course || !sound) return;
    sound.end = min(sound.end, max(timeOf(course), sound.start, (+args[0] || 0) * 1000));
    awaitEnd(course, node, sound);
  });

  const Sound = global.AudioBuffer;
  const Processing = global.AudioProcessingEvent;
  const sizeOf = getterOf(global.ScriptProcessorNode.prototype, 'bufferSize');
  /** Processors of contexts, and whether each is connected. */
  const processors = new NativeWeakMap();
  wrapMethod(Base, 'createScriptProcessor', (native, context, args) => {
    const node = apply(native, context, args);
    const channels = (/** @type {any} */ n) => (n === undefined ? 2 : max(1, +n));
    if (courseOf(context)) apply(set, processors, [node, { turn: 0, on: false, ins: channels(args[1]), outs: channels(args[2]), rate: context.sampleRate }]);
    return node;
  });
  /** @param {any} node @param {any} item */
  const process = (node, item) => {
    const course = ofNode(node);
    const length = apply(sizeOf, node, []);
    const began = timeOf(course);
    const turn = ++item.turn;
    /** @param {number} n */
    const next = (n) => when(course, began + (n * length * 1000) / item.rate, () => {
      if (!item.on || item.turn !== turn) return;
      const inputBuffer = new Sound({ length, numberOfChannels: item.ins, sampleRate: item.rate });
      const outputBuffer = new Sound({ length, numberOfChannels: item.outs, sampleRate: item.rate });
      next(n + 1);
      apply(dispatchEvent, node, [new Processing('audioprocess', { playbackTime: timeOf(course) / 1000, inputBuffer, outputBuffer })]);
    });
    next(1);
  };
  for (const name of ['connect', 'disconnect']) {
    wrapMethod(global.AudioNode.prototype, name, (native, node, args) => {
      const [made, item, on] = [apply(native, node, args), apply(get, processors, [node]), name === 'connect'];
      if (item && item.on !== on) {
        item.on = on;
        if (on) process(node, item);
      }
      return made;
    });
  }
}

/** Events of media elements, which the browser queues in real time. */
const MEDIA_EVENTS = [
  'abort', 'canplay', 'canplaythrough', 'durationchange', 'emptied', 'ended', 'error', 'loadeddata', 'loadedmetadata', 'loadstart', 'pause',
  'play', 'playing', 'progress', 'ratechange', 'seeked', 'seeking', 'stalled', 'suspend', 'timeupdate', 'volumechange', 'waiting',
];
/** Game time between two `timeupdate` events, in ms. */
const TIME_UPDATE = 250;

/** @param {ReturnType<typeof makeCore>} core @param {any} home @returns {() => number} */
function installAudioElements(core, home) {
  const Audio = global.HTMLAudioElement;
  const Video = global.HTMLVideoElement;
  const Source = global.HTMLSourceElement;
  const Media = HTMLMediaElement.prototype;
  const { dispatchEvent } = EventTarget.prototype;
  const { stopImmediatePropagation } = Event.prototype;
  const { querySelectorAll, getAttribute } = Element.prototype;
  const NativeEvent = Event;
  const { get, set } = NativeWeakMap.prototype;
  const fetch = global.fetch;
  const bytesOf = Response.prototype.arrayBuffer;
  const Offline = global.OfflineAudioContext;
  const decode = Offline && global.BaseAudioContext.prototype.decodeAudioData;
  const [nativeRate, isLooping, starts] = ['playbackRate', 'loop', 'autoplay'].map((name) => getterOf(Media, name));
  const parentOf = getterOf(Node.prototype, 'parentNode');
  const inMarkup = global.document.getElementsByTagName('audio');
  let open = 0;
  const seen = () => core.mark('a video (it loads and plays in real time)');

  /** @param {any} e */
  const check = (e) => {
    if (!e.isTrusted) return;
    const element = e.target instanceof Source ? apply(parentOf, e.target, []) : e.target;
    if (element instanceof Audio) apply(stopImmediatePropagation, e, []);
    else if (element instanceof Video) seen();
  };
  for (let i = 0; i < MEDIA_EVENTS.length; i++) home.listen(MEDIA_EVENTS[i], check);

  const tracks = new NativeWeakMap();
  /** What an audio element plays; made when the page first uses it. @param {any} element */
  const trackOf = (element) => {
    const known = apply(get, tracks, [element]);
    if (known) return known;
    const track = {
      element, turn: 0, run: 0, url: '', loading: false, duration: NaN, error: null, paused: true, ended: false, base: 0, since: 0, pending: /** @type {any[]} */ ([]),
    };
    apply(set, tracks, [element, track]);
    for (let i = 0; i < MEDIA_EVENTS.length; i++) apply(listen, element, [MEDIA_EVENTS[i], check, true]);
    const sources = sourcesOf(element);
    if (sources.length && apply(getAttribute, element, ['preload']) !== 'none') void load(track, sources);
    return track;
  };
  /** @param {any} track @param {string[]} types */
  const tell = (track, ...types) => {
    core.schedule(home, 0, () => {
      for (let i = 0; i < types.length; i++) apply(dispatchEvent, track.element, [new NativeEvent(types[i])]);
    });
  };
  /** @param {any} element */
  const sourcesOf = (element) => {
    const own = apply(getAttribute, element, ['src']);
    if (own) return [own];
    const inner = apply(querySelectorAll, element, ['source[src]']);
    const found = [];
    for (let i = 0; i < inner.length; i++) found[i] = apply(getAttribute, inner[i], ['src']);
    return found;
  };
  const isReady = (/** @type {any} */ t) => t.duration === t.duration;
  const isMoving = (/** @type {any} */ t) => !t.paused && isReady(t) && !t.ended;
  const timeOf = (/** @type {any} */ t) =>
    min(t.base + (isMoving(t) ? ((core.peekNow() - t.since) / 1000) * apply(nativeRate, t.element, []) : 0), isReady(t) ? t.duration : 0);
  /** Takes a new position, from which the element plays on if it plays. @param {any} t @param {number} at */
  const move = (t, at) => {
    t.base = at;
    t.since = core.peekNow();
    const run = ++t.run;
    if (!isMoving(t)) return;
    const step = () => {
      if (t.run !== run || !isMoving(t)) return;
      if (timeOf(t) + TOLERANCE / 1000 < t.duration) {
        apply(dispatchEvent, t.element, [new NativeEvent('timeupdate')]);
        return later();
      }
      if (apply(isLooping, t.element, [])) {
        tell(t, 'seeking', 'timeupdate', 'seeked');
        return move(t, 0);
      }
      t.base = t.duration;
      t.ended = t.paused = true;
      tell(t, 'timeupdate', 'pause', 'ended');
    };
    const later = () => {
      const left = ((t.duration - timeOf(t)) * 1000) / (apply(nativeRate, t.element, []) || 1e-9);
      core.schedule(home, max(0, min(TIME_UPDATE, left)), step);
    };
    later();
  };
  /** @param {any} t @param {string[]} sources */
  const load = async (t, sources) => {
    const turn = ++t.turn;
    t.duration = NaN;
    t.error = null;
    t.ended = false;
    t.url = sources[0];
    move(t, 0);
    tell(t, 'loadstart');
    t.loading = true;
    open += 1;
    let duration = NaN;
    for (let i = 0; i < sources.length && duration !== duration; i++) {
      try {
        const bytes = await apply(bytesOf, await fetch(sources[i]), []);
        duration = (await apply(decode, new Offline(1, 1, SAMPLE_RATE), [bytes])).duration;
        t.url = sources[i];
      } catch {
        // The next source, or the error of the element.
      }
    }
    open -= 1;
    if (t.turn !== turn) return;
    t.loading = false;
    const pending = t.pending;
    t.pending = [];
    if (duration !== duration) {
      t.error = { code: 4, message: 'this file is no sound that can be played' };
      tell(t, 'error');
      for (let i = 0; i < pending.length; i++) pending[i].fail(new DOMException(t.error.message, 'NotSupportedError'));
      return;
    }
    t.duration = duration;
    tell(t, 'durationchange', 'loadedmetadata', 'loadeddata', 'canplay', 'canplaythrough');
    if (apply(starts, t.element, []) && t.paused && !t.ended) begin(t);
    move(t, 0);
    if (!t.paused) tell(t, 'playing');
    for (let i = 0; i < pending.length; i++) pending[i].done();
  };
  /** @param {any} t */
  const begin = (t) => {
    if (t.paused) tell(t, 'play');
    t.paused = false;
  };

  /** Methods of an audio element. @type {Record<string, (t: any) => any>} */
  const METHODS = {
    play(t) {
      const sources = isReady(t) || t.error || t.loading ? [] : sourcesOf(t.element);
      if (sources.length) void load(t, sources);
      if (t.error) return NativePromise.reject(new DOMException(t.error.message, 'NotSupportedError'));
      const moved = t.paused;
      begin(t);
      if (t.ended) t.base = 0;
      t.ended = false;
      if (!isReady(t)) return new NativePromise((done, fail) => { t.pending[t.pending.length] = { done, fail }; });
      if (moved) {
        move(t, t.base);
        tell(t, 'playing');
      }
      return NativePromise.resolve();
    },
    pause(t) {
      if (t.paused) return;
      const at = timeOf(t);
      t.paused = true;
      move(t, at);
      tell(t, 'timeupdate', 'pause');
      for (let i = 0; i < t.pending.length; i++) t.pending[i].fail(new DOMException('the element was paused', 'AbortError'));
      t.pending = [];
    },
    load: (t) => {
      const sources = sourcesOf(t.element);
      t.paused = true;
      if (isReady(t)) tell(t, 'emptied');
      t.duration = NaN;
      if (sources.length) void load(t, sources);
      else t.turn += 1;
      t.loading = sources.length > 0;
    },
    captureStream: () => core.mark('a media stream of an element'),
    setSinkId: () => core.mark('another device for the sound'),
  };
  const ranges = (/** @type {number} */ n, /** @type {() => number} */ end) => ({ length: n, start: () => 0, end });
  /** Attributes of an audio element. @type {Record<string, (t: any) => any>} */
  const GETTERS = {
    currentTime: timeOf,
    duration: (t) => t.duration,
    paused: (t) => t.paused,
    ended: (t) => t.ended,
    error: (t) => t.error,
    seeking: () => false,
    readyState: (t) => (isReady(t) ? 4 : 0),
    networkState: (t) => (isReady(t) ? 1 : t.error ? 3 : t.url ? 2 : 0),
    currentSrc: (t) => (t.url ? new NativeURL(t.url, global.document.baseURI).href : ''),
    buffered: (t) => ranges(isReady(t) ? 1 : 0, () => t.duration),
    seekable: (t) => ranges(isReady(t) ? 1 : 0, () => t.duration),
    played: (t) => ranges(timeOf(t) > 0 ? 1 : 0, () => timeOf(t)),
  };
  const NativeURL = URL;
  /** Attributes that have an effect when they are set. @type {Record<string, (t: any, value: any) => void>} */
  const SETTERS = {
    currentTime(t, value) {
      t.ended = false;
      move(t, max(0, min(+value || 0, isReady(t) ? t.duration : 0)));
      tell(t, 'seeking', 'timeupdate', 'seeked');
    },
    src: METHODS.load,
    srcObject: METHODS.captureStream,
    playbackRate(t) {
      move(t, t.base);
      tell(t, 'ratechange');
    },
    volume: (t) => tell(t, 'volumechange'),
    muted: (t) => tell(t, 'volumechange'),
    autoplay(t, value) {
      if (value && isReady(t) && t.paused) {
        begin(t);
        move(t, t.base);
      }
    },
  };
  for (const name of ownKeys(METHODS)) {
    const key = /** @type {string} */ (name);
    wrapMethod(Media, key, (native, self, args) => {
      if (self instanceof Audio) return METHODS[key](trackOf(self));
      seen();
      return apply(native, self, args);
    });
  }
  for (const key of /** @type {string[]} */ (ownKeys(GETTERS))) {
    wrapGetter(Media, key, (native, self) => (self instanceof Audio ? GETTERS[key](trackOf(self)) : apply(native, self, [])));
  }
  for (const key of /** @type {string[]} */ (ownKeys(SETTERS))) {
    wrapSetter(Media, key, (native, self, value) => {
      const t = self instanceof Audio ? trackOf(self) : null;
      if (t && key === 'playbackRate') t.base = timeOf(t);
      if (!t || key !== 'currentTime') apply(native, self, [value]);
      if (t) SETTERS[key](t, value);
    });
  }
  wrapMethod(Element.prototype, 'setAttribute', (native, self, args) => {
    const t = self instanceof Audio ? trackOf(self) : null;
    apply(native, self, args);
    if (t && toText(args[0]) === 'src') METHODS.load(t);
    if (t && toText(args[0]) === 'autoplay') SETTERS.autoplay(t, true);
  });
  watchClass('Audio', trackOf);
  wrapMethod(CanvasRenderingContext2D.prototype, 'drawImage', (native, self, args) => {
    if (args[0] instanceof Video) seen();
    return apply(native, self, args);
  });
  return () => {
    for (let i = 0; i < inMarkup.length; i++) trackOf(inMarkup[i]);
    return open;
  };
}
