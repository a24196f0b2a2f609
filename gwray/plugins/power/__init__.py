"""`gwray power`: how many games, tasks and repeats a study needs."""
