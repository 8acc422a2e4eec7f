"""Failover: another account of the customer sends where one could not (C-69)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from attrs import evolve, frozen
from msgspec.structs import replace

from tests.application.house import House
from tests.application.provider_calls.lines import TIMEOUT, Script, lines, skipping, unveiled
from watchword.application.journal import Journal
from watchword.application.ports.channels import Accepted, Fault, Rejected, Unknown
from watchword.application.ports.event_store import Loaded
from watchword.application.provider_calls import ProviderCalls
from watchword.domain.accounts.channel_account import ChannelLimits
from watchword.domain.decider import Decider
from watchword.domain.price import Price

TAKEN = ("b", "accepted", None)
CUT = Unknown(message="The connection was cut.")


def refusal(fault: Fault) -> Rejected:
    """Refuse a message for this fault."""
    return Rejected(f"vendor_{fault}", "No.", fault)


@frozen
class Row:
    """One row of the table: what `a` answers, and whether `b` is asked then."""

    name: str
    said: Script
    status: str
    code: str
    passed_on: bool
    code_of_pin: bool = False
    on_unknown: bool | None = None


TABLE = (
    Row("away", refusal(Fault.AWAY), "rejected", "vendor_away", passed_on=True),
    Row("busy", refusal(Fault.BUSY), "rejected", "vendor_busy", passed_on=True),
    Row("account", refusal(Fault.ACCOUNT), "rejected", "vendor_account", passed_on=True),
    Row("recipient", refusal(Fault.RECIPIENT), "rejected", "vendor_recipient", passed_on=False),
    Row("content", refusal(Fault.CONTENT), "rejected", "vendor_content", passed_on=False),
    Row("unknown message", CUT, "unknown", "provider_unknown", passed_on=False),
    Row("failing adapter", ValueError("?"), "unknown", "provider_unknown", passed_on=False),
    Row("silence, message", None, "unknown", "provider_timeout", passed_on=False),
    Row(
        "unknown message, on",
        CUT,
        "unknown",
        "provider_unknown",
        passed_on=True,
        on_unknown=True,
    ),
    Row("unknown code", CUT, "unknown", "provider_unknown", passed_on=True, code_of_pin=True),
    Row("silence, code", None, "unknown", "provider_timeout", passed_on=True, code_of_pin=True),
    Row(
        "unknown code, off",
        CUT,
        "unknown",
        "provider_unknown",
        passed_on=False,
        code_of_pin=True,
        on_unknown=False,
    ),
)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_the_answer_decides_whether_another_account_is_asked(row: Row) -> None:
    """Row by row: the outcome is that of the account that took it, and `tried` has every attempt."""

    async def story() -> None:
        asked = await lines(failover="b", on_unknown=row.on_unknown, scripts={"a": [row.said]})
        outcome = await asked.send(code=row.code_of_pin)
        first = ("a", row.status, row.code)
        expected = (
            ("b", "accepted", [first, TAKEN]) if row.passed_on else ("a", row.status, [first])
        )

        assert expected == asked.told(outcome)
        assert (["a", "b"] if row.passed_on else ["a"]) == asked.asked

    skipping(story())


def test_nothing_is_noted_where_the_first_account_took_it() -> None:
    """`tried` is empty, and the other account is not asked."""

    async def story() -> None:
        asked = await lines(failover="b")

        assert ("a", "accepted", []) == asked.told(await asked.send())
        assert ["a"] == asked.asked

    skipping(story())


def test_an_account_without_failover_tells_only_its_outcome() -> None:
    """No other could be tried, so the outcome says it all (D-225)."""

    async def story() -> None:
        asked = await lines(scripts={"a": [refusal(Fault.AWAY)]})

        assert ("a", "rejected", []) == asked.told(await asked.send())

    skipping(story())


def test_each_account_sends_in_its_own_name() -> None:
    """A number of one provider is nobody's at another."""

    async def story() -> None:
        asked = await lines(failover="b", scripts={"a": [refusal(Fault.AWAY)]})
        await asked.send()

        assert ["FROMA", "FROMB"] == [each.sender for each in asked.provider.messages]
        assert {"msg_1"} == {each.reference for each in asked.provider.messages}

    skipping(story())


def test_accounts_are_asked_in_order_until_one_takes_it() -> None:
    """Every attempt is noted, in order."""

    async def story() -> None:
        away = refusal(Fault.AWAY)
        asked = await lines(failover="bc", scripts={"a": [away], "b": [refusal(Fault.BUSY)]})

        assert (
            "c",
            "accepted",
            [
                ("a", "rejected", "vendor_away"),
                ("b", "rejected", "vendor_busy"),
                ("c", "accepted", None),
            ],
        ) == asked.told(await asked.send())

    skipping(story())


