"""Pages that do what a route of operators does ask for the same role (C-84, C-104)."""

from __future__ import annotations

import pytest

from watchword.domain.accounts.token_role import TokenRole
from watchword.entrypoints.console.pages import PAGES, SANDBOX_PAGES
from watchword.entrypoints.http.route import OperatorToken
from watchword.entrypoints.http.routes import OPERATOR_ROUTES

_DELIVERY = "/callbacks/{id}/deliveries/{deliveryId}"
# By the path of a form, the route that does the same.
ACTS = {
    "/verifications": "POST /verifications/search",
    "/messages": "POST /messages/search",
    "/templates/pin/new": "POST /pin-templates",
    "/templates/pin/{id}/edit": "PATCH /pin-templates/{id}",
    "/templates/pin/{id}/enable": "POST /pin-templates/{id}/enable",
    "/templates/pin/{id}/disable": "POST /pin-templates/{id}/disable",
    "/templates/pin/{id}/archive": "POST /pin-templates/{id}/archive",
    "/templates/rcs/{id}/submit": "POST /rcs-templates/{name}/submit",
    "/templates/rcs/{id}/approve": "POST /rcs-templates/{name}/approve",
    "/templates/rcs/{id}/reject": "POST /rcs-templates/{name}/reject",
    "/templates/whatsapp/{id}/submit": "POST /wa-templates/{name}/submit",
    "/templates/whatsapp/{id}/approve": "POST /wa-templates/{name}/approve",
    "/templates/whatsapp/{id}/reject": "POST /wa-templates/{name}/reject",
    "/guard/rules/{rule}": "PUT /guard",
    "/guard/policy": "PUT /guard",
    "/guard/release": "POST /guard/release",
    "/channels/new": "POST /channel-accounts",
    "/channels/{id}/edit": "PATCH /channel-accounts/{id}",
    "/channels/{id}/enable": "POST /channel-accounts/{id}/enable",
    "/channels/{id}/disable": "POST /channel-accounts/{id}/disable",
    "/channels/{id}/webhook": "POST /channel-accounts/{id}/webhook",
    "/channels/{id}/test": "POST /channel-accounts/{id}/test",
    "/callbacks/new": "POST /callbacks",
    "/callbacks/{id}/remove": "DELETE /callbacks/{id}",
    "/callbacks/{id}/test": "POST /callbacks/{id}/test",
    f"{_DELIVERY}/redeliver": f"POST {_DELIVERY}/redeliver",
    "/access/keys/new": "POST /api-keys",
    "/access/keys/{id}/revoke": "DELETE /api-keys/{id}",
    "/access/tokens/new": "POST /tokens",
    "/access/tokens/{id}/revoke": "DELETE /tokens/{id}",
    "/access/users/new": "POST /legacy-users",
    "/access/users/{id}/log-out": "DELETE /legacy-users/{id}/tokens",
    "/access/users/{id}/remove": "DELETE /legacy-users/{id}",
    "/evidence/seal": "POST /log/seal",
}
# What no route of operators does: drafts are judged for who may save them, a proof is checked for
# anybody who sees the log, and whoever moves a sandbox's clock and phones acts.
OWN = {
    "/templates/pin/draft": TokenRole.OPERATOR,
    "/templates/pin/{id}/draft": TokenRole.OPERATOR,
    "/templates/drafts/rcs": TokenRole.OPERATOR,
    "/templates/drafts/whatsapp": TokenRole.OPERATOR,
    "/evidence/check": TokenRole.AUDITOR,
    "/phones/find": TokenRole.AUDITOR,
    "/phones/write": TokenRole.OPERATOR,
    "/phones/clock": TokenRole.OPERATOR,
    "/phones/clear": TokenRole.OPERATOR,
    "/phones/{id}/answer": TokenRole.OPERATOR,
    "/phones/{id}/receipts": TokenRole.OPERATOR,
}
FORMS = {each.path: each for each in (*PAGES, *SANDBOX_PAGES) if each.method == "POST"}


@pytest.mark.parametrize(("path", "route"), ACTS.items())
def test_a_form_asks_for_the_role_of_its_route(path: str, route: str) -> None:
    """Whoever may do it over HTTP may do it here, and nobody else."""
    form = FORMS[path]
    method, _, below = route.partition(" ")
    (asked,) = [
        each
        for each in OPERATOR_ROUTES
        if (each.method, each.path) == (method, f"/admin/v1{below}")
    ]

    assert asked.needs == OperatorToken(form.needs)
    assert asked.about == form.about


@pytest.mark.parametrize(("path", "role"), OWN.items())
def test_a_form_without_a_route_asks_for_its_role(path: str, role: TokenRole) -> None:
    """An auditor reads, and an operator also acts."""
    assert role is FORMS[path].needs


def test_every_form_is_compared() -> None:
    """A new one needs a line here."""
    assert ACTS.keys() | OWN.keys() == FORMS.keys()
