"""Checks that the provider of an embedder or a plugin has every part of the port (D-154)."""

from __future__ import annotations

import inspect
from typing import Any

from ...application.ports.channels import ChannelProvider, Setting
from ..settings import SettingsError

_PORT = tuple(name for name in vars(ChannelProvider) if not name.startswith("_"))
# The port's own implementation only documents it.
_OWN = ("send",)
_AWAITED = {
    name: inspect.iscoroutinefunction(method)
    for name, method in vars(ChannelProvider).items()
    if name in _PORT and inspect.isfunction(method)
}


def check_provider(who: str, provider: object) -> None:
    """
    Refuse an incomplete `ChannelProvider`.

    It would send, but later lose fallbacks and reports unnoticed. If its `send` is no coroutine function,
    the outcome of every send would be unknown. `who` is a part of a sentence, such as "the plugin 'courier'".
    Raises `SettingsError`, which names the provider and what to do.
    """
    subject = f"{who[0].upper()}{who[1:]}"
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
                f"The {each} of {who} ({kind.__name__}) is {'no' if awaited else 'an'} async function."
                f" Define it with {'async def' if awaited else 'def alone'}."
            )
    _check_settings(who, getattr(provider, "settings", None))


def _check_settings(who: str, settings: object) -> None:
    """Refuse declared settings that would be taken for none, as then every setting is secret."""
    if isinstance(settings, list | tuple) and all(isinstance(each, Setting) for each in settings):
        return
    raise SettingsError(
        f"The settings of {who} are no list of watchword.Setting."
        " Return those that are not secret, such as [Setting(name='url', secret=False)]."
    )


def _has(provider: object, part: str) -> bool:
    return hasattr(provider, part) and (part not in _AWAITED or callable(getattr(provider, part)))


def _is_awaited(method: Any) -> bool:
    """Return whether a method is a coroutine function: itself, below its decorators, or as `__call__`."""
    return any(
        inspect.iscoroutinefunction(each)
        for each in (method, inspect.unwrap(method), type(method).__call__)
    )
