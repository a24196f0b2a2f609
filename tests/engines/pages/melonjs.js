import * as me from './melonjs.js';
class Square extends me.Renderable {
  constructor() {
    super(0, 0, 320, 240);
    this.anchorPoint.set(0, 0);
    for (const key of ['LEFT', 'RIGHT', 'UP', 'DOWN']) me.input.bindKey(me.input.KEY[key], key);
  }
  update() {
    const down = (key) => !!me.input.isKeyPressed(key);
    moveSquare(down('RIGHT') - down('LEFT'), down('DOWN') - down('UP'));
    return true;
  }
  draw(renderer) {
    renderer.setColor('#39f');
    renderer.fillRect(game.x - 10, game.y - 10, 20, 20);
    renderer.setColor('#fc0');
    renderer.fillEllipse(game.starX, game.starY, 7, 7);
  }
}
me.device.onReady(async () => {
  const app = new me.Application(320, 240, { parent: document.body, renderer: me.video.CANVAS });
  await app.init();
  app.world.addChild(new Square());
});
