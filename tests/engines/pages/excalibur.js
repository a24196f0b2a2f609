const engine = new ex.Engine({ width: 320, height: 240, suppressPlayButton: true, displayMode: ex.DisplayMode.Fixed });
const square = new ex.Actor({ width: 20, height: 20, color: ex.Color.Azure });
const star = new ex.Actor({ radius: 7, color: ex.Color.Yellow });
engine.add(square);
engine.add(star);
engine.on('preupdate', () => {
  const { keyboard } = engine.input;
  const down = (key) => keyboard.isHeld(ex.Keys[key]);
  moveSquare(down('Right') - down('Left'), down('Down') - down('Up'));
  square.pos = ex.vec(game.x, game.y);
  square.rotation += 0.05;
  star.pos = ex.vec(game.starX, game.starY);
});
engine.start();
