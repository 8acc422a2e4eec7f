"""A guard policy is replayed in the console, and put in force from there (C-78)."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlencode

from tests.entrypoints.caller import Caller
from tests.entrypoints.console.tables import tables
from tests.entrypoints.console.visitor import Visitor

SCRIPT = {"HX-Request": "true"}
FROM = "2020-01-01T00:00"
STRICT = {"unverified.prefix.mode": "enforce", "unverified.prefix.limit": "2/1h"}


async def sends(caller: Caller) -> None:
    """Send to three numbers of one prefix, and have the last one verify."""
    first, second, last = (f"+9891234510{each}1" for each in range(3))
    for each in (first, second):
        await caller.created(each)
    await caller.verify(await caller.created(last), await caller.code(last))


def asked(**fields: str) -> str:
    """Return the address of a replay."""
    return f"/guard/replay?{urlencode({'from': FROM, **fields})}"


async def test_the_result_has_the_figures_of_the_api(caller: Caller, console: Visitor) -> None:
    """Of three sends the policy refuses one, which was verified later; the address can be shared."""
    await sends(caller)

    page = await console.get(asked(**STRICT))
    found = tables(page)

    assert (
        "Of 3 sends the policy would have refused 1 (33.3 %), of which 1 verified later"
        in page.text
    )
    assert ["2", "0", "1"] == found["Sends of each day under the policy"][1][1:]
    assert ["IR", "3", "1", "33.3 %", "1"] == found["By country"][1]
    assert ["+98912345", "3", "1", "33.3 %", "1"] == found["By prefix"][1]
    assert "2/1h" == page.values["unverified.prefix.limit"]


async def test_the_form_begins_with_the_policy_that_holds(caller: Caller, console: Visitor) -> None:
    """It offers the same policy with every rule enforced that is on record."""
    await caller.operated("PUT", "/guard?account=demo", {"guesses": {"limit": "7/1h"}})

    page = await console.get("/guard/replay")

    assert "7/1h" == page.values["guesses.limit"]
    assert "The result" not in page.text
    (strict,) = [link for link in page.links if "guesses.mode=enforce" in link]
    assert "Of 0 sends" in (await console.get(strict.removeprefix("/console"))).text


async def test_a_policy_that_was_tried_is_put_in_force(caller: Caller, console: Visitor) -> None:
    """The whole policy replaces the one that holds, with the fields that were replayed."""
    await caller.operated("PUT", "/guard?account=demo", {"guesses": {"mode": "off"}})
    fields = {**STRICT, "countries.mode": "enforce", "countries.list": "refuse"}
    page = await console.get(asked(**fields, **{"countries.codes": "ir, GB"}))
    hidden = dict(re.findall('type="hidden" name="([^"]+)" value="([^"]*)"', page.html))

    done = await console.post("/guard/policy", hidden)

    assert "/console/guard?done=changed" == done.url
    policy = await caller.operated("GET", "/guard?account=demo")
    assert {"mode": "enforce", "refuse": ["GB", "IR"]} == policy["countries"]
    assert {"mode": "record", "limit": "50/1d"} == policy["guesses"]


async def test_what_is_wrong_with_a_replay_stands_beside_its_field(console: Visitor) -> None:
    """A wrong time and a wrong policy are said at once, and nothing is replayed."""
    page = await console.get(
        f"/guard/replay?from=soon&{urlencode({**STRICT, 'numbers.mode': 'x'})}"
    )
    late = await console.get(asked(to="2019-01-01T00:00"))

    assert 400 == page.status
    assert "must be an ISO 8601 time" in page.text
    assert "must be one of off, record, enforce" in page.text
    assert "The result" not in page.text
    assert (400, True) == (late.status, "must be later than from" in late.text)


async def test_sends_that_were_refused_are_on_no_record(caller: Caller, console: Visitor) -> None:
    """The page says that its figures are too low where the guard refused at the time."""
    prefix = {"mode": "enforce", "limit": "1/1h"}
    await caller.operated("PUT", "/guard?account=demo", {"unverified": {"prefix": prefix}})
    await sends_refused(caller)

    page = await console.get(asked(**STRICT))

    assert "The guard refused at least 1 call at the time," in page.text


async def sends_refused(caller: Caller) -> None:
    """Send to two numbers of a prefix that may have one unverified code."""
    await caller.created("+989123451001")
    assert 429 == (await caller.create("+989123451011")).status
    await caller.advance(60)


async def test_a_rule_that_an_address_leaves_out_has_its_default(console: Visitor) -> None:
    """The form says what was replayed, also of rules that the address does not name."""
    page = await console.get(asked(**STRICT))

    assert ("50/1d", "90d") == (page.values["guesses.limit"], page.values["verifiedPass"])
    assert "guesses.mode=enforce" in " ".join(page.links)


async def test_a_script_sees_how_far_a_replay_is(caller: Caller, console: Visitor) -> None:
    """It gets a piece of a page that listens to a stream, whose last event is the result."""
    await sends(caller)
    piece = await console.get(asked(**STRICT), headers=SCRIPT)
    (address,) = re.findall('sse-connect="/console([^"]+)"', piece.html)

    stream = await console.get(unescape(address))

    assert "<html" not in piece.html
    assert "text/event-stream" in stream.headers["Content-Type"]
    events = [each.partition("\n") for each in stream.html.strip().split("\n\n")]
    names = [name.removeprefix("event: ") for name, _, _ in events]
    assert ["result", "end"] == names[-2:]
    assert {"progress"} == set(names[:-2])
    assert "100 % of the log" in events[-3][2]
    result = events[-2][2]
    assert all(line.startswith("data: ") for line in result.splitlines())
    assert "the policy would have refused <b>1</b>" in result
    assert "/console/guard/policy" in result


async def test_a_script_is_led_to_the_page_that_says_what_is_wrong(console: Visitor) -> None:
    """A piece of a page has no fields to say it beside."""
    piece = await console.get("/guard/replay?from=soon", headers=SCRIPT)

    assert "/console/guard/replay?from=soon" == piece.headers["HX-Redirect"]
    assert 400 == (await console.get("/guard/replay/live?from=soon")).status
