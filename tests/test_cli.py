"""The command line answers at once."""

import json
import subprocess
import sys

from gwray.cli.library import tasks


def test_help_and_typing_errors_need_none_of_the_large_libraries():
    script = "import sys, gwray.cli; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    large = {"ray", "polars", "pyarrow", "playwright", "wandb", "plotly", "scipy", "openai", "hydra", "PIL", "numpy"}
    assert large.isdisjoint(loaded)


def test_games_may_be_given_one_by_one_or_with_commas(capsys):
    given = [["01_2048", "13_flappy-bird"], ["01_2048,13_flappy-bird"], ["01_2048, 13_flappy-bird"]]
    shown = []
    for words in given:
        tasks(words, as_json=True)
        shown.append({row["game"] for row in json.loads(capsys.readouterr().out)})
    assert shown == [{"01_2048", "13_flappy-bird"}] * 3
