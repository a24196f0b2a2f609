listen();
const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.width = 320;
canvas.height = 240;
const engine = new BABYLON.Engine(canvas, false);
const scene = new BABYLON.Scene(engine);
const camera = new BABYLON.FreeCamera('camera', new BABYLON.Vector3(160, -120, -300), scene);
camera.setTarget(new BABYLON.Vector3(160, -120, 0));
new BABYLON.HemisphericLight('light', new BABYLON.Vector3(0, 1, -1), scene);
const box = BABYLON.MeshBuilder.CreateBox('box', { size: 20 }, scene);
const star = BABYLON.MeshBuilder.CreateSphere('star', { diameter: 14, segments: 6 }, scene);
engine.runRenderLoop(() => {
  steer();
  box.position.set(game.x, -game.y, 0);
  box.rotation.y += engine.getDeltaTime() / 1000;
  star.position.set(game.starX, -game.starY, 0);
  scene.render();
});
