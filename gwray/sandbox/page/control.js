// @ts-check
/**
 * What the sandbox calls from outside: run the clock, ask the game for its state, take its picture.
 *
 * One call does as much as possible, because every call crosses three processes. Answers hold plain strings and numbers
 * only; a fault of the game comes back as `{fault}`.
 */

/** What a look at the page must not do, in the order of `core.footprint`. */
const MOVED = [
  'read the clock without end',
  'set or cleared a timer',
  'asked for a frame',
  'drew a random number',
  'began to load something',
  'sent itself a message',
];

/** Characters of the answer to a command. What is for an agent has a smaller limit: `BrowserEnvironment.step`. */
const FEEDBACK_LIMIT = 20_000;

/**
 * @param {ReturnType<typeof makeCore> | null} core null: the page runs on its own real clock
 * @param {{stateLimit: number, textLimit: number, answerLimit: number, words: number[], probe: Record<string, string>, ready: string}} config
 * @param {ReturnType<typeof makeRandom>} random
 */
function makeControl(core, config, random) {
  const probed = ownKeys(config.probe).length ? makeProbe(config) : null;
  /** @returns {any} */
  const apiOf = () => probed || global.gameAPI;
  const document = global.document;
  const all = document.querySelectorAll.bind(document);
  const toDataURL = HTMLCanvasElement.prototype.toDataURL;
  const { includes, slice } = String.prototype;
  const rectOf = Element.prototype.getBoundingClientRect;
  const width = /** @type {any} */ (getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width')).get;
  const height = /** @type {any} */ (getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'height')).get;
  /** @type {{done: boolean, error: string}} */
  let started = { done: true, error: '' };
  /** The commands of this step, by role. @type {Record<string, {name: string, done: boolean, ok: boolean, feedback: string, error: string}>} */
  let commands = create(null);
  /** Frames inside the page: how to seed each. @type {((words: number[]) => void)[]} */
  const frames = [];
  let current = config.words;

  /** @param {any} e */
  const explain = (e) => {
    try {
      return toText(e && e.stack ? e.stack : e);
    } catch {
      return 'an error that cannot be shown';
    }
  };

  /** @param {any} value @param {string} what */
  const answer = async (value, what) => {
    if (!value || typeof value.then !== 'function') return value;
    let over = false;
    const wait = (async () => {
      for (const end = realNow() + config.answerLimit; !over && realNow() < end; ) await nap(FRAME);
      if (!over) throw new NativeError(`${what} did not answer within ${config.answerLimit / 1000} s while game time stood still`);
    })();
    try {
      return await NativePromise.race([value, wait]);
    } finally {
      over = true;
      apply(NativePromise.prototype.then, wait, [undefined, () => {}]);
    }
  };

  const state = async () => {
    const api = apiOf();
    if (!api || typeof api.getState !== 'function') throw new NativeError('window.gameAPI.getState is missing');
    const text = stringify(await answer(api.getState(), 'getState()'));
    if (typeof text !== 'string') throw new NativeError('getState() returned nothing that JSON can hold');
    if (text.length > config.stateLimit) throw new NativeError(`getState() is ${text.length} characters long; ${config.stateLimit} are allowed`);
    for (let i = 0; core && i < core.urls.length; i++) {
      const url = core.urls[i];
      // Also a part of it: its random end has 36 characters.
      for (let at = url.length - 36; at + 6 <= url.length; at++) {
        if (apply(includes, text, [apply(slice, url, [at, at + 6])])) core.mark('the state contains the random name of an object URL');
      }
    }
    return text;
  };

  /** The one canvas that covers the viewport pixel for pixel, if there is one. */
  const canvas = () => {
    const list = all('canvas');
    if (list.length !== 1) return null;
    const r = apply(rectOf, list[0], []);
    const w = apply(width, list[0], []);
    const h = apply(height, list[0], []);
    const fills = r.left === 0 && r.top === 0 && r.width === w && r.height === h;
    return fills && w === global.innerWidth && h === global.innerHeight ? list[0] : null;
  };

  const draw = async () => {
    const api = apiOf();
    if (api && typeof api.draw === 'function') await answer(api.draw(), 'draw()');
    if (core) hideCaret();
  };

  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { caret-color: transparent !important }');
  const sheets = /** @type {any} */ (getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets'));
  /** The text cursor blinks in real time. */
  function hideCaret() {
    const list = apply(sheets.get, document, []);
    for (let i = 0; i < list.length; i++) if (list[i] === sheet) return;
    const more = [sheet];
    for (let i = 0; i < list.length; i++) more[more.length] = list[i];
    apply(sheets.set, document, [more]);
  }

  /** @param {string} mime @param {number} quality */
  const picture = async (mime, quality) => {
    await draw();
    const whole = canvas();
    return whole ? apply(toDataURL, whole, mime === 'image/png' ? [mime] : [mime, quality]) : '';
  };

  /**
   * Ask the game something that must leave the page as it was.
   * @param {string} name @param {string} argument @param {(said: any, what: string) => string} take
   */
  const ask = async (name, argument, take) => {
    const what = `${name}(${stringify(argument)})`;
    const out = { now: 0, answer: '', fault: '', remarks: 0 };
    const before = core ? core.footprint() : [];
    try {
      const api = apiOf();
      if (!api || typeof api[name] !== 'function') throw new NativeError(`window.gameAPI.${name} is missing`);
      const changes = await countChanges(async () => {
        let said;
        try {
          said = await answer(api[name](argument), what);
        } catch (e) {
          throw new NativeError(`${what} failed: ${explain(e)}`);
        }
        out.answer = take(said, what);
        await hop();
      });
      if (changes) throw new NativeError(`${what} must change nothing, but it changed the page's elements`);
      const after = core ? core.footprint() : [];
      for (let i = 0; i < after.length; i++) {
        if (after[i] !== before[i]) throw new NativeError(`${what} must change nothing, but it ${MOVED[i]}`);
      }
    } catch (e) {
      out.answer = '';
      out.fault = explain(e);
    }
    out.now = core ? core.peekNow() : realNow();
    out.remarks = core ? core.remarks() : 0;
    return out;
  };

  /** Whether a command still runs. Throws if one has failed. @param {boolean} [all] whether all of them still run */
  const commanding = (all) => {
    let running = 0;
    const roles = ownKeys(commands);
    for (let i = 0; i < roles.length; i++) {
      const { done, error } = commands[roles[i]];
      if (error) throw new NativeError(error);
      running += done ? 0 : 1;
    }
    return running > 0 && (!all || running === roles.length);
  };

  const control = {
    /**
     * Run to `to` (null: stay), then draw, encode and read what is wanted.
     * @param {number | null} to ms of game time @param {boolean} wantState
     * @param {string} mime '' for no picture, 'draw' for one that the browser takes; otherwise the canvas is the picture
     * @param {number} quality
     * @param {number[]} [frames] times to stop at until no command runs, before `to`; then `stops` counts them, and
     *   nothing is drawn or read while a command runs
     * @param {boolean} [first] stop when the first command has ended
     */
    async act(to, wantState, mime, quality, frames, first) {
      /** @type {{now: number, state: string, image: string, fault: string, remarks: number, stops: number, running: boolean, leaving: boolean}} */
      const out = { now: 0, state: '', image: '', fault: '', remarks: 0, stops: 0, running: false, leaving: false };
      try {
        if (core) core.pointer.open = false;
        if (core && to !== null) await core.runTo(to);
        if (core && core.leaving) {
          out.leaving = true;
          out.now = core.peekNow();
          return out;
        }
        if (frames) {
          do {
            if (core && out.stops < frames.length) await core.runTo(frames[out.stops]);
            if (core && core.leaving) break;
            out.stops += 1;
            await hop();
            out.running = commanding(first);
          } while (out.running && out.stops < frames.length);
          out.leaving = !!core && core.leaving;
          if (out.running || out.leaving) {
            wantState = false;
            mime = '';
          }
        }
        if (core && (wantState || mime)) core.checkElements();
        if (wantState) out.state = await state();
        if (mime === 'draw') await draw();
        else if (mime) out.image = await picture(mime, quality);
      } catch (e) {
        out.fault = explain(e);
      }
      out.now = core ? core.peekNow() : realNow();
      out.remarks = core ? core.remarks() : 0;
      return out;
    },
    /** The screen in words, for one role. @param {string} role */
    describe: (role) =>
      ask('describe', role, (text, what) => {
        if (typeof text !== 'string') throw new NativeError(`${what} returned ${text === null ? 'null' : typeof text}, not text`);
        if (text.length > config.textLimit) {
          throw new NativeError(`${what} is ${text.length} characters long; ${config.textLimit} are allowed`);
        }
        return text;
      }),
    /** Another picture of this instant, as the address of its data.
     * @param {string} view @param {number[]} size @param {string} mime @param {number} quality */
    look: (view, size, mime, quality) =>
      ask('look', view, (made, what) => {
        let w = 0;
        let h = 0;
        try {
          w = apply(width, made, []);
          h = apply(height, made, []);
        } catch {
          throw new NativeError(`${what} returned no canvas`);
        }
        if (w !== size[0] || h !== size[1]) {
          throw new NativeError(`${what} returned a canvas of ${w}×${h} pixels; the viewport has ${size[0]}×${size[1]}`);
        }
        return apply(toDataURL, made, mime === 'image/png' ? [mime] : [mime, quality]);
      }),
    /** Start `init` or `reset`; they may take game time, so the answer is read by `progress`.
     * @param {'init' | 'reset'} name @param {any} options @param {number[] | null} words */
    start(name, options, words) {
      if (words) {
        current = words;
        random.seed(words);
        for (let i = 0; i < frames.length; i++) frames[i](words);
      }
      const mine = { done: false, error: '' };
      started = mine;
      commands = create(null);
      const api = apiOf();
      if (!api || typeof api[name] !== 'function') {
        mine.error = `window.gameAPI.${name} is missing`;
        return;
      }
      void (async () => {
        try {
          await api[name](options);
          mine.done = true;
        } catch (e) {
          mine.error = `${name}() failed: ${explain(e)}`;
        }
      })();
    },
    /** Begin a command of a role. It may take game time, so the answer is read by `answers`.
     * @param {string} role @param {string} name @param {any} args */
    command(role, name, args) {
      const mine = { name, done: false, ok: false, feedback: '', error: '' };
      commands[role] = mine;
      const what = `command(${stringify(role)}, ${stringify(name)}, ${stringify(args)})`;
      void (async () => {
        try {
          const api = apiOf();
          if (!api || typeof api.command !== 'function') throw new NativeError('window.gameAPI.command is missing');
          const said = await api.command(role, name, args);
          const ok = said && said.ok;
          const feedback = said && said.feedback;
          if (typeof ok !== 'boolean' || typeof feedback !== 'string') {
            throw new NativeError(`the answer must be {ok: true | false, feedback: 'text'}, not ${stringify(said)}`);
          }
          if (feedback.length > FEEDBACK_LIMIT) {
            throw new NativeError(`the feedback is ${feedback.length} characters long; ${FEEDBACK_LIMIT} are allowed`);
          }
          mine.ok = ok;
          mine.feedback = feedback;
          mine.done = true;
        } catch (e) {
          mine.error = `${what} failed: ${explain(e)}`;
        }
      })();
    },
    /** The answers of the commands since the last call, and the names of those that still run, by role. */
    answers() {
      /** @type {Record<string, any>} */
      const answered = {};
      /** @type {Record<string, string>} */
      const running = {};
      const roles = ownKeys(commands);
      for (let i = 0; i < roles.length; i++) {
        const { name, done, ok, feedback } = commands[roles[i]];
        if (done) {
          answered[roles[i]] = { ok, feedback };
          delete commands[roles[i]];
        } else running[roles[i]] = name;
      }
      return { answered, running };
    },
    /** How far the game is from being playable; it is not asked for its state before it was started.
     * @param {boolean} asked */
    async progress(asked) {
      const out = { now: core ? core.peekNow() : realNow(), api: false, done: started.done, error: started.error, status: '', fault: '' };
      await hop();
      out.done = started.done && !(core && core.leaving);
      out.error = started.error;
      const api = apiOf();
      out.api = !!api && typeof api.getState === 'function';
      if (!asked || !out.api || !out.done) return out;
      try {
        const now = await answer(api.getState(), 'getState()');
        out.status = now && typeof now === 'object' ? toText(now.status) : `not an object but ${stringify(now)}`;
      } catch (e) {
        out.fault = explain(e);
      }
      return out;
    },
    /** What the clock could not reach, and what a reader should know. */
    marks() {
      if (!core) return { irreproducible: [], caveats: [] };
      for (let i = 0; i < global.length; i++) {
        try {
          if (!global[i].document) core.mark('a frame of another origin');
        } catch {
          core.mark('a frame of another origin');
        }
      }
      return { irreproducible: ownKeys(core.irreproducible), caveats: ownKeys(core.caveats) };
    },
    /** Resolves after what the browser delivers with its own rendering (wheel, scroll) has been delivered. */
    async rendered() {
      await rendered();
      if (core) core.delivering = false;
    },
    /** Resolves when what the page has started to load is done, and has been taken up by the page. */
    async settled() {
      if (core) await core.settle();
      await rendered();
      if (core) await core.settle();
    },
    /** Those of these files which the page did not ask for in a way that the clock waits for. @param {string[]} urls */
    unexpected(urls) {
      /** @type {string[]} */
      const out = [];
      for (let i = 0; i < urls.length; i++) if (core && !core.hasExpected(urls[i])) out[out.length] = urls[i];
      return out;
    },
    /** Resolves when no job inside the browser is under way, or after `limit` real milliseconds.
     * @param {number} limit */
    async calm(limit) {
      const start = realNow();
      while (core && !core.isCalm() && realNow() - start < limit) await nap(0);
    },
    /** Resolves when one more request for this file has been taken up, or after `limit` real milliseconds.
     * @param {number} limit @param {string} url */
    async delivered(limit, url) {
      if (!core) return;
      const before = core.expects(url);
      if (!before) return;
      const start = realNow();
      while (core.expects(url) >= before && realNow() - start < limit) await nap(0);
    },
    /** Movements the sandbox is about to send. The wheel scrolls at any rendering from now on, until `rendered` resolves.
     * @param {number[][]} points @param {number} moves @param {boolean} wheel @param {boolean} begins whether an action begins */
    expectPointer(points, moves, wheel, begins) {
      if (!core) return;
      if (begins && core.lock) {
        core.lock.from = [floor(global.innerWidth / 2), floor(global.innerHeight / 2)];
        core.lock.last = create(null);
      }
      core.pointer = { open: true, points, moves };
      core.delivering = wheel;
    },
    memories: makeMemories(),
    core,
    frames,
    words: () => current,
  };
  return control;
}
