let keys, square, star;
new Phaser.Game({
  type: Phaser.AUTO, width: 320, height: 240, audio: { noAudio: true }, banner: false,
  scene: {
    create() {
      keys = this.input.keyboard.createCursorKeys();
      square = this.add.rectangle(0, 0, 20, 20, 0x3399ff);
      star = this.add.star(0, 0, 5, 5, 10, 0xffcc00);
    },
    update(time) {
      moveSquare(keys.right.isDown - keys.left.isDown, keys.down.isDown - keys.up.isDown);
      square.setPosition(game.x, game.y);
      star.setPosition(game.starX, game.starY).setRotation(time / 500);
    },
  },
});
