// @ts-check
/**
 * Game time of a whole page: one queue for the page and all frames inside it.
 *
 * Time is a number of milliseconds that only `runTo` changes. Frame k is at k·1000/fps ms, computed from the integer k
 * each time, so nothing drifts. Work runs in the order a browser gives it: timers by due time (ties by creation), then
 * the frame: animations, animation-frame callbacks, observers, idle callbacks. After each callback a real task passes, so
 * promise chains finish as they do in a browser.
 *
 * Not done here: what the page calls (`globals.js`) and which real work is still under way (`loading.js`).
 */

/** Milliseconds by which a requested time may miss a frame and still include it (callers write 16.667 for a frame). */
const TOLERANCE = 0.001;
/** Clock reads within one callback after which each read costs time: a page that waits in a loop gets out of it. */
const FREE_READS = 20000;
const READ_COST = 0.005;
/** Messages a page may send itself in one instant. */
const LONGEST_CHAIN = 5000;
const ENDLESS = 'the page sends itself messages without end';

/** @typedef {{due: number, seq: number, dead: boolean, home: Home, run: () => void}} Entry */
/** @typedef {{alive: () => boolean, report: (e: any) => void, moveAnimations: () => boolean, rendering: any,
 *   loading: () => number, messages: () => number, checkElements: () => void, rafs: any[], idles: any[]}} Home one frame (window) of the page */

