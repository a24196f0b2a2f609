"""MkDocs hook: adds pages outside `docs/` and rewrites the links between pages.

Links are paths relative to the file, so that they work in the repository. The site links to the page of that file, or
shows plain text for a file without a page.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "games/kit/README.md": "kit.md",
    "bench/README.md": "measurements.md",
}
"""File in the repository → page of the site, for pages outside `docs/`."""
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    for source, page in ELSEWHERE.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    here = page.file.src_uri
    source = next((s for s, p in ELSEWHERE.items() if p == here), f"docs/{here}")

    def linked(found: re.Match[str]) -> str:
        picture, words, target, anchor = found.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        inside = ELSEWHERE.get(path) or path.removeprefix("docs/")
        if files.get_file_from_path(inside) is None:
            if not (ROOT / path).exists():
                raise ValueError(f"{source} links to {target}, which does not exist")
            return words
        return f"{picture}[{words}]({posixpath.relpath(inside, posixpath.dirname(here) or '.')}{anchor or ''})"

    return LINK.sub(linked, markdown)


def on_post_page(output: str, **_: Any) -> str:
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


on_post_template = on_post_page
