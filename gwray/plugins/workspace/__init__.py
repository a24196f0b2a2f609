"""`gwray workspace`: a Weights & Biases workspace that compares the cells of a sweep."""
