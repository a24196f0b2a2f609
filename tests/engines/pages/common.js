// The game that each engine runs and draws: move the square to the star.
var game = { score: 0, x: 160, y: 120, starX: 0, starY: 0 };
function placeStar() {
  game.starX = 20 + Math.floor(Math.random() * 28) * 10;
  game.starY = 20 + Math.floor(Math.random() * 20) * 10;
}
placeStar();
function moveSquare(dx, dy) {
  game.x = Math.min(310, Math.max(10, game.x + 3 * dx));
  game.y = Math.min(230, Math.max(10, game.y + 3 * dy));
  if (Math.hypot(game.x - game.starX, game.y - game.starY) > 20) return;
  game.score += 1;
  placeStar();
}
// For engines without keyboard input of their own.
var held = {};
function listen() {
  for (const type of ['keydown', 'keyup']) addEventListener(type, (e) => { held[e.code] = type === 'keydown'; });
}
function steer() {
  moveSquare(!!held.ArrowRight - !!held.ArrowLeft, !!held.ArrowDown - !!held.ArrowUp);
}
