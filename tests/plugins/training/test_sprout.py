"""The player of pixels plays in NumPy as it was trained in PyTorch."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))


@pytest.mark.train
def test_numpy_scores_replies_as_the_trained_network_does(tmp_path):
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
    prompt, drawn = "\n- left: Go left.\n- wait: Stay.", np.random.default_rng(0)
    assert {player.reply(seen[0].numpy(), prompt, 1e3, drawn) for _ in range(50)} == {*replies[1:]}
