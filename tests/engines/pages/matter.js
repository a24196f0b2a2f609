listen();
const { Engine, Render, Runner, Bodies, Body, Composite, Events } = Matter;
const engine = Engine.create({ gravity: { y: 0 } });
const render = Render.create({ element: document.body, engine, options: { width: 320, height: 240, wireframes: false } });
const square = Bodies.rectangle(160, 120, 20, 20);
const star = Bodies.circle(0, 0, 7, { isSensor: true });
const balls = [60, 120, 180, 240].map((x) => Bodies.circle(x, 40, 8, { restitution: 1, frictionAir: 0 }));
balls.forEach((ball, i) => Body.setVelocity(ball, { x: 1 + i, y: 2 }));
const walls = [[160, -10, 320, 20], [160, 250, 320, 20], [-10, 120, 20, 240], [330, 120, 20, 240]];
Composite.add(engine.world, [square, star, ...balls, ...walls.map((w) => Bodies.rectangle(...w, { isStatic: true, restitution: 1 }))]);
Events.on(engine, 'beforeUpdate', () => {
  steer();
  Body.setPosition(square, { x: game.x, y: game.y });
  Body.setPosition(star, { x: game.starX, y: game.starY });
});
Render.run(render);
Runner.run(Runner.create(), engine);
