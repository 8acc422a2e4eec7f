"""Operators' tokens for embedders (C-84)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from aiohttp.test_utils import TestClient, TestServer

import watchword


async def test_an_embedder_makes_tokens_for_its_endpoint() -> None:
    """They open the endpoint of the same service, as their role and account allow, until revoked."""
    async with watchword.open("memory://") as service:
        account = await service.accounts.create("orchid")
        ends = datetime.now(UTC) + timedelta(days=1)
        made = await service.tokens.create(
            "support", role="operator", account=account, expires_at=ends
        )

        assert ("operator", account.id, ends) == (
            made.record.role,
            made.record.account_id,
            made.record.expires_at,
        )
        assert made.record == await service.tokens.get(made.record)
        assert [made.record] == list((await service.tokens.list("orchid")).data)

        server = TestServer(service.http_app(admin_token="x" * 32))
        async with TestClient(server) as client:
            headers = {"Authorization": f"Bearer {made.token}"}
            whoami = await client.get("/admin/v1/whoami", headers=headers)
            assert {"actor": made.record.id, "role": "operator", "account": account.id} == {
                name: each for name, each in (await whoami.json()).items() if name != "expiresAt"
            }
            revoked = await service.tokens.revoke(made.record.id)
            assert revoked.revoked_at is not None
            assert 401 == (await client.get("/admin/v1/whoami", headers=headers)).status


async def test_an_endpoint_has_a_root_of_its_own() -> None:
    """Of two endpoints of one service, each takes the admin token that it was given, and no other."""
    async with watchword.open("memory://") as service:
        tokens = ("a" * 32, "b" * 32)
        statuses = []
        for own in tokens:
            async with TestClient(TestServer(service.http_app(admin_token=own))) as client:
                for token in tokens:
                    headers = {"Authorization": f"Bearer {token}"}
                    reply = await client.get("/admin/v1/whoami", headers=headers)
                    statuses.append(reply.status)

        assert [200, 401, 401, 200] == statuses


async def test_wrong_arguments_are_named() -> None:
    """An unknown role, account or token is refused in the words of the domain."""
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.ValidationFailedError, match="role"):
            await service.tokens.create("ops", role="root")
        with pytest.raises(watchword.AccountNotFoundError):
            await service.tokens.create("ops", role="admin", account="nobody")
        with pytest.raises(watchword.OperatorTokenNotFoundError):
            await service.tokens.get("tok_0")
        naive = datetime(2101, 1, 31)  # noqa: DTZ001  without a zone: that is the test
        with pytest.raises(ValueError, match="time zone"):
            await service.tokens.create("ops", role="admin", expires_at=naive)
