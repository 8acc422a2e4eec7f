"""The HTTP endpoint inside an embedder's own application: at its root, and under a path of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from yarl import URL

import watchword
from tests.fakes.hearing import HearingProvider
from tests.fakes.signing import SECRET

PREFIXES = ["", "/codes", "/our/codes"]
KEY = {"Authorization": "Bearer sandbox-key", "apikey": "sandbox-key"}
MESSAGING = {"status", "code", "message", "errors", "requestId"}
ADMIN_TOKEN = "of-the-embedder"


@pytest.fixture(params=PREFIXES)
async def base_url(request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """Serve a sandbox in an application of the embedder's, under each prefix."""
    async with watchword.open("memory://", sandbox=True) as service:
        app = outer = service.http_app(admin_token=ADMIN_TOKEN)
        if request.param:
            outer = web.Application()
            outer.add_subapp(request.param, app)
        async with TestServer(outer) as server:
            yield f"http://127.0.0.1:{server.port}{request.param}"


async def asked(url: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Post a body, or get without one; return the status and the answer."""
    async with ClientSession() as session:
        call = (
            session.get(url, headers=headers)
            if body is None
            else session.post(url, json=body, headers=headers)
        )
        async with call as answer:
            return answer.status, await answer.json()


async def test_a_pin_is_issued(base_url: str) -> None:
    """The routes work wherever they stand."""
    body = {"destination": "+919812345610", "templateId": "tpl_demo"}
    status, issued = await asked(f"{base_url}/v1/pins", body, **KEY)
    listed, _ = await asked(f"{base_url}/admin/v1/accounts", Authorization=f"Bearer {ADMIN_TOKEN}")

    assert (201, "PENDING", 200) == (status, issued["status"], listed)


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/v1/pins", {}, 401),
        ("/v1/nothing", None, 404),
        ("/v1/pins", None, 405),
        ("/admin/v1/accounts", None, 401),
        ("/sandbox/clock/advance", {"seconds": "soon"}, 400),
    ],
)
async def test_errors_come_in_the_envelope_of_their_area(
    base_url: str, path: str, body: Any, expected: int
) -> None:
    """PINs, management and the sandbox answer with one `error` (SPEC 2.9)."""
    status, answer = await asked(base_url + path, body)

    assert (expected, {"error"}) == (status, set(answer))
    assert {"code", "message", "requestId", "details"} == set(answer["error"])


@pytest.mark.parametrize("path", ["/%61dmin/v1/accounts", "/admin/v1/%61ccounts"])
async def test_a_disguised_path_leads_nowhere(base_url: str, path: str) -> None:
    """Only a parameter may be quoted (D-140), on an embedder's server too."""
    async with ClientSession() as session:
        url = URL(base_url + path, encoded=True)
        async with session.get(url, headers={"Authorization": f"Bearer {ADMIN_TOKEN}"}) as answer:
            assert 404 == answer.status


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [("/oapi/send_sms", {}, 401), ("/nothing", None, 404), ("/status", None, 405)],
)
async def test_errors_of_messaging_have_its_form(
    base_url: str, path: str, body: Any, expected: int
) -> None:
    """Everywhere else they are flat (C-18)."""
    status, answer = await asked(base_url + path, body)

    assert (expected, MESSAGING) == (status, set(answer))


async def test_errors_of_the_legacy_platform_have_its_form(base_url: str) -> None:
    """Every error is HTTP 200 with a response code (C-41)."""
    status, answer = await asked(f"{base_url}/account/enterprise/login", {})

    assert (200, 103) == (status, answer["responseCode"])


@pytest.mark.parametrize("token", ["sandbox-admin", "short", "x" * 31])
async def test_an_admin_token_that_can_be_guessed_is_refused(token: str) -> None:
    """Outside a sandbox the operators' routes open to no token that `serve` would refuse (C-96)."""
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.SettingsError, match=r"Give admin_token= one from secrets\."):
            service.http_app(admin_token=token)
        app = service.http_app(admin_token="x" * 32)

    assert isinstance(app, web.Application)


async def test_wrong_logins_are_those_of_whom_a_trusted_proxy_forwards_for() -> None:
    """An embedder names its proxies, as an operator does with `--trusted-proxy` (C-97)."""
    async with watchword.open("memory://", sandbox=True) as service:
        account = await service.accounts.create("tea")
        await service.legacy_users.create(
            email="asha@tea.example", password="first flush", account=account
        )
        app = service.http_app(trusted_proxies=["127.0.0.0/8"])
        with pytest.raises(watchword.SettingsError, match="Give trusted_proxies= such as"):
            service.http_app(trusted_proxies=["10.0.0.5/24"])
        async with TestServer(app) as server:
            login = f"http://127.0.0.1:{server.port}/account/enterprise/login"

            async def code(client: str, password: str) -> int:
                body = {"email": "asha@tea.example", "password": password}
                _, answer = await asked(login, body, **{"X-Forwarded-For": client})
                return int(answer["responseCode"])

            for _ in range(5):
                assert 101 == await code("192.0.2.1", "second flush")

            assert [101, 100] == [
                await code(each, "first flush") for each in ("192.0.2.1", "192.0.2.2")
            ]


async def test_errors_of_uploads_have_their_form(base_url: str) -> None:
    """Errors of A3 have `http_status` beside their words (C-58)."""
    status, answer = await asked(f"{base_url}/rcs/mediaupload", {}, **KEY)

    assert status == answer["http_status"]


async def test_the_guard_of_the_sandbox_holds_under_a_prefix(base_url: str) -> None:
    """A name that is not a loopback one opens neither the outbox nor the sandbox's webhooks (C-4, D-46)."""
    operator = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
    _, accounts = await asked(f"{base_url}/admin/v1/channel-accounts", **operator)
    webhook = f"{base_url}/callbacks/{accounts['data'][0]['id']}"
    stranger = {"Host": "stranger.example"}

    assert 403 == (await asked(f"{base_url}/sandbox/outbox", **stranger))[0]
    assert 403 == (await asked(webhook, {}, **stranger))[0]


async def test_routes_know_their_parameters_under_a_prefix(base_url: str) -> None:
    """A parameter that an operator's route does not read is refused wherever the route stands (D-149)."""
    operator = {"Authorization": f"Bearer {ADMIN_TOKEN}"}

    assert 200 == (await asked(f"{base_url}/admin/v1/api-keys?account=demo", **operator))[0]
    assert 400 == (await asked(f"{base_url}/admin/v1/api-keys?acount=demo", **operator))[0]


@pytest.mark.parametrize("prefix", PREFIXES)
async def test_a_provider_sees_the_public_address_wherever_the_routes_stand(prefix: str) -> None:
    """The public URL has the prefix already, as signatures cover it (C-70)."""
    courier, public = HearingProvider(), f"https://tea.example{prefix}"
    async with watchword.open(
        "memory://", channels={"courier": courier}, public_url=public
    ) as service:
        await service.accounts.create("orchid")
        account = await service.channel_accounts.create(
            "orchid", "sms", "courier", "courier", config={"secret": SECRET}
        )
        outer = app = service.http_app()
        if prefix:
            outer = web.Application()
            outer.add_subapp(prefix, app)
        async with TestServer(outer) as server, ClientSession() as session:
            address = f"http://127.0.0.1:{server.port}{prefix}/callbacks/{account.id}?a=1"
            async with session.get(address) as answer:
                assert 403 == answer.status
    (post,) = courier.posts

    assert f"{public}/callbacks/{account.id}?a=1" == post.url
