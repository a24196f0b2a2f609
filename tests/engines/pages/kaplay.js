kaplay({ width: 320, height: 240, crisp: true, global: true });
const square = add([rect(20, 20), pos(0, 0), anchor('center'), color(50, 150, 255)]);
const star = add([circle(7), pos(0, 0), anchor('center'), color(255, 200, 0)]);
onUpdate(() => {
  moveSquare(isKeyDown('right') - isKeyDown('left'), isKeyDown('down') - isKeyDown('up'));
  square.pos = vec2(game.x, game.y);
  square.angle = time() * 90;
  star.pos = vec2(game.starX, game.starY);
});
