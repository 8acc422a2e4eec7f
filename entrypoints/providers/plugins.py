"""Plugins: channel providers that installed packages register as entry points (C-72)."""

from __future__ import annotations

from collections.abc import Collection
from importlib.metadata import EntryPoint, entry_points

from ...adapters.logs import located, logger
from ...application.ports.channels import ChannelProvider
from ..settings import SettingsError
from .built_in import OWN_NAMES
from .checking import check_provider

GROUP = "watchword.channels"

_log = logger("watchword.providers")


def load_plugins(given: Collection[str] = ()) -> dict[str, ChannelProvider]:
    """
    Return a provider of each plugin, by name; `given` are the names that an embedder's providers have.

    A plugin whose import or factory fails is left out and logged, so that its channel accounts reject with
    `provider_not_available` (D-230). Raises `SettingsError` for a name that is taken, and for a plugin that
    is no complete `ChannelProvider`.
    """
    found: dict[str, EntryPoint] = {}
    for each in sorted(entry_points(group=GROUP), key=_package):
        _check_name(each, found.get(each.name), given)
        found[each.name] = each
    loaded = ((name, _made(each)) for name, each in sorted(found.items()))
    return {name: provider for name, provider in loaded if provider is not None}


def unloaded_plugins(loaded: Collection[str]) -> frozenset[str]:
    """Return the names of plugins that are installed and did not load; `loaded` are those that did."""
    return frozenset(each.name for each in entry_points(group=GROUP)) - {*loaded}


def _check_name(plugin: EntryPoint, other: EntryPoint | None, given: Collection[str]) -> None:
    """Refuse a name that would hide a provider or be hidden by one."""
    name, package = plugin.name, _package(plugin)
    if name.casefold() in OWN_NAMES:
        raise SettingsError(
            f"The plugin {name!r} of the package {package} has the name of a provider of Watchword's own."
            " Uninstall the package."
        )
    if other is not None:
        raise SettingsError(
            f"The packages {_package(other)} and {package} both have a plugin {name!r}."
            " Uninstall one of them."
        )
    if name in given:
        raise SettingsError(
            f"The name {name!r} in channels= is that of the plugin of the package {package}."
            " Choose another, or uninstall the package."
        )


def _made(plugin: EntryPoint) -> ChannelProvider | None:
    """Return the provider of a plugin; None if its import or its factory fails."""
    package = _package(plugin)
    try:
        provider: ChannelProvider = plugin.load()()
    except (Exception, SystemExit) as error:
        # The text of the error may quote a secret that the plugin read.
        _log.error(
            "plugin_not_loaded",
            provider=plugin.name,
            package=package,
            value=plugin.value,
            **located(error),
        )
        return None
    check_provider(plugin.name, f"the plugin {plugin.name!r} of the package {package}", provider)
    _log.info("plugin_loaded", provider=plugin.name, package=package)
    return provider


def _package(plugin: EntryPoint) -> str:
    return plugin.dist.name if plugin.dist is not None else "of an unknown name"
