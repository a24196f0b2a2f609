def act(state, role, task):
    """Returns the best answer, which the state has."""
    return f"answer {state['game_state']['best']}"