def test_an_unknown_attempt_is_followed_by_one_other_at_most() -> None:
    """A third message would be paid for a recipient who may have two."""

    async def story() -> None:
        asked = await lines(failover="bc", scripts={"a": [CUT], "b": [CUT]})
        outcome = await asked.send(code=True)

        assert ["a", "b"] == asked.asked
        assert ("b", "unknown") == asked.told(outcome)[:2]

    skipping(story())


def test_what_may_have_arrived_stands_before_a_rejection() -> None:
    """The code of the first account may be on its way, whatever the second says (D-225)."""

    async def story() -> None:
        rejected = refusal(Fault.RECIPIENT)
        asked = await lines(
            failover="b",
            scripts={"a": [Unknown("provider_unknown", "Cut.", "chosen-1")], "b": [rejected]},
        )
        outcome = await asked.send(code=True)

        assert (
            "a",
            "unknown",
            [("a", "unknown", "provider_unknown"), ("b", "rejected", "vendor_recipient")],
        ) == asked.told(outcome)
        assert "chosen-1" == outcome.provider_message_id

    skipping(story())


def test_a_disabled_account_is_passed_over() -> None:
    """It sends nothing; without another, it rejects."""

    async def story() -> None:
        asked = await lines(failover="b")
        await asked.house.service.revising_channel_accounts.disable(asked.house.by, asked.ids["a"])
        outcome = await asked.send()

        assert ("b", "accepted", [("a", "rejected", "channel_disabled"), TAKEN]) == asked.told(
            outcome
        )
        assert ["b"] == asked.asked

        await asked.house.service.revising_channel_accounts.disable(asked.house.by, asked.ids["b"])
        alone = await asked.send("b")

        assert ("rejected", "channel_disabled") == (str(alone.status), alone.error_code)

    skipping(story())


def test_all_attempts_end_within_one_time_out() -> None:
    """The first has 0.6 of the time, so that a silent provider leaves some for the next."""

    async def story() -> None:
        asked = await lines(failover="bc", scripts={"a": [None], "b": [None], "c": [None]})
        loop = asyncio.get_running_loop()
        began = loop.time()
        outcome = await asked.send(code=True)
        took = loop.time() - began

        assert ["a", "b"] == asked.asked
        assert "unknown" == str(outcome.status)
        # 6 s for the first, and of the other 4 s 0.6 for the second, which a third could follow.
        assert 8.4 == pytest.approx(took, abs=0.2)

    skipping(story())


def test_the_last_account_has_all_the_time_that_is_left() -> None:
    """After 6 s of silence, 4 s remain."""

    async def story() -> None:
        asked = await lines(failover="b", scripts={"a": [None], "b": [3.8]})

        assert ("b", "accepted") == asked.told(await asked.send(code=True))[:2]

    skipping(story())


def test_an_account_has_the_time_of_its_own_limit() -> None:
    """`timeoutSeconds` counts instead of the share, and never more than the whole time-out."""

    async def story() -> None:
        asked = await lines(
            failover="b", limits=ChannelLimits(timeout_seconds=2), scripts={"a": [None], "b": [7.5]}
        )
        quick = await asked.send(code=True)
        asked.scripts["a"] = [None]
        asked.scripts["b"] = [8.5]
        late = await asked.send(code=True)

        assert ("b", "accepted") == asked.told(quick)[:2]
        assert ("b", "unknown") == asked.told(late)[:2]

    skipping(story())


def test_no_account_is_asked_when_the_time_is_over() -> None:
    """With a limit as long as the time-out, silence leaves nothing for another."""

    async def story() -> None:
        asked = await lines(
            failover="b", limits=ChannelLimits(timeout_seconds=TIMEOUT), scripts={"a": [None]}
        )

        assert ("a", "unknown") == asked.told(await asked.send(code=True))[:2]
        assert ["a"] == asked.asked

    skipping(story())


def test_a_provider_that_deduplicates_is_asked_again() -> None:
    """It ignores a reference that it has seen, so that one repetition is no second message (C-68)."""

    async def story() -> None:
        asked = await lines(deduplicates=True, scripts={"a": [CUT]})

        assert ("a", "accepted", []) == asked.told(await asked.send())
        assert ["a", "a"] == asked.asked

        asked.scripts["a"] = [CUT, CUT]

        assert ("a", "unknown", []) == asked.told(await asked.send())
        assert ["a"] * 4 == asked.asked

    skipping(story())


