// @ts-check
/**
 * Finds out whether a canvas is all that a screenshot would show, so that it can be encoded in the page.
 *
 * That is certain only if nothing else in the document is drawn, no style changes how the canvas is drawn, and all of its
 * pixels are opaque. Whatever is not known here is left to a screenshot. Only canvases with a 2D context: another one may
 * be empty after a frame.
 */

/** Elements that may lie around the canvas, and how they may be laid out: none of these brings a drawing of its own. */
const AROUND = new Set(['html', 'body', 'div', 'main', 'section', 'article', 'center']);
const LAYOUTS = new Set(['block', 'flex', 'grid', 'inline', 'inline-block', 'inline-flex', 'inline-grid', 'flow-root', 'contents']);
/** Styles with which the canvas and the elements around it are drawn as they are; those that a browser lacks are empty. */
const PLAIN = [
  ['opacity', '1'], ['visibility', 'visible'], ['content-visibility', 'visible'], ['filter', 'none'], ['mix-blend-mode', 'normal'],
  ['transform', 'none'], ['translate', 'none'], ['rotate', 'none'], ['scale', 'none'], ['offset-path', 'none'], ['zoom', '1'],
  ['clip', 'auto'], ['clip-path', 'none'], ['mask-image', 'none'], ['-webkit-mask-box-image-source', 'none'], ['contain', 'none'],
  ['outline-style', 'none'], ['resize', 'none'], ['-webkit-box-reflect', 'none'], ['column-count', 'auto'], ['column-width', 'auto'],
  ['position-anchor', 'none', 'auto', 'normal'], ['border-top-left-radius', '0px'], ['border-top-right-radius', '0px'],
  ['border-bottom-left-radius', '0px'], ['border-bottom-right-radius', '0px'], ['content', 'normal', 'none'], ['border-shape', 'none'],
  ['container-type', 'normal'], ['overflow-clip-margin', '0px', 'content-box'], ['scroll-marker-group', 'none'],
  ['white-space-collapse', 'collapse'],
];
/** Further ones of elements that cut off what is outside of their borders. */
const PLAIN_CUTTING = [
  ['border-top-width', '0px'], ['border-left-width', '0px'], ['border-right-width', '0px'], ['border-bottom-width', '0px'],
];
/** Further ones of the canvas. */
const PLAIN_CANVAS = [
  ...PLAIN_CUTTING, ['object-fit', 'fill'], ['object-position', '50% 50%'], ['object-view-box', 'none'], ['padding-top', '0px'],
  ['padding-left', '0px'], ['padding-right', '0px'], ['padding-bottom', '0px'],
];
/** What a scroll container may generate: the browser computes the style of each by itself, also for rules of all. */
const SCROLL_BUTTONS = ['::scroll-button(up)', '::scroll-button(down)', '::scroll-button(left)', '::scroll-button(right)'];
/** Elements around the canvas and beside those, at most. */
const MOST_ELEMENTS = 200;
/** Strips of a canvas that are laid over each other, so that one of them shows whether all are opaque. */
const STRIPS = 16;

