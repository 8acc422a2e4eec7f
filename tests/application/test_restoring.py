"""The PINs, runs and tokens that a restore ends, and those that it leaves (D-64)."""

from __future__ import annotations

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import CODE, WAIT, fallback, falls_back, send, step, work
from tests.application.stored_templates import keep_rcs
from tests.fakes.providers import HesitantProvider
from watchword.application.legacy.tokens import TokenInvalidError
from watchword.application.pins.issuing_pins import IssueRequest
from watchword.application.restoring import Restoring
from watchword.domain.channel import Channel
from watchword.domain.message import RcsTemplateContent
from watchword.domain.pin import PinExpiredError

GREETING = RcsTemplateContent(message_type="template", template_code="greeting")


def restoring(house: House) -> Restoring:
    """Return the use case on the house's store."""
    return Restoring(house.service.journal, house.service.randomness, house.clock)


async def pins_of(house: House, number: int) -> list[str]:
    """Issue PINs to as many people."""
    sent = [
        await house.service.issuing.issue(
            house.by,
            IssueRequest(destination=f"+9198123{each:05}", template_id=house.template_id),
            None,
        )
        for each in range(number)
    ]
    return [each.pin_id for each in sent]


async def run_of(house: House) -> str:
    """Send a message whose fallback contains a code, and return its run."""
    (sent,) = await send(house, fallback=fallback(step(CODE)))
    assert sent.run_id is not None
    return sent.run_id


async def test_every_live_code_expires() -> None:
    """All of them expire, in one request of the operator's."""
    house = await build_house()
    pins = await pins_of(house, 300)
    done = await restoring(house).restored(end_runs=False)
    log = await house.store.read_log(0, 2000)
    ended = [each for each in log if each.type == "PinExpired"]

    assert (300, 0) == (done.pins, done.runs)
    assert sorted(pins) == sorted(each.stream for each in ended)
    assert {("admin", done.request_id)} == {(each.actor, each.request_id) for each in ended}


async def test_the_right_code_is_refused_from_then_on() -> None:
    """Its time to live has not come to an end, but it has."""
    house = await build_house()
    pin = await house.issue()
    await restoring(house).restored(end_runs=False)

    with pytest.raises(PinExpiredError):
        await house.service.verifying.verify(house.by, pin.pin_id, house.code())


async def test_what_is_over_is_left_alone() -> None:
    """Verified PINs, and those whose time is over, get no event, nor does a second time bring any."""
    house = await build_house()
    await pins_of(house, 2)
    house.clock.move(3600)
    pin = await house.issue()
    await house.service.verifying.verify(house.by, pin.pin_id, house.code())
    before = await house.store.read_log(0, 1000)
    done = await restoring(house).restored(end_runs=True)

    assert (0, 0) == (done.pins, done.runs)
    assert list(before) == list(await house.store.read_log(0, 1000))


async def test_runs_can_be_called_off() -> None:
    """Nothing is sent at their deadline, and the key of their seals is gone."""
    house = await build_house()
    await falls_back(house)
    run = await run_of(house)
    done = await restoring(house).restored(end_runs=True)
    house.clock.move(3600)
    await work(house)

    assert 1 == done.runs
    assert ["FallbackArmed", "FallbackRejected"] == await house.story(run)
    assert await house.store.seal_key(run) is None
    assert 1 == len(house.provider.messages)


async def test_runs_can_be_left_to_fire() -> None:
    """Each sends its step, once."""
    house = await build_house()
    await falls_back(house)
    run = await run_of(house)
    done = await restoring(house).restored(end_runs=False)
    house.clock.move(3600)
    await work(house)
    await work(house)

    assert 1 == done.runs
    assert "FallbackFired" in await house.story(run)
    assert 2 == len(house.provider.messages)


async def test_every_legacy_token_is_revoked() -> None:
    """One that was revoked after the backup is not good again; the user logs in anew, for good."""
    house = await build_house()
    logins, tokens = house.service.legacy_logins, house.service.legacy_tokens
    email = "asha@tea.example"
    user = await house.service.legacy_users.create(house.by, email=email, password="tea")
    given = [
        await logins.log_in(email, "tea", "req_2", client="", never_expire=never)
        for never in (True, False)
    ]
    done = await restoring(house).restored(end_runs=False)
    again = await restoring(house).restored(end_runs=False)

    for each in given:
        with pytest.raises(TokenInvalidError):
            await tokens.caller(each.token, "req_3")
    assert (1, 0) == (done.legacy_users, again.legacy_users)
    assert ["LegacyUserCreated", "LegacyTokensRevoked"] == await house.story(user.id)
    newer = await logins.log_in(email, "tea", "req_4", client="")
    assert user.id == (await tokens.caller(newer.token, "req_5")).actor


async def test_every_open_console_session_is_ended() -> None:
    """One that was ended after the backup is not open again; those that are over are left alone."""
    house = await build_house()
    sessions = house.service.console_sessions.rooted("the-environment's-token")
    over, ended, opened = [
        await sessions.begin("the-environment's-token", "", f"req_{number}") for number in range(3)
    ]
    house.clock.move_real(29 * 60)
    await sessions.find(ended.secret, "req_4")
    await sessions.find(opened.secret, "req_4")
    await sessions.end(ended.secret)
    house.clock.move_real(60)
    done = await restoring(house).restored(end_runs=False)
    again = await restoring(house).restored(end_runs=False)

    assert await sessions.find(opened.secret, "req_5") is None
    assert (1, 0) == (done.console_sessions, again.console_sessions)
    assert ["ConsoleSessionBegun"] == await house.story(over.session.id)


async def test_no_step_follows_one_that_is_under_way() -> None:
    """A run whose first step was just sent is called off too."""
    provider = HesitantProvider()
    provider.may_answer.set()
    house = await build_house(provider)
    await falls_back(house, Channel.SMS, Channel.RCS)
    await keep_rcs(house)
    (sent,) = await send(house, fallback=fallback(step(), step(GREETING, Channel.RCS)))
    provider.may_answer.clear()
    house.clock.move(WAIT)
    await house.firing.run_due()
    await restoring(house).restored(end_runs=True)
    provider.may_answer.set()
    await house.service.provider_tasks.finish()
    house.clock.move(3600)
    await work(house)

    assert sent.run_id is not None
    assert "FallbackRejected" in await house.story(sent.run_id)
    assert 2 == len(provider.messages)