def test_a_silent_provider_that_deduplicates_is_asked_again_in_time() -> None:
    """The first attempt has 0.6 of the time, so that 4 s remain for the second one (D-294)."""

    async def story() -> None:
        asked = await lines(deduplicates=True, scripts={"a": [None, 3.8]})

        assert ("a", "accepted", []) == asked.told(await asked.send())
        assert ["a", "a"] == asked.asked

        asked.scripts["a"] = [None, None]
        loop = asyncio.get_running_loop()
        began = loop.time()

        assert ("a", "unknown", []) == asked.told(await asked.send())
        assert pytest.approx(TIMEOUT, abs=0.2) == loop.time() - began

    skipping(story())


def test_simulated_silence_is_not_repeated() -> None:
    """A recipient of the sandbox that stays silent does so for the whole time-out (C-40, D-294)."""

    async def story() -> None:
        asked = await lines(deduplicates=True, simulates=True, scripts={"a": [None]})

        assert ("a", "unknown", []) == asked.told(await asked.send())
        assert ["a"] == asked.asked

    skipping(story())


def test_a_repetition_counts_for_the_breaker() -> None:
    """Three sends without an answer are six attempts: the breaker is open after five (C-69)."""

    async def story() -> None:
        asked = await lines(deduplicates=True, scripts={"a": [CUT] * 9})
        for _ in range(3):
            await asked.send()

        assert ["a"] * 5 == asked.asked
        assert "channel_away" == (await asked.send()).error_code

    skipping(story())


def test_another_account_comes_before_a_repetition() -> None:
    """A second silence would take the time of the account that follows."""

    async def story() -> None:
        asked = await lines(failover="b", deduplicates=True, scripts={"a": [None], "b": [CUT]})
        outcome = await asked.send(code=True)

        assert ["a", "b", "b"] == asked.asked
        assert ("b", "accepted") == asked.told(outcome)[:2]

    skipping(story())


@pytest.mark.parametrize("fault", [Fault.AWAY, Fault.CONTENT, Fault.RECIPIENT])
def test_a_refused_repetition_leaves_the_first_attempt_unknown(fault: Fault) -> None:
    """Nothing is sent through another account: the first attempt may have arrived."""

    async def story() -> None:
        asked = await lines(failover="b", deduplicates=True, scripts={"a": [CUT, refusal(fault)]})
        outcome = await asked.send()

        assert ("a", "unknown") == asked.told(outcome)[:2]
        assert ["a", "a"] == asked.asked

    skipping(story())


class Swapped(Journal):
    """A journal in which every account but one has another owner."""

    def __init__(self, house: House, own: str) -> None:
        super().__init__(house.store)
        self._own = own

    async def recall_recent(self, decider: Decider[Any], stream: str) -> Loaded[Any]:
        """Load an account, and swap its owner."""
        loaded = await super().recall_recent(decider, stream)
        if stream == self._own:
            return loaded
        return replace(loaded, state=evolve(loaded.state, account_id="acc_stranger"))


def test_a_message_never_leaves_its_customers_accounts() -> None:
    """An account that failover names and another customer owns is not asked."""

    async def story() -> None:
        asked = await lines(failover="b", scripts={"a": [refusal(Fault.AWAY)]})
        house = asked.house
        calls = ProviderCalls(
            Swapped(house, asked.ids["a"]),
            {"scripted": asked.provider},
            house.service.channel_secrets,
            TIMEOUT,
            clock=house.clock,
        )
        outcome = await calls.send(asked.message(), unveiled)

        assert ("a", "rejected") == asked.told(outcome)[:2]
        assert ["a"] == asked.asked

    skipping(story())


async def test_segments_and_price_stand_in_the_outcome() -> None:
    """As the provider counts them; what is no number and no price is left out (C-72)."""
    price = Price("0.0150", "EUR")
    asked = await lines()
    asked.scripts["a"] = [
        Accepted("one", segments=True, price=Price("free", "EUR")),
        Accepted("two", segments=3, price=price),
    ]
    wrong, right = await asked.send(), await asked.send()

    assert (None, None) == (wrong.segments, wrong.price)
    assert (3, price) == (right.segments, right.price)


def test_no_code_of_an_attempt_shows_the_number() -> None:
    """A code that is a text, or that holds the number, goes to the message of its outcome (C-100)."""

    async def story() -> None:
        barred = Rejected("barred_4477009123456", "Call us.", Fault.AWAY)
        texts = Rejected("no route to +4477009123456", "Call us.", Fault.AWAY)
        asked = await lines(failover="b", scripts={"a": [barred], "b": [texts]})
        outcome = await asked.send()
        health = asked.calls.health(asked.ids["a"])

        assert ["provider_rejected"] * 2 == [each.code for each in outcome.tried]
        assert "provider_rejected" == outcome.error_code
        assert "no route to +4477009123456: Call us." == outcome.error_message
        assert "4477009123456" not in repr(outcome) + repr(health)

    skipping(story())
