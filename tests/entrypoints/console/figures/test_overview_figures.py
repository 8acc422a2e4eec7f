"""Funnels, breakdowns and costs of the overview add up."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from tests.entrypoints.console.figures.rows import NOON, figures
from watchword.application.statistics.views import Group
from watchword.entrypoints.console.figures.breakdowns import (
    MOST_ROWS,
    breakdown,
    largest_members,
)
from watchword.entrypoints.console.figures.costs import cost_series
from watchword.entrypoints.console.figures.funnels import funnel


def test_a_funnel_goes_from_the_send_to_the_verification() -> None:
    """Each step is told as a count and as a part of the sends."""
    found = funnel([figures(sent=8, delivered=6, verified=4, expired=3, seconds=(5, 60))])

    assert [
        ("Sent", 8, 100, "100 %"),
        ("Delivered", 6, 75, "75.0 %"),
        ("Verified", 4, 50, "50.0 %"),
    ] == [(each.name, each.count, each.width, each.part) for each in found.steps]
    facts = {each.name: each.text for each in found.facts}
    assert ("5 s", "1 min") == (facts["Half verified within"], facts["95 % verified within"])
    assert "3 (37.5 %)" == facts["Expired"]


def test_a_span_with_refusals_alone_has_no_part() -> None:
    """Nothing is divided by no sends, and the refusals are told."""
    found = funnel([figures(refused=3)])

    assert [0, 0, 0] == [each.width for each in found.steps]
    assert "3" == {each.name: each.text for each in found.facts}["Refused by the guard"]
    assert () == funnel([]).steps


def test_the_rest_is_one_row() -> None:
    """All sends are in the breakdown, although only the largest members have rows of their own."""
    data = [
        figures(of=f"tpl_{each}", sent=each + 1, verified=each) for each in range(MOST_ROWS + 4)
    ]
    found = breakdown(Group.TEMPLATE, data, {"tpl_11": "Login"})

    assert "Login" == found.shares[0].name
    assert "4 more" == found.shares[-1].name
    assert sum(each.sent for each in data) == sum(each.sent for each in found.shares)
    assert sum(each.verified for each in data) == sum(each.verified for each in found.shares)
    assert 100 == found.shares[0].sent_width
    assert all(each.verified_width <= each.sent_width for each in found.shares[:-1])
    assert [f"tpl_{each}" for each in range(11, 3, -1)] == largest_members(data)


def test_a_refusal_has_a_row_only_where_its_member_is_known() -> None:
    """Of a refused send only the country is known; no channel or template gets a row for it."""
    refused = figures(of=None, refused=5)

    assert () == breakdown(Group.CHANNEL, [refused]).shares
    country = breakdown(Group.COUNTRY, [refused, figures(of="GB", sent=1, refused=2)])
    assert [("GB", 2), ("no country", 5)] == [(each.name, each.refused) for each in country.shares]
    assert country.with_refused


def test_amounts_of_different_currencies_are_never_added() -> None:
    """Each currency has its own series, in which what was told and what is estimated stay apart."""
    later = NOON + timedelta(hours=1)
    euros, dollars = cost_series(
        [
            figures(NOON, cost=[("0.1", "EUR", False), ("0.2", "EUR", False), ("7", "USD", True)]),
            figures(later, cost=[("0.05", "EUR", True)]),
        ]
    )

    assert ("EUR", Decimal("0.3"), Decimal("0.05")) == (euros.currency, euros.told, euros.estimated)
    assert ("USD", Decimal(0), Decimal(7)) == (dollars.currency, dollars.told, dollars.estimated)
    assert [NOON, later] == [each.at for each in dollars.points]
