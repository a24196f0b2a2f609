"""The command line answers at once."""

import subprocess
import sys


def test_help_and_typing_errors_need_none_of_the_large_libraries():
    script = "import sys, gwray.cli; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    large = {"ray", "polars", "pyarrow", "playwright", "wandb", "plotly", "scipy", "openai", "hydra", "PIL", "numpy"}
    assert large.isdisjoint(loaded)
