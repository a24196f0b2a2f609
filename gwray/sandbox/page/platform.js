// @ts-check
/**
 * The platform features that a page may use without losing its claim to be reproducible: those of `interfaces.txt`.
 *
 * A browser has about a thousand global classes, and every version adds some. Those that the clock controls, and those
 * that are pure functions of what the page gives them, are listed there. Using any other one marks the episode, whatever
 * it is called: constructing it, calling a method of one of its objects or of the class itself, or reading one of its
 * attributes; likewise new members of listed classes, and elements of unlisted ones. Asking whether a feature exists
 * marks nothing.
 */

/** Elements that the browser changes in real time, as selectors. */
const REFUSED_ELEMENTS = ['marquee', 'progress:not([value])', '[interestfor]', 'meta[http-equiv=refresh i]'];

/** The browser's switch that stops animated images stops these elements of SVG, too. */
const STILL_ELEMENTS = 'animate, set, animateTransform, animateMotion';

/** @param {ReturnType<typeof makeCore>} core @param {any} home @param {any} config */
function installPlatform(core, home, config) {
  const selectors = [...REFUSED_ELEMENTS];
  offerExtensions(config.lists.webgl);
  const allowed = new Set(config.allowed);
  const refused = (/** @type {string} */ name) => () => core.mark(`${name} (not controlled)`);
  const names = Object.getOwnPropertyNames(global);
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const how = getOwnPropertyDescriptor(global, name);
    const Class = how && how.value;
    const isClass = typeof Class === 'function' && Class.prototype;
    if (apply(hasValue, allowed, [name])) {
      const members = isClass && config.members && config.members[name];
      if (members) refuseMembers([Class.prototype, Class], [...members, 'length', 'name'], `${name}.`, refused);
    } else if (isClass && how?.configurable) {
      const element = /^HTML(\w+)Element$/.exec(name);
      if (element) selectors[selectors.length] = element[1].toLowerCase();
      // Named after its first use: the message says which class it was.
      refuseClass(name, Class, refused(name));
    } else refuseProperty(global, name, refused(name));
  }
  refuseMembers([global.Navigator.prototype], config.lists.navigator, 'navigator.', refused);

  const selector = selectors.join();
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
}

/** Marks the page when it uses a member that is not listed.
 * @param {any[]} owners @param {string[]} listed @param {string} prefix @param {(name: string) => () => void} refused */
function refuseMembers(owners, listed, prefix, refused) {
  const known = new Set(listed);
  for (let i = 0; i < owners.length; i++) {
    const own = Object.getOwnPropertyNames(owners[i]);
    for (let j = 0; j < own.length; j++) {
      if (!apply(hasValue, known, [own[j]])) refuseProperty(owners[i], own[j], refused(prefix + own[j]));
    }
  }
}

/** Offers reviewed extensions of WebGL only. @param {string[]} reviewed */
function offerExtensions(reviewed) {
  const names = new Set(reviewed);
  for (const kind of ['WebGLRenderingContext', 'WebGL2RenderingContext']) {
    const owner = global[kind] && global[kind].prototype;
    if (!owner) continue;
    wrapMethod(owner, 'getExtension', (native, self, [name]) => apply(hasValue, names, [toText(name)]) ? apply(native, self, [name]) : null);
    wrapMethod(owner, 'getSupportedExtensions', (native, self) => {
      const all = apply(native, self, []);
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
  const see = (/** @type {any} */ native, /** @type {any} */ self, /** @type {any[]} */ args = []) => {
    seen();
    return apply(native, self, args);
  };
  wrapMethod(owner, name, see);
  if (!apply(startsWith, name, ['on'])) wrapGetter(owner, name, see);
}

const hasValue = Set.prototype.has;
const { startsWith } = String.prototype;
