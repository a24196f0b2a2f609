// @ts-check
/** The list of games: filters it, and starts the chosen task. */

const $ = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const games = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.game')]);

/** @param {string} text */
function find(text) {
  const words = text.toLowerCase().split(/\s+/);
  for (const game of games) game.hidden = !words.every((w) => game.dataset.words?.toLowerCase().includes(w));
  document.querySelectorAll('.group').forEach((s) => s.toggleAttribute('hidden', !s.querySelector('.game:not([hidden])')));
  $('found').textContent = `${games.filter((g) => !g.hidden).length} of ${games.length} games`;
}

const field = /** @type {HTMLInputElement} */ ($('find'));
field.addEventListener('input', () => find(field.value));
find(field.value);

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('button[data-task]'))) {
  button.onclick = async () => {
    button.disabled = true;
    const body = JSON.stringify({ game: button.dataset.game, task: button.dataset.task });
    const answer = await fetch('choose', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    button.disabled = false;
    if (answer.ok) location.href = 'play/';
    else $('refused').textContent = await answer.text();
  };
}

/** Starts the task that the address names: `/play/GAME/TASK`, by its id or its number within the game. */
const [game, task] = location.hash.slice(1).split('/').map(decodeURIComponent);
if (task) {
  const tasks = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll(`button[data-game="${CSS.escape(game)}"]`)]);
  const named = tasks.find((button) => button.dataset.task === task) ?? tasks[Number(task) - 1];
  if (named) named.click();
  else $('refused').textContent = `There is no task ${task} of a game ${game}.`;
}
document.documentElement.dataset.ready = '';
