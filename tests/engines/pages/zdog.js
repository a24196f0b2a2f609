listen();
document.body.append(Object.assign(document.createElement('canvas'), { width: 320, height: 240 }));
const scene = new Zdog.Illustration({ element: 'canvas' });
const box = new Zdog.Box({ addTo: scene, width: 20, height: 20, depth: 20, color: '#39f', topFace: '#7cf', leftFace: '#147' });
const star = new Zdog.Ellipse({ addTo: scene, diameter: 12, stroke: 4, color: '#fc0' });
const draw = () => {
  steer();
  Object.assign(box.translate, { x: game.x - 160, y: game.y - 120 });
  box.rotate.y += 0.03;
  Object.assign(star.translate, { x: game.starX - 160, y: game.starY - 120 });
  scene.updateRenderGraph();
  requestAnimationFrame(draw);
};
draw();
