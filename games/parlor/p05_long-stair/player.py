"""A scripted player for The Long Stair: tries the ways to play its hand and keeps the one after which it stands best.

It reads the hand, the enemies and what they are going to do from `getState()`, as a player sees them, and knows nothing of the
order of the cards to come. A reply has all cards of a turn, up to the first that draws.
"""

from __future__ import annotations

from typing import Any

MOST_TRIED = 1500
"""Positions that are looked at in one decision."""
FEW = 17
"""Cards of a deck to which only the best are added."""
WORTH: dict[str, float] = {
    "quick": 7.1, "twin": 8.7, "heavy": 6, "sweep": 8, "bash": 9.8, "thrust": 9, "dazzle": 8.7, "gap": 6, "flurry": 6,
    "ram": 4.4, "wild": 6.3, "bulwark": 5, "sidestep": 5.4, "breath": 7, "ready": 3.3, "focus": 5.1, "plan": 6.8,
    "rally": 9, "skin": 9.1, "poise": 7.6, "coat": 9.3, "smoke": 7, "dressing": 6, "charge": 4.3, "ember": 7,
    "torch": 8, "oil": 9, "blaze": 8, "fan": 5.7, "flare": 6, "glass": 9, "inner": 9, "slow": 9, "beacon": 8,
    "flicker": 6, "lantern": 7,
}  # fmt: skip
"""What a card is worth in a deck that has none of it."""
POWERS = ("might", "steady", "ward", "spikes", "glow", "dim", "mark", "burn")
LASTING = {"might": 5.0, "steady": 4.5, "ward": 3.2, "spikes": 2.0, "glow": 5.2}
"""What a point of a lasting power is worth in a battle of middle length."""
HEALTH = 1.7
"""What a point of own health is worth, in points of the enemies' health."""
ALIVE = 12.8
"""What it is worth that an enemy no longer lives."""
LAME = 3.6
"""What a turn is worth for which an enemy is marked or dimmed."""
FEAR, LOW = 4.7, 29
"""What a point of health is worth in addition where there is little of it."""
TAKEN, CHOSEN = 6.7, 15.1
"""What a card has to be worth to get into a small and into a large deck."""


def act(state: dict[str, Any], role: str, task: dict[str, Any]) -> str:
    """Returns the actions of a reply, each on its line."""
    game = state["game_state"]
    if game["phase"] == "reward":
        return _choose(game)
    way, won = _search(game)
    lines = []
    for place, target, card in way:
        lines.append(f"play_on {place + 1} {target + 1}" if card["aimed"] else f"play {place + 1}")
        if any(what == "draw" for what, *_ in card["effects"]):
            return "\n".join(lines)
    return "\n".join(lines if won else [*lines, "end_turn"])


def _choose(game: dict[str, Any]) -> str:
    deck = game["deck"]

    def worth(card: dict[str, Any]) -> float:
        copies = sum(c["id"] == card["id"] for c in deck)
        return WORTH.get(card["id"], 5) + card["plus"] - 1.5 * copies

    best = max(range(len(game["offer"])), key=lambda i: worth(game["offer"][i]))
    least = TAKEN if len(deck) < FEW else CHOSEN
    return f"choose {best + 1}" if worth(game["offer"][best]) >= least else "skip"


