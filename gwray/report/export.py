"""Exports: an episode as an animated WebP or one self-contained HTML file, and figures as SVG, PDF and PNG."""

import asyncio
import base64
import io
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from PIL import Image, ImageDraw

from gwray.agents import NoteSpan
from gwray.errors import BrowserError, boundary
from gwray.pages import inline_policy
from gwray.places import complete_file
from gwray.records import StepRecord
from gwray.report.agent_notes import cell_spec, read_agent_notes
from gwray.report.pages import asset, render, script_file
from gwray.report.replay import frames, replay_data, thumbnail
from gwray.report.task_texts import TaskText, task_texts
from gwray.sandbox import Confinement, find_browser, launch_confined
from gwray.store import Episode, RunDir
from gwray.visible_text import safe_text

MARK = (255, 90, 54)


def export_html(run: RunDir, key: str, path: Path | str) -> Path:
    """Writes the replay as one self-contained HTML file, whose policy allows only its own scripts."""
    target = Path(path)
    episode = run.read_episode(key)
    manifest = run.manifest()
    notes = read_agent_notes(run, key, cell_spec(manifest, episode.meta.record.cell))
    page = replay_file(episode, task_texts([run]).get(episode.meta.record.task), notes)
    with complete_file(target) as part:
        part.write_text(page, encoding="utf-8")
    return target


def replay_file(episode: Episode, task: TaskText | None, notes: Sequence[NoteSpan] = ()) -> str:
    r = episode.meta.record
    data = replay_data(episode, task=task, notes=notes)
    pictures = frames(episode)[: len(data["steps"]) + int(data["final"])]
    data["frames"] = [_data_uri(p, episode.meta.mime) for p in pictures]
    data["thumbs"] = [_data_uri(_small(p), "image/webp") for p in pictures]
    data |= {"peers": [], "inline": True}
    theme, js = asset("theme.js").decode(), asset("viewer.js").decode()
    put = script_file(f"replay:{r.key}", data)
    return render(
        "replay", key=r.key, title=f"{safe_text(r.game, 80)} · {safe_text(r.task, 80)}", root="", pages=(),
        exports=False, policy=inline_policy(theme, js, put),
        inline={"css": asset("style.css").decode(), "theme": theme, "js": js, "data": put},
    )  # fmt: skip


def _small(picture: bytes | None) -> bytes | None:
    try:
        return thumbnail(picture) if picture else None
    except OSError:
        return None


def _data_uri(picture: bytes | None, mime: str) -> str | None:
    return f"data:{mime};base64,{base64.b64encode(picture).decode()}" if picture else None


def export_webp(run: RunDir, key: str, path: Path | str, *, width: int = 640, ms_per_step: int = 400) -> Path:
    """Writes the episode as an animated WebP, each action drawn on the screenshot it answers."""
    target = Path(path)
    with complete_file(target) as part:
        part.write_bytes(animation(run.read_episode(key), width=width, ms_per_step=ms_per_step))
    return target


def animation(episode: Episode, *, width: int = 640, ms_per_step: int = 400) -> bytes:
    by_step: dict[int, list[StepRecord]] = {}
    for s in episode.steps:
        by_step.setdefault(s.step, []).append(s)
    images = []
    for rows, picture in zip([*(by_step[k] for k in sorted(by_step)), []], frames(episode), strict=True):
        if picture is None:
            continue
        with Image.open(io.BytesIO(picture)) as source:
            image = source.convert("RGB")
        factor = width / image.width
        image = image.resize((width, round(image.height * factor)))
        for s in rows:
            _mark(image, s, factor)
        images.append(image)
    if not images:
        images = [Image.new("RGB", (width, width * 9 // 16))]
    out = io.BytesIO()
    durations = [ms_per_step] * (len(images) - 1) + [4 * ms_per_step]
    images[0].save(
        out, "WEBP", save_all=True, append_images=images[1:], duration=durations, loop=0, quality=70, method=2
    )
    return out.getvalue()


def _mark(image: Image.Image, s: StepRecord, factor: float) -> None:
    draw = ImageDraw.Draw(image)
    action: dict[str, Any] = json.loads(s.action) if s.action else {}

    def at(x: str, y: str) -> tuple[float, float]:
        return float(action[x]) * factor, float(action[y]) * factor

    kind = action.get("action")
    if action.get("x") is not None and kind in ("click", "click_hold", "drag", "pull", "mouse_move", "scroll"):
        x, y = at("x", "y")
        draw.ellipse((x - 9, y - 9, x + 9, y + 9), outline=MARK, width=3)
        if kind in ("drag", "pull"):
            draw.line((x, y, *at("to_x", "to_y")), fill=MARK, width=3)
    words = {"press_key": action.get("key"), "press_keys": " + ".join(action.get("keys") or ())}.get(str(kind))
    text = words or kind or s.validity.replace("_", " ")
    line = f"{s.step + 1}  {safe_text(text, 40)}   {100 * s.best_progress:.0f} %".encode("ascii", "replace").decode()
    draw.rectangle((0, image.height - 16, 8 + 6.2 * len(line), image.height), fill=(0, 0, 0))
    draw.text((4, image.height - 14), line, fill=(255, 255, 255) if s.validity == "valid" else MARK)


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
