"""Checks that the provider of an embedder or a plugin has every part of the port (D-154)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection
from typing import Any

from ...application.ports.channels import ChannelProvider, Setting, SettingKind
from ...domain.channel import Channel
from ..settings import SettingsError

_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
_CHANNELS = tuple(map(str, Channel))
_PORT = tuple(name for name in vars(ChannelProvider) if not name.startswith("_"))
# The port's own implementation only documents it.
_OWN = ("send",)
_AWAITED = {
    name: inspect.iscoroutinefunction(method)
    for name, method in vars(ChannelProvider).items()
    if name in _PORT and inspect.isfunction(method)
}


def check_provider(name: str, words: str, provider: object) -> None:
    """
    Refuse an incomplete `ChannelProvider`, and a name that no channel account could use.

    It would send, but later lose fallbacks and reports unnoticed. If its `send` is no coroutine function,
    the outcome of every send would be unknown. `words` name the provider, such as "the plugin 'courier'".
    Raises `SettingsError`, which names the provider and what to do.
    """
    subject = f"{words[0].upper()}{words[1:]}"
    _check_name(name, subject)
    if isinstance(provider, type):
        raise SettingsError(f"{subject} is the class {provider.__name__}. Give an object of it.")
    kind = type(provider)
    lacking = [each for each in _PORT if not _has(provider, each)]
    lacking += [each for each in _OWN if getattr(kind, each, None) is vars(ChannelProvider)[each]]
    if lacking:
        raise SettingsError(
            f"{subject} ({kind.__name__}) has no {', no '.join(lacking)}."
            " Have its class inherit watchword.ChannelProvider, and define its send."
        )
    for each, awaited in _AWAITED.items():
        if _is_awaited(getattr(provider, each)) != awaited:
            raise SettingsError(
                f"The {each} of {words} ({kind.__name__}) is {'no' if awaited else 'an'} async function."
                f" Define it with {'async def' if awaited else 'def alone'}."
            )
    _check_settings(words, getattr(provider, "settings", None))
    _check_channels(name, words, getattr(provider, "channels", None))


def _check_name(name: str, subject: str) -> None:
    """Refuse the name of a channel, and one that cannot stand in a fallback (C-52)."""
    if name in _CHANNELS:
        raise SettingsError(
            f"{subject} has the name of a channel. Choose another, such as 'my-{name}', and return"
            f" {name!r} in its channels."
        )
    if not _NAME.fullmatch(name):
        raise SettingsError(
            f"{subject} has a name that is none. Use 1 to 64 lower-case letters, digits, '-', '_' and '.',"
            " with a letter first."
        )


def _check_settings(words: str, settings: object) -> None:
    """Refuse declared settings that would be taken for none, as then every setting is secret."""
    if not (
        isinstance(settings, list | tuple) and all(isinstance(each, Setting) for each in settings)
    ):
        raise SettingsError(
            f"The settings of {words} are no list of watchword.Setting."
            " Return those that are not secret, such as [Setting(name='url', secret=False)]."
        )
    names = [each.name for each in settings]
    for each in settings:
        if names.count(each.name) > 1:
            raise SettingsError(f"The settings of {words} have {each.name!r} twice. Keep one.")
        if each.kind is SettingKind.CHOICE and not each.choices:
            raise SettingsError(
                f"The setting {each.name!r} of {words} is a choice without choices. List them in choices."
            )


def _check_channels(name: str, words: str, channels: object) -> None:
    """Refuse channels that no channel account can have: it would be refused later, for another reason."""
    if channels is None:
        return
    if isinstance(channels, str) or not isinstance(channels, Collection):
        raise SettingsError(
            f"The channels of {words} are {channels!r}. Return a list, such as [Channel.SMS]."
        )
    unknown = [each for each in channels if each not in _CHANNELS and each != name]
    if unknown or not channels:
        named = f"have {unknown[0]!r}" if unknown else "are none"
        raise SettingsError(
            f"The channels of {words} {named}. Return some of {', '.join(_CHANNELS)} and its own name {name}."
        )


def _has(provider: object, part: str) -> bool:
    return hasattr(provider, part) and (part not in _AWAITED or callable(getattr(provider, part)))


def _is_awaited(method: Any) -> bool:
    """Return whether a method is a coroutine function: itself, below its decorators, or as `__call__`."""
    return any(
        inspect.iscoroutinefunction(each)
        for each in (method, inspect.unwrap(method), type(method).__call__)
    )
