"""Small pages on engines of others, from npm: the engines are installed by npm on first use, and never committed."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGES = Path(__file__).parent / "pages"
GAMES = Path(__file__).parent / "games"
"""The `game.yaml` files that `gwray onboard` wrote."""
CARDS = Path(__file__).parent / "cards.json"
DOCS = ROOT / "docs" / "engines.md"
INSTALLED = ROOT / ".cache" / "engines"


class Engine(NamedTuple):
    """An engine of the npm registry."""

    package: str
    version: str
    files: tuple[str, ...]
    """Its scripts; the page loads the first one."""
    module: bool = False
    """The page's own script imports it."""


ENGINES = {
    "babylonjs": Engine("babylonjs", "9.35.0", ("babylon.js",)),
    "excalibur": Engine("excalibur", "0.32.0", ("build/dist/excalibur.js",)),
    "fabric": Engine("fabric", "7.4.0", ("dist/index.min.js",)),
    "kaplay": Engine("kaplay", "3001.0.19", ("dist/kaplay.js",)),
    "konva": Engine("konva", "10.9.1", ("konva.min.js",)),
    "kontra": Engine("kontra", "10.0.2", ("kontra.min.js",)),
    "littlejs": Engine("littlejsengine", "1.20.0", ("dist/littlejs.min.js",)),
    "matter": Engine("matter-js", "0.20.0", ("build/matter.min.js",)),
    "melonjs": Engine("melonjs", "20.7.0", ("build/index.js",), module=True),
    "p5": Engine("p5", "2.3.4", ("lib/p5.min.js",)),
    "paper": Engine("paper", "0.12.20", ("dist/paper-core.min.js",)),
    "phaser": Engine("phaser", "4.2.1", ("dist/phaser.min.js",)),
    "pixi": Engine("pixi.js", "8.22.0", ("dist/pixi.min.js",)),
    "planck": Engine("planck", "1.5.0", ("dist/planck.min.js",)),
    "three": Engine("three", "0.187.0", ("build/three.module.js", "build/three.core.js"), module=True),
    "two": Engine("two.js", "0.8.24", ("build/two.min.js",)),
    "zdog": Engine("zdog", "1.1.3", ("dist/zdog.dist.min.js",)),
}
PAGE = """\
<!doctype html>
<title>{name}</title>
<style>body {{ margin: 0 }} canvas {{ display: block }}</style>
<body>
<script src="common.js"></script>
{script}<script src="page.js"{module}></script>
"""


def install() -> Path:
    """Returns the folder of the installed packages. Raises `OSError` or `CalledProcessError` without npm or network."""
    wanted = [f"{e.package}@{e.version}" for e in ENGINES.values()]
    done = INSTALLED / "installed.txt"
    if not done.is_file() or done.read_text() != "\n".join(wanted):
        INSTALLED.mkdir(parents=True, exist_ok=True)
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--omit=optional", "--no-package-lock", "--no-save",
                   "--fetch-retries=1", "--fetch-timeout=20000"]  # fmt: skip
        subprocess.run(["npm", "install", *options, "--prefix", str(INSTALLED), *wanted], check=True, timeout=150)
        done.write_text("\n".join(wanted))
    return INSTALLED / "node_modules"


def write_page(name: str, folder: Path) -> None:
    """Writes the page of an engine with the engine's files into a new folder."""
    engine, packages = ENGINES[name], install()
    folder.mkdir(parents=True)
    shutil.copy(PAGES / "common.js", folder)
    shutil.copy(PAGES / f"{name}.js", folder / "page.js")
    names = [f"{name}.js" if engine.files == ("build/index.js",) else Path(file).name for file in engine.files]
    for file, copy in zip(engine.files, names, strict=True):
        shutil.copy(packages / engine.package / file, folder / copy)
    script = "" if engine.module else f'<script src="{names[0]}"></script>\n'
    module = ' type="module"' if engine.module else ""
    (folder / "index.html").write_text(PAGE.format(name=name, script=script, module=module))
