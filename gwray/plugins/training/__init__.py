"""From recorded play to a trained model: `gwray dataset` makes training data of runs, `gwray train` trains on it."""
