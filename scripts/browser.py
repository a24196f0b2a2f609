"""Makes sure that a browser starts: uses an installed one, or installs Debian's package or Playwright's build."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys

from gwray.errors import GwrayError
from gwray.sandbox import Browser, find_browser, missing_libraries

APT_OFFLINE = "apt-get cannot reach its package mirror. Check the network, the proxy, and /etc/apt/sources.list*"


def browser_problem() -> str | None:
    """Returns None if a browser is found and starts, otherwise the reason and the fix."""

    async def start() -> None:
        browser = await Browser.launch()
        await browser.close()

    try:
        find_browser()
        asyncio.run(start())
    except GwrayError as e:
        return str(e)
    return None


def run(label: str, *commands: list[str]) -> str | None:
    """Runs the commands. Returns None if all succeed, otherwise the last line of the output of the one that failed."""
    print(f"Installing: {label}", flush=True)
    for command in commands:
        try:
            done = subprocess.run(command, timeout=600, capture_output=True, text=True)
        except (OSError, subprocess.TimeoutExpired) as e:
            error = f"{command[0]}: {e}"
        else:
            if done.returncode == 0:
                continue
            error = (done.stderr.strip() or done.stdout.strip() or f"exit code {done.returncode}").splitlines()[-1]
        print(f"  failed: {error[:200]}", flush=True)
        return error
    return None


def install() -> str | None:
    """Tries every way to get a browser on this machine. Returns None once one works, otherwise what is still wrong."""
    download = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    ways = [("playwright install chromium", download)] if missing_libraries() is None else []
    apt, offline = shutil.which("apt-get"), None
    if apt and os.geteuid() == 0:
        packages = [apt, "install", "-y", "-qq", "--no-install-recommends", "libatomic1", "fonts-dejavu-core"]
        ways += [(f"apt-get install {name}", [*packages, name]) for name in ("chromium-headless-shell", "chromium")]
        ways += [("apt-get install libatomic1", packages)]  # Ubuntu has neither package
        ways += [("playwright install --with-deps chromium", [*download, "--with-deps"])]
    for label, command in ways:
        if apt and command[0] == apt and offline is None:
            # Without this option apt-get reports success although it reached no mirror.
            offline = run("apt-get update", [apt, "update", "-qq", "-o", "APT::Update::Error-Mode=any"]) or ""
        if run(label, command) is None and browser_problem() is None:
            return None
    problem = browser_problem()
    return f"{APT_OFFLINE} ({offline}).\n{problem}" if offline and problem else problem


def main() -> int:
    problem = browser_problem()
    if problem and not os.environ.get("GWRAY_BROWSER"):
        problem = install()
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main())
