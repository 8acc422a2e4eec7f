"""The overview says what became of the codes, in figures that the API gives too (C-80)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.entrypoints.caller import DESTINATION, Caller
from tests.entrypoints.console.tables import tables
from tests.entrypoints.console.visitor import Visitor
from watchword.domain.accounts.token_role import TokenRole

ConsoleAs = Callable[..., Awaitable[Visitor]]


async def figures_settle(caller: Caller, sent: int) -> None:
    """Let the worker count the log until the figures have so many sends."""
    data: list[dict[str, Any]] = []
    for _ in range(20):
        await caller.advance(1)
        data = (await caller.operated("GET", "/stats?by=day"))["data"]
        if sum(each["sent"] for each in data) >= sent:
            return
    raise AssertionError(data)


async def test_the_funnel_of_today_goes_from_the_send_to_the_verification(
    caller: Caller, console: Visitor
) -> None:
    """Each step and the table behind each plot have the figures of the statistics."""
    pin = await caller.created()
    await caller.created("+447700900123")
    await caller.verify(pin, await caller.code(DESTINATION))
    await figures_settle(caller, 2)

    page = await console.get("")
    found = tables(page)

    assert "Overview" == page.heading
    assert [
        ["Step", "Codes", "Part of all"],
        ["Sent", "2", "100 %"],
        ["Delivered", "0", "0 %"],
        ["Verified", "1", "50.0 %"],
    ] == found["Today UTC"]
    hours = found["Codes of each hour, today"]
    assert ["Hour", "Sent", "Delivered", "Verified"] == hours[0]
    assert [2, 0, 1] == [sum(int(row[column]) for row in hours[1:]) for column in (1, 2, 3)]
    countries = found["By country, today"]
    assert {("GB", "1"), ("IN", "1")} == {(row[0], row[1]) for row in countries[1:]}
    assert ["demo", "2"] == found["By template, today"][1][:2]


async def test_the_last_thirty_days_are_told_by_the_day(caller: Caller, console: Visitor) -> None:
    """A code of yesterday is in them, and not in today's; their funnel can be asked for by itself."""
    await caller.created()
    await caller.advance(24 * 3600)
    await figures_settle(caller, 1)

    today, month = await console.get(""), await console.get("?range=30d")
    later = await console.get("/overview/month", headers={"HX-Request": "true"})

    assert [["Step", "Codes", "Part of all"], ["No code was sent."]] == tables(today)["Today UTC"]
    assert ["Sent", "1", "100 %"] == tables(month)["Last 30 days"][1]
    days = tables(month)["Codes of each day, last 30 days"][1:]
    assert [30, "0", "1"] == [len(days), days[-1][1], days[-2][1]]
    assert {"Last 30 days": tables(month)["Last 30 days"]} == tables(later)
    assert "<html" not in later.html


async def test_the_funnel_of_thirty_days_needs_no_script(console: Visitor) -> None:
    """The page links to them, and what only scripts ask for leads to the whole page."""
    assert "/console?range=30d" in (await console.get("")).links
    assert "Overview" == (await console.get("/overview/month")).heading


async def test_a_span_of_one_s_own_can_be_asked_for(caller: Caller, console: Visitor) -> None:
    """It is read as the statistics read it; what is wrong with it stands beside its field."""
    await caller.created()
    await figures_settle(caller, 1)

    wide = await console.get("?from=2020-01-01&to=2022-01-01")
    wrong = await console.get("?from=soon")
    too_long = await console.get("?from=0001-01-01")
    empty = await console.get("?from=2031-05-04&to=2031-05-04")

    assert "2020-01-01 to 2022-01-01" in tables(wide)
    assert [400, 400, 400] == [each.status for each in (wrong, too_long, empty)]
    assert "must be an ISO 8601 time" in wrong.text
    assert "must be at most 1100 days before to" in too_long.text
    assert "must be later than from" in empty.text
    assert "Today UTC" in tables(wrong)


async def test_an_overview_without_codes_says_what_to_do_first(console: Visitor) -> None:
    """There is no empty plot; the channel accounts are there all the same."""
    page = await console.get("")

    assert "Nothing was sent in this span." in page.text
    assert "data-plot" not in page.html
    assert "sandbox sms" in page.text


async def test_the_health_of_channel_accounts_is_told(caller: Caller, console: Visitor) -> None:
    """Each has its breaker, its last send and the last receipt, as the process that answers knows them."""
    sms = await caller.channel("sms", {"outcome": "delivered"})
    template = await caller.with_template(sms)
    await template.created()
    await figures_settle(caller, 1)

    rows = tables(await console.get(""))["Health of channel accounts, as this process sees it"]
    used = next(row for row in rows if row[0].startswith("mood"))

    assert ["sms", "sandbox", "ok", "0"] == used[1:5]
    assert used[5].startswith("accepted 2")
    assert used[6].startswith("delivered 2")
    assert {"none yet"} == {cell for row in rows[2:] for cell in row[5:]}


async def test_an_account_sees_its_own_figures_alone(
    caller: Caller, console: Visitor, console_as: ConsoleAs
) -> None:
    """A bound token sees neither the sends nor the channel accounts of another account."""
    await caller.neighbour()
    await caller.created()
    await figures_settle(caller, 1)
    bound = await console_as(TokenRole.AUDITOR, "neighbour")

    theirs = await bound.get("")
    chosen = await console.get("?account=neighbour")

    assert "No code was sent." in tables(theirs)["Today UTC"][1]
    assert "sandbox sms" not in theirs.text
    assert tables(theirs).keys() == tables(chosen).keys()
    assert 404 == (await bound.get("?account=demo")).status


async def test_a_mark_up_in_a_name_is_a_text(caller: Caller, console: Visitor) -> None:
    """A template or a channel account that is named like an element is shown with its angle brackets."""
    name = "<img src=x onerror=alert(1)>"
    sms = {"channelType": "sms", "provider": "sandbox", "config": {}}
    await caller.operated("POST", "/channel-accounts", {"name": name, **sms})
    body = {"name": name, "channels": [{"channelType": "sms"}]}
    template = await caller.operated("POST", "/pin-templates", body)
    await caller.under(template["id"]).created()
    await figures_settle(caller, 1)

    page = await console.get("")

    assert "<img src=x" not in page.html
    assert 2 == page.html.count("&lt;img src=x onerror=alert(1)&gt;")