/** Returns the function that returns the canvas, or null. Call it before scripts of the page run. */
function makeCanvasFinder() {
  const { document } = global;
  const rectOf = Element.prototype.getBoundingClientRect;
  const firstChild = getterOf(Node.prototype, 'firstChild');
  const nextSibling = getterOf(Node.prototype, 'nextSibling');
  const nodeType = getterOf(Node.prototype, 'nodeType');
  const nodeValue = getterOf(Node.prototype, 'nodeValue');
  const localName = getterOf(Element.prototype, 'localName');
  const shadowRoot = getterOf(Element.prototype, 'shadowRoot');
  const rootOf = getterOf(Document.prototype, 'documentElement');
  const { get: width, set: setWidth } = /** @type {any} */ (getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width'));
  const { get: height, set: setHeight } = /** @type {any} */ (getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'height'));
  const { createElement } = Document.prototype;
  const selectionOf = Document.prototype.getSelection;
  const isCollapsed = getterOf(Selection.prototype, 'isCollapsed');
  const { getComputedStyle } = global;
  const { getPropertyValue } = CSSStyleDeclaration.prototype;
  const { test } = RegExp.prototype;
  const { has } = Set.prototype;
  /** Characters that are drawn, unlike white space that collapses. */
  const TEXT = /[^ \t\n\r\f]/;
  const innerWidth = getterOf(global, 'innerWidth');
  const innerHeight = getterOf(global, 'innerHeight');
  const Context = CanvasRenderingContext2D;
  const { drawImage, getImageData, getContextAttributes, isContextLost } = Context.prototype;
  const { set: setOperation } = /** @type {any} */ (getOwnPropertyDescriptor(Context.prototype, 'globalCompositeOperation'));
  const Words = Uint32Array;
  const bufferOf = getterOf(Object.getPrototypeOf(Uint8ClampedArray.prototype), 'buffer');
  const dataOf = getterOf(ImageData.prototype, 'data');

  /** 2D contexts by canvas: to ask a canvas for one may create it. */
  const contexts = new NativeWeakMap();
  const { get: contextOf, set: keepContext } = NativeWeakMap.prototype;
  const { getContext } = HTMLCanvasElement.prototype;
  replaceMethod(HTMLCanvasElement.prototype, 'getContext', function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    const made = apply(getContext, this, args);
    // @ts-ignore
    if (made instanceof Context) apply(keepContext, contexts, [this, made]);
    return made;
  });
  let hides = false;
  const hide = () => {
    hides = true;
  };
  // What a shadow tree or a transition of views draws cannot be seen from here. Trees of the page's own HTML: `page_clock.py`.
  for (const [owner, members] of /** @type {[any, string[]][]} */ ([
    [Element.prototype, ['attachShadow', 'setHTML', 'setHTMLUnsafe', 'startViewTransition']],
    [Document.prototype, ['startViewTransition', 'write', 'writeln']], [Document, ['parseHTML', 'parseHTMLUnsafe']]])) {
    for (const member of members) watchMember(owner, member, hide);
  }

  /** @param {any} style @param {string} name */
  const value = (style, name) => apply(getPropertyValue, style, [name]);
  /** @param {any} style @param {string[][]} wanted */
  const isPlain = (style, wanted) => {
    for (let i = 0; i < wanted.length; i++) {
      const found = value(style, wanted[i][0]);
      let plain = found === '';
      for (let j = 1; j < wanted[i].length; j++) if (found === wanted[i][j]) plain = true;
      if (!plain) return false;
    }
    const layer = value(style, 'z-index');
    return layer === 'auto' || +layer >= 0;
  };

  /** @param {any} r @param {number} w @param {number} h */
  const covers = (r, w, h) => r.left <= 0 && r.top <= 0 && r.right >= w && r.bottom >= h;

  /** @param {any} e @param {string} pseudo */
  const generates = (e, pseudo) => {
    const content = value(apply(getComputedStyle, global, [e, pseudo]), 'content');
    return content !== 'none' && content !== 'normal';
  };

  /** Whether an element can scroll, and generates buttons for that. @param {any} e @param {any} style */
  const hasScrollButtons = (e, style) => {
    const overflow = value(style, 'overflow-x');
    if (overflow === 'visible' || overflow === 'clip') return false;
    for (let i = 0; i < SCROLL_BUTTONS.length; i++) if (generates(e, SCROLL_BUTTONS[i])) return true;
    return false;
  };

  /** Whether an element around the canvas is drawn without any effect on it.
   * @param {any} e @param {string} name @param {any} style @param {boolean} free the viewport scrolls instead of it */
  const isBare = (e, name, style, free) => {
    if (!apply(has, AROUND, [name]) || !apply(has, LAYOUTS, [value(style, 'display')])) return false;
    if (apply(shadowRoot, e, []) || !isPlain(style, PLAIN)) return false;
    if (generates(e, '::before') || generates(e, '::after') || hasScrollButtons(e, style)) return false;
    if (free || (value(style, 'overflow-x') === 'visible' && value(style, 'overflow-y') === 'visible')) return true;
    return isPlain(style, PLAIN_CUTTING) && covers(apply(rectOf, e, []), apply(innerWidth, global, []), apply(innerHeight, global, []));
  };

  /** The one child that is drawn; null if something else is, too. @param {any} parent @param {{left: number}} count */
  const onlyDrawn = (parent, count) => {
    let drawn = null;
    for (let n = apply(firstChild, parent, []); n; n = apply(nextSibling, n, [])) {
      const type = apply(nodeType, n, []);
      if (type === 3 && apply(test, TEXT, [apply(nodeValue, n, [])])) return null;
      if (type !== 1) continue;
      count.left -= 1;
      if (count.left < 0) return null;
      if (value(apply(getComputedStyle, global, [n]), 'display') === 'none') continue;
      if (drawn) return null;
      drawn = n;
    }
    return drawn;
  };

  /** @type {any} */
  let strip = null;
  /** Size of the canvas for which it is. */
  let size = '';
  /** Pictures until transparent pixels are searched for again, and how many were left out the last time. */
  let pause = 0;
  let lastPause = 0;
  /** @param {any} canvas @param {number} w @param {number} h */
  const isOpaque = (canvas, w, h) => {
    const context = apply(contextOf, contexts, [canvas]);
    if (!context) return false;
    const { alpha, colorSpace, desynchronized, colorType = 'unorm8', pixelFormat = 'uint8' } = apply(getContextAttributes, context, []);
    if (apply(isContextLost, context, []) || colorSpace !== 'srgb' || desynchronized || colorType !== 'unorm8' || pixelFormat !== 'uint8') return false;
    if (alpha === false) return true;
    if (pause > 0) {
      pause -= 1;
      return false;
    }
    const tall = trunc((h + STRIPS - 1) / STRIPS);
    if (size !== `${w} ${h}`) {
      size = `${w} ${h}`;
      const made = apply(createElement, document, ['canvas']);
      apply(setWidth, made, [w]);
      apply(setHeight, made, [tall]);
      strip = apply(getContext, made, ['2d', { willReadFrequently: true }]);
    }
    // Each strip multiplies what is below it by its opacity: 255 stays only below 255.
    for (let top = 0; top < h; top += tall) {
      apply(setOperation, strip, [top === 0 ? 'copy' : 'destination-in']);
      apply(drawImage, strip, [canvas, 0, -min(top, h - tall)]);
    }
    const words = new Words(apply(bufferOf, apply(dataOf, apply(getImageData, strip, [0, 0, w, tall]), []), []));
    let all = -1;
    for (let i = 0; i < words.length; i++) all &= words[i];
    const opaque = all >>> 24 === 255;
    // A canvas over a background stays one: it is not searched each time.
    lastPause = pause = opaque ? 0 : min(64, 2 * lastPause + 1);
    return opaque;
  };

  return () => {
    if (hides || global.devicePixelRatio !== 1) return null;
    const count = { left: MOST_ELEMENTS };
    const html = apply(rootOf, document, []);
    let free = true;
    let name = '';
    for (let e = html; e; e = onlyDrawn(e, count)) {
      name = apply(localName, e, []);
      const style = apply(getComputedStyle, global, [e]);
      if (name === 'canvas') {
        const r = apply(rectOf, e, []);
        const w = apply(width, e, []);
        const h = apply(height, e, []);
        const fills = r.left === 0 && r.top === 0 && r.width === w && r.height === h && w === apply(innerWidth, global, []) && h === apply(innerHeight, global, []);
        const selection = apply(selectionOf, document, []);
        if (!fills || !isPlain(style, PLAIN) || !isPlain(style, PLAIN_CANVAS) || (selection && !apply(isCollapsed, selection, []))) return null;
        if (hasScrollButtons(e, style)) return null;
        return isOpaque(e, w, h) ? e : null;
      }
      if (!isBare(e, name, style, e === html || (name === 'body' && free))) return null;
      // The overflow of `body` is that of the viewport if `html` has none.
      free = e === html && value(style, 'overflow-x') === 'visible' && value(style, 'overflow-y') === 'visible';
    }
    return null;
  };
}
