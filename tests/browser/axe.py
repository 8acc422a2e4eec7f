"""Checks a page with axe-core, which `npm` brings (tools/browser)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

_SCRIPT = Path(__file__).parents[2] / "tools/browser/node_modules/axe-core/axe.min.js"
_SERIOUS = {"serious", "critical"}


def there_is_axe() -> bool:
    """Return whether npm brought axe-core."""
    return _SCRIPT.exists()


def serious_findings(page: Page, within: str = "html") -> list[str]:
    """Return what axe calls serious or critical on a page: the rule, the element, and the reason."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_script())
    answer: dict[str, Any] = page.evaluate(
        "(within) => axe.run(within, {resultTypes: ['violations'], preload: false})", within
    )
    return [
        f"{rule['id']}: {node['html'][:160]} ({_reason(node)})"
        for rule in answer["violations"]
        if rule["impact"] in _SERIOUS
        for node in rule["nodes"]
    ]


def _reason(node: dict[str, Any]) -> str:
    lines: list[str] = node.get("failureSummary", "").splitlines()
    return " ".join(each.strip() for each in lines[1:3])


@cache
def _script() -> str:
    return _SCRIPT.read_text()
