document.body.append(Object.assign(document.createElement('canvas'), { width: 320, height: 240 }));
kontra.init();
kontra.initKeys();
const square = kontra.Sprite({ width: 20, height: 20, color: '#39f', anchor: { x: 0.5, y: 0.5 } });
const star = kontra.Sprite({ width: 12, height: 12, color: '#fc0', anchor: { x: 0.5, y: 0.5 } });
const down = (key) => !!kontra.keyPressed(key);
kontra.GameLoop({
  update() {
    moveSquare(down('arrowright') - down('arrowleft'), down('arrowdown') - down('arrowup'));
    Object.assign(square, { x: game.x, y: game.y, rotation: square.rotation + 0.05 });
    Object.assign(star, { x: game.starX, y: game.starY });
  },
  render() {
    square.render();
    star.render();
  },
}).start();
