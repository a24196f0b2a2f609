"""The static report in a real browser, opened from the file system."""

import csv

import polars as pl
import pytest
from runs_to_report import HOSTILE, asking_run, sweep, write_run
from user_namespaces import grants_namespaces

from gwray.catalog import published_protocol
from gwray.errors import BrowserError, UsageError
from gwray.report import build_report
from gwray.report import export as figure_export

VISIBLE = "</script><script>window.pwned=1</script><img src=x onerror=window.pwned=1>⟦U+202E⟧gnp.exe"


async def unhurt(watched, folder):
    """No script ran that was not ours, nothing complained, nothing outside the site was asked for."""
    assert await watched.page.evaluate("window.pwned") is None
    assert watched.problems == []
    outside = [u for u in watched.requests if not u.startswith((folder.as_uri(), "data:", "blob:"))]
    assert outside == []


async def test_report_sorts_and_makes_no_requests(built, watched):
    page = await watched.open(built.site / "index.html")
    head = page.locator("#main thead th", has_text="progress %").first
    cells = page.locator("#main tbody:first-of-type tr td:nth-child(4)")

    async def column():
        return [float(v) for v in await cells.evaluate_all("c => c.map(x => x.dataset.sort)") if v]

    await head.locator("button").click()
    assert await head.get_attribute("aria-sort") == "descending"
    down = await column()
    assert down == sorted(down, reverse=True) and len(down) == 2
    await head.locator("button").focus()
    await page.keyboard.press("Enter")
    assert await head.get_attribute("aria-sort") == "ascending"
    assert await column() == sorted(down)
    await unhurt(watched, built.site)


@pytest.mark.slow
async def test_figures_are_drawn_in_both_themes(built, watched):
    page = await watched.open(built.site / "index.html")
    await page.evaluate("gwray.drawAll()")
    figures = await page.locator(".canvas").count()
    assert figures >= 4 and await page.locator(".canvas[data-drawn] .main-svg").count() >= figures
    before = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    await page.click("#theme")
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    await page.wait_for_function("""() => {
        const bar = document.querySelector(".canvas[data-figure=reruns] path.yerror");
        return bar && getComputedStyle(bar).stroke === getComputedStyle(document.body).color;
    }""")
    assert await page.locator(".canvas[data-figure=games] .gridlayer path").count() == 0
    await unhurt(watched, built.site)


async def test_pages_fit_a_phone(built, watched):
    page = watched.page
    await page.set_viewport_size({"width": 375, "height": 700})
    for name in ("index.html", "episodes.html", f"replay/{built.keys[0]}.html"):
        await page.goto((built.site / name).as_uri())
        await page.wait_for_timeout(300)
        assert await page.evaluate("document.documentElement.scrollWidth") <= 375, name


@pytest.mark.slow
async def test_figures_are_drawn_on_a_page_that_is_never_idle(built, watched):
    page = watched.page
    await page.add_init_script("window.requestIdleCallback = (f, options) => setTimeout(f, options?.timeout ?? 1e9)")
    await page.goto((built.site / "index.html").as_uri())
    await page.wait_for_selector(".canvas[data-figure=overview][data-drawn]", timeout=30_000)


@pytest.mark.slow
async def test_figures_of_few_columns_fit_a_phone(built, watched):
    await watched.page.set_viewport_size({"width": 390, "height": 800})
    page = await watched.open(built.site / "index.html")
    await page.evaluate("gwray.drawAll()")
    overview = page.locator(".canvas[data-figure=overview]")
    assert await overview.evaluate("e => e.getBoundingClientRect().width <= e.parentElement.clientWidth")
    assert await overview.locator(".ytick tspan").count() >= 2, "a name in lines"
    heights = []
    for width in (1360, 390, 1360):
        await page.set_viewport_size({"width": width, "height": 800})
        await page.evaluate("gwray.drawAll()")
        heights.append(await page.locator(".canvas[data-figure^=levels]").first.evaluate("e => e.clientHeight"))
    assert heights[0] == heights[2] != heights[1], "a figure gets its height back"


