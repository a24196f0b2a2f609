listen();
const two = new Two({ width: 320, height: 240, type: Two.Types.svg }).appendTo(document.body);
const square = two.makeRectangle(0, 0, 20, 20);
square.fill = '#39f';
const star = two.makeStar(0, 0, 5, 10, 5);
star.fill = '#fc0';
two.bind('update', () => {
  steer();
  square.translation.set(game.x, game.y);
  star.translation.set(game.starX, game.starY);
  star.rotation = two.frameCount / 20;
}).play();
