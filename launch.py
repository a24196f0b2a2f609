"""python launch.py [-m] …: Hydra in, plan out, nothing else.

python launch.py model=random game=13_flappy-bird
python launch.py -m model=random,scripted interface=semantic timing=paused,realtime repeats=3
python launch.py experiment=demo dry_run=true
"""

import gc
import sys

gc.disable()  # nothing of what is imported is ever let go of; see `gwray.cli.launch.main`
try:
    from gwray.cli.launch import main
except KeyboardInterrupt:  # on a busy machine reading the code takes a while, and nothing is lost by then
    sys.exit(1)
except ModuleNotFoundError as e:
    print(f"{e}: {sys.executable} has not what gwray needs.", file=sys.stderr)
    print("`make setup` makes .venv with it; then: .venv/bin/python launch.py …", file=sys.stderr)
    sys.exit(2)

if __name__ == "__main__":
    main()
