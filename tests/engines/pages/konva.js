listen();
document.body.id = 'stage';
const stage = new Konva.Stage({ container: 'stage', width: 320, height: 240 });
const layer = new Konva.Layer();
stage.add(layer);
const square = new Konva.Rect({ width: 20, height: 20, offset: { x: 10, y: 10 }, fill: '#39f' });
const star = new Konva.Star({ numPoints: 5, innerRadius: 5, outerRadius: 10, fill: '#fc0' });
layer.add(square, star);
new Konva.Animation((frame) => {
  steer();
  square.position({ x: game.x, y: game.y });
  star.position({ x: game.starX, y: game.starY });
  star.rotation(frame.time / 10);
}, layer).start();
