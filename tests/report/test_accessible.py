"""Pages of the report and the site pass the rules of axe-core."""

import shutil

import pytest
from accessibility import barriers

from gwray.report import RunFolder, ViewServer


@pytest.mark.slow
async def test_report_is_accessible_in_both_themes(built, watched):
    page, replay = watched.page, f"replay/{built.keys[0]}.html"
    for path, ready in (("index.html", "data-ready"), ("episodes.html", "data-episodes"), (replay, "data-step")):
        await page.goto((built.site / path).as_uri())
        await page.wait_for_selector(f"html[{ready}]")
        await page.evaluate(
            """for (const part of document.querySelectorAll(".tab")) part.hidden = false;
            for (const part of document.querySelectorAll("details")) part.open = true;"""
        )
        assert await barriers(page) == [], path


@pytest.mark.slow
async def test_site_is_accessible_in_both_themes(built, watched, tmp_path):
    shutil.copytree(built.run.local_path, tmp_path / "runs/study")
    page = watched.page
    with ViewServer(RunFolder.open(str(tmp_path / "runs"))) as s:
        for path in ("", "runs/study/live.html"):
            await page.goto(s.url + path)
            await page.wait_for_selector("#running tbody td" if "live" in path else "h1")
            assert await barriers(page) == [], path


async def test_accessibility_violations_are_found(watched):
    await watched.page.set_content(
        "<html lang=en><title>t</title><main><h1>x</h1><p style='color: #ccc'>pale</p><img src=x></main>"
    )
    found = " ".join(await barriers(watched.page))
    assert "light: image-alt" in found and "dark: color-contrast" in found
