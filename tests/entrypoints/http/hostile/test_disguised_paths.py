"""Paths that mean a route and are spelled otherwise: they lead nowhere (C-96, D-140)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.http.hostile.raw_client import HOST, KEY, exchange, request
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN

ADMIN = b"Authorization: Bearer " + SANDBOX_ADMIN_TOKEN.encode() + b"\r\n"
DISGUISED = [
    "/%61dmin/v1/accounts",
    "/admin%2Fv1/accounts",
    "/admin%2fv1%2faccounts",
    "/%2561dmin/v1/accounts",
    "/admin/%76%31/accounts",
    "/admin/v1/%61ccounts",
    "/admin/v1/accounts%2F",
    "/admin/v1/accounts%00",
    "/admin/v1/accounts%3Fpage=1",
    "//admin/v1/accounts",
    "/admin//v1/accounts",
    "/v1/../admin/v1/accounts",
    "/./admin/v1/accounts",
    "/v1/%2e%2e/admin/v1/accounts",
    "/v1/..%2Fadmin/v1/accounts",
    "/admin/v1/accounts/",
    "/admin/v1/accounts/.",
    "/Admin/v1/accounts",
    "/admin;x=1/v1/accounts",
    "\\admin\\v1\\accounts",
    "/%5cadmin/v1/accounts",
    "/%c0%afadmin/v1/accounts",
    "/%ef%bc%8fadmin/v1/accounts",
    "/%61dmin/v1/sandbox/outbox",
    "/%73andbox/outbox",
    "/admin%2Fv1/streams/pin_1/events",
    "/%61dmin/v1/streams/pin_1/events",
]


async def test_the_plain_path_leads_to_its_route(port: int) -> None:
    """Otherwise the other tests would show nothing; an absolute address is plain, too."""
    for target in ("/admin/v1/accounts", "http://localhost/admin/v1/accounts"):
        assert 200 == (await exchange(port, request(target, HOST, ADMIN))).status


@pytest.mark.parametrize("target", DISGUISED)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
async def test_a_disguised_path_leads_nowhere(port: int, target: str, method: str) -> None:
    """A guard that compares the letters of `/admin`, in front of the service or in it, sees every request."""
    answer = await exchange(port, request(target, HOST, ADMIN, method=method, body=b""))

    assert (answer.status, answer.error[1]) in ((404, "not_found"), (400, "validation_failed"))


@pytest.mark.parametrize(
    ("target", "in_envelope"),
    [("/admin/v1/%61ccounts", True), ("/%61dmin/v1/accounts", False), ("/v1%2Fpins", False)],
)
async def test_the_form_of_an_error_goes_by_the_same_path(
    port: int, target: str, in_envelope: bool
) -> None:
    """A path that routes do not match with the PIN service is not answered in its form."""
    assert in_envelope == (await exchange(port, request(target, HOST, ADMIN))).in_envelope


async def test_a_parameter_may_be_quoted(caller: Caller, port: int) -> None:
    """An id is the same id in either spelling, and one with a slash in it is unknown, not a path."""
    pin_id = await caller.created()
    quoted = "".join(f"%{ord(each):02X}" for each in pin_id)
    for spelled, status in ((pin_id, 200), (quoted, 200), (f"{pin_id}%2F..", 404)):
        answer = await exchange(port, request(f"/admin/v1/streams/{spelled}/events", HOST, ADMIN))

        assert status == answer.status


async def test_a_quoted_parameter_keeps_its_methods(port: int) -> None:
    """An existing path names its methods, with its id in any spelling."""
    answer = await exchange(port, request("/v1/pins/%70in_1/verify", HOST, KEY))

    assert (405, "method_not_allowed") == answer.error
    assert "POST" == answer.headers["Allow"]
