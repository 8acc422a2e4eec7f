"""The promises of a provider about its settings, and about channel accounts' configs (C-63)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from ....application.channel_accounts.secret_settings import divided
from ....application.ports.channels import (
    ChannelProvider,
    Rejected,
    Setting,
    SettingKind,
    Unknown,
    Webhook,
)
from ....domain.errors import ValidationFailedError
from ..contexts import ADDRESS
from .hooks import ContractHooks

_QUERY = "told-once-at-creation"
_SOUND_SECRET = ("password", "secret", "token")
_WRONG: Mapping[SettingKind, Any] = {
    SettingKind.TEXT: 7,
    SettingKind.INTEGER: "seven",
    SettingKind.BOOLEAN: "yes",
    SettingKind.CHOICE: "no such choice",
    SettingKind.URL: "no address",
    SettingKind.LIST: "no list",
}


class SettingsPromises(ContractHooks):
    """The promises about settings."""

    @pytest.mark.asyncio
    async def test_its_settings_describe_themselves(self, opened: ChannelProvider) -> None:
        """Each has a name of its own and a help; one has choices if its kind says so (C-66)."""
        names = [each.name for each in opened.settings]

        assert sorted({*names}) == sorted(names)
        assert [] == [each.name for each in opened.settings if not each.help.strip()]
        assert [] == [
            each.name
            for each in opened.settings
            if (each.kind is SettingKind.CHOICE) != bool(each.choices)
        ]

    @pytest.mark.asyncio
    async def test_what_sounds_secret_is_secret(self, opened: ChannelProvider) -> None:
        """Passwords, secrets and tokens are sealed, and never shown (C-63)."""
        shown = {
            each.name
            for each in opened.settings
            if not each.secret
            and each.name.rpartition(".")[2].lower().endswith(_SOUND_SECRET)
            and each.name not in self.public_settings
        }

        assert set() == shown

    @pytest.mark.asyncio
    async def test_its_config_is_declared(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Every member of the config is declared, by itself or as a part of another (C-63)."""
        assert {*config} <= {each.name.partition(".")[0] for each in opened.settings}

    @pytest.mark.asyncio
    async def test_it_knows_from_the_shown_config_whether_it_submits_templates(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """It needs no secret for that: a create of a template opens none (C-99)."""
        shown = divided(config, opened.settings).shown

        assert opened.submits_templates(config) is opened.submits_templates(shown)

    @pytest.mark.asyncio
    async def test_its_address_is_set_or_explained_and_not_repeated(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """The words about it are shown to people, and the address may have a secret query (D-282)."""
        answer: object = await opened.set_webhook(config, f"{ADDRESS}/cha_orchid?t={_QUERY}")

        assert isinstance(answer, Webhook | Rejected | Unknown)
        words = answer.steps if isinstance(answer, Webhook) else (answer.message,)
        assert [] == [each for each in words if _QUERY in each]

    @pytest.mark.asyncio
    async def test_its_config_is_kept_as_it_checked_it(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """A check accepts its own result, and returns it unchanged."""
        kept = opened.check_config(config)

        assert kept == opened.check_config(kept)

    @pytest.mark.asyncio
    async def test_an_unknown_member_is_refused_with_its_path(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """An unknown member of the config is named (C-63)."""
        assert {"config.tea"} == _refused(opened, {**config, "tea": "green"})

    @pytest.mark.asyncio
    async def test_a_missing_member_is_refused_with_its_path(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Each required member of the config is missed by name (C-63)."""
        required = [each for each in opened.settings if each.required and _has(config, each)]
        missed = {each.name: _refused(opened, _changed(config, each)) for each in required}

        assert dict.fromkeys(missed, True) == {
            name: f"config.{name}" in fields for name, fields in missed.items()
        }

    @pytest.mark.asyncio
    async def test_a_member_of_the_wrong_kind_is_refused_with_its_path(
        self, opened: ChannelProvider, config: Mapping[str, Any]
    ) -> None:
        """Each member of the config has its declared kind (C-63)."""
        checked = [each for each in opened.settings if each.kind in _WRONG and _has(config, each)]
        refused = {
            each.name: _refused(opened, _changed(config, each, _WRONG[each.kind]))
            for each in checked
        }

        assert dict.fromkeys(refused, True) == {
            name: f"config.{name}" in fields for name, fields in refused.items()
        }

    @pytest.mark.asyncio
    async def test_the_channels_that_it_serves_are_named(self, opened: ChannelProvider) -> None:
        """At least one channel, or None for one of its own; revokes are declared for these."""
        assert opened.channels is None or (
            opened.channels and all(isinstance(each, str) for each in opened.channels)
        )
        assert {bool} == {type(opened.can_revoke(each)) for each in self.channels(opened)}


def _refused(provider: ChannelProvider, config: Mapping[str, Any]) -> set[str]:
    """Return the paths that a check of a config refuses."""
    try:
        provider.check_config(config)
    except ValidationFailedError as refusal:
        return {each.field for each in refusal.problems}
    return set()


def _has(config: Mapping[str, Any], setting: Setting) -> bool:
    inside: Any = config
    for name in setting.name.split("."):
        if not isinstance(inside, Mapping) or name not in inside:
            return False
        inside = inside[name]
    return True


def _changed(config: Mapping[str, Any], setting: Setting, value: Any = None) -> Mapping[str, Any]:
    """Return a config with another value of a setting; without it, if the value is None."""
    name, _, below = setting.name.partition(".")
    if below:
        inner = Setting(name=below)
        return {**config, name: _changed(config[name], inner, value)}
    rest = {each: config[each] for each in config if each != name}
    return rest if value is None else {**rest, name: value}
