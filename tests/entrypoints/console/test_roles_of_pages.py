"""Pages that do what a route of operators does ask for the same role (C-84, C-104)."""

from __future__ import annotations

import pytest

from watchword.entrypoints.console.pages import PAGES
from watchword.entrypoints.http.route import OperatorToken
from watchword.entrypoints.http.routes import OPERATOR_ROUTES

ACTS = {
    ("POST", "/channels/new"): ("POST", "/channel-accounts"),
    ("POST", "/channels/{id}/edit"): ("PATCH", "/channel-accounts/{id}"),
    ("POST", "/channels/{id}/enable"): ("POST", "/channel-accounts/{id}/enable"),
    ("POST", "/channels/{id}/disable"): ("POST", "/channel-accounts/{id}/disable"),
    ("POST", "/channels/{id}/webhook"): ("POST", "/channel-accounts/{id}/webhook"),
    ("POST", "/channels/{id}/test"): ("POST", "/channel-accounts/{id}/test"),
    ("POST", "/callbacks/new"): ("POST", "/callbacks"),
    ("POST", "/callbacks/{id}/remove"): ("DELETE", "/callbacks/{id}"),
    ("POST", "/callbacks/{id}/test"): ("POST", "/callbacks/{id}/test"),
    ("POST", "/callbacks/{id}/deliveries/{deliveryId}/redeliver"): (
        "POST",
        "/callbacks/{id}/deliveries/{deliveryId}/redeliver",
    ),
}


@pytest.mark.parametrize(("page", "route"), ACTS.items())
def test_a_form_asks_for_the_role_of_its_route(
    page: tuple[str, str], route: tuple[str, str]
) -> None:
    """Whoever may do it over HTTP may do it here, and nobody else."""
    (row,) = [each for each in PAGES if (each.method, each.path) == page]
    method, path = route
    (asked,) = [
        each for each in OPERATOR_ROUTES if (each.method, each.path) == (method, f"/admin/v1{path}")
    ]

    assert asked.needs == OperatorToken(row.needs)
    assert asked.about == row.about


def test_every_form_of_these_areas_is_compared() -> None:
    """A new one needs a line here."""
    posts = {
        (each.method, each.path)
        for each in PAGES
        if each.method == "POST" and each.path.startswith(("/channels", "/callbacks"))
    }

    assert ACTS.keys() == posts
