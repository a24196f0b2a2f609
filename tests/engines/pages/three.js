import * as THREE from './three.module.js';
listen();
const renderer = new THREE.WebGLRenderer();
renderer.setSize(320, 240);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
const camera = new THREE.OrthographicCamera(0, 320, 0, 240, -100, 100);
const cube = new THREE.Mesh(new THREE.BoxGeometry(20, 20, 20), new THREE.MeshNormalMaterial());
const star = new THREE.Mesh(new THREE.BoxGeometry(12, 12, 12), new THREE.MeshBasicMaterial({ color: 'gold' }));
scene.add(cube, star);
renderer.setAnimationLoop((time) => {
  steer();
  cube.position.set(game.x, game.y, 0);
  cube.rotation.y = time / 1000;
  star.position.set(game.starX, game.starY, 0);
  renderer.render(scene, camera);
});
