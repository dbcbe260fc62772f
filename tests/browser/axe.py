"""What axe-core finds on a page, in both themes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "client/node_modules/axe-core/axe.min.js"
# The structure is the same in both themes: only the colours are looked at again.
_RUN = """async () => {
  const root = document.documentElement
  const asked = root.dataset.theme
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  const violations = []
  for (const theme of dark ? ['dark', 'light'] : ['light', 'dark']) {
    root.dataset.theme = theme
    const colours = {runOnly: {type: 'rule', values: ['color-contrast']}}
    const results = await axe.run(document, {
      resultTypes: ['violations'], ...(violations.length ? colours : {})})
    violations.push({theme, rules: results.violations})
  }
  root.dataset.theme = asked
  return violations
}"""


def findings(page: Page) -> list[str]:
    """What axe-core finds that is serious or critical, in the page's theme and in the other."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # not as a script: the page's policy allows no foreign ones
    results: list[Any] = page.evaluate(_RUN)
    return [
        f"{result['theme']}: {rule['id']}: {node['html'][:160]} {node['failureSummary']}"
        for result in results
        for rule in result["rules"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
