listen();
const canvas = document.body.appendChild(Object.assign(document.createElement('canvas'), { width: 320, height: 240 }));
const context = canvas.getContext('2d');
const world = new planck.World({ x: 0, y: -10 });
world.createBody().createFixture(new planck.Edge({ x: 0, y: 0 }, { x: 32, y: 0 }));
const balls = [4, 12, 20, 28].map((x) => {
  const body = world.createDynamicBody({ x, y: 10 + Math.random() * 10 });
  body.createFixture(new planck.Circle(1), { density: 1, restitution: 0.9 });
  return body;
});
let last = performance.now();
const draw = (now) => {
  steer();
  world.step(Math.min(0.05, (now - last) / 1000));
  last = now;
  context.fillStyle = '#222';
  context.fillRect(0, 0, 320, 240);
  context.fillStyle = '#39f';
  context.fillRect(game.x - 10, game.y - 10, 20, 20);
  context.fillStyle = '#fc0';
  context.fillRect(game.starX - 6, game.starY - 6, 12, 12);
  for (const ball of balls) context.fillRect(ball.getPosition().x * 10 - 5, 230 - ball.getPosition().y * 10, 10, 10);
  requestAnimationFrame(draw);
};
requestAnimationFrame(draw);
