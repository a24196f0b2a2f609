"""python launch.py [-m] …: runs the sweep that the Hydra overrides describe.

python launch.py model=random game=13_flappy-bird
python launch.py -m model=random,scripted interface=semantic timing=paused,realtime repeats=3
python launch.py experiment=demo dry_run=true
"""

import gc
import sys

from gwray.errors import exit_for

gc.disable()  # imported modules are never freed; see `gwray.cli.launch.main`
try:
    from gwray.cli.console import shown_work

    with shown_work("reading the settings"):
        from gwray.cli.launch import main
except KeyboardInterrupt:  # importing takes seconds on a busy machine
    sys.exit(1)
except Exception as e:
    exit_for(e)

if __name__ == "__main__":
    main()
