"""Makes sure that there is a browser that starts: an installed one, Playwright's own, or Debian's package."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys

from gwray.errors import GwrayError
from gwray.sandbox import Browser, find_browser


def works() -> str | None:
    """None if a browser is found and starts, otherwise why not."""

    async def start() -> None:
        browser = await Browser.launch()
        await browser.close()

    try:
        find_browser()
        asyncio.run(start())
    except GwrayError as e:
        return str(e)
    return None


def attempt(what: str, *commands: list[str]) -> bool:
    """Run the commands; whether a browser works afterwards."""
    print(f"Installing a browser: {what}", flush=True)
    for command in commands:
        try:
            done = subprocess.run(command, timeout=600, capture_output=True, text=True)
        except (OSError, subprocess.TimeoutExpired) as e:
            print(f"  {command[0]}: {e}")
            return False
        if done.returncode:
            print("  did not work: " + (done.stderr.strip() or done.stdout.strip()).splitlines()[-1][:200])
            return False
    return works() is None


def main() -> int:
    why = works()
    if why is None:
        return 0
    if os.environ.get("GWRAY_BROWSER"):
        print(why, file=sys.stderr)
        return 1
    download = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    if attempt("playwright install chromium", download):
        return 0
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        update = [apt, "update", "-qq"]
        # Playwright's own program needs a library that slim images lack, and pages need a font.
        install = [apt, "install", "-y", "-qq", "--no-install-recommends", "libatomic1", "fonts-dejavu-core"]
        if attempt("apt-get install chromium-headless-shell", update, [*install, "chromium-headless-shell"]):
            return 0
        if attempt("apt-get install chromium", [*install, "chromium"]):
            return 0
        # Ubuntu has neither; Playwright's browser needs libraries there.
        if attempt("playwright install --with-deps chromium", install, [*download, "--with-deps"]):
            return 0
    print(works(), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
