"""Finds the files for a page's requests in the folders of its site, and joins the script that runs first in it. There
is no server: requests are intercepted in the browser, so no port is open and no page reaches a network."""

import hashlib
import json
import re
import subprocess
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from gwray.sandbox.executable import driver_program
from gwray.sandbox.types import ORIGIN, Clock, Limits, PageSource

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".htm": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".cjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".ico": "image/x-icon",
    ".ttf": "font/ttf",
    ".otf": "font/otf",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".wav": "audio/wav",
    ".m4a": "audio/mp4",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml",
    ".glb": "model/gltf-binary",
    ".gltf": "model/gltf+json",
}


COMPRESSED = {".br": "createBrotliDecompress", ".gz": "createGunzip"}
"""Compressed files, which are served as what they contain (`game.wasm.br`), and Node's function for each."""


def mime_type(path: Path) -> str:
    """Returns the content type by file name, independent of the system's table; of a compressed file that of its
    contents."""
    name = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    return _TYPES.get(name.suffix.lower(), "application/octet-stream")


@lru_cache(maxsize=16)
def _contents(path: Path, changed_ns: int) -> bytes:
    """Returns what a compressed file contains. Playwright brings Node, so that no further library is needed."""
    read = f"process.stdin.pipe(require('zlib').{COMPRESSED[path.suffix.lower()]}()).pipe(process.stdout)"
    with path.open("rb") as file:
        done = subprocess.run([driver_program(), "-e", read], stdin=file, capture_output=True, check=False)
    return path.read_bytes() if done.returncode else done.stdout


def read_file(path: Path) -> bytes:
    """Returns the bytes to serve for a file. A file that only has the name of a compressed one is served as it is."""
    if path.suffix.lower() not in COMPRESSED:
        return path.read_bytes()
    return _contents(path, path.stat().st_mtime_ns)


def part_of(data: bytes, wanted: str) -> tuple[int, int] | None:
    """Returns the first and last byte of a range request (`bytes=0-99`, `bytes=100-`, `bytes=-50`); None: the complete
    file is the answer."""
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted.strip())
    if not match or not any(match.groups()):
        return None
    first, last = match.groups()
    start = int(first) if first else max(0, len(data) - int(last))
    end = min(int(last), len(data) - 1) if first and last else len(data) - 1
    return (start, end) if start <= end else None


def is_page_origin(url: str) -> bool:
    """Whether a request is for the page's own origin."""
    return url == ORIGIN or url.startswith((ORIGIN + "/", ORIGIN + "?"))


def find_file(source: PageSource, url: str) -> Path | None:
    """Returns the file for a URL of the page's origin; None if it does not exist or is not served."""
    path = unquote(urlsplit(url).path).strip("/")
    matching = [(p, f) for p, f in source.site if not p or path == p or path.startswith(f"{p}/")]
    if "\0" in path or not matching:
        return None
    prefix, folder = max(matching, key=lambda place: len(place[0]))
    base = folder.resolve()
    target = (base / path[len(prefix) :].lstrip("/")).resolve()
    if not target.is_relative_to(base):
        return None
    if target.is_dir():
        target = target / "index.html"
    names = target.relative_to(base).parts
    if any(fnmatchcase(n.lower(), pattern) for n in names for pattern in source.withheld):
        return None
    return target if target.is_file() else None


@cache
def _body() -> str:
    """Returns all parts of the script: `natives.js` is needed by the others, and `install.js` runs them."""
    folder = Path(__file__).parent / "page"
    between = sorted(file.stem for file in folder.glob("*.js") if file.stem not in ("natives", "install"))
    names = ("natives", *between, "install")
    return "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in names)


@cache
def _reviewed() -> dict[str, list[str]]:
    """Returns the interfaces that were reviewed, by class, and the major version of their Chromium as `version`."""
    text = (Path(__file__).parent / "page/interfaces.txt").read_text(encoding="utf-8")
    return {name: members for name, *members in map(str.split, text.splitlines())}


def seed_words(seed: int) -> list[int]:
    """Returns four 32-bit seeds for the page's random generator."""
    h = hashlib.sha256(f"gwray page {seed}".encode()).digest()
    return [int.from_bytes(h[4 * i : 4 * i + 4], "big") for i in range(4)]


def page_script(clock: Clock, source: PageSource, token: str, limits: Limits, version: str) -> str:
    """Returns the script for a page. `token` gives access to the sandbox's object at `window.__gwray`; the page does
    not know it. `version`: the browser's; of another one than the reviewed, members are checked, too."""
    reviewed = _reviewed()
    config = {
        "allowed": [*reviewed, *reviewed["window"]],
        "members": None if [version.partition(".")[0]] == reviewed["version"] else reviewed,
        "lists": {name: reviewed[name] for name in ("navigator", "webgl", "promises")},
        "stepped": clock == "stepped",
        "words": seed_words(source.seed),
        "probe": dict(source.probe),
        "ready": source.ready,
        "fps": source.fps,
        "token": token,
        "stateLimit": limits.state_chars,
        "textLimit": limits.text_chars,
        "ioLimit": limits.io_s * 1000,
        "answerLimit": 2000,
    }
    return f"(() => {{'use strict';\nconst CONFIG = {json.dumps(config)};\n{_body()}\n}})();"
