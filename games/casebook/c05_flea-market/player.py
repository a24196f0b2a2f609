"""Takes the wanted things one after the other, in the order of the cards."""

from __future__ import annotations

from typing import Any


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`choose_cell` with the cell of the next thing, or of the card for the thing in the hand."""
    game, cards = state["game_state"], state["raw"]["data"]["cards"]
    cells = {e["id"]: e["cell"] for e in game["entities"]}
    for n, card in enumerate(cards, 1):
        if not game["milestones"][f"found_{n}"]:
            return f"choose_cell {cells[f'card_{n}' if game['held'] == card['id'] else card['id']]}"
    return "finish"
