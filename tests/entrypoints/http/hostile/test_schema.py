"""Requests from the document, and against it: every route's answer is described."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import hypothesis
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.generation.hypothesis.builder import (
    HypothesisTestConfig,
    HypothesisTestMode,
    create_test,
)
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.entrypoints.caller import Caller
from watchword.entrypoints.demo.seeding import API_KEY
from watchword.entrypoints.http.openapi_document import OPENAPI
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

# A send has hundreds of variants, and the same description for its second path. A medium's
# URL is answered by another server.
document = schemathesis.openapi.from_path(OPENAPI).exclude(path=["/send_sms", "/rcs/mediaupload"])
# All of them: that the document is valid is a test of its own.
operations = {
    each.ok().label: each.ok() for each in document.get_all_operations() if isinstance(each, Ok)
}


@pytest.fixture
def settings() -> Settings:
    """Return the settings of a sandbox whose silent provider is not waited for long."""
    return Settings(sandbox=True, store="memory://", provider_timeout=1)


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """Yield a client that keeps its connection; a new one for each request took as long as the requests."""
    with requests.Session() as kept:
        # Nor need it ask the environment for a proxy each time.
        kept.trust_env = False
        yield kept


# Where schemathesis collects the tests itself, each process of a run makes up the requests of all of them.
@pytest.mark.parametrize("name", operations)
async def test_every_route_answers_as_described(
    name: str, caller: Caller, session: requests.Session
) -> None:
    """Valid and invalid requests alike: a described status, type and body, and no 5xx (R25)."""
    made_up = HypothesisTestConfig(project=document.config, modes=list(HypothesisTestMode))
    ask = create_test(operation=operations[name], test_func=_answers_as_described, config=made_up)
    await asyncio.to_thread(ask, url=str(caller.endpoint.make_url("/")), session=session)


@hypothesis.settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def _answers_as_described(case: schemathesis.Case, url: str, session: requests.Session) -> None:
    key = API_KEY if case.path.startswith("/v1") else SANDBOX_ADMIN_TOKEN
    headers = {"Authorization": f"Bearer {key}", "apikey": API_KEY}
    if str(case.query.get("wait", "")).isdecimal():
        # A reader of the log may wait half a minute for an event, and none comes.
        case.query["wait"] = 0
    case.call_and_validate(url, session, headers, CHECKS)
