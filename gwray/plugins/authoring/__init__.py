"""Tools for game authors: play in a lab, search for solutions, measure difficulty, find memory signatures."""