async def test_replay_curve_legend_and_reply_copy(built, watched):
    page = await watched.open((built.site / f"replay/{built.keys[0]}.html").as_uri() + "#step=1", "step='1'")
    assert (await page.inner_text(".scale")).split("\n") == ["100 %", "50 %", "0 %"]
    assert (await page.inner_text(".steps")).split("\n") == ["step 1", "step 14, end"]
    ends = await page.locator(".curve .now").evaluate("p => p.getPointAtLength(p.getTotalLength()).x")
    assert ends == pytest.approx(1000), "the curve reaches the end"
    dashes = "all => all.map(e => getComputedStyle(e).strokeDasharray)"
    assert len(set(await page.locator(".curve .best, .legend .best").evaluate_all(dashes))) == 1
    assert "input tokens" in await page.inner_text(".right")
    assert "First step of an attempt" in await page.inner_text(".right p.facts")
    await page.evaluate("() => { navigator.clipboard.writeText = async text => { window.copied = text; }; }")
    await page.click(".copy >> nth=0")
    assert await page.evaluate("window.copied") == await page.inner_text("pre.verbatim >> nth=0")
    await page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('not allowed'); }; }")
    await page.click(".copy >> nth=0")
    assert await page.evaluate("String(getSelection())") == await page.evaluate("window.copied")
    await unhurt(watched, built.site)


@pytest.mark.slow
async def test_hostile_names_and_errors_are_text(built, watched):
    page = await watched.open(built.site / "index.html")
    await page.evaluate("gwray.drawAll()")
    assert VISIBLE in await page.inner_text("#main")
    assert VISIBLE in await page.inner_text("h1")
    await watched.open((built.site / "episodes.html").as_uri() + "#outcome=failed", "episodes")
    row = await page.inner_text("#episodes tbody")
    assert VISIBLE in row and "1,000,1" in row and len(row) < 1000
    await unhurt(watched, built.site)


async def test_hostile_replies_are_text_and_bounded(built, watched):
    page = await watched.open(built.site / f"replay/{built.keys[0]}.html", "step")
    reply = await page.inner_text("pre.verbatim[aria-label='reply']")
    assert reply.startswith(VISIBLE) and 19_000 < len(reply) < 21_000 and "characters in all" in reply
    await unhurt(watched, built.site)


