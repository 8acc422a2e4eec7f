"""What a page shows is what the token may see: its account's records, and for most auditors masked (C-84)."""

from __future__ import annotations

import pytest
from attrs import evolve

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.conftest import ConsoleAs
from tests.entrypoints.http.roles.houses import House, delivered, furnished
from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.console.page import Page
from watchword.entrypoints.console.pages import PAGES
from watchword.entrypoints.http.route import About
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

STORES = ("memory",)
# The records that paths of pages name, by what stands before their parameters.
RECORDS = {
    "access/keys/{id}": "api-keys:id",
    "access/users/{id}": "legacy-users:id",
    "callbacks/{id}": "callbacks:id",
    "deliveries/{deliveryId}": "deliveries:deliveryId",
    "channels/{id}": "channel-accounts:id",
    "templates/pin/{id}": "pin-templates:id",
    "templates/rcs/{id}": "rcs-templates:id",
    "templates/whatsapp/{id}": "wa-templates:id",
    "verifications/{id}": "verifications:id",
    "messages/{id}": "messages:id",
}
OF_ACCOUNTS = tuple(
    each
    for each in PAGES
    # A rule of the guard is no record.
    if each.about is About.ACCOUNT and "{rule}" not in each.path
)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Return settings with which endpoints may have private addresses."""
    return evolve(settings, allow_private_urls=True)


@pytest.fixture
async def houses(caller: Caller, service: Wired) -> tuple[House, House]:
    """Return two accounts that have a record of each kind."""
    orchid = await furnished(caller, service, "orchid", "+4477009001")
    lotus = await furnished(caller, service, "lotus", "+4477009002")
    await caller.advance(60)
    return await delivered(caller, service, orchid), await delivered(caller, service, lotus)


def path_of(page: Page, house: House) -> str:
    """Return the path of a page about the records of a house."""
    path = page.path
    for named, record in RECORDS.items():
        path = path.replace(named, named.partition("{")[0] + house.ids[record])
    assert "{" not in path, f"{page.path} names a record of a kind that has no line here"
    return path


async def test_records_of_another_account_have_no_page(
    console_as: ConsoleAs, houses: tuple[House, House]
) -> None:
    """Each page and each form about one is 404 to a bound token, also an admin's."""
    own, other = houses
    bound = await console_as(TokenRole.ADMIN, own.name)
    found = {}
    for page in OF_ACCOUNTS:
        if "{" in page.path:
            ask = bound.get if page.method == "GET" else bound.post
            answer = await ask(path_of(page, other))
            found[f"{page.method} {page.path}"] = answer.status
    assert {404} == set(found.values()), found


async def test_no_page_shows_anything_of_another_account(
    console_as: ConsoleAs, houses: tuple[House, House]
) -> None:
    """Neither in lists, nor in menus; and none of its own records is missing its page."""
    own, other = houses
    bound = await console_as(TokenRole.ADMIN, own.name)
    shown = []
    for page in OF_ACCOUNTS:
        if page.method == "GET":
            answer = await bound.get(path_of(page, own))
            assert answer.status not in (403, 404), (page.path, answer.text)
            shown += [(page.path, mark) for mark in other.marks if mark in answer.html]
    assert [] == shown


async def test_another_account_cannot_be_chosen(
    console_as: ConsoleAs, houses: tuple[House, House]
) -> None:
    """By its name or id in the address of any page."""
    own, other = houses
    bound = await console_as(TokenRole.AUDITOR, own.name)
    for page in OF_ACCOUNTS:
        if page.method == "GET" and "{" not in page.path and page.needs is TokenRole.AUDITOR:
            for account in (other.name, other.account_id):
                assert 404 == (await bound.get(f"{page.path}?account={account}")).status, page.path


async def test_an_auditor_sees_nobodys_number(
    console_as: ConsoleAs, houses: tuple[House, House]
) -> None:
    """On no page, of lists or of records, whose masked members the API masks too."""
    own, _ = houses
    auditor = await console_as(TokenRole.AUDITOR)
    clear = await console_as(TokenRole.AUDITOR, clear=True)
    shown, seen = [], set()
    for page in PAGES:
        if page.method == "GET" and page.needs is TokenRole.AUDITOR and page.about is About.ACCOUNT:
            path = path_of(page, own)
            masked, whole = await auditor.get(path), await clear.get(path)
            shown += [(page.path, each) for each in own.private if each in masked.html]
            seen |= {each for each in own.private if each in whole.html}
    assert [] == shown
    # Not nothing but masks: the same pages show it to a clear token.
    assert seen
