"""
Writes a picture of every page of the console into `docs/how-to/console/` (`make screenshots`).

The tea house is seeded, so its numbers are made up: no person has them.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tests.browser.chromium import chromium
from tests.browser.console import Console
from tests.browser.hands import Pointer
from tests.browser.teahouse.opening import TeaHouse, tea_house
from tests.browser.teahouse.settings import ACCOUNT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = Path(__file__).parents[2] / "docs/how-to/console"
MOST_BYTES = 150_000
_SIZE: Any = {"width": 1160, "height": 700}


def pages(house: TeaHouse) -> dict[str, str]:
    """Return what is pictured: the address of a page by the name of its picture."""
    admin = house.service.admin

    def first(path: str, what: str, **wanted: object) -> str:
        found = admin.get(f"/admin/v1/{path}", account=ACCOUNT, pageSize=100)["data"]
        fitting = (each for each in found if wanted.items() <= each.items())
        return str(next(fitting)[what])

    pin = first("verifications", "pinId", status="VERIFIED")
    message = first("messages", "messageId", channelType="rcs")
    return {
        "overview": "?range=30d",
        "verifications": "/verifications",
        "verification": f"/verifications/{pin}",
        "messages": "/messages",
        "message": f"/messages/{message}",
        "templates": "/templates",
        "template": f"/templates/rcs/{first('rcs-templates', 'id', name='spring')}",
        "channels": "/channels",
        "channel": f"/channels/{first('channel-accounts', 'id', name='First carrier')}",
        "callbacks": f"/callbacks/{first('callbacks', 'id')}",
        "guard": "/guard",
        "refused": "/guard/refused",
        "access": "/access/tokens",
        "evidence": "/evidence",
        "phones": "/phones",
    }


def take(browser: Browser, house: TeaHouse, folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(exist_ok=True)
    context = browser.new_context(
        base_url=house.service.address, viewport=_SIZE, reduced_motion="reduce"
    )
    page = context.new_page()
    Console(page, Pointer(page)).sign_in(house.service.token)
    for name, path in pages(house).items():
        page.goto(f"/console{path}{'&' if '?' in path else '?'}account={ACCOUNT}")
        page.evaluate("() => document.fonts.ready")
        picture = folder / f"{name}.png"
        page.screenshot(path=picture)
        size = picture.stat().st_size
        assert size <= MOST_BYTES, f"{picture.name} has {size} bytes; a page of docs loads slowly"
    context.close()


def main() -> None:
    """Open the tea house, and take the pictures."""
    from playwright.sync_api import sync_playwright

    with (
        TemporaryDirectory() as folder,
        tea_house(Path(folder)) as house,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium())
        take(browser, house, FOLDER)
        browser.close()


if __name__ == "__main__":
    main()
