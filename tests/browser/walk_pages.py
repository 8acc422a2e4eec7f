"""Every page of the console, found by following links."""

from __future__ import annotations

from tests.browser.areas import NO_FORMS, NO_PAGES, starts
from tests.browser.conftest import Browsing
from tests.browser.crawling import ROWS, crawl, row_of
from tests.browser.teahouse.opening import TeaHouse
from tests.browser.teahouse.settings import ACCOUNT

# What every page has: one first heading, names for its controls, captions of its tables.
_LACKS = """() => [
  ...[...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
    .filter((control) => !control.labels.length && !control.ariaLabel).map((each) => each.outerHTML),
  ...[...document.querySelectorAll("table")]
    .filter((table) => !table.caption?.textContent.trim()).map((each) => each.outerHTML.slice(0, 200)),
  ...(document.querySelectorAll("h1").length === 1 ? [] : ["one first heading"]),
]"""


def test_every_page_opens(browsing: Browsing, house: TeaHouse) -> None:
    """Links lead to every page of the table; each opens without an error, named and labelled."""
    console = browsing.console(house.service.token)
    crawled = crawl(console.page.context, *starts(house.service, ACCOUNT))
    lacks = {}
    for each in crawled.kinds(2):
        response = console.page.goto(each.address)
        assert response is not None
        assert response.ok, each.address
        lacks[each.address] = console.page.evaluate(_LACKS)

    found = {each.row.path for each in crawled.pages}
    assert {row.path for row in ROWS if row.method == "GET"} - NO_PAGES == found - NO_PAGES
    assert [] == crawled.unknown
    assert {} == {address: what for address, what in lacks.items() if what}


def test_a_form_is_taken_from_its_own_page_alone(browsing: Browsing, house: TeaHouse) -> None:
    """Links lead to every form that changes or asks for something; without its text each is 403."""
    console = browsing.console(house.service.token)
    crawled = crawl(console.page.context, *starts(house.service, ACCOUNT))
    answers = {}
    for action, form in crawled.posted().items():
        fields = {name: text for name, text in form.fields.items() if name != "csrf"}
        for sent in (fields, {**fields, "csrf": "0" * 64}):
            answers[action, len(sent)] = browsing.ask(console, "POST", action, **sent)

    rows = {row.path for action in crawled.posted() if (row := row_of("POST", action))}
    assert {row.path for row in ROWS if row.method == "POST"} - NO_FORMS == rows
    assert {403} == set(answers.values()), answers
