"""What is refused now, and why: by account and rule, the newest first (C-78, D-396)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.application.guard.conftest import Guarding
from watchword.application.guard.listing_refused_sends import RefusedSearch
from watchword.application.paging import Paging
from watchword.domain.guard import Rule, Verdict, channel_subject, country_subject
from watchword.domain.rate_limit import Rate

GARDEN, POND = "account-garden", "account-pond"
ALL, FIRST_PAGE = RefusedSearch(), Paging()
IRAN = country_subject("IR")


async def listed(
    guarding: Guarding, search: RefusedSearch = ALL, paging: Paging = FIRST_PAGE
) -> Sequence[Any]:
    """Return one page."""
    return (await guarding.refused.list(search, paging)).data


async def test_a_subject_is_listed_with_its_rule_and_limit(guarding: Guarding) -> None:
    """It says how often, since when and until when, and which limit was reached."""
    since = guarding.clock.now()
    for _ in range(3):
        guarding.decisions.refused(GARDEN, Rule.COUNTRY, IRAN, Rate("50/1d"))
        guarding.clock.move(5)
    await guarding.recording.end()

    (found,) = await listed(guarding)
    assert (GARDEN, "unverified.country", "IR", "50/1d") == (
        found.account_id,
        found.rule,
        found.subject,
        found.limit,
    )
    assert (since, 10, 3) == (found.since, (found.until - since).total_seconds(), found.count)


async def test_a_refusal_is_listed_for_the_window_of_its_limit(guarding: Guarding) -> None:
    """A longer window than a day, or none, lists it for a day."""
    now = guarding.clock.now
    began = now()
    for rule, country, limit in (
        (Rule.COUNTRY, "IR", Rate("5/1h")),
        (Rule.COUNTRY, "IN", Rate("5/30d")),
        (Rule.COUNTRIES, "GB", None),
    ):
        guarding.decisions.refused(GARDEN, rule, country_subject(country), limit)
    await guarding.recording.end()
    seen = {}
    for seconds in (3600, 3601, 86_400, 86_401):
        guarding.clock.move(seconds - (now() - began).total_seconds())
        seen[seconds] = {each.subject for each in await listed(guarding)}

    assert {
        3600: {"IR", "IN", "GB"},
        3601: {"IN", "GB"},
        86_400: {"IN", "GB"},
        86_401: set(),
    } == seen


async def test_a_list_is_narrowed_by_account_rule_and_verdict(guarding: Guarding) -> None:
    """Without filters it has what is refused in all accounts; what is only flagged must be asked for."""
    sms = channel_subject("sms")
    guarding.decisions.refused(GARDEN, Rule.COUNTRY, IRAN)
    guarding.clock.move(1)
    guarding.decisions.refused(GARDEN, Rule.CHANNELS, sms)
    guarding.clock.move(1)
    guarding.decisions.refused(POND, Rule.COUNTRY, country_subject("IN"))
    guarding.decisions.flagged(POND, Rule.CHANNELS, sms)
    await guarding.recording.end()

    async def subjects(**filters: Any) -> list[str]:
        return [each.subject for each in await listed(guarding, RefusedSearch(**filters))]

    assert ["IN", "sms", "IR"] == await subjects()
    assert ["sms", "IR"] == await subjects(account_id=GARDEN)
    assert ["IN", "IR"] == await subjects(rule=Rule.COUNTRY)
    assert ["IR"] == await subjects(account_id=GARDEN, rule=Rule.COUNTRY)
    assert ["sms"] == await subjects(verdict=Verdict.FLAGGED)


@pytest.mark.parametrize("store", ["memory"], indirect=True)
async def test_a_list_has_pages(guarding: Guarding) -> None:
    """They have the form of all lists, with the total."""
    for _ in range(3):
        guarding.decisions.refused(GARDEN, Rule.COUNTRY, IRAN)
        guarding.clock.move(60)
    await guarding.recording.run_due()

    page = await guarding.refused.list(ALL, Paging(page=2, page_size=2))
    assert (2, 2, 3, 1) == (page.page, page.page_size, page.total, len(page.data))
