"""What the guard refuses and records of the sends of codes (C-76, C-77, C-102)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.application.guard.guarded_house import (
    FREE,
    NUMBER,
    GuardedHouse,
    enforced,
    recorded,
    unverified,
)
from tests.application.house import build_house
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import EventStore
from watchword.domain.channel import Channel
from watchword.domain.guard import (
    Budgeted,
    Countries,
    Mode,
    Moded,
    Sends,
    SendsFlagged,
    SendsRefused,
)
from watchword.domain.pin import PinIssued
from watchword.domain.rate_limit import Duration, Rate

HERE, ABROAD = "+447700900123", "+919812345610"
IMPOSSIBLE = "+447700900123456"


@pytest.fixture
async def guard() -> GuardedHouse:
    """Return an account whose policy counts nothing yet, on a store in memory."""
    return await GuardedHouse.on(await build_house())


def number(last: int) -> str:
    """Return a number of one prefix."""
    return f"+44770090{last:04}"


async def test_codes_that_nobody_verifies_are_refused_by_prefix(guard: GuardedHouse) -> None:
    """From one more than the limit on; numbers that differ before their last four digits go on."""
    await guard.put(unverified=unverified(prefix=enforced("3/1h")))
    told = [await guard.create(number(each)) for each in range(5)]

    assert ["unverified.prefix"] * 2 == told[3:]
    assert "unverified.prefix" not in told[:3]
    assert (await guard.create("+447700910000")).startswith("pin_")


async def test_codes_that_nobody_verifies_are_refused_by_country(guard: GuardedHouse) -> None:
    """All prefixes of a country count together."""
    await guard.put(unverified=unverified(country=enforced("2/1d")))
    told = [await guard.create(f"+44770{each}000000") for each in range(1, 4)]

    assert "unverified.country" == told[-1]
    assert (await guard.create(ABROAD)).startswith("pin_")


async def test_codes_that_nobody_verifies_are_refused_by_ip(guard: GuardedHouse) -> None:
    """An e-mail counts by it, too; a call without a context counts by no IP."""
    await guard.put(unverified=unverified(ip=enforced("2/1h")))
    told = [await guard.create(each, ip="203.0.113.9") for each in (HERE, ABROAD, "+33612345678")]

    assert "unverified.ip" == told[-1]
    assert (await guard.create(HERE)).startswith("pin_")
    assert (await guard.create(HERE, ip="203.0.113.10")).startswith("pin_")


async def test_a_verification_gives_back_what_its_pin_counted(guard: GuardedHouse) -> None:
    """All sends of the PIN, resends included; so honest people do not fill a budget."""
    await guard.put(unverified=unverified(prefix=enforced("2/1h")), verified_pass=None)
    pin = await guard.create(number(1))
    assert "sent" == await guard.resend(pin)
    assert "unverified.prefix" == await guard.create(number(2))

    assert "verified" == await guard.verify(pin)
    told = [await guard.create(number(each)) for each in (3, 4, 5)]
    assert ["unverified.prefix"] == [each for each in told if not each.startswith("pin_")]


async def test_a_resend_is_a_send(guard: GuardedHouse) -> None:
    """It counts, and is refused, like a create."""
    await guard.put(sends=Sends(account=enforced("2/1h")))
    pin = await guard.create()

    assert ["sent", "sends.account"] == [await guard.resend(pin), await guard.resend(pin)]
    assert "sends.account" == await guard.create(ABROAD)


async def test_each_channel_of_a_send_counts(guard: GuardedHouse) -> None:
    """A send on two channels counts in both, and is refused if one of them is full."""
    await guard.put(sends=Sends(channels={Channel.SMS: enforced("2/1h")}))
    both = (Channel.SMS, Channel.WHATSAPP)

    told = [await guard.create(channels=each) for each in (both, (Channel.SMS,), both)]

    assert "sends.channels" == told[-1]
    assert (await guard.create(channels=(Channel.WHATSAPP,))).startswith("pin_")


async def test_a_full_channel_flags_a_send_on_two(guard: GuardedHouse) -> None:
    """On the record the send goes on both, is flagged once, and counts where the limit is enforced."""
    limits: dict[str, Budgeted] = {
        Channel.SMS: recorded("1/1h"),
        Channel.WHATSAPP: enforced("2/1h"),
    }
    await guard.put(sends=Sends(channels=limits))
    both = (Channel.SMS, Channel.WHATSAPP)
    pins = [await guard.create(channels=both) for _ in range(2)]

    told = [await guard.event(each) for each in pins]
    assert [(), ("sends.channels",)] == [each.flags for each in told]
    assert [("sends.channels/1h",)] * 2 == [each.counted for each in told]
    assert "sends.channels" == await guard.create(channels=both)
    assert "sends.channels" == await guard.create(channels=(Channel.WHATSAPP,))
    assert (await guard.create(channels=(Channel.SMS,))).startswith("pin_")


async def test_a_recorded_rule_lets_a_send_through_and_says_so(guard: GuardedHouse) -> None:
    """Its event names the rule, and no budget on the record counts it: as under enforcement (D-390)."""
    await guard.put(
        unverified=unverified(prefix=recorded("1/1h")), sends=Sends(account=recorded("2/1h"))
    )
    pins = [await guard.create(number(each)) for each in range(3)]
    told: list[PinIssued] = [await guard.event(each) for each in pins]

    assert ("unverified.prefix/1h", "sends.account/1h") == told[0].counted
    assert [("unverified.prefix",)] * 2 == [each.flags for each in told[1:]]
    assert [()] * 2 == [each.counted for each in told[1:]]
    assert () == (await guard.event(await guard.create(ABROAD))).flags
    assert ("sends.account",) == (await guard.event(await guard.create("+33612345678"))).flags


async def test_a_flag_hides_no_send_from_an_enforced_rule(guard: GuardedHouse) -> None:
    """An attacker who earns a flag on purpose, by an IP or a number, is refused no later (D-412)."""
    await guard.put(
        numbers=Moded(mode=Mode.RECORD),
        unverified=unverified(prefix=enforced("20/1h"), ip=recorded("10/1h")),
        sends=Sends(account=enforced("30/1h")),
    )
    told = [await guard.create(number(each), ip="203.0.113.9") for each in range(22)]
    flagged = await guard.event(told[19])

    assert [("unverified.ip",), ("unverified.prefix/1h", "sends.account/1h")] == [
        flagged.flags,
        flagged.counted,
    ]
    assert ["unverified.prefix"] * 2 == told[20:]
    impossible = [await guard.create(f"{IMPOSSIBLE[:-2]}{each}") for each in range(10, 21)]
    assert ["sends.account"] == [each for each in impossible if not each.startswith("pin_")]


async def test_a_flagged_send_that_is_verified_is_given_back(guard: GuardedHouse) -> None:
    """What an enforced rule counted of it counts no more (D-412)."""
    await guard.put(
        unverified=unverified(prefix=enforced("2/1h"), ip=recorded("1/1h")), verified_pass=None
    )
    await guard.create(number(1), ip="203.0.113.9")
    flagged = await guard.create(number(2), ip="203.0.113.9")
    assert ("unverified.ip",) == (await guard.event(flagged)).flags
    assert "unverified.prefix" == await guard.create(number(3))

    assert "verified" == await guard.verify(flagged)

    assert (await guard.create(number(3))).startswith("pin_")


async def test_a_flag_ends_when_the_budget_is_free(guard: GuardedHouse) -> None:
    """What this process remembers of a full budget is only a hint (D-394)."""
    await guard.put(unverified=unverified(prefix=recorded("1/1h")), verified_pass=None)
    first = await guard.create(number(1))
    flagged = await guard.event(await guard.create(number(2)))
    assert ("unverified.prefix",) == flagged.flags

    await guard.other_node().guess(first, "wrong")
    code = guard.house.provider.messages[0].text
    assert "verified" == await guard.other_node().guess(first, code.split()[-1].rstrip("."))

    assert () == (await guard.event(await guard.create(number(3)))).flags


async def test_a_verified_number_passes(guard: GuardedHouse) -> None:
    """It is neither checked nor counted while the pass lasts, on a resend and another node, too."""
    await guard.put(unverified=unverified(prefix=enforced("1/1h")), verified_pass=Duration("2d"))
    assert "verified" == await guard.verify(await guard.create())
    elsewhere = guard.other_node()
    for node in (guard, elsewhere):
        pin = await node.create()
        assert ("sent", ()) == (await node.resend(pin), (await node.event(pin)).counted)
    assert (await guard.create(number(7))).startswith("pin_")
    assert "unverified.prefix" == await guard.create(number(8))

    guard.house.clock.move(2 * 86_400)
    assert ("unverified.prefix/1h",) == (await guard.event(await guard.create())).counted
    assert "unverified.prefix" == await elsewhere.create()


async def test_without_a_pass_a_verified_number_counts(guard: GuardedHouse) -> None:
    """`verifiedPass` null: everybody counts."""
    await guard.put(unverified=unverified(prefix=enforced("1/1h")), verified_pass=None)
    assert "verified" == await guard.verify(await guard.create())

    assert (await guard.create()).startswith("pin_")
    assert "unverified.prefix" == await guard.create()


async def test_a_number_that_cannot_exist_is_refused(guard: GuardedHouse) -> None:
    """Only while the rule is enforced; on the record it is flagged, and counts as a flagged send."""
    rules: dict[str, Any] = {"sends": Sends(account=recorded("9/1h"))}
    await guard.put(numbers=Moded(mode=Mode.ENFORCE), **rules)
    assert "numbers" == await guard.create(IMPOSSIBLE)

    await guard.put(numbers=Moded(mode=Mode.RECORD), **rules)
    told = await guard.event(await guard.create(IMPOSSIBLE))
    assert (("numbers",), ()) == (told.flags, told.counted)


async def test_a_country_that_the_account_does_not_send_to_is_refused(
    guard: GuardedHouse,
) -> None:
    """Of a create, and of a resend of a PIN from before the rule."""
    pin = await guard.create(ABROAD)
    await guard.put(countries=Countries(mode=Mode.ENFORCE, allow=frozenset(("GB",))))

    assert (await guard.create(HERE)).startswith("pin_")
    assert ["countries", "countries"] == [await guard.create(ABROAD), await guard.resend(pin)]


async def test_a_policy_counts_from_its_commit_on(guard: GuardedHouse) -> None:
    """A node that remembers the policy before it is refused by the store, and reads the new one."""
    elsewhere = guard.other_node()
    assert (await elsewhere.create(ABROAD)).startswith("pin_")
    refuse = Countries(mode=Mode.ENFORCE, refuse=frozenset(("IN",)))
    await guard.put(countries=refuse, unverified=unverified(prefix=enforced("1/1h")))

    assert "countries" == await elsewhere.create(ABROAD)
    assert (await elsewhere.create(number(1))).startswith("pin_")
    assert "unverified.prefix" == await elsewhere.create(number(2))
    await guard.put()
    assert (await elsewhere.create(ABROAD)).startswith("pin_")


async def test_the_first_rule_that_refuses_is_named(guard: GuardedHouse) -> None:
    """Destination, guesses, the template's rates, budgets (C-102)."""
    tight = FREE.__class__(
        pin_attempts=1,
        verify_pin_limit=Rate("1000/s"),
        send_pin_per_template_limit=Rate("1/1d"),
        resend_cooldown=Duration("0s"),
    )
    guard = await GuardedHouse.on(guard.house, tight)
    rules: dict[str, Any] = {
        "sends": Sends(account=enforced("1/1h")),
        "unverified": unverified(prefix=enforced("1/1h")),
    }
    await guard.put(**rules, guesses=enforced("1/1d"))
    pin = await guard.create()
    assert ["pin_incorrect", "pin_blocked"] == [await guard.guess(pin) for _ in range(2)]

    assert "guesses" == await guard.create()
    await guard.put(
        **rules,
        guesses=enforced("1/1d"),
        countries=Countries(mode=Mode.ENFORCE, refuse=frozenset(("GB",))),
    )
    assert "countries" == await guard.create()
    # A flag of the guesses hides no refusal behind it.
    await guard.put(**rules, guesses=recorded("1/1d"))
    assert "template" == await guard.create()
    await guard.put(**rules)
    assert "template" == await guard.create()
    free = await GuardedHouse.on(guard.house, FREE)
    await free.put(**rules)
    assert "unverified.prefix" == await free.create()
    assert "sends.account" == await free.create(ABROAD)


