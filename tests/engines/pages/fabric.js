listen();
document.body.append(Object.assign(document.createElement('canvas'), { width: 320, height: 240 }));
const canvas = new fabric.StaticCanvas(document.querySelector('canvas'));
const square = new fabric.Rect({ width: 20, height: 20, fill: '#39f', originX: 'center', originY: 'center' });
const star = new fabric.Circle({ radius: 7, fill: '#fc0', originX: 'center', originY: 'center' });
canvas.add(square, star);
const draw = () => {
  steer();
  square.set({ left: game.x, top: game.y, angle: square.angle + 3 });
  star.set({ left: game.starX, top: game.starY });
  canvas.renderAll();
  requestAnimationFrame(draw);
};
draw();
