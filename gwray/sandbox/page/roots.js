// @ts-check
/**
 * The shadow trees of a frame: what a document's own lists leave out.
 *
 * Trees that scripts attach are known at once, also closed ones. Those of the page's HTML are found when it has been
 * parsed; closed ones mark the page, because no script can reach them.
 */

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installRoots(core, home) {
  /** @type {any[]} */
  const roots = [];
  /** @type {[string, (e: any) => void][]} */
  const listeners = [];
  const connected = getterOf(Node.prototype, 'isConnected');
  const shadowOf = getterOf(Element.prototype, 'shadowRoot');
  const { querySelectorAll } = Document.prototype;
  const inTree = DocumentFragment.prototype.querySelectorAll;
  const inElement = Element.prototype.querySelectorAll;
  const { getAnimations } = ShadowRoot.prototype;
  const { includes } = String.prototype;
  const known = new NativeWeakSet();
  const { has, add: keep } = NativeWeakSet.prototype;

  /** @param {any} root */
  const add = (root) => {
    if (!root || apply(has, known, [root])) return;
    apply(keep, known, [root]);
    roots[roots.length] = root;
    for (let i = 0; i < listeners.length; i++) apply(listen, root, [listeners[i][0], listeners[i][1], true]);
    search(root, inTree);
  };
  /** Finds trees that the parser attached. @param {any} within @param {any} find */
  const search = (within, find) => {
    const all = apply(find, within, ['*']);
    for (let i = 0; i < all.length; i++) add(apply(shadowOf, all[i], []));
  };
  wrapMethod(Element.prototype, 'attachShadow', (native, self, args) => {
    const root = apply(native, self, args);
    add(root);
    return root;
  });
  for (const owner of [Element.prototype, ShadowRoot.prototype, Document]) {
    for (const name of ['setHTMLUnsafe', 'setHTML', 'parseHTMLUnsafe', 'parseHTML']) {
      wrapMethod(owner, name, (native, self, args) => {
        const made = apply(native, self, args);
        if (apply(includes, toText(args[0]), ['shadowrootmode'])) core.mark('a shadow tree in HTML that a script inserts');
        return made;
      });
    }
  }
  /** Finds the trees of what was cloned. @param {any} made an element or a fragment */
  home.findRoots = (made) => {
    if (made instanceof Element) add(apply(shadowOf, made, []));
    search(made, made instanceof Element ? inElement : inTree);
  };
  apply(listen, global.document, ['readystatechange', () => search(global.document, querySelectorAll), true]);

  /** Listens first, in the document and all of its shadow trees. @param {string} type @param {(e: any) => void} f */
  home.listen = (type, f) => {
    listeners[listeners.length] = [type, f];
    // No load event of an element reaches the window.
    apply(listen, type === 'load' ? global.document : global, [type, f, true]);
  };
  /** All elements in shadow trees that match. @param {string} selector */
  home.inShadow = (selector) => {
    if (!roots.length) return roots;
    const out = [];
    for (let i = 0; i < roots.length; i++) {
      if (!apply(connected, roots[i], [])) continue;
      const found = apply(inTree, roots[i], [selector]);
      for (let j = 0; j < found.length; j++) out[out.length] = found[j];
    }
    return out;
  };
  home.shadowAnimations = () => {
    if (!roots.length) return roots;
    const out = [];
    for (let i = 0; i < roots.length; i++) {
      if (!apply(connected, roots[i], [])) continue;
      const found = apply(getAnimations, roots[i], []);
      for (let j = 0; j < found.length; j++) out[out.length] = found[j];
    }
    return out;
  };
}