async def test_a_refused_send_leaves_nothing_behind(guard: GuardedHouse) -> None:
    """No event, no use of a rate, no message and no new person."""
    await guard.put(unverified=unverified(prefix=enforced("1/1h")))
    await guard.create()
    before = (await guard.house.store.newest(), len(guard.house.provider.messages))

    assert "unverified.prefix" == await guard.create(number(9))

    assert before == (await guard.house.store.newest(), len(guard.house.provider.messages))


async def test_what_the_guard_decides_is_counted(guard: GuardedHouse) -> None:
    """Refusals and flags are on the log once their minute has ended, by rule and subject."""
    await guard.put(unverified=unverified(prefix=enforced("1/1h")), numbers=Moded(mode=Mode.RECORD))
    for last in range(4):
        await guard.create(number(last))
    await guard.create(IMPOSSIBLE)
    guard.house.clock.move(60)
    await guard.house.service.recording_decisions.run_due()

    log = [each.event for each in await guard.house.store.read_log(0, 1_000)]
    told = [each for each in log if isinstance(each, SendsRefused | SendsFlagged)]
    assert {("unverified.prefix", "+44770090", 3), ("numbers", "+4477*********56", 1)} == {
        (each.rule, each.subject, each.count) for each in told
    }


async def test_names_of_budgets_show_no_number_and_no_ip(guard: GuardedHouse) -> None:
    """Neither the number, nor its prefix, nor the IP is in an event in clear (C-73)."""
    await guard.put(
        unverified=unverified(prefix=enforced("9/1h"), ip=enforced("9/1h")),
    )
    told = await guard.event(await guard.create(ip="203.0.113.9"))

    assert told.context_ip is not None
    assert "203" not in told.context_ip[:3]
    for each in (told.context_ip, *told.counted):
        assert NUMBER[1:] not in each
        assert "447700" not in each


