"""A hundred stored texts that would do something, in every field that people and providers write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from markupsafe import escape

from tests.browser.conftest import Browsing
from tests.browser.console import Console
from tests.browser.crawling import Crawl, crawl
from tests.browser.payloads import PAYLOADS
from tests.browser.planting import ACCOUNT, Planting
from tests.browser.served import served
from tests.browser.teahouse.receiver import receiver
from tests.browser.watch import MARK, Watch

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_LISTS = (
    "verifications",
    "messages",
    "templates",
    "templates/rcs",
    "templates/whatsapp",
    "channels",
    "callbacks",
    "access/keys",
    "access/tokens",
    "access/users",
    "phones",
)
# Read by the browser's own parser: what our pages never have, so that a text must have made it.
_MADE = """([pages, mark]) => {
  const found = [];
  for (const [address, html] of pages) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const strange = [...page.querySelectorAll(
      `[${mark}], [style], [autofocus]:not(input), iframe, object, embed, base, style, marquee, video,
       audio, math, meta[http-equiv], script:not([src^="/console/static/"]), svg script,
       [href^="javascript:" i], [action^="javascript:" i], [formaction^="javascript:" i]`)];
    for (const element of page.querySelectorAll("*")) {
      if ([...element.attributes].some((each) => /^(on|hx-on)/i.test(each.name))) strange.push(element);
    }
    found.push(...strange.map((each) => `${address}: ${each.outerHTML.slice(0, 200)}`));
  }
  return found;
}"""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planting]:
    """Yield a service in which the texts stand in every field."""
    folder = tmp_path_factory.mktemp("planted")
    with receiver() as address, served(folder, "--allow-private-urls") as service:
        planting = Planting(service, address)
        planting.everywhere()
        yield planting


@pytest.fixture(scope="module")
def reader(browser: Browser, planted: Planting) -> Iterator[Console]:
    """Yield a console at which an admin looks at what was planted."""
    watch = Watch(planted.service.address)
    browsing = Browsing(browser, planted.service, watch)
    yield browsing.console(planted.service.token)
    browsing.close()
    watch.saw_nothing()


@pytest.fixture(scope="module")
def crawled(reader: Console) -> Crawl:
    """Return all pages about what was planted."""
    lists = (f"/console/{each}?account={ACCOUNT}&pageSize=100" for each in _LISTS)
    return crawl(reader.page.context, f"/console?account={ACCOUNT}", *lists, of_each=len(PAYLOADS))


def test_the_texts_stand_in_every_field(planted: Planting) -> None:
    """Nearly all fields take nearly all of them; what has a form of its own refuses a few."""
    assert len(planted.stored) == 22
    assert {} == {field: many for field, many in planted.stored.items() if many < 98}


def test_no_text_becomes_a_part_of_a_page(reader: Console, crawled: Crawl) -> None:
    """In no page does the browser read an element, a handler or an address that a text made."""
    made = []
    for at in range(0, len(crawled.pages), 50):
        pages = [(each.address, each.text) for each in crawled.pages[at : at + 50]]
        made += reader.page.evaluate(_MADE, [pages, MARK])

    assert len(crawled.pages) > 1000
    assert {200} == {each.status for each in crawled.pages}
    assert [] == made, "\n".join(made)


def test_no_text_runs(reader: Console, crawled: Crawl) -> None:
    """The lists with all hundred, and pages of every kind, open without an execution or a report."""
    lists = [each for each in crawled.pages if "pageSize=100" in each.address]
    for each in (*lists, *crawled.kinds()):
        reader.page.goto(each.address)
        reader.page.locator("h1").hover()

    shown = "".join(each.text for each in crawled.pages)
    assert {} == {text: 0 for text in PAYLOADS if escape(text) not in shown}


# Forms that answer with what was written: each with its field, and what else stands there.
_WRITTEN: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("templates/pin/draft", "name", {}),
    ("templates/drafts/rcs", "data", {}),
    ("templates/drafts/whatsapp", "data", {}),
    ("channels/new?channelType=sms&provider=http", "name", {}),
    ("callbacks/new", "url", {}),
    ("guard/rules/sends.account", "sends.account.limit", {"sends.account.mode": "record"}),
    ("access/keys/new", "name", {"expiresAt": "soon"}),
    ("access/tokens/new", "name", {"expiresAt": "soon", "role": "auditor"}),
    ("access/users/new", "email", {}),
    ("evidence/check", "proof", {}),
    ("phones/find", "destination", {}),
    ("phones/write", "from", {"channel": "sms", "to": "PLANT", "text": "Tea?"}),
)


def test_a_text_that_was_written_into_a_form_comes_back_as_text(reader: Console) -> None:
    """A search, a draft and a refused form show what was typed, and run none of it."""
    csrf = reader.page.locator("input[name=csrf]").first.input_value()
    pages: list[tuple[str, str]] = []
    lost: Counter[str] = Counter()
    for path, name, more in _WRITTEN:
        address = f"/console/{path}{'&' if '?' in path else '?'}account={ACCOUNT}"
        for text in PAYLOADS:
            answer = reader.page.context.request.post(
                address, form={"csrf": csrf, **more, name: text}
            )
            assert answer.status in (200, 400), (path, text)
            pages.append((path, answer.text()))
            lost[path] += escape(text) not in pages[-1][1]
    made = reader.page.evaluate(_MADE, [pages, MARK])

    assert [] == made, "\n".join(made)
    assert 0 == lost.total(), lost
    for text in PAYLOADS[:: len(PAYLOADS) // 10]:
        reader.page.goto(
            f"/console/verifications?account={ACCOUNT}&{urlencode({'referenceId': text})}"
        )
        assert text == reader.page.get_by_label("Reference").input_value()
