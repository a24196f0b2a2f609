"""WebShop's task: odd data in WebShop's format, rewards by hand, search, and the stand-in's episodes."""

import json
import shutil
from pathlib import Path

import pytest
from pipelines.conftest import outcomes, play

from gwray.catalog import read_game
from gwray.environments import Opening, open_environment
from gwray.errors import GameError
from gwray.plugins import training
from gwray.sandbox import BrowserOnDemand
from gwray.verification.verify import verify_run

NONGAME = Path(training.__file__).parent / "nongame"
FIELDS = {"pricing": "$10.00", "query": "Hose", "product_category": "Garden › Hoses", "full_description": None,
          "small_description": [], "customization_options": ""}  # fmt: skip
POT = {"asin": "POT", "name": "Blue Enamel Tea Pot Lid", "query": "tea pot ", "pricing": "$10.00$20.00",
       "product_category": "Home › Kitchen", "small_description": "Holds tea",
       "customization_options": {"Color": [{"value": "Sky/Blue"}, {"value": " "}, {"value": "Black"}],
                                 "Size": [{"value": "4 Cups"}, {"value": "14 Cups"}], "Style": None}}  # fmt: skip
PRODUCTS = [
    POT, {**POT, "name": "Twice"}, {"asin": "nan"}, {**POT, "asin": "LONGER_THAN_10"},
    {"asin": "STEEL", "name": "Pot of Steel", "query": "Tea Pot", "pricing": "", "full_description": "Dishwasher safe",
     "customization_options": {n: [{"value": "Sky"}, {"value": f"{n}ish Blue"}] for n in ("Rim", "Lid", "Knob")}},
    {"asin": "CAN", "name": "Tea Can, Long", "customization_options": None}, {"asin": "COVER", "name": "Lid"},
    {"asin": "HOSE", "name": "Garden Hoses"}, {"asin": "HOSE2", "name": "Garden Hoses"},
    {"asin": "BOX", "name": "Box", "customization_options":
     {f"◆  {'◇' * n}": [{"value": chr(0x1F300 + v) * 99} for v in range(99)] for n in range(5)}},
]  # fmt: skip
ATTRIBUTES = {"POT": {"attributes": ["safe in the dishwasher", "lead-free"]}, "CAN": {"attributes": ["lead free lid"]},
              "BOX": {"instruction": "A box", "instruction_attributes": ["dry"]}}  # fmt: skip
WISH = {"instruction": f"A pot{' please' * 90}.", "instruction_attributes": ["dishwasher safe", "lead free"],
        "instruction_options": {"color": "sky | blue", "size": "4 cups"}}  # fmt: skip
HUMAN = {"POT": [{**WISH, "instruction_attributes": []}, WISH], "B9": [WISH]}
PLAY = """entries => {
    gameAPI.lab.reset(1);
    const answers = entries.map(([name, value]) => gameAPI.command('player', name, { keywords: value, name: value }));
    const { score, shown } = gameAPI.getState().game_state;
    return [gameAPI.lab.peek().over ? score : answers.at(-1).ok && shown, gameAPI.describe('player')];
}"""


@pytest.fixture
async def opened(tmp_path):
    """A copy of the library with other data, a page of which is open."""
    shutil.copytree(NONGAME, tmp_path / "copy")
    async with BrowserOnDemand() as browser:

        async def open_(**files):
            data = {"shuffle_1000": [FIELDS | p for p in PRODUCTS], "ins_v2_1000": ATTRIBUTES, "human_ins": HUMAN}
            for name, content in (data | files).items():
                text = content if isinstance(content, str) else json.dumps(content)
                (tmp_path / f"copy/shop/items_{name}.json").write_text(text)
            game = read_game(tmp_path / "copy/shop/game.yaml")
            return await open_environment(Opening(game, game.tasks[0], 1, browser))

        yield open_


async def test_rewards_and_results_of_other_data(opened):
    """Of five parts, two attributes, two options and the price, times the type; and BM25 by hand."""
    pot = "search tea pots/click pot"
    cases = {
        f"{pot}/click SKY | Blue/click 4 cups/click buy now": 100,
        f"{pot}/click sky | blue/click 14 cups/click buy now": 80,
        f"{pot}/click no such/click features/click < prev/click buy now": 60,
        "search steel/click steel/click buy now": 20,
        "search steel/click steel/click rimish blue/click lidish blue/click knobish blue/click buy now": 80,
        "search long/click can/click buy now": 20,
        "search lid/click cover/click buy now": 10,
        "search garden/click hose2/click buy now": 0,
        "search tea": ["CAN", "POT"],
        "search GARDENS": ["HOSE", "HOSE2"],
        "search pots of steel": ["STEEL", "POT"],
        "click pot": False,
        "search pot": f"Instruction: A pot{' please' * 90}, for at most ",
        "search tea/click pot": "\ncolor (none chosen): sky | blue; black\nsize (none chosen): 4 cups; 14 cups",
        "search pot/click steel/click sky": "\nlid (none chosen): sky; lidish blue\nknob (chosen: sky): sky; knob",
        "search box/click box": f"\n◆ (none chosen): {chr(0x1F300) * 64}; {chr(0x1F301) * 64}; and 97 more\n◆ ◇ (",
    }
    page = (environment := await opened()).page.page
    for path, result in cases.items():
        outcome, text = await page.evaluate(PLAY, [entry.split(" ", 1) for entry in path.split("/")])
        assert result in text if isinstance(result, str) else outcome == pytest.approx(result), path
    assert len(json.dumps((await environment.read()).state)) < 1000


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("shuffle_1000", "<!doctype html>", "items_shuffle_1000.json: Unexpected token"),
        ("shuffle_1000", [{**FIELDS, **POT, "pricing": "10"}], "POT has the pricing '10'"),
        ("shuffle_1000", [{**FIELDS, **POT, "customization_options": {"Color": ["red"]}}], "option Color of POT is no"),
        ("human_ins", [], "items_human_ins.json is no mapping"),
        ("human_ins", {}, "no product of items_shuffle_1000.json has a human instruction"),
    ],
)
async def test_malformed_data_is_an_error(opened, file, content, message):
    with pytest.raises(GameError, match=message):
        await opened(**{file: content})


async def test_expert_buys_what_is_wished_and_verifies(tmp_path):
    job = {"libraries": str(NONGAME), "game": "shop", "task": "all", "model": "scripted", "repeats": 4,
           "seed_policy": "per_repeat", "observation": {"views": [], "text": True}}  # fmt: skip
    first, second = await play(tmp_path / "a", job), await play(tmp_path / "b", job)
    assert outcomes(first) == outcomes(second) and {r.progress for r in first.run.results()} == {1.0}
    assert {f.verdict for f in await verify_run(first.run)} == {"identical"}
