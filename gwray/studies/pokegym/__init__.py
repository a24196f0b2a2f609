"""PokeGym: the planning agent, deadlocks and what they explain, and the report of the harbor town."""
