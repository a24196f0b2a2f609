// @ts-check
/**
 * The pointer lock, made of the movements that the sandbox sends.
 *
 * The browser's own lock moves its cursor back after each movement and reports that as a movement, which it answers again:
 * each step costs more than the one before, and the page sees none of the sandbox's movements. So the real pointer is never
 * locked. Mouse events go to the locked element as copies, which stay where the pointer was and say how far it moved. Each
 * action begins in the middle of the viewport: a point always means the same turn, and turning has no end.
 */

/** Events that go to the locked element. */
const LOCKED_EVENTS = [
  'mousemove', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'pointermove', 'pointerdown', 'pointerup',
  'pointercancel', 'pointerrawupdate', 'wheel',
];
/** What a copy takes from its event, beside the position. */
const COPIED = [
  'bubbles', 'cancelable', 'composed', 'detail', 'ctrlKey', 'shiftKey', 'altKey', 'metaKey', 'button', 'buttons', 'deltaX',
  'deltaY', 'deltaZ', 'deltaMode', 'wheelDeltaX', 'wheelDeltaY', 'pointerId', 'width', 'height', 'pressure', 'tangentialPressure',
  'tiltX', 'tiltY', 'twist', 'pointerType', 'isPrimary', 'sourceCapabilities',
];

/** @param {ReturnType<typeof makeCore>} core @param {any} home */
function installPointerLock(core, home) {
  const { document, navigator } = global;
  const { dispatchEvent } = EventTarget.prototype;
  const { stopImmediatePropagation, preventDefault } = Event.prototype;
  const { getRootNode } = Node.prototype;
  const [clientX, clientY, screenX, screenY] = ['clientX', 'clientY', 'screenX', 'screenY'].map((name) => getterOf(MouseEvent.prototype, name));
  const keyOf = getterOf(KeyboardEvent.prototype, 'key');
  const typeOf = getterOf(Event.prototype, 'type');
  const whichOf = getterOf(UIEvent.prototype, 'which');
  const isPrevented = getterOf(Event.prototype, 'defaultPrevented');
  const isConnected = getterOf(Node.prototype, 'isConnected');
  const hostOf = getterOf(ShadowRoot.prototype, 'host');
  const hasBeenActive = getterOf(UserActivation.prototype, 'hasBeenActive');
  const activation = navigator.userActivation;
  const Classes = { Mouse: MouseEvent, Pointer: PointerEvent, Wheel: WheelEvent, Shadow: ShadowRoot, Event, Failure: DOMException };
  /** Where the pointer was last seen in this frame. */
  let place = { clientX: 0, clientY: 0, screenX: 0, screenY: 0 };

  /** The lock, if its frame still exists. */
  const current = () => (core.lock && core.lock.home.alive() ? core.lock : null);
  /** @param {string} type */
  const tell = (type) => home.rendering.report(document, new Classes.Event(type));

  /** A copy of an event for an element of this frame. @param {any} e @param {any} position */
  const copy = (e, position) => {
    const type = apply(typeOf, e, []);
    const init = { ...position, view: global };
    for (let i = 0; i < COPIED.length; i++) if (COPIED[i] in e) init[COPIED[i]] = e[COPIED[i]];
    // No button took part: this value is read as 0, and makes `which` 0, too.
    if (!apply(whichOf, e, [])) init.button = -1;
    const Class = 'deltaX' in e ? Classes.Wheel : 'pointerId' in e ? Classes.Pointer : Classes.Mouse;
    if (type === 'pointermove' || type === 'pointerrawupdate') init.coalescedEvents = [new Class(type, init)];
    return new Class(type, init);
  };

  /** Sends a trusted event of any frame to the locked element. @param {any} e */
  const redirect = (e) => {
    if (!e.isTrusted) return;
    const lock = current();
    const x = floor(apply(screenX, e, []));
    const y = floor(apply(screenY, e, []));
    if (!lock) {
      place = { clientX: apply(clientX, e, []), clientY: apply(clientY, e, []), screenX: x, screenY: y };
      return;
    }
    const type = apply(typeOf, e, []);
    let moved = [0, 0];
    if (type === 'mousemove' || type === 'pointermove' || type === 'pointerrawupdate') {
      const from = lock.last[type] || lock.from;
      moved = [x - from[0], y - from[1]];
      lock.last[type] = [x, y];
    }
    apply(stopImmediatePropagation, e, []);
    // The page does not act on what is below the pointer. Without `pointerdown`, the browser sends no `mousedown`.
    if (lock.send(e, moved) || type !== 'pointerdown') apply(preventDefault, e, []);
  };
  for (let i = 0; i < LOCKED_EVENTS.length; i++) apply(listen, global, [LOCKED_EVENTS[i], redirect, { capture: true, passive: false }]);

  const drop = (/** @type {any} */ e) => {
    if (e.isTrusted && current()) apply(stopImmediatePropagation, e, []);
  };
  for (const kind of ['mouse', 'pointer']) {
    for (const what of ['over', 'out', 'enter', 'leave']) apply(listen, global, [kind + what, drop, true]);
  }

  // As in a browser, this key only ends the lock.
  apply(listen, global, ['keydown', (/** @type {any} */ e) => {
    const lock = e.isTrusted && apply(keyOf, e, []) === 'Escape' ? current() : null;
    if (!lock) return;
    apply(stopImmediatePropagation, e, []);
    apply(preventDefault, e, []);
    lock.release();
  }, true]);

  const release = () => {
    core.lock = null;
    tell('pointerlockchange');
  };

  /** @param {any} element @param {boolean} asked whether the user had done something before */
  const acquire = (element, asked) => {
    if (!apply(isConnected, element, [])) throw new Classes.Failure('the element is not in the document', 'WrongDocumentError');
    const before = current();
    if (before && before.home !== home) throw new Classes.Failure('an element of another document is locked', 'InvalidStateError');
    if (!asked) throw new Classes.Failure('a user gesture is required', 'NotAllowedError');
    tell('pointerlockchange');
    if (before) {
      before.element = element;
      return;
    }
    const at = place;
    const lock = (core.lock = {
      home,
      element,
      /** Where the movements of an action begin, and what the last one of each type has reached. */
      from: [at.screenX, at.screenY],
      last: create(null),
      release,
      /** Whether the page prevented the default. @param {any} e @param {number[]} moved */
      send(e, moved) {
        const made = copy(e, { ...at, movementX: moved[0], movementY: moved[1] });
        core.call(home, dispatchEvent, lock.element, [made]);
        return apply(isPrevented, made, []);
      },
    });
    const watch = () => {
      if (core.lock !== lock) return;
      if (apply(isConnected, lock.element, [])) home.rafs[home.rafs.length] = { f: watch, dead: false };
      else release();
    };
    watch();
  };

  // A browser answers in a later task of the same instant, and sends the events with the next frame.
  wrapMethod(Element.prototype, 'requestPointerLock', (_, element) => {
    const asked = apply(hasBeenActive, activation, []);
    return new NativePromise((done, fail) => {
      core.schedule(home, 0, () => {
        try {
          done(acquire(element, asked));
        } catch (e) {
          tell('pointerlockerror');
          fail(e);
        }
      });
    });
  });
  replaceMethod(Document.prototype, 'exitPointerLock', () => {
    core.schedule(home, 0, () => {
      const lock = current();
      if (lock && lock.home === home) release();
    });
  });
  for (const owner of [Document.prototype, ShadowRoot.prototype]) {
    wrapGetter(owner, 'pointerLockElement', (_, self) => {
      const lock = current();
      for (let node = lock && lock.element; node; ) {
        const root = apply(getRootNode, node, []);
        if (root === self) return node;
        node = root instanceof Classes.Shadow ? apply(hostOf, root, []) : null;
      }
      return null;
    });
  }
}
