// @ts-check
/** Keeps the chosen labels in the browser, and writes them into the run's annotations.csv. */
(() => {
  const { name, column, columns, rows } = JSON.parse(/** @type {HTMLElement} */ (document.getElementById('rows')).textContent ?? '');
  const MOST = 2;
  const store = `gwray ${name}`;
  /** @type {Record<string, string[]>} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem(store) ?? '{}');
  } catch {
    // A page without storage forgets on reload.
  }
  for (const row of rows) chosen[row.key] ??= (row[column] ?? '').split(';').map((/** @type {string} */ x) => x.trim()).filter(Boolean);
  const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-key]')]);
  const boxes = (/** @type {HTMLElement} */ card) => /** @type {HTMLInputElement[]} */ ([...card.querySelectorAll('input')]);
  const show = () => {
    const done = cards.filter((c) => chosen[c.dataset.key ?? '']?.length).length;
    /** @type {HTMLElement} */ (document.getElementById('done')).textContent = `${done} of ${cards.length} labelled`;
    for (const card of cards) {
      const mine = chosen[card.dataset.key ?? ''] ?? [];
      for (const box of boxes(card)) {
        box.checked = mine.includes(box.value);
        const alone = mine.includes('none') || (box.value === 'none' && mine.length > 0);
        box.disabled = !box.checked && (alone || mine.length >= MOST);
      }
    }
  };
  for (const card of cards) {
    card.addEventListener('change', () => {
      chosen[card.dataset.key ?? ''] = boxes(card).filter((b) => b.checked).map((b) => b.value);
      try {
        localStorage.setItem(store, JSON.stringify(chosen));
      } catch {
        // See above.
      }
      show();
    });
  }
  const quoted = (/** @type {unknown} */ v) => (/[",\n\r]/.test(String(v ?? '')) ? `"${String(v).replaceAll('"', '""')}"` : String(v ?? ''));
  /** @type {HTMLElement} */ (document.getElementById('save')).addEventListener('click', () => {
    const filled = rows.map((/** @type {Record<string, string>} */ row) => ({ ...row, [column]: (chosen[row.key] ?? []).join(';') }));
    const lines = [columns, ...filled.map((/** @type {Record<string, string>} */ row) => columns.map((/** @type {string} */ c) => row[c]))];
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([lines.map((l) => `${l.map(quoted).join(',')}\n`).join('')], { type: 'text/csv' }));
    link.download = 'annotations.csv';
    link.click();
  });
  show();
})();
