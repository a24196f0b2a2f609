"""A scripted player for Four Deep: the action of the highest estimated worth, by threat, wounds and stress.

It reads the acting hero's skills and both sides from `getState()`. While a single enemy is left, it stuns that enemy and
lets the party recover until fights begin to cause stress.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Unit = dict[str, Any]

KILL, WOUND, STUN = 9.6, 12.8, 1.1
"""Worth of a kill, of a wound that takes all health and of a stun, for each point of threat."""
HEALTH, DOOR, CALM = 1.75, 24.0, 0.58
"""Worth of a point of health of a badly wounded hero, of a hero brought back from death's door, of a point of stress."""
CALM_ROUNDS = 7
"""Rounds of a fight in which the party recovers beside a last enemy."""


def act(state: Unit, role: str, task: Unit) -> str:
    """Returns the acting hero's action."""
    s = state["game_state"]
    if not s["acting"]:
        return "swap_forward 1 1"
    foes = [(rank, f) for rank, f in enumerate(s["entities"], 1) if not f["corpse"]]
    resting = len(foes) == 1 and s["round"] < CALM_ROUNDS
    options = [o for skill in s["skills"] if skill["usable"] for o in _options(s, skill, resting)]
    # From a rank in which a hero can do little, the way back to the own rank is worth a turn.
    if move := _way_home(s):
        options.append((3.0, move))
    return max(options, default=(0.0, _any_swap(s)))[1]


def _options(s: Unit, skill: Unit, resting: bool) -> Iterator[tuple[float, str]]:
    slot, heroes, foes = skill["slot"], s["heroes"], s["entities"]
    if skill["aim"] == "hero":
        worth = {t: _aid(skill, heroes[t - 1], resting) for t in skill["at"] if t <= len(heroes)}
        if skill.get("all"):
            worth = dict.fromkeys(list(worth)[:1], sum(worth.values()))
        yield from ((w, f"heal {t} {slot}") for t, w in worth.items())
        return
    worth = {t: _harm(skill, foes[t - 1], resting) for t in skill["at"] if t <= len(foes)}
    if skill.get("all"):
        worth = dict.fromkeys(list(worth)[:1], sum(worth.values()))
    yield from ((w, f"attack {t} {slot}") for t, w in worth.items())


def _harm(skill: Unit, foe: Unit, resting: bool) -> float:
    low, high = skill["hits"]
    hit = min(95, skill["accuracy"] - foe["dodge"]) / 100
    if foe["corpse"]:
        return 0.5
    kept = 1.0 if skill.get("pierce") else 1 - foe["protection"] / 100
    hp = foe["hp"]
    ticking = foe["blight"]["amount"] * foe["blight"]["turns"] + foe["bleed"]["amount"] * foe["bleed"]["turns"]
    wound = 0.5 * (low + high) * kept
    kill = hit * min(1.0, max(0.0, (high * kept - hp + 1) / max(1.0, (high - low) * kept + 1)))
    later = sum(a * t for a, t in (skill.get("bleed") or (0, 0), skill.get("blight") or (0, 0)))
    stun = 0.0
    if skill.get("stun") and not foe["stun"]:
        stun = hit * min(1.0, max(0.0, (skill["stun"] - foe["steady"] - foe["firm"]) / 100))
    threat = foe["threat"]
    if resting:
        # Recover first; the stun keeps the last one quiet.
        return STUN * threat * stun - 0.2 * kill
    left = max(1, hp - ticking)
    return threat * (KILL * kill + WOUND * hit * min(wound + 0.7 * later, left) / foe["max"] + STUN * stun * (1 - kill))


def _aid(skill: Unit, hero: Unit, resting: bool) -> float:
    low, high = skill.get("heal") or (0, 0)
    missing = hero["max"] - hero["hp"]
    gained = min(missing, 0.5 * (low + high))
    part = hero["hp"] / hero["max"]
    need = DOOR if hero["hp"] == 0 and gained else 0.0
    weight = HEALTH * (2.5 if part < 0.35 else 1.3 if part < 0.6 else 0.4)
    calmed = min(hero["stress"], skill.get("calm", 0))
    bled = sum(hero[w]["amount"] * hero[w]["turns"] for w in ("bleed", "blight")) if skill.get("cure") else 0
    worth = need + weight * gained + CALM * calmed * (1.5 if hero["stress"] > 60 else 1.0) + 0.6 * bled
    if skill.get("guard") and part < 0.4 and not hero["guard"]:
        worth += 4
    return worth * (1.5 if resting else 1.0)


HOME = {"warden": 1, "duelist": 2, "chantress": 3, "apothecary": 4, "bulwark": 1, "delver": 3}


def _way_home(s: Unit) -> str:
    rank, hero = s["rank"], next(h for h in s["heroes"] if h["id"] == s["acting"])
    by = min(HOME[hero["kind"]], len(s["heroes"])) - rank
    if hero["kind"] == "delver" and rank in (2, 3, 4):
        return ""
    if by > 0:
        return f"swap_backward {rank} {by}"
    return f"swap_forward {rank} {-by}" if by else ""


def _any_swap(s: Unit) -> str:
    return f"swap_forward {s['rank']} 1" if s["rank"] > 1 else "swap_backward 1 1"
