"""A store out of reach is 503 with Retry-After, never a guess and never a success (C-9)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from tests.application.house import House, build_house
from tests.fakes.providers import HesitantProvider, ScriptedProvider
from watchword.application.audit.reading_log import ReadingLog
from watchword.application.errors import UnavailableError
from watchword.application.journal import Journal
from watchword.application.paging import Paging
from watchword.application.pins.managing_pin_templates import TemplateSearch
from watchword.application.pins.resending_pins import ResendRequest
from watchword.application.pins.searching_verifications import VerificationSearch
from watchword.application.ports.channels import Accepted, Message
from watchword.domain.accounts.api_key import Scope

CALLS: dict[str, Callable[[House], Awaitable[object]]] = {
    "issue": lambda house: house.issue(),
    "issue with a key": lambda house: house.issue(once="tea"),
    "resend": lambda house: house.service.resending.resend(house.by, "pin_1", ResendRequest()),
    "verify": lambda house: house.service.verifying.verify(house.by, "pin_1", "1234"),
    "authenticate": lambda house: house.service.authenticating.authenticate(
        "key", Scope.PINS, "req"
    ),
    "find an account": lambda house: house.service.accounts.get(house.by, "orchid"),
    "create an account": lambda house: house.service.accounts.create(house.by, "lotus"),
    "list accounts": lambda house: house.service.accounts.list(house.by, Paging()),
    "list templates": lambda house: house.service.pin_templates.list(
        None, TemplateSearch(), Paging()
    ),
    "disable a template": lambda house: house.service.pin_templates.disable(
        house.by, house.template_id
    ),
    "search": lambda house: house.service.verifications.search(VerificationSearch(), Paging()),
    "read the log": lambda house: ReadingLog(Journal(house.store)).events(0, 10),
    "read a stream": lambda house: ReadingLog(Journal(house.store)).stream("pin_1"),
    "recover dispatches": lambda house: house.recovering.run_due(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_every_use_case_says_so(call: Callable[[House], Awaitable[object]]) -> None:
    """The refusal is `unavailable`, which asks the caller to try again."""
    house = await build_house()
    house.store.reachable = False
    with pytest.raises(UnavailableError) as refusal:
        await call(house)

    assert ("unavailable", 1) == (refusal.value.code, refusal.value.retry_after_seconds)
    assert [] == house.provider.messages


async def test_an_outcome_that_cannot_be_recorded_is_not_told() -> None:
    """The code was sent, but 201 would claim a stored outcome; recovery closes it later."""

    async def accept_and_vanish(message: Message) -> Accepted:
        house.store.reachable = False
        return Accepted("taken")

    house = await build_house(ScriptedProvider(accept_and_vanish))
    with pytest.raises(UnavailableError):
        await house.issue()
    house.store.reachable = True
    (pin_id,) = await house.pins()
    house.clock.move_real(31)
    await house.recovering.run_due()

    assert ["PinIssued", "PinDispatched"] == await house.story(pin_id)


async def test_recovery_waits_for_the_store() -> None:
    """A store out of reach fails the round of recovery, and loses nothing."""
    house = await build_house(HesitantProvider())
    house.store.reachable = False
    with pytest.raises(Exception, match=r"out of reach|cannot answer"):
        await house.recovering.run_due()
    house.store.reachable = True

    assert 0 == await house.recovering.run_due()