def _search(game: dict[str, Any]) -> tuple[list[tuple[int, int, dict[str, Any]]], bool]:
    """Returns the cards to play, with their places and targets, and whether they win the battle."""
    cards = [(i, c) for i, c in enumerate(game["hand"]) if c]
    you = game["player"]
    start = (
        you["hp"], you["block"], you["energy"], dict(you["powers"]),
        [(f["hp"], f["block"], dict(f["powers"])) for f in game["entities"]], 0.0,
    )  # fmt: skip
    best, kept, won = _value(start, game), [], False
    stack, seen, count = [(start, frozenset(), [])], set(), 0
    while stack and count < MOST_TRIED:
        world, used, way = stack.pop()
        tried = set()
        for place, card in cards:
            kind = (card["id"], card["plus"])
            if place in used or card["cost"] > world[2] or kind in tried:
                continue
            tried.add(kind)
            alive = [i for i, f in enumerate(world[4]) if f[0] > 0]
            for target in alive if card["aimed"] else alive[:1]:
                after = _play(world, card, target)
                gone = used | {place}
                key = (gone, str(after))
                if key in seen:
                    continue
                seen.add(key)
                count += 1
                longer = [*way, (place, target, card)]
                value = _value(after, game)
                over = all(f[0] <= 0 for f in after[4])
                if value > best:
                    best, kept, won = value, longer, over
                if not over:
                    stack.append((after, gone, longer))
    return kept, won


def _play(world: Any, card: dict[str, Any], target: int) -> Any:
    """The position after a card, as `apply` of rules.js makes it; cards that it draws are a bonus."""
    hp, block, energy, powers, foes, bonus = world
    powers, foes = dict(powers), [(h, b, dict(p)) for h, b, p in foes]
    energy -= card["cost"]

    def strike(i: int, n: float) -> None:
        nonlocal block, hp
        h, b, p = foes[i]
        if h <= 0:
            return
        n = int((n + powers["might"]) * (0.75 if powers["dim"] else 1) * (1.5 if p["mark"] else 1))
        foes[i] = (max(0, h - max(0, n - b)), max(0, b - n), p)
        back = p["spikes"]
        hp, block = hp - max(0, back - block), max(0, block - back)

    for what, n, times in card["effects"]:
        for _ in range(times):
            if what == "hit":
                strike(target, n)
            elif what == "hitAll":
                for i in range(len(foes)):
                    strike(i, n)
            elif what == "hitBlock":
                strike(target, block)
            elif what == "block":
                block += n + powers["steady"]
            elif what == "draw":
                bonus += n * (1.5 + 2.5 * min(energy, 2))
            elif what == "energy":
                energy += n
            elif what == "fan":
                foes[target][2]["burn"] *= 2
            elif what == "heal":
                bonus += 2 * n
            elif what == "lose":
                hp -= n
            elif what in POWERS and what not in ("mark", "dim", "burn"):
                powers[what] += n
            else:
                name = what.removesuffix("All")
                for i in range(len(foes)) if what != name else [target]:
                    if foes[i][0] > 0:
                        foes[i][2][name] += n
    return hp, block, energy, powers, foes, bonus


def _value(world: Any, game: dict[str, Any]) -> float:
    """What a position is worth at the end of the turn, after the enemies have done what they show."""
    hp, block, _, powers, foes, bonus = world
    block += powers["ward"]
    total = sum(f[0] for f in foes)
    long = min(2.0, 0.4 + total / 90)
    value = bonus + long * sum(w * powers[name] for name, w in LASTING.items())
    for (h, b, p), seen in zip(foes, game["entities"], strict=True):
        if h <= 0:
            continue
        burn = p["burn"] + powers["glow"]
        h -= burn
        if h <= 0:
            continue
        might, move = p["might"], seen["moves"][seen["next"]]
        left, later = h, max(0, burn - 1)
        b = 0
        for does, n, *times in move:
            if does == "hit":
                for _ in range(times[0] if times else 1):
                    hurt = int((n + might) * (0.75 if p["dim"] else 1) * (1.5 if powers["mark"] else 1))
                    hp, block = hp - max(0, hurt - block), max(0, block - hurt)
                    left -= powers["spikes"]
            elif does == "block":
                b += n
            elif does == "heal":
                left = min(seen["most"], left + n)
        if left <= 0:
            continue
        value -= left + 0.6 * b + ALIVE - min(left, later * (later + 1) / 2) * 0.7
        value += LAME * (min(3, max(0, p["mark"] - 1)) + min(3, max(0, p["dim"] - 1)))
    if hp <= 0:
        return value - 10_000
    return value + HEALTH * hp + FEAR * min(0, hp - LOW)
