"""The player of pixels plays in NumPy as it was trained in PyTorch, and answers equal questions alike."""

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Picture

from gwray.agents import Image, Request, Text, make_client
from gwray.agents.messages import Message
from gwray.errors import BadRequest, UsageError
from gwray.settings import ModelSpec, Sampling

PROMPT = "\n- jump: Jump.\n- wait: Stay."


async def test_its_reply_follows_from_the_question_and_the_weights():
    spec = ModelSpec(name="m", provider="scripts.sprout_play.Sprout", model_id="m")
    file = BytesIO()
    Picture.new("RGB", (1280, 720), (200, 90, 30)).save(file, "jpeg")
    seen = Image(file.getvalue(), "image/jpeg", (1280, 720))

    def asked(*parts, system=PROMPT) -> Request:
        return Request("m", spec.provider, system, (Message("user", parts),), sampling=Sampling(temperature=9))

    first, second = [await make_client(spec).send(asked(Text("Step 1."), seen, seen)) for _ in range(2)]
    assert first.text == second.text and first.served_model.startswith("sprout-")
    client = make_client(spec)
    assert len({(await client.send(asked(Text(f"Step {n}."), seen))).text for n in range(20)}) == 2
    for request, problem in (asked(Text("Step 1.")), "not 0"), (asked(seen, system="- fly: Fly."), "knows no control"):
        with pytest.raises(BadRequest, match=problem):
            await client.send(request)
    for options in {"weights": "/nope"}, {"wieghts": "w"}, {"blind": "/nope"}, {"weights": __file__}:
        with pytest.raises(UsageError, match="cannot start" if __file__ in options.values() else next(iter(options))):
            make_client(spec.model_copy(update={"options": options}))


@pytest.mark.train
def test_numpy_scores_replies_as_the_trained_network_does(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[3] / "scripts"))
    import torch
    from sprout import Network, save
    from sprout_play import Player

    replies = [json.dumps({"action": name}) for name in ("jump", "left", "wait")]
    torch.manual_seed(1)
    network, seen = Network(replies, 5), torch.randint(0, 256, (8, 6, 90, 160), dtype=torch.uint8)
    network(seen, torch.ones(8, 3, dtype=torch.bool))  # moves the running means of its normalisations
    save(network, tmp_path / "weights")
    expected = network(seen, torch.ones(8, 3, dtype=torch.bool))[0].detach().numpy()
    player = Player(tmp_path / "weights")
    assert np.allclose([player.scores(one) for one in seen.numpy()], expected, atol=0.005)
    assert {player.reply(seen[0].numpy(), PROMPT, 1e3, np.random.default_rng(n)) for n in range(50)} == {*replies[::2]}
