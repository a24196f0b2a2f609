const at = (x, y) => vec2(x - 160, 120 - y);
engineInit(
  () => {
    setCanvasFixedSize(vec2(320, 240));
    setCameraScale(1);
  },
  () => moveSquare(keyIsDown('ArrowRight') - keyIsDown('ArrowLeft'), keyIsDown('ArrowDown') - keyIsDown('ArrowUp')),
  () => {},
  () => {
    drawRect(at(game.x, game.y), vec2(20), new Color(0.2, 0.6, 1), time);
    drawRect(at(game.starX, game.starY), vec2(12), new Color(1, 0.8, 0), -time);
  },
  () => {},
);
