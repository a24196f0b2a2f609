"""Any task as an OpenEnv environment, for reinforcement learning over HTTP: `gwray openenv GAME TASK`."""