/** @param {{ioLimit: number, fps: number}} config */
function makeCore(config) {
  let now = 0;
  let frame = 0;
  let sequence = 0;
  let reads = 0;
  let running = false;
  /** The next one last. @type {Entry[]} */
  const queue = [];
  /** @type {Home[]} */
  let homes = [];
  /** @type {Record<string, true>} */
  const irreproducible = create(null);
  /** @type {Record<string, true>} */
  const caveats = create(null);
  let remarks = 0;
  /** @type {Record<string, number>} */
  const expected = create(null);
  let local = 0;
  /** What the page has asked of clock, chance and browser so far. */
  const used = { timers: 0, frames: 0, chance: 0, files: 0, messages: 0 };

  /** @param {Entry} a @param {Entry} b */
  const before = (a, b) => a.due < b.due || (a.due === b.due && a.seq < b.seq);

  /** @param {Entry} e */
  function push(e) {
    let i = queue.length;
    for (; i > 0 && before(queue[i - 1], e); i--) queue[i] = queue[i - 1];
    queue[i] = e;
  }

  /** @returns {Entry | undefined} */
  function peek() {
    for (; queue.length; queue.length -= 1) {
      const next = queue[queue.length - 1];
      if (!next.dead && next.home.alive()) return next;
    }
    return undefined;
  }

  /** @param {Home} home @param {Function} f @param {any} self @param {any[]} args */
  function call(home, f, self, args) {
    reads = 0;
    try {
      return apply(f, self, args);
    } catch (e) {
      home.report(e);
    }
  }

  function loadingNow() {
    let open = 0;
    for (let i = 0; i < homes.length; i++) if (homes[i].alive()) open += homes[i].loading();
    return open;
  }

  /** Jobs whose events cannot be held back. @type {Job[]} */
  let jobs = [];
  /** Messages that wait until no such job is open. @type {{home: Home, target: any, event: any}[]} */
  let held = [];
  let handing = false;
  const pass = makeHop();
  const copies = new NativeWeakSet();
  const { add: addCopy, has: hasCopy } = NativeWeakSet.prototype;
  const Message = MessageEvent;
  const portsOf = getterOf(MessageEvent.prototype, 'ports');
  const { stopImmediatePropagation } = Event.prototype;
  const { dispatchEvent } = EventTarget.prototype;

  /** Hands held messages over, each in a task of its own, until a job is open again. */
  async function handOver() {
    if (handing) return;
    handing = true;
    for (;;) {
      await pass();
      if (jobs.length || !held.length) break;
      const { home, target, event } = held[0];
      const copy = new Message('message', event);
      apply(addCopy, copies, [copy]);
      call(home, dispatchEvent, target, [copy]);
      held = without(held, held[0]);
    }
    handing = false;
  }

  function messagesNow() {
    if (irreproducible[ENDLESS]) return 0; // none is waited for any more
    let open = core.broadcasts;
    for (let i = 0; i < homes.length; i++) if (homes[i].alive()) open += homes[i].messages();
    return open;
  }

  /** Wait, in real time, until work the page started outside the clock is done and has been delivered. */
  async function settle() {
    const start = realNow();
    let quiet = 0;
    let passed = 0;
    while (quiet < 2) {
      if (loadingNow()) {
        quiet = 0;
        if (realNow() - start > config.ioLimit) {
          core.mark(`something the page loads did not finish within ${config.ioLimit / 1000} s`);
          return;
        }
        await nap(1);
      } else if (messagesNow()) {
        quiet = 0;
        passed += 1;
        if (passed > LONGEST_CHAIN) {
          core.mark(ENDLESS);
          return;
        }
      } else quiet += 1;
      await hop();
    }
  }

  const isBusy = () => loadingNow() > 0 || messagesNow() > 0;

  async function runFrame() {
    for (let i = 0; i < homes.length; i++) {
      const home = homes[i];
      if (!home.alive()) {
        homes = without(homes, home);
        i -= 1;
        continue;
      }
      if (home.moveAnimations() || home.rendering.waiting()) await home.rendering.deliver();
    }
    for (let i = 0; i < homes.length; i++) {
      const home = homes[i];
      const batch = home.rafs;
      home.rafs = [];
      for (let j = 0; j < batch.length; j++) {
        if (batch[j].dead || !home.alive()) continue;
        batch[j].dead = true;
        call(home, batch[j].f, undefined, [now]);
        await hop();
      }
    }
    for (let i = 0; i < homes.length; i++) {
      if (homes[i].rendering.changed()) await homes[i].rendering.deliver();
      else homes[i].rendering.forget();
    }
    for (let i = 0; i < homes.length; i++) {
      const home = homes[i];
      const batch = home.idles;
      if (!batch.length) continue;
      home.idles = [];
      for (let j = 0; j < batch.length; j++) {
        if (batch[j].dead || !home.alive()) continue;
        batch[j].dead = true;
        let left = 8;
        const late = batch[j].timeout > 0 && now >= batch[j].since + batch[j].timeout;
        const deadline = { didTimeout: late, timeRemaining: () => (left = max(0, left - 0.1)) };
        call(home, batch[j].f, undefined, [deadline]);
        await hop();
      }
    }
  }

  const core = {
    /** Which pointer movements are the sandbox's own; see `pointer.js`. */
    pointer: { open: false, moves: 0, points: /** @type {number[][]} */ ([]) },
    /** The pointer lock of the page; see `pointer_lock.js`. @type {any} */
    lock: null,
    irreproducible,
    caveats,
    /** The page loads itself again: its time has ended. */
    leaving: false,
    /** The sandbox waits for what the browser reports with its rendering: it is delivered at once. */
    delivering: false,
    /** Open broadcast channels of the page and its frames. @type {{channel: any, name: string, closed: boolean}[]} */
    channels: [],
    /** Messages of broadcast channels that were sent and not yet received. */
    broadcasts: 0,
    /** Answers made of streams, which the page may feed with other answers: none waits behind them. */
    fed: new NativeWeakSet(),
    /** Names of object URLs, which the browser draws. @type {string[]} */
    urls: [],
    /** Game time as the page sees it. */
    now() {
      reads += 1;
      if (reads > FREE_READS) now += READ_COST;
      return now;
    },
    /** Game time without side effects. */
    peekNow: () => now,
    frame: () => frame,
    /** @param {Home} home */
    join(home) {
      homes[homes.length] = home;
    },
    /** @param {Home} home @param {number} delay @param {() => void} run @param {number} [due] */
    schedule(home, delay, run, due) {
      /** @type {Entry} */
      const e = { due: due === undefined ? now + delay : due, seq: sequence++, dead: false, home, run };
      used.timers += 1;
      push(e);
      return e;
    },
    call,
    /** @param {string} reason the page uses something this clock cannot reach */
    mark(reason) {
      if (!irreproducible[reason]) remarks += 1;
      irreproducible[reason] = true;
    },
    /** @param {string} note worth telling a reader, but repeatable */
    note(note) {
      if (!caveats[note]) remarks += 1;
      caveats[note] = true;
    },
    /** Marks elements that the browser changes in real time. */
    checkElements() {
      for (let i = 0; i < homes.length; i++) if (homes[i].alive()) homes[i].checkElements();
    },
    settle,
    used,
    /** What a look at the page has to leave as it was, in the order of `MOVED` (see control.js). */
    footprint: () => [now, used.timers, used.frames, used.chance, used.files, used.messages],
    /** Jobs inside the browser that began or ended. @param {number} change */
    local(change) {
      local += change;
    },
    /** Whether no such job is under way, and no message. */
    isCalm: () => local <= 0 && messagesNow() <= 0,
    /** Begins a job whose events cannot be held back; call the answer when it ends. @param {Job} job */
    begin(job) {
      for (let i = 0; i < jobs.length; i++) {
        const kinds = jobs[i].kind === job.kind ? `two of kind ${job.kind}` : `${jobs[i].kind} and ${job.kind}`;
        if (!areInOrder(jobs[i], job)) core.mark(`work side by side, whose order depends on the machine (${kinds})`);
      }
      jobs[jobs.length] = job;
      local += 1;
      return () => {
        jobs = without(jobs, job);
        local -= 1;
        if (!jobs.length && held.length) void handOver();
      };
    },
    /** Whether a job is open or a message on its way: answers that are promises come after these. */
    isAhead: () => jobs.length > 0 || messagesNow() > 0,
    /** Holds a message back while a job is open. Answers whether it is delivered now.
     * @param {Home} home @param {any} target @param {any} event */
    receive(home, target, event) {
      if (!event.isTrusted) return apply(hasCopy, copies, [event]);
      if (apply(portsOf, event, []).length) core.mark('a message port that was sent away (its messages come in real time)');
      if (!jobs.length && !held.length) return true;
      apply(stopImmediatePropagation, event, []);
      held[held.length] = { home, target, event };
      return false;
    },
    /** The page waits for this file; call the answer when the page has it. @param {string} url */
    expect(url) {
      expected[url] = (expected[url] || 0) + 1;
      let over = false;
      return () => {
        if (over) return;
        over = true;
        expected[url] -= 1;
      };
    },
    /** @param {string} url */
    expects: (url) => expected[url] || 0,
    /** Whether the page ever waited for this file. @param {string} url */
    hasExpected: (url) => url in expected,
    /** Grows when something is marked or noted. */
    remarks: () => remarks,
    /** @param {number} target milliseconds of game time */
    async runTo(target) {
      if (running) throw new NativeError('the clock is already running');
      running = true;
      const limit = target + TOLERANCE;
      try {
        while (!core.leaving) {
          if (isBusy()) await settle();
          const frameAt = ((frame + 1) * 1000) / config.fps;
          const timer = peek();
          if (timer && timer.due <= frameAt && timer.due <= limit) {
            queue.length -= 1;
            now = max(now, timer.due);
            timer.dead = true;
            call(timer.home, timer.run, undefined, []);
            await hop();
          } else if (frameAt <= limit) {
            frame += 1;
            now = max(now, frameAt);
            await runFrame();
          } else break;
        }
        if (core.leaving) return;
        now = max(now, target);
        if (isBusy()) await settle();
      } finally {
        running = false;
      }
    },
  };
  return core;
}

/** @template T @param {T[]} list @param {T} gone */
function without(list, gone) {
  /** @type {T[]} */
  const left = [];
  for (let i = 0; i < list.length; i++) if (list[i] !== gone) left[left.length] = list[i];
  return left;
}
