"""A wheel holds what a checkout has beside the package: `games/`, `conf/` and the measured tasks, in `gwray/bundled/`.

Everything else is said in pyproject.toml.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

BUNDLED = ("games", "conf", "docs/library.json")


class WithGames(build_py):
    """Copies them when a wheel is built; an editable install finds them where they are."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        inside = Path(self.build_lib) / "gwray" / "bundled"
        shutil.rmtree(inside, ignore_errors=True)
        for name in BUNDLED:
            (inside / name).parent.mkdir(parents=True, exist_ok=True)
            if Path(name).is_dir():
                shutil.copytree(name, inside / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            else:
                shutil.copyfile(name, inside / name)


setup(cmdclass={"build_py": WithGames})
