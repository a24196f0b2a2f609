"""`gwray new`: working files of a game, an agent or a model profile, to be changed."""
