"""Whether people who see a page badly, or not at all, can use it: axe-core's rules, from the package that brings it."""

import json
from importlib.resources import files

from playwright.async_api import Page

AXE = files("axe_playwright_python").joinpath("axe.min.js")
RUN = """async ([theme, only]) => {
  document.documentElement.dataset.theme = theme;
  for (const closed of document.querySelectorAll("details")) closed.open = true;
  const how = { resultTypes: ["violations"], iframes: false, preload: false, ...(only && { runOnly: [only] }) };
  return JSON.stringify((await axe.run(how)).violations);
}"""


async def barriers(page: Page) -> list[str]:
    """Returns the violations that axe-core rates serious or critical, with everything unfolded, in both themes: rule,
    element and what to do. Themes differ in colours only."""
    await page.evaluate(AXE.read_text())  # not as a script of the page: its policy lets no others run
    found = []
    for theme, only in (("light", None), ("dark", "color-contrast")):
        for rule in json.loads(await page.evaluate(RUN, [theme, only])):
            if rule["impact"] in ("serious", "critical"):
                found += [f"{theme}: {rule['id']}: {n['html'][:160]}: {n['failureSummary']}" for n in rule["nodes"]]
    return found
