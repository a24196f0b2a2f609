"""Orak: its agents, the programs that agents write, ranks over its twelve games, and its section of the report."""