async def test_ips_of_one_subscriber_count_together(guard: GuardedHouse) -> None:
    """An IPv6 address counts by its first half, and an IPv4 address in any spelling (D-391)."""
    await guard.put(unverified=unverified(ip=enforced("1/1h")))
    for ip, same in (
        ("2001:db8::1", "2001:DB8:0:0:ffff::2"),
        ("203.0.113.9", "::ffff:203.0.113.9"),
    ):
        assert (await guard.create(ip=ip)).startswith("pin_")
        assert "unverified.ip" == await guard.create(ip=same)
    assert (await guard.create(ip="2001:db8:0:1::1")).startswith("pin_")


async def test_a_send_reads_nothing_more_for_the_guard(tmp_path: Path) -> None:
    """Neither under a policy that is known nor without one: a create makes two appends, as ever."""
    inside = await SqliteEventStore.open(tmp_path / "store.db", vault=new_vault())
    house = await build_house(inside=inside)
    counting: dict[str, Any] = {
        "unverified": unverified(prefix=enforced("99/1h"), ip=recorded("99/1h"))
    }
    for rules in ({}, counting):
        guard = await GuardedHouse.on(house, FREE, **rules)
        await guard.create(ip="203.0.113.9")
        house.store.loaded.clear()
        appended = house.store.appended

        await guard.create(ip="203.0.113.9")

        assert {"guard", "pin_template"}.isdisjoint(house.store.loaded)
        assert appended + 2 == house.store.appended
    await inside.close()


async def test_a_guard_works_on_every_store(store: EventStore) -> None:
    """The same limits hold wherever the events are."""
    guard = await GuardedHouse.on(await build_house(inside=store))
    await guard.put(unverified=unverified(prefix=enforced("2/1h")), guesses=enforced("3/1d"))
    pin = await guard.create()
    told = [await guard.create(number(each)) for each in range(2)]

    assert "unverified.prefix" == told[-1]
    assert "verified" == await guard.verify(told[0])
    assert ["pin_incorrect"] * 3 == [await guard.guess(pin) for _ in range(3)]
    assert "pin_blocked" == await guard.guess(pin)
    assert "guesses" == await guard.create()