async def test_episodes_can_be_searched_filtered_and_sorted(built, watched):
    page = await watched.open(built.site / "episodes.html", "episodes='72'")
    await page.select_option("#outcome", "failed")
    assert (await page.inner_text("#matches")) == "1 of 72 episodes"
    await page.select_option("#outcome", "")
    await page.fill("#q", "01_01")
    assert (await page.inner_text("#matches")) == "6 of 72 episodes"
    assert "no headline yet" in await page.inner_text("header .headline")
    await page.click("#episodes thead button:has-text('progress')")
    values = [float(v) for v in await page.locator("#episodes tbody td:nth-child(7)").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    await page.fill("#q", f"progress<{values[0]} 01_01 tokens > 0")
    assert await page.locator("#episodes tbody tr").count() == sum(v < values[0] for v in values) > 0
    await page.click("details:has(#columns) summary")
    await page.uncheck("#columns input[value=steps]")
    assert "hide=steps" in page.url and not await page.locator("#episodes th[data-column=steps]").is_visible()
    await page.click("#episodes tbody a:has-text('watch') >> nth=0")
    await page.wait_for_selector("html[data-step]")
    assert "no headline yet" in await page.inner_text("header .headline"), "the number is at the top of every page"
    await unhurt(watched, built.site)


async def shown_pictures(page):
    return await page.locator(".stage img").evaluate_all("all => all.map(x => x.src)")


async def film_pictures(page, i):
    """Those in the film strips at a place."""
    return await page.locator(f".strip button:nth-child({i + 1}) img").evaluate_all("all => all.map(x => x.src)")


async def test_step_controls_and_deep_links_agree(built, watched):
    url = (built.site / f"replay/{built.keys[0]}.html").as_uri()
    page = await watched.open(url + "#step=5", "step='5'")
    assert "step 5 of 14" in await page.inner_text("output")
    assert await shown_pictures(page) == await film_pictures(page, 4)
    await page.locator("#step").fill("7")
    await page.wait_for_selector("html[data-step='7']")
    assert page.url.endswith("#step=7")
    await page.keyboard.press("ArrowRight")
    await page.wait_for_selector("html[data-step='8']")
    await page.locator(".strip button").nth(9).click()
    await page.wait_for_selector("html[data-step='10']")
    assert "was reset after this step" in await page.inner_text(".right")
    await page.keyboard.press("Shift+I")  # every ninth action is invalid, the tenth step is a reset
    await page.wait_for_selector("html[data-step='9']")
    await page.keyboard.press("r")
    await page.wait_for_selector("html[data-step='10']")
    await page.keyboard.press("m")
    await page.wait_for_selector("html[data-step='11']")
    await page.keyboard.press("End")
    assert "the end" in await page.inner_text("output")
    await page.evaluate("location.hash = '#step=2'")
    await page.wait_for_selector("html[data-step='2']")
    await watched.open(url + "#step=nonsense", "step='1'")
    await unhurt(watched, built.site)


async def test_action_is_drawn_at_its_position(built, watched):
    page = watched.page
    url = (built.site / f"replay/{built.keys[0]}.html").as_uri()
    await page.goto(url + "#step=3")  # a click at (640, 360)
    await page.wait_for_selector("circle.mark")
    assert await page.get_attribute(".stage svg", "viewBox") == "0 0 1280 720"
    mark = await page.locator("circle.mark").bounding_box()
    stage = await page.locator(".stage").bounding_box()
    assert mark and stage
    centre = (mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
    assert centre == pytest.approx((stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2), abs=1)
    await page.keyboard.press("ArrowLeft")
    assert await page.locator(".keys kbd").all_inner_texts() == ["ArrowRight", "Space"]
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    assert await page.locator(".stage line").count() >= 6  # a drag: line and arrow head
    await page.locator("#step").fill("9")
    assert await page.locator(".stage svg > *").count() == 0
    assert "no tool call" in await page.inner_text(".verdict.invalid")


async def test_two_episodes_side_by_side(built, watched):
    page = await watched.open((built.site / f"replay/{built.keys[0]}.html").as_uri() + "#step=4", "step='4'")
    other = await page.locator(".controls select option").nth(1).get_attribute("value")
    await page.select_option(".controls select", other)
    await page.wait_for_selector(f".panes.two .pane[data-key='{other}']")
    assert page.url.endswith(f"#step=4&with={other}")
    await page.keyboard.press("ArrowRight")
    shown = await shown_pictures(page)
    assert len(shown) == 2 and shown == await film_pictures(page, 4)
    await page.locator(".pane h2").first.evaluate("e => { e.append(' a longer name'.repeat(40)); }")
    tops = await page.locator(".stage").evaluate_all("all => all.map(e => e.getBoundingClientRect().top)")
    assert tops[0] == tops[1]
    await page.reload()
    await page.wait_for_selector(f".panes.two .pane[data-key='{other}']")
    await unhurt(watched, built.site)


def test_figure_and_table_files_exist(built):
    names = {p.stem for p in (built.site / "figures").glob("*.csv")}
    assert {"overview", "games", "reruns"} <= names
    for name in names:
        assert (built.site / f"figures/{name}.svg").read_bytes()[:4] == b"<svg"
        assert (built.site / f"figures/{name}.pdf").read_bytes()[:5] == b"%PDF-"
        assert (built.site / f"figures/{name}.png").read_bytes()[:4] == b"\x89PNG"
    with (built.site / "tables/main.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {"progress %", "progress % low", "progress % high"} <= set(rows[0])
    assert "<script" not in (built.site / "data/figures.js").read_text()


def test_incomplete_cell_has_no_headline(built):
    page = (built.site / "index.html").read_text()
    assert "71 of 72 planned episodes (plays) finished" in page and "headline refused" in page
    assert "published, original games" in page


def test_incomplete_cell_is_marked_on_request(built, tmp_path):
    index = build_report([built.run], tmp_path / "site", allow_incomplete=True, episodes="none")
    page = index.read_text()
    assert "incomplete, shown on request" in page and "headline refused" not in page
    assert list((tmp_path / "site/replay").iterdir()) == []


def test_report_without_browser_says_so(built, tmp_path, monkeypatch):
    monkeypatch.setenv("GWRAY_BROWSER", "/nowhere/chromium")
    page = build_report([built.run], tmp_path / "site", episodes="none", images=True).read_text()
    assert "SVG, PDF and PNG were not made" in page and "overview.svg" not in page


def test_silent_browser_ends_figure_export(tmp_path, monkeypatch):
    silent = tmp_path / "chromium"
    silent.write_text("#!/bin/sh\nexec sleep 600\n")
    silent.chmod(0o755)
    monkeypatch.setenv("GWRAY_BROWSER", str(silent))
    monkeypatch.setattr(figure_export, "DRAWN_WITHIN_S", 1.5)
    with pytest.raises(BrowserError, match="drawing the figures: TimeoutError"):
        figure_export.export_figures(tmp_path, ["overview"])


def test_export_browser_gets_no_keys_and_a_sandbox(tmp_path, monkeypatch):
    curious = tmp_path / "chromium"
    curious.write_text(f'#!/bin/sh\nenv > {tmp_path}/given_env\necho "$@" >> {tmp_path}/how\n')
    curious.chmod(0o755)
    monkeypatch.setenv("GWRAY_BROWSER", str(curious))
    monkeypatch.setenv("OPENAI_API_KEY", "of-no-concern")
    with pytest.raises(BrowserError, match="drawing the figures"):
        figure_export.export_figures(tmp_path, ["overview"])
    given_env = (tmp_path / "given_env").read_text()
    assert "PATH=" in given_env and "of-no-concern" not in given_env
    ways = (tmp_path / "how").read_text().splitlines()
    if grants_namespaces():
        assert "--headless" in ways[0] and "--no-sandbox" not in ways[0]
    assert "--no-sandbox" in ways[-1], "a kernel that grants none still has figures"


def test_sections_without_data_are_skipped(tmp_path):
    run = write_run(tmp_path / "run", sweep({"a": 0.4}, n_games=2))
    page = build_report([run], tmp_path / "site").read_text()
    for absent in ("reruns-section", "pairs-section", "realtime-section", "ablations-section", "latency-section"):
        assert absent not in page


def test_report_without_results(tmp_path):
    frame = sweep({"a": 0.4}, n_games=2)
    run = write_run(tmp_path / "run", frame)
    run.rewrite_results([])
    page = build_report([run], tmp_path / "site").read_text()
    assert "0 of 10 planned episodes (plays) finished" in page


def test_foreign_folder_is_not_overwritten(built, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="not empty"):
        build_report([built.run], tmp_path)
    with pytest.raises(UsageError, match="at least one"):
        build_report([], tmp_path / "x")


def test_interrupted_report_is_overwritten(tmp_path, monkeypatch):
    run = write_run(tmp_path / "run", sweep({"a": 0.4}, n_games=2, tasks_per_game=1), replays=1)
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "index.html").write_text("my home page")
    with pytest.raises(UsageError, match="contains no report"):
        build_report([run], theirs)
    assert (theirs / "index.html").read_text() == "my home page"
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr("gwray.report.site.make_sections", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        build_report([run], tmp_path / "site")
    assert build_report([run], tmp_path / "site").exists()


def test_rebuilt_report_has_no_old_files(tmp_path):
    site = tmp_path / "site"
    first = sweep({"a": 0.4, "b": 0.5}, n_games=2, tasks_per_game=1, repeats=2)
    build_report([write_run(tmp_path / "one", first, replays=3)], site)
    assert (site / "tables/pairs-table.csv").exists() and (site / "tables/reruns-table.csv").exists()
    build_report([write_run(tmp_path / "two", sweep({"a": 0.4}, n_games=2, tasks_per_game=1))], site)
    assert not (site / "tables/pairs-table.csv").exists() and not (site / "figures/reruns.csv").exists()
    assert not [*(site / "replay").iterdir(), *(site / "frames").iterdir(), *(site / "data/replay").iterdir()]


def test_finished_episode_wins_over_failed(tmp_path):
    frame = sweep({"a": 0.4}, n_games=2, tasks_per_game=1)
    good = write_run(tmp_path / "good", frame, replays=2)
    bad = write_run(tmp_path / "bad", frame.with_columns(status=pl.lit("failed"), progress=pl.lit(None, pl.Float64)))
    for runs in ([good, bad], [bad, good]):
        index = build_report(runs, tmp_path / "site", episodes="all")
        assert "2 of 2 planned episodes (plays) finished" in index.read_text()
        assert len([*(tmp_path / "site/replay").iterdir()]) == 2


def test_damaged_episode_costs_only_its_replay(tmp_path):
    run = write_run(tmp_path / "run", sweep({"a": 0.4}, n_games=3, tasks_per_game=1), replays=3)
    file = sorted((tmp_path / "run/episodes").iterdir())[0]
    file.write_bytes(file.read_bytes()[:200])
    page = build_report([run], tmp_path / "site", episodes="all").read_text()
    assert "3 of 3 planned episodes (plays) finished" in page
    assert "labelled or counted: 1 episode" in page and file.name in page
    assert len([*(tmp_path / "site/replay").iterdir()]) == 2
    assert f"replay/{file.stem}.html" not in page


def study_with(tmp_path, missing: str, **cells: dict):
    parts = [
        sweep({"a": 0.4}, cell=c, n_games=3, tasks_per_game=2, **facts).with_columns(key=pl.col("key") + c)
        for c, facts in cells.items()
    ]
    frame = pl.concat(parts)
    run = write_run(tmp_path / "run", frame)
    lost = frame.filter(pl.col("cell") == missing)["key"].head(1).to_list()
    run.rewrite_results([r for r in run.results() if r.key not in lost])
    return run


def test_refused_cell_has_no_difference_and_no_curve(tmp_path):
    memory = {f"m{n}": {"memory_rounds": n} for n in (0, 1, 2)}
    run = study_with(tmp_path, "m0", **memory)
    build_report([run], tmp_path / "site")
    with (tmp_path / "site/tables/ablation-memory_rounds.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [r["memory rounds"] for r in rows] == ["1", "2"] and rows[0]["against first, points"] == ""
    assert all(float(r["s / step"]) > float(r["of which thinking"]) > 0 for r in rows)
    asked = build_report([run], tmp_path / "asked", allow_incomplete=True).read_text()
    assert "a (incomplete)" in asked
    slow = {f"l{ms}": {"timing": "realtime", "latency": f"fixed:{ms}"} for ms in (250, 1000)}
    run = study_with(tmp_path / "latency", "l250", **slow)
    assert "curve-timing" not in build_report([run], tmp_path / "curve").read_text()


def test_differences_have_counts_and_curves_have_names(tmp_path):
    cells = {"m0": {"repeats": 3}, "m1": {"memory_rounds": 1}, "slow": {"timing": "realtime", "latency": "fixed:500"}}
    run = study_with(tmp_path, "", **cells)
    page = build_report([run], tmp_path / "site").read_text()
    assert page.count("12 without partner") >= 2, "among all pairs, and along the axis"
    figures = (tmp_path / "site/data/figures.js").read_text()
    assert '"showlegend":true' in figures and '"name":"a \\u00b7 named controls"' in figures


def test_published_real_time_needs_published_conditions(tmp_path):
    def page(name: str, latency: str = "measured", **axes) -> bool:
        frame = sweep({"qwen3-vl-30b-a3b": 0.4}, n_games=2, timing="realtime", latency=latency)
        run = write_run(tmp_path / name, frame, axes={"timing": "realtime", "timing.latency": latency, **axes})
        return "s / step (published" in build_report([run], tmp_path / f"site-{name}").read_text()

    published = published_protocol().axes("semantic")
    assert published == {"sampling": "published", "memory_rounds": 2}
    assert page("same", **published)
    assert not page("slow", "fixed:250", **published)
    assert not page("forgetful", sampling="published")
    assert not page("warm", memory_rounds=2)


def test_hostile_text_is_never_markup(built):
    for file in built.site.rglob("*.html"):
        text = file.read_text()
        assert "<script>window.pwned" not in text and "<img src=x" not in text, file
    assert HOSTILE[:9] not in (built.site / "data/episodes.js").read_text()


def test_module_usage_of_multi_call_cells(tmp_path):
    run = asking_run(tmp_path / "run")
    build_report([run], tmp_path / "site", episodes="none")
    header, *rows = csv.reader((tmp_path / "site/tables/asked-table.csv").read_text().splitlines())
    assert header[:5] == ["cell", "model", "served model", "module", "calls"]
    assert [[*r[:2], *r[3:5]] for r in rows] == [
        ["a · thinks", "critic", "reflection", "4"],
        ["a · thinks", "a", "planning", "4"],
        ["a · thinks", "a", "", "4"],
    ]
    page = (tmp_path / "site/index.html").read_text()
    assert "Model calls by module" in page and "as reflection" in page and "price unknown" in page


def test_no_module_usage_for_single_calls(tmp_path):
    run = asking_run(tmp_path / "run")
    manifest = run.manifest()
    cells = tuple(c for c in manifest.cells if c.id != "thinks")
    episodes = manifest.episodes.select(lambda part: part.cell != "thinks")
    run.write_manifest(manifest.model_copy(update={"cells": cells, "episodes": episodes}))
    run.rewrite_results([r for r in run.results() if r.cell != "thinks"])
    build_report([run], tmp_path / "site", episodes="none")
    assert "Model calls by module" not in (tmp_path / "site/index.html").read_text()


def test_damaged_log_costs_only_its_replies(tmp_path):
    run = asking_run(tmp_path / "run")
    log = run.local_path / "replies" / "thinks-0.jsonl"
    log.write_text("nonsense\n" + log.read_text())
    build_report([run], tmp_path / "site", episodes="none")
    _, first, *_ = csv.reader((tmp_path / "site/tables/asked-table.csv").read_text().splitlines())
    assert first[:2] == ["a · thinks", "critic"] and first[3:5] == ["reflection", "2"]
    assert "labelled or counted: 1 episode" in (tmp_path / "site/index.html").read_text()
