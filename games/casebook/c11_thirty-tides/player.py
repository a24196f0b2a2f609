"""A good listener: remembers who likes which answers, whose birthday is when, and who wishes for what."""

from __future__ import annotations

from typing import Any

PEOPLE = ["tove", "emil", "ida"]
TONES = ["plain", "curious", "playful"]
HOME = {"tove": "boatyard", "emil": "library", "ida": "meadow"}


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """`choose_cell` with the cell of the next target."""
    game = state["game_state"]
    cells = {e["id"]: e["cell"] for e in game["entities"]}
    name = chosen(game, state["raw"]["data"], cells) if cells else ""
    if game["ended"]:
        return "finish"
    return f"choose_cell {cells[name]}" if name in cells else "wait"


def chosen(game: dict[str, Any], case: dict[str, Any], cells: dict[str, str]) -> str:
    now = game["vars"]
    if game["mode"] == "talk":
        if "say2" not in cells:
            return "say1"
        # The plan has not changed since somebody was chosen, so it says who is talking.
        _, who, _ = plan(game, case)
        return f"say{case['orders'][who][now['talks'][who]].index(TONES.index(case['tones'][who])) + 1}"
    goal, who, item = plan(game, case)
    if game["scene"] == "town":
        return f"to_{goal}"
    if game["scene"] != goal:
        return "back"
    if goal == "teahouse":
        return who
    if item and item not in game["inventory"]:
        return f"buy_{item}"
    return item if item and game["held"] != item else who


def place(now: dict[str, Any], case: dict[str, Any], who: str) -> str:
    return {"home": HOME[who], "market": "market", "away": ""}[case["week"][who][(now["day"] - 1) % 7]]


def plan(game: dict[str, Any], case: dict[str, Any]) -> tuple[str, str, str]:
    """Where to go, whom or what to choose there, and with which present."""
    now = game["vars"]
    for who in PEOPLE:
        gift, where = case["gifts"][who], place(now, case, who)
        told = game["clues"][f"gift_{who}"]["seen"] is not None
        born = case["birthdays"][who] == now["day"] and who not in now["feted"]
        since = now["day"] > case["birthdays"][who]
        if told and where and (born or (since and who not in now["given"])):
            if gift in game["inventory"]:
                return where, who, gift
            if now["coins"] >= 5:
                return "market", f"buy_{gift}", ""
    for who in PEOPLE:
        where = place(now, case, who)
        if where and now["talks"][who] < 8 and f"{who} {now['day']}" not in now["today"]:
            return where, who, ""
    left = [who for who in PEOPLE if who not in now["given"]]
    return ("teahouse", "serve", "") if now["coins"] < 5 * len(left) + 15 else ("teahouse", "sleep", "")
