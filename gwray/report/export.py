"""Exports the figures of a report as SVG, PDF and PNG."""

import asyncio
import base64
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote_to_bytes

from gwray.errors import BrowserError, boundary
from gwray.sandbox import Confinement, find_browser, launch_confined

WIDTH = 1000
TIMEOUT_MS = 60_000
DRAWN_WITHIN_S = 300.0
CLOSED_WITHIN_S = 10.0
"""A browser that does not respond ends the export, not the report."""

_DRAW = """async ([id, width]) => {
  const figure = gwray.data.get("figures")[id];
  document.documentElement.dataset.theme = "light";
  const { traces, layout } = gwray.themed(figure);
  Object.assign(layout, { paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff", width, autosize: false });
  const spec = { data: traces, layout };
  const size = { width, height: figure.height };
  const image = (format, scale) => Plotly.toImage(spec, { format, scale, ...size });
  return [await image("svg", 1), await image("png", 2), figure.height];
}"""


def export_figures(site: Path, ids: Sequence[str]) -> None:
    """Writes `figures/<id>.svg`, `.pdf` and `.png` of a built report. Raises `BrowserError`."""
    choice = find_browser()
    # A thread of its own, because the caller may live in an event loop already.
    with ThreadPoolExecutor(1) as pool, boundary(BrowserError, "drawing the figures"):
        drawing = pool.submit(lambda: asyncio.run(asyncio.wait_for(_draw(choice.path, site, ids), DRAWN_WITHIN_S)))
        drawing.result()


async def _draw(browser_path: Path, site: Path, ids: Sequence[str]) -> None:
    from playwright.async_api import Browser, async_playwright

    async with async_playwright() as play:

        async def start(how: Confinement) -> Browser:
            return await play.chromium.launch(
                executable_path=how.program, env={**how.env}, chromium_sandbox=how.sandboxed
            )

        browser = await launch_confined(browser_path, start)
        try:
            context = await browser.new_context(offline=True, viewport={"width": WIDTH, "height": 800})
            page = await context.new_page()
            page.set_default_timeout(TIMEOUT_MS)
            await page.goto((site / "index.html").resolve().as_uri())
            await page.evaluate("gwray.need()")
            sheet = await context.new_page()
            for figure in ids:
                svg, png, height = json.loads(json.dumps(await page.evaluate(_DRAW, [figure, WIDTH])))
                drawing = unquote_to_bytes(svg.partition(",")[2])
                (site / f"figures/{figure}.svg").write_bytes(drawing)
                await sheet.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing.decode()}")
                pdf = await sheet.pdf(
                    width=f"{WIDTH}px", height=f"{height + 1}px", print_background=True, page_ranges="1"
                )
                (site / f"figures/{figure}.pdf").write_bytes(pdf)
                (site / f"figures/{figure}.png").write_bytes(base64.b64decode(png.partition(",")[2]))
        finally:
            with suppress(TimeoutError):
                await asyncio.wait_for(browser.close(), CLOSED_WITHIN_S)
