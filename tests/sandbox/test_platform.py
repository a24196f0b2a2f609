"""What the browser offers to pages is reviewed: nothing new passes the stepped clock unseen.

`interfaces.txt` lists the globals, and the members of all classes that `platform.js` allows, with their event handlers,
and the CSS properties and WebGL extensions. A new Chromium that offers more fails the test. Control or refuse what
depends on real time or on the machine in `gwray/sandbox/page/`, then write the list:
python tests/sandbox/test_platform.py
"""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from gwray.records import PressKey, events
from gwray.sandbox import PageSource

PLATFORM = Path(__file__).resolve().parents[2] / "gwray" / "sandbox" / "page" / "platform.js"
LISTED = PLATFORM.with_name("interfaces.txt")
OFFERED = """(() => {
  const offered = { window: [], css: [...getComputedStyle(document.body)], webgl: [] };
  for (const kind of ['webgl', 'webgl2']) {
    const context = document.createElement('canvas').getContext(kind);
    if (context) offered.webgl.push(...context.getSupportedExtensions());
  }
  for (const name of Object.getOwnPropertyNames(window)) {
    const Class = Object.getOwnPropertyDescriptor(window, name).value;
    if (typeof Class !== 'function' || !Class.prototype) offered.window.push(name);
    else offered[name] = [...Object.getOwnPropertyNames(Class.prototype), ...Object.getOwnPropertyNames(Class)];
  }
  offered.navigator = Object.getOwnPropertyNames(Navigator.prototype);
  return offered;
})()"""


def is_allowed(name: str) -> bool:
    """Whether `platform.js` lets a page use a class; any use of another one is marked."""
    text = PLATFORM.read_text()
    begins = re.findall(r"'([^']+)'", text.partition("ALLOWED_BEGINNINGS = [")[2].partition("]")[0])
    allowed, refused = (
        set(text.partition(f"const {which} = new Set(`")[2].partition("`")[0].split())
        for which in ("ALLOWED_CLASSES", "REFUSED_CLASSES")
    )
    if name[0].islower() or name in allowed:  # lower case: what the window, the navigator, CSS and WebGL offer
        return True
    return name not in refused and (name.endswith("Event") or name.startswith(tuple(begins)))


def known() -> dict[str, set[str]]:
    return {name: {*members} for name, *members in map(str.split, LISTED.read_text().splitlines())}


async def offered_by(browser) -> dict[str, set[str]]:
    """Returns the names that a page finds, by class."""
    from sandbox.conftest import PAGES

    source = PageSource((("", PAGES),), "clock/order.html", "", 1, (320, 200), False, probe=(("offered", OFFERED),))
    lane = await browser.open(source)
    try:
        state = (await lane.read()).state
    finally:
        await lane.close()
    ours = {"log", "now", "__gwray_frame"}
    return {
        n: {m for m in members if not (n == "window" and m in ours) and " " not in m}
        for n, members in state["offered"].items()
        if is_allowed(n)
    }


async def test_every_interface_of_the_browser_is_reviewed(browser):
    reviewed = known()
    found = await offered_by(browser)
    assert reviewed["version"] == {browser.version.partition(".")[0]}
    new = {name: sorted(members - reviewed.get(name, set())) for name, members in found.items()}
    assert {name: members for name, members in new.items() if members or name not in reviewed} == {}
    assert len(found) > 300 and sum(map(len, found.values())) > 4000, "the page was read"


async def test_pages_find_only_reviewed_interfaces(browser, monkeypatch, tmp_path):
    """A Chromium of another version than the reviewed one offers no more than that one."""
    reviewed = {name: [*members] for name, members in known().items()} | {"version": ["1"]}
    del reviewed["Highlight"], reviewed["HTMLMeterElement"]
    reviewed["Element"].remove("checkVisibility")
    reviewed["window"].remove("queueMicrotask")
    monkeypatch.setattr("gwray.sandbox.files._reviewed", lambda: reviewed)
    gone = ("window.Highlight", "HTMLMeterElement", "Element.prototype.checkVisibility", "window.queueMicrotask")
    kept = ("window.Option", "window.Range", "Element.prototype.closest", "Date.now", "window.gwray_of_the_page")
    probe = tuple((f"f{i}", f"typeof {name}") for i, name in enumerate((*gone, *kept)))
    html = "<script>gwray_of_the_page = () => {}; setTimeout(() => { document.body.innerHTML = '<meter>' })</script>"
    (folder := tmp_path / "page").mkdir()
    (folder / "index.html").write_text(html)
    lane = await browser.open(PageSource((("", folder),), "index.html", "", 1, (320, 200), False, probe=probe))
    state = (await lane.read()).state
    assert [state[f"f{i}"] for i in range(len(gone))] == ["undefined"] * len(gone)
    assert [state[f"f{i + len(gone)}"] for i in range(len(kept))] == ["function"] * len(kept)
    await lane.step(events(PressKey(key="a"), 100), observe=True)
    assert lane.diagnostics().irreproducible == ("<meter> (the browser changes it in real time)",)
    await lane.close()


async def test_bubble_at_an_invalid_field_is_not_drawn(browser, tmp_path):
    html = "<form><input required></form><script>onkeydown = () => document.forms[0].reportValidity()</script>"
    (tmp_path / "index.html").write_text(html)
    probe = (("none", "0"),)
    lane = await browser.open(PageSource((("", tmp_path),), "index.html", "", 1, (320, 200), False, probe=probe))
    frames = [await lane.observe()]
    for _ in range(3):
        frames.append((await lane.step(events(PressKey(key="a"), 100), observe=True))[1])
    assert len({f.data for f in frames}) == 1
    await lane.close()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

    async def write() -> None:
        from gwray.sandbox import Browser

        browser = await Browser.launch()
        try:
            found = await offered_by(browser)
        finally:
            await browser.close()
        lines = (f"{n} {' '.join(sorted(m))}\n" for n, m in sorted(found.items()))
        LISTED.write_text(f"version {browser.version.partition('.')[0]}\n" + "".join(lines))

    asyncio.run(write())
