// @ts-check
/**
 * Puts the parts together for one frame of the page. `CONFIG` is written in front of this by `script.py`.
 */

/** @param {any} config */
function install(config) {
  const isTop = global.top === global;
  const random = makeRandom(config.words);
  const outer = isTop ? null : outerControl(config);
  if (!config.stepped) {
    const control = outer || makeControl(null, config, random);
    installMemories(control.memories.note);
    if (isTop) publish(config, control);
    return;
  }
  const core = outer ? outer.core : makeCore(config);

  const document = global.document;
  const win = global.window;
  let gone = false;
  apply(listen, global, ['pagehide', () => { gone = true; }]);
  /** @type {any} */
  const home = {
    rafs: [],
    idles: [],
    alive: () => !gone && (isTop || (!win.closed && win.document === document)),
    report,
  };
  installRoots(core, home);
  installEvents(core, home);
  home.moveAnimations = installAnimations(core, home);
  home.rendering = installRendering(core, home);
  installPointer(core);
  installPointerLock(core, home);
  installTimers(core, home);
  installDates(core);
  installPerformance(core);
  installRandom(core, random);
  const jobs = installJobs(core);
  const loading = installLoading(core, home, config.lists.promises);
  const sounds = installSound(core, home);
  home.loading = () => jobs() + loading() + sounds();
  const messages = installMessages(core, home);
  const traversals = installHistory(core);
  home.messages = () => messages() + traversals();
  installReach(core, home);
  installSubstitutes(core, home);
  if (isTop) noticeReload(core);
  installPlatform(core, home, config);
  core.join(home);
  if (outer) {
    const n = outer.frames.length + 1;
    outer.frames[n - 1] = (/** @type {number[]} */ words) => random.seed(childWords(words, n));
    outer.frames[n - 1](outer.words());
    installMemories(outer.memories.note);
    publish(config, { core, frames: outer.frames, words: outer.words });
  } else {
    const control = makeControl(core, config, random);
    installMemories(control.memories.note);
    publish(config, control);
  }
}

/** Ends the time of a page that loads itself again. @param {ReturnType<typeof makeCore>} core */
function noticeReload(core) {
  const { pathname } = global.location;
  const NativeURL = URL;
  if (!global.navigation) return;
  // The platform's own readers, which mark nothing.
  const sameDocument = getterOf(global.NavigationDestination.prototype, 'sameDocument');
  const urlOf = getterOf(global.NavigationDestination.prototype, 'url');
  apply(listen, global.navigation, ['navigate', (/** @type {any} */ e) => {
    const url = apply(urlOf, e.destination, []);
    if (!apply(sameDocument, e.destination, []) && e.downloadRequest === null && new NativeURL(url).pathname === pathname) core.leaving = true;
  }]);
}

/** The control of the page around this frame; null when it belongs to another origin. @param {any} config */
function outerControl({ stepped, token }) {
  try {
    return stepped ? global.top.__gwray.bridge(token) : global.top.__gwray_bridge(token);
  } catch {
    return null;
  }
}

/** Another stream for the n-th frame inside the page. @param {number[]} words @param {number} n */
function childWords(words, n) {
  const mixed = makeRandom([words[0] ^ imul(n, 0x9e3779b1), words[1] ^ n, words[2], words[3]]);
  for (let i = 0; i < 32; i++) mixed.next();
  return [mixed.next(), mixed.next(), mixed.next(), mixed.next()];
}

/** @param {any} config @param {any} control */
function publish(config, control) {
  const token = config.token;
  const core = control.core;
  const face = {
    /** Game pages look for this to know that they are stepped. */
    version: 1,
    /** Milliseconds of game time. */
    now: () => (core ? core.peekNow() : realNow()),
    bridge: (/** @type {string} */ key) => (key === token ? control : undefined),
  };
  if (config.stepped) defineProperty(global, '__gwray', { value: freeze(face), enumerable: false, configurable: false, writable: false });
  else defineProperty(global, '__gwray_bridge', { value: face.bridge, enumerable: false, configurable: false, writable: false });
}

if (!Object.getOwnPropertyDescriptor(globalThis, '__gwray') && !Object.getOwnPropertyDescriptor(globalThis, '__gwray_bridge')) install(CONFIG);
