"""The modules of the built-in agents. Each asks one question and leaves its result in the notes of the agent."""
