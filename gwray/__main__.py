"""The `gwray` command, and `python -m gwray`."""

import gc
import sys

gc.disable()  # nothing of what is imported is ever let go of
try:
    from gwray.cli import main as command
except KeyboardInterrupt:  # on a busy machine reading the code takes a while, and nothing is lost by then
    sys.exit(130)
gc.enable()


def main() -> None:
    gc.freeze()
    command()


if __name__ == "__main__":
    main()
