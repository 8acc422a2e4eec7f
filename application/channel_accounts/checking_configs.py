"""Check the configs of channel accounts with their providers, and list the settings of each (C-63, C-66)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ...domain.channel import Channel, ChannelName, with_adapters
from ...domain.errors import FieldProblem, ValidationFailedError
from ..ports.channels import ChannelProvider, Setting
from .secret_settings import DividedConfig, divided
from .views import ProviderView, SettingView


@frozen(kw_only=True)
class CheckedConfig:
    """
    A config as its provider keeps it, whole and divided, with the settings that the provider declares.

    `query` is the secret query of its provider's posts; it may be empty.
    """

    whole: Mapping[str, Any] = field(factory=dict, repr=False)
    parts: DividedConfig = DividedConfig()
    settings: Sequence[Setting] = ()
    query: str = field(default="", repr=False)


class CheckingConfigs:
    """
    Checks configs with their providers.

    `adapters` are the `providers` that are third-party channels (C-52). `unloaded` are the names of
    plugins that are installed and failed.
    """

    def __init__(
        self,
        providers: Mapping[str, ChannelProvider],
        adapters: Collection[str],
        unloaded: Collection[str] = (),
    ) -> None:
        self._providers = providers
        self.adapters = adapters
        self._unloaded = unloaded

    def _absence(self, provider: str) -> str:
        if provider in self._unloaded:
            return "is the name of a plugin that did not load; see plugin_not_loaded in the log"
        known = ", ".join(sorted(self._providers)) or "none"
        return f"is not a provider of this service; it has: {known}"

    def checked(
        self,
        provider: str,
        channel: ChannelName,
        config: Mapping[str, Any],
        problems: list[FieldProblem],
    ) -> CheckedConfig:
        """Return the checked config; add problems with the provider, the channel or the config."""
        adapter = self._providers.get(provider)
        if adapter is None:
            problems.append(FieldProblem("provider", self._absence(provider)))
            return CheckedConfig()
        if adapter.channels is not None and channel not in adapter.channels:
            served = ", ".join(adapter.channels)
            problems.append(
                FieldProblem("channel_type", f"must be one of {served} with this provider")
            )
        try:
            kept: object = adapter.check_config(config)
        except ValidationFailedError as refusal:
            problems += refusal.problems
            return CheckedConfig()
        if not isinstance(kept, Mapping):
            # Without this check, the first send would fail.
            raise TypeError(
                f"check_config of the provider {provider!r} returned a {type(kept).__name__},"
                " and not the settings to keep."
            )
        parts = divided(kept, adapter.settings)
        problems += parts.masked()
        return CheckedConfig(
            whole=kept,
            parts=parts,
            settings=adapter.settings,
            query=adapter.callback_query(kept),
        )

    def divided(self, provider: str, config: Mapping[str, Any]) -> DividedConfig:
        """Return a config divided as its provider declares; all of it is secret without the provider."""
        adapter = self._providers.get(provider)
        return divided(config, () if adapter is None else adapter.settings)

    def query_of(self, provider: str, config: Mapping[str, Any]) -> str:
        """
        Return the secret query of a provider's posts, by a config that it has checked before.

        It is empty if the provider no longer takes the config, as when masks stand for lost secrets.
        """
        adapter = self._providers.get(provider)
        try:
            return "" if adapter is None else adapter.callback_query(config)
        except ValidationFailedError:
            return ""

    def providers(self) -> Sequence[ProviderView]:
        """Return all providers by name, with what a channel account of each is asked for."""
        # A provider without channels of its own serves any.
        every = with_adapters(tuple(Channel), self.adapters)
        return [
            ProviderView(
                name=name,
                channels=tuple(every if adapter.channels is None else map(str, adapter.channels)),
                settings=tuple(map(_setting_view, adapter.settings)),
            )
            for name, adapter in sorted(self._providers.items())
        ]


def _setting_view(setting: Setting) -> SettingView:
    return SettingView(
        name=setting.name,
        kind=setting.kind,
        required=setting.required,
        secret=setting.secret,
        choices=setting.choices,
        help=setting.help,
    )
