// @ts-check
/**
 * The contract of a page that does not know it: its state is read by the expressions of `probe` in its `game.yaml`.
 *
 * An expression is JavaScript, `dom:SELECTOR` (the text of an element) or `storage:KEY` (of the local storage). One that
 * fails is null. `over` says that the game has ended. A reset loads the page again.
 */

/** @param {{probe: Record<string, string>, ready: string}} config */
function makeProbe({ probe, ready }) {
  const evaluate = global.eval;
  const find = Document.prototype.querySelector;
  const { getItem } = Storage.prototype;
  const { startsWith, slice, split, trim } = String.prototype;
  const { location, document } = global;
  const textOf = getterOf(Node.prototype, 'textContent');
  const { parse } = JSON;

  /** @param {any} text */
  const valueOf = (text) => {
    if (text === null) return null;
    const bare = apply(trim, text, []);
    try {
      return parse(bare);
    } catch {
      return bare;
    }
  };
  /** @param {string} source */
  const read = (source) => {
    try {
      if (apply(startsWith, source, ['dom:'])) {
        const element = apply(find, document, [apply(slice, source, [4])]);
        return element && valueOf(apply(textOf, element, []));
      }
      if (apply(startsWith, source, ['storage:'])) return valueOf(apply(getItem, global.localStorage, [apply(slice, source, [8])]));
      const value = evaluate(`(${source})`);
      return value === undefined || stringify(value) === undefined ? null : value;
    } catch {
      return null;
    }
  };
  return {
    init: () => undefined,
    reset: () => location.reload(),
    getState() {
      const over = 'over' in probe && !!read(probe.over);
      /** @type {any} */
      const state = { status: ready && !read(ready) ? 'loading' : 'playing', terminal: { isTerminal: over, outcome: over ? 'fail' : null } };
      for (const name of ownKeys(probe)) {
        const path = apply(split, name, ['.']);
        let at = state;
        for (let i = 0; i + 1 < path.length; i++) at = at[path[i]] = at[path[i]] || {};
        at[path[path.length - 1]] = read(probe[/** @type {string} */ (name)]);
      }
      return state;
    },
  };
}
