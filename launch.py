"""python launch.py [-m] …: Hydra in, plan out, nothing else.

python launch.py model=random game=13_flappy-bird
python launch.py -m model=random,scripted interface=semantic timing=paused,realtime repeats=3
python launch.py experiment=demo dry_run=true
"""

from gwray.cli.launch import main

if __name__ == "__main__":
    main()
