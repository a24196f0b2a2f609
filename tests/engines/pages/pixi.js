listen();
(async () => {
  const app = new PIXI.Application();
  await app.init({ width: 320, height: 240, preference: 'webgl' });
  document.body.append(app.canvas);
  const square = app.stage.addChild(new PIXI.Graphics().rect(-10, -10, 20, 20).fill(0x3399ff));
  const star = app.stage.addChild(new PIXI.Graphics().star(0, 0, 5, 10).fill(0xffcc00));
  app.ticker.add((ticker) => {
    steer();
    square.position.set(game.x, game.y);
    star.position.set(game.starX, game.starY);
    star.rotation += ticker.deltaMS / 500;
  });
})();
