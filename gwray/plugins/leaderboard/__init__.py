"""A static page that ranks the players of packs, after every episode was replayed."""
