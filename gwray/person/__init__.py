"""A person as a player: `gwray play`. A local page shows exactly what a model sees, and how the
task stands; the episode is like any other."""

from gwray.person.play import PlayEnded, play_as_person, play_by_choice, play_planned

__all__ = ["PlayEnded", "play_as_person", "play_by_choice", "play_planned"]
