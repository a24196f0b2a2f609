function setup() {
  createCanvas(320, 240);
}
function draw() {
  background(30);
  moveSquare(keyIsDown(RIGHT_ARROW) - keyIsDown(LEFT_ARROW), keyIsDown(DOWN_ARROW) - keyIsDown(UP_ARROW));
  fill(50, 150, 255);
  square(game.x - 10, game.y - 10, 20);
  fill(255, 200 + 50 * sin(millis() / 100), 0);
  circle(game.starX, game.starY, 14);
}
