"""Builds a wheel that contains `games/`, `conf/` and a few other files of the checkout, in `gwray/bundled/`.

Everything else is configured in pyproject.toml.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

BUNDLED = ("games", "conf", "docs/library.json", "scripts/tiny_model.py")


class BuildWithBundledFiles(build_py):
    """Copies the bundled files into a wheel; an editable install reads them from the checkout."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "gwray" / "bundled"
        shutil.rmtree(target, ignore_errors=True)
        for name in BUNDLED:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            if Path(name).is_dir():
                shutil.copytree(name, target / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
            else:
                shutil.copyfile(name, target / name)


setup(cmdclass={"build_py": BuildWithBundledFiles})
