// @ts-check
/**
 * Work inside the browser whose events cannot be held back: a transaction of IndexedDB ends unless the page answers its
 * events at once, and a FileReader has its answer when it says so.
 *
 * So they go first. While such a job is open, game time stands still, messages are held back (`core.receive`), and answers
 * that are promises wait (`loading.js`). Jobs that run side by side come in an order that depends on the machine: unless
 * the browser itself puts them in order, they mark the page.
 */

/** @typedef {{kind: string, base: string, stores: string[], writes: boolean}} Job */

/** @param {ReturnType<typeof makeCore>} core @returns {() => number} open jobs */
function installJobs(core) {
  let open = 0;
  /** @param {Job} job @param {any} target @param {string[]} ends its events, one of which ends the job */
  const follow = (job, target, ends) => {
    open += 1;
    core.used.files += 1;
    const done = core.begin(job);
    let over = false;
    const once = () => {
      if (over) return;
      over = true;
      open -= 1;
      done();
    };
    for (let i = 0; i < ends.length; i++) apply(listen, target, [ends[i], once, { once: true }]);
  };

  const Factory = global.IDBFactory && global.IDBFactory.prototype;
  for (const method of ['open', 'deleteDatabase']) {
    wrapMethod(Factory, method, (native, self, args) => {
      const request = apply(native, self, args);
      follow({ kind: 'opening', base: toText(args[0]), stores: [], writes: true }, request, ['success', 'error', 'blocked']);
      apply(listen, request, ['blocked', () => core.mark('IndexedDB: a database that waits for another connection')]);
      return request;
    });
  }
  const Base = global.IDBDatabase && global.IDBDatabase.prototype;
  if (Base) {
    const Transaction = global.IDBTransaction.prototype;
    const nameOf = /** @type {any} */ (getOwnPropertyDescriptor(Base, 'name')).get;
    const modeOf = /** @type {any} */ (getOwnPropertyDescriptor(Transaction, 'mode')).get;
    const storesOf = /** @type {any} */ (getOwnPropertyDescriptor(Transaction, 'objectStoreNames')).get;
    wrapMethod(Base, 'transaction', (native, self, args) => {
      const made = apply(native, self, args);
      const names = apply(storesOf, made, []);
      const stores = [];
      for (let i = 0; i < names.length; i++) stores[i] = names[i];
      const job = { kind: 'transaction', base: apply(nameOf, self, []), stores, writes: apply(modeOf, made, []) !== 'readonly' };
      follow(job, made, ['complete', 'abort']);
      return made;
    });
  }
  const Reader = global.FileReader && global.FileReader.prototype;
  for (const name of ['readAsArrayBuffer', 'readAsBinaryString', 'readAsDataURL', 'readAsText']) {
    wrapMethod(Reader, name, (native, self, args) => {
      apply(native, self, args);
      follow({ kind: 'FileReader', base: '', stores: [], writes: false }, self, ['loadend']);
    });
  }
  return () => open;
}

/** Whether the browser itself puts the events of two jobs in order. @param {Job} a @param {Job} b */
function areInOrder(a, b) {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'image') return true; // the browser takes data that is here in the order of the elements
  if (a.base !== b.base || !(a.writes || b.writes)) return false;
  if (a.kind === 'opening') return true;
  for (let i = 0; i < a.stores.length; i++) {
    for (let j = 0; j < b.stores.length; j++) if (a.stores[i] === b.stores[j]) return true;
  }
  return false;
}
