"""The `gwray` command, and `python -m gwray`."""

import gc
import sys

from gwray.errors import exit_for

gc.disable()  # imported modules are never freed, so collecting garbage while importing only costs time
try:
    from gwray.cli import main as command
except KeyboardInterrupt:  # importing takes seconds on a busy machine
    sys.exit(130)
except Exception as e:
    exit_for(e)
gc.enable()


def main() -> None:
    gc.freeze()
    command()


if __name__ == "__main__":
    main()
