"""What the browser offers to pages is reviewed: nothing new passes the stepped clock unseen.

`interfaces.txt` lists the classes that a page may use with their members, what it may use of the window and the
navigator, the methods that answer with promises, the CSS properties and the WebGL extensions. Using anything else marks
the episode. A new Chromium whose listed classes have more members, or that has more CSS, fails the test. Control what
depends on real time or on the machine in `gwray/sandbox/page/`, then write the list:
python tests/sandbox/test_platform.py
To let pages use a further class, first add a line with its name.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from gwray.records import PressKey, events
from gwray.sandbox import PageSource

LISTED = Path(__file__).resolve().parents[2] / "gwray/sandbox/page/interfaces.txt"
OFFERED = """(() => {
  const offered = { window: Object.getOwnPropertyNames(window), css: [...getComputedStyle(document.body)], webgl: [],
    navigator: Object.getOwnPropertyNames(Navigator.prototype), promises: [] };
  for (const kind of ['webgl', 'webgl2']) {
    const context = document.createElement('canvas').getContext(kind);
    if (context) offered.webgl.push(...context.getSupportedExtensions());
  }
  for (const name of offered.window) {
    const Class = Object.getOwnPropertyDescriptor(window, name).value;
    if (typeof Class !== 'function' || !Class.prototype) continue;
    offered[name] = [...Object.getOwnPropertyNames(Class.prototype), ...Object.getOwnPropertyNames(Class)];
    if (Class.prototype.constructor !== Class || name === 'Promise') continue;
    // A method that answers with a promise answers so to a wrong object, too; others throw.
    for (const [owner, self, between] of [[Class.prototype, {}, '.'], [Class, Class, '..']]) {
      for (const [member, how] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
        if (typeof how.value !== 'function' || member === 'constructor') continue;
        try {
          const made = how.value.call(self);
          if (!(made instanceof Promise)) continue;
          made.catch(() => {});
          offered.promises.push(name + between + member);
        } catch {}
      }
    }
  }
  return offered;
})()"""


def known() -> dict[str, set[str]]:
    return {name: {*members} for name, *members in map(str.split, LISTED.read_text().splitlines())}


async def offered_by(browser) -> dict[str, set[str]]:
    """Returns what a page finds of the listed interfaces, by class."""
    from sandbox.conftest import PAGES

    source = PageSource((("", PAGES),), "clock/order.html", "", 1, (320, 200), False, probe=(("offered", OFFERED),))
    lane = await browser.open(source)
    try:
        found = (await lane.read()).state["offered"]
    finally:
        await lane.close()
    offered = {name: {m for m in found[name] if " " not in m} for name in known().keys() & found.keys()}
    offered["promises"] = {m for m in found["promises"] if m.partition(".")[0] in offered}
    return offered


async def test_every_interface_of_the_browser_is_reviewed(browser):
    reviewed = known()
    found = await offered_by(browser)
    assert reviewed["version"] == {browser.version.partition(".")[0]}
    new = {name: sorted(members - reviewed[name]) for name, members in found.items()}
    assert {name: m for name, m in new.items() if m and name not in ("window", "navigator")} == {}
    assert len(found) > 300 and sum(map(len, found.values())) > 4000, "the page was read"


async def test_unreviewed_interfaces_of_another_version_are_marked(browser, monkeypatch, tmp_path):
    reviewed = {name: [*members] for name, members in known().items()} | {"version": ["1"]}
    del reviewed["Highlight"], reviewed["HTMLMeterElement"]
    reviewed["Element"].remove("checkVisibility")
    reviewed["window"] = [name for name in reviewed["window"] if name not in ("queueMicrotask", "external")]
    monkeypatch.setattr("gwray.sandbox.files._reviewed", lambda: reviewed)
    html = """<script>typeof Highlight; new Option(); gwray_of_the_page = () => {}; gwray_of_the_page()
      onkeydown = () => {
        new Highlight(); document.body.checkVisibility(); queueMicrotask(() => {}); external
        document.body.innerHTML = '<meter>'
      }</script>"""
    (tmp_path / "index.html").write_text(html)
    lane = await browser.open(
        PageSource((("", tmp_path),), "index.html", "", 1, (320, 200), False, probe=(("n", "0"),))
    )
    assert lane.diagnostics().irreproducible == ()
    await lane.step(events(PressKey(key="a"), 100), observe=True)
    names = ("Highlight", "Element.checkVisibility", "queueMicrotask", "external")
    element = "<meter> (the browser changes it in real time)"
    assert {*lane.diagnostics().irreproducible} == {*(f"{name} (not controlled)" for name in names), element}
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
        new = {**known(), **found}
        for name in ("window", "navigator"):
            new[name] = known()[name] & found[name]
        new["version"] = {browser.version.partition(".")[0]}
        lines = (f"{n} {' '.join(sorted(new[n]))}\n" for n in ("version", *sorted(new.keys() - {"version"})))
        LISTED.write_text("".join(lines))

    asyncio.run(write())
