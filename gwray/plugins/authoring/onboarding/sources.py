"""Brings the files of a page into a folder of a library: from a folder, a ZIP file or a URL. Files of other sites are
fetched into its `vendor/` on request, because the sandbox reaches no network."""

import mimetypes
import re
import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urljoin, urlsplit

import httpx

from gwray.errors import UsageError

MAX_BYTES = 2**30
"""Maximum size of the files in a ZIP file."""
MAX_FETCHED = 500
VENDOR = "vendor"
"""Folder of files from other sites."""
TEXT_SUFFIXES = {".html", ".htm", ".js", ".mjs", ".css", ".json", ".svg", ".xml"}


def is_url(source: str) -> bool:
    """Whether a source is a web address."""
    return source.startswith(("http://", "https://"))


def name_of(source: str) -> str:
    """Returns an id for the game: the last part of the path, without `index.html`."""
    path = Path(unquote(urlsplit(source).path) if is_url(source) else source)
    path = path.parent if path.stem == "index" else path
    return re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "game"


def bring(source: str, folder: Path) -> str:
    """Copies the files of a source into `folder`, which must not exist; of a URL, only its page. Returns the page's
    path in it. Raises `UsageError`."""
    if folder.exists():
        raise UsageError(f"{folder} exists; remove it, or choose another name with --id")
    if is_url(source):
        page = PurePosixPath(unquote(urlsplit(source).path)).name or "index.html"
        page = page if Path(page).suffix else "index.html"
        data, _ = fetch(source)
        folder.mkdir(parents=True)
        (folder / page).write_bytes(data)
        return page
    path = Path(source).expanduser().resolve()
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
            if size > MAX_BYTES:
                raise UsageError(f"{path} unpacks to {size / 2**20:,.0f} MiB; {MAX_BYTES // 2**20:,} are allowed")
            folder.mkdir(parents=True)
            archive.extractall(folder)  # makes names relative and drops `..`
    elif path.is_dir() or path.suffix.lower() in (".html", ".htm"):
        base = path if path.is_dir() else path.parent
        if folder.resolve().is_relative_to(base):
            raise UsageError(f"{folder} is inside {base}, which would be copied into itself; choose another --library")
        shutil.copytree(base, folder, ignore=shutil.ignore_patterns(".git", ".svn"))
        if not path.is_dir():
            return path.name
    else:
        raise UsageError(f"'{source}' is no folder, HTML file, ZIP file or web address of a page")
    pages = sorted(folder.rglob("index.html"), key=lambda p: (len(p.parts), p)) or sorted(folder.glob("*.htm*"))
    if not pages:
        shutil.rmtree(folder)
        raise UsageError(f"'{source}' has no index.html; name the page itself: gwray onboard FOLDER/PAGE.html")
    return pages[0].relative_to(folder).as_posix()


def fetch(url: str) -> tuple[bytes, str]:
    """Returns the contents of a web address, and their content type. Raises `UsageError`."""
    try:
        with httpx.stream("GET", url, follow_redirects=True, timeout=30.0) as answer:
            answer.raise_for_status()
            data = bytearray()
            for part in answer.iter_bytes():
                data += part
                if len(data) > MAX_BYTES:
                    raise UsageError(f"{url} is larger than {MAX_BYTES // 2**20:,} MiB")
            return bytes(data), answer.headers.get("content-type", "").partition(";")[0].strip()
    except (httpx.HTTPError, httpx.InvalidURL) as e:
        raise UsageError(f"{url} cannot be fetched: {str(e) or type(e).__name__}") from e


@dataclass
class Fetcher:
    """Fetches the files that a page asks for and its folder lacks, each once.

    Args:
        folder: the game's folder.
        page: path of the page in it.
        url: the web address of the page; empty if it comes from a folder or a ZIP file, which has all of its files.
        vendor: whether files of other sites are fetched, too.
    """

    folder: Path
    page: str
    url: str
    vendor: bool
    _tried: set[str] = field(default_factory=set)

    def fetch(self, missing: list[str], others: list[str]) -> bool:
        """Returns whether a file is new.

        Args:
            missing: paths of missing files: in `game/`, or relative to the root of the page's site or to the parent of
                its folder.
            others: addresses of other sites.
        """
        new = False
        for path in missing if self.url else ():
            own = path.removeprefix("game/")
            places = (own,) if own != path else (f"/{path}", f"../{path}")
            new |= any(self._save(urljoin(self.url, place), own) for place in places)
        for url in others if self.vendor else ():
            new |= self._save(url)
        return new

    def _save(self, url: str, path: str | None = None) -> bool:
        """Fetches one file; of another site, if `path` is None. Returns whether it is new."""
        if url in self._tried or len(self._tried) >= MAX_FETCHED:
            return False
        self._tried.add(url)
        try:
            data, mime = fetch(url)
        except UsageError:
            return False  # the report card lists it as missing or blocked
        stored = f"{VENDOR}/{_vendored(url, mime)}" if path is None else unquote(path)
        target = (self.folder / self.page).parent.joinpath(stored).resolve()
        if not target.is_relative_to(self.folder) or target.is_dir():
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        if path is None:
            self._point_to(url, f"/{stored}")
        return True

    def _point_to(self, url: str, path: str) -> None:
        """Replaces a web address by a path in all texts of the page."""
        written = re.compile(rf"(?:https?:)?{re.escape(url.partition(':')[2])}(?![\w./-])")
        for file in self.folder.rglob("*"):
            if file.suffix.lower() not in TEXT_SUFFIXES or not file.is_file():
                continue
            text = file.read_bytes().decode("utf-8", "surrogateescape")
            changed = written.sub(lambda _: path, text)
            if changed != text:
                file.write_bytes(changed.encode("utf-8", "surrogateescape"))


def _vendored(url: str, mime: str) -> str:
    """Returns the path of a file of another site in `vendor/`. Its suffix tells its type, which the site told."""
    parts = urlsplit(url)
    path = "/".join(p for p in unquote(parts.path).split("/") if p not in ("", ".", "..")) or "index"
    if parts.query:
        path += "-" + re.sub(r"[^A-Za-z0-9]+", "-", parts.query)
    known = not parts.query and Path(path).suffix
    return f"{parts.hostname}/{path}{'' if known else mimetypes.guess_extension(mime) or ''}"
