"""Human players: `gwray play` serves a local page with the observations of a model and plays normal episodes."""

from gwray.person.play import PlayEnded, play_as_person, play_planned
