"""Hook of the documentation site: pages outside `docs/`, and links between all of them as a checkout has them.

A link in a page is a path from its file, so that it works where people read the repository. Here it becomes the page of
that file, or, for a file that is no page, plain words.
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
"""Pages outside `docs/`, from the repository's root, and where the site has them."""
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
                raise ValueError(f"{source} links to {target}, which is not there")
            return words
        return f"{picture}[{words}]({posixpath.relpath(inside, posixpath.dirname(here) or '.')}{anchor or ''})"

    return LINK.sub(linked, markdown)
