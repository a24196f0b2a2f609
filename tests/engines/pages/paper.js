listen();
document.body.append(Object.assign(document.createElement('canvas'), { width: 320, height: 240 }));
paper.setup(document.querySelector('canvas'));
const square = new paper.Path.Rectangle({ point: [0, 0], size: [20, 20], fillColor: '#39f' });
const star = new paper.Path.Star({ center: [0, 0], points: 5, radius1: 5, radius2: 10, fillColor: '#fc0' });
paper.view.onFrame = (event) => {
  steer();
  square.position = [game.x, game.y];
  star.position = [game.starX, game.starY];
  star.rotate(120 * event.delta);
};
