"""Query parameters that a route does not take: a misspelt filter must not widen a search (C-93)."""

from __future__ import annotations

import pytest

from tests.entrypoints.caller import Caller
from tests.entrypoints.openapi.described import Document, Operation
from watchword.entrypoints.wire.log_searches import SEVERAL

DOCUMENT = Document.read()
OPERATORS = [each for each in DOCUMENT.operations if each.path.startswith("/admin/v1/")]
LISTS = [each for each in OPERATORS if each.method == "get" and DOCUMENT.query_names(each)]


def path_of(operation: Operation) -> str:
    """Return an actual path below `/admin/v1`, with any values of its parameters."""
    below = operation.path.removeprefix("/admin/v1")
    return "/".join("id_0" if part.startswith("{") else part for part in below.split("/"))


@pytest.mark.parametrize("operation", OPERATORS, ids=str)
async def test_operators_are_told_of_a_parameter_that_a_route_does_not_take(
    caller: Caller, operation: Operation
) -> None:
    """Every route under /admin/v1 is 400 by its name, and says which there are."""
    reply = await caller.operate(operation.method.upper(), f"{path_of(operation)}?acount=other")
    (problem,) = reply.error["details"]["fields"]
    names = DOCUMENT.query_names(operation) or ("none",)
    _, _, told = problem["message"].partition("there are ")

    assert (400, "validation_failed") == reply.refusal
    assert "acount" == problem["field"]
    assert sorted(names) == sorted(told.split(", "))


@pytest.mark.parametrize("operation", LISTS, ids=str)
async def test_every_documented_parameter_is_taken(caller: Caller, operation: Operation) -> None:
    """No route is 400 for a parameter that the document has, nor silent about another spelling of it."""
    for name in DOCUMENT.query_names(operation):
        documented = await caller.operate("GET", f"{path_of(operation)}?{name}=")
        misspelt = await caller.operate("GET", f"{path_of(operation)}?{name.upper()}_=")

        assert "is no query parameter" not in documented.body.decode()
        assert [f"{name.upper()}_"] == misspelt.wrong


async def test_a_misspelt_filter_finds_nobody_elses_pins(caller: Caller) -> None:
    """`acount=` is 400; ignored, it would search all accounts."""
    neighbour = await caller.neighbour()
    await neighbour.created()

    assert ["acount"] == (await caller.operate("GET", "/verifications?acount=demo")).wrong
    assert 0 == (await caller.operated("GET", "/verifications?account=demo"))["total"]


async def test_all_unknown_parameters_are_named_at_once(caller: Caller) -> None:
    """Each is named once, in its own spelling."""
    reply = await caller.operate("GET", "/messages?acount=a&page_size=5&acount=b&status=sent")

    assert ["acount", "page_size"] == reply.wrong


@pytest.mark.parametrize("operation", LISTS, ids=str)
async def test_a_filter_comes_once(caller: Caller, operation: Operation) -> None:
    """A second value would be ignored, and is 400 by its name; some filters of the log take several."""
    for name in DOCUMENT.query_names(operation):
        reply = await caller.operate("GET", f"{path_of(operation)}?{name}=&{name}=")

        told = reply.wrong if reply.status == 400 else []

        assert ([] if name in SEVERAL else [name]) == told


async def test_a_token_is_asked_for_first(caller: Caller) -> None:
    """A caller without one learns nothing about the parameters."""
    reply = await caller.using("nobody").get("/admin/v1/accounts?acount=demo")

    assert (401, "unauthorized") == reply.refusal


@pytest.mark.parametrize("path", ["/sandbox/outbox", "/admin/v1/sandbox/outbox"])
async def test_the_outbox_is_as_exact(caller: Caller, path: str) -> None:
    """Under both of its paths (D-8)."""
    assert ["destinaton"] == (await caller.get(f"{path}?destinaton=1")).wrong


async def test_clients_of_other_routes_are_not_refused(caller: Caller) -> None:
    """Elsewhere unknown parameters are ignored, as unknown members are (C-9)."""
    assert 200 == (await caller.get("/v1/templates?utm_source=tea")).status
    key = {"apikey": str(caller.key)}
    assert 200 == (await caller.get("/history?utm_source=tea", headers=key)).status


async def test_the_log_is_narrowed_to_events_of_a_name(caller: Caller) -> None:
    """`type` may come several times; `next` leads on behind the last one that was given."""
    pin = await caller.created()
    await caller.verify(pin, await caller.wrong_code())
    await caller.created("+4479460000")
    query = "type=PinIssued&type=VerifyFailed"
    found = await caller.operated("GET", f"/events?{query}")
    first = await caller.operated("GET", f"/events?{query}&limit=1")
    rest = await caller.operated("GET", f"/events?{query}&after={first['next']}")

    assert ["PinIssued", "VerifyFailed", "PinIssued"] == [each["type"] for each in found["data"]]
    assert found["data"] == first["data"] + rest["data"]
    assert (await caller.operated("GET", "/events?limit=1000"))["next"] == found["next"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("PinIsued", "must be the name of an event; did you mean PinIssued"),
        ("tea", "must be the name of an event"),
    ],
)
async def test_a_name_that_no_event_has_is_400(caller: Caller, name: str, said: str) -> None:
    """It would find nothing, which could be read as nothing having happened."""
    reply = await caller.operate("GET", f"/events?type={name}")

    assert [{"field": "type", "message": said}] == reply.error["details"]["fields"]


async def test_an_empty_name_narrows_nothing(caller: Caller) -> None:
    """No empty filter does (D-114)."""
    assert await caller.operated("GET", "/events") == await caller.operated("GET", "/events?type=")
