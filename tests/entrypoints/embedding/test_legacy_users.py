"""Legacy users without HTTP (C-44, C-65)."""

from __future__ import annotations

import pytest

import watchword
from watchword.domain.errors import DuplicateNameError, ValidationFailedError
from watchword.domain.legacy.legacy_user import LegacyUserNotFoundError


async def test_a_legacy_user_is_kept_like_all_else() -> None:
    """Created for an account by name, given, listed, and removed; records stand for their ids."""
    async with watchword.open("memory://", run_worker=False) as service:
        orchid = await service.accounts.create("orchid")
        made = await service.legacy_users.create("orchid", "Asha@Tea.example", "first flush")
        with pytest.raises(DuplicateNameError):
            await service.legacy_users.create(orchid, "asha@tea.example", "second flush")
        with pytest.raises(ValidationFailedError):
            await service.legacy_users.create(orchid, "asha", "")

        assert ("asha@tea.example", orchid.id) == (made.email, made.account_id)
        assert made == await service.legacy_users.get(made)
        assert [made] == list((await service.legacy_users.list("orchid")).data)
        assert made == await service.legacy_users.revoke_tokens(made)
        removed = await service.legacy_users.remove(made.id)
        assert removed.removed_at is not None
        assert 0 == (await service.legacy_users.list()).total
        with pytest.raises(LegacyUserNotFoundError):
            await service.legacy_users.get("lgu_1")
