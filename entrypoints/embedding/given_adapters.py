"""Checks the arguments of `open` before any other code uses them (D-154)."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ...application.ports.channels import ChannelProvider, Setting
from ...application.ports.clock import Clock
from ...application.ports.code_hasher import CodeHasher
from ..built_in_providers import OWN_NAMES
from ..service_addresses import is_service_address
from ..settings import SettingsError

_PORT = tuple(name for name in vars(ChannelProvider) if not name.startswith("_"))
# The port's own implementation only documents it.
_OWN = ("send",)
_AWAITED = {
    name: inspect.iscoroutinefunction(method)
    for name, method in vars(ChannelProvider).items()
    if name in _PORT and inspect.isfunction(method)
}


def check_providers(providers: object) -> None:
    """
    Refuse an incomplete `ChannelProvider`, and a name that is taken.

    An incomplete provider would send, but later lose fallbacks and reports unnoticed. If its `send` is no
    coroutine function, the outcome of every send would be unknown.
    Raises `SettingsError`, which names the provider and what to do.
    """
    if not isinstance(providers, Mapping):
        raise SettingsError(
            f"channels= is a {type(providers).__name__}. Give a dictionary of providers by name."
        )
    for name, provider in providers.items():
        if not isinstance(name, str) or not name:
            raise SettingsError("A name in channels= is no text with a character at least.")
        if name in OWN_NAMES:
            # It would be hidden by Watchword's own provider of this name (C-72).
            raise SettingsError(
                f"The name {name!r} in channels= is that of a provider of Watchword's own."
                " Choose another."
            )
        if isinstance(provider, type):
            raise SettingsError(
                f"The provider {name!r} in channels= is the class {provider.__name__}."
                " Give an object of it."
            )
        kind = type(provider)
        lacking = [each for each in _PORT if not _has(provider, each)]
        lacking += [
            each for each in _OWN if getattr(kind, each, None) is vars(ChannelProvider)[each]
        ]
        if lacking:
            raise SettingsError(
                f"The provider {name!r} in channels= ({kind.__name__}) has no {', no '.join(lacking)}."
                " Have its class inherit watchword.ChannelProvider, and define its send."
            )
        for each, awaited in _AWAITED.items():
            if _is_awaited(getattr(provider, each)) != awaited:
                raise SettingsError(
                    f"The {each} of the provider {name!r} in channels= ({kind.__name__}) is"
                    f" {'no' if awaited else 'an'} async function. Define it with"
                    f" {'async def' if awaited else 'def alone'}."
                )
        _check_settings(name, provider.settings)


def _check_settings(name: str, settings: object) -> None:
    """Refuse declared settings that would be taken for none, as then every setting is secret."""
    if isinstance(settings, list | tuple) and all(isinstance(each, Setting) for each in settings):
        return
    raise SettingsError(
        f"The settings of the provider {name!r} in channels= are no list of watchword.Setting."
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


def check_addresses(public_url: object, short_domains: object) -> None:
    """Refuse a text that no address can begin with, or one text instead of several; raise `SettingsError`."""
    if isinstance(short_domains, str) or not isinstance(short_domains, Iterable):
        raise SettingsError(f"short_domains= is {short_domains!r}. Give a list of addresses.")
    given = [("public_url=", public_url)] if public_url is not None else []
    given += [("short_domains=", each) for each in short_domains]
    for argument, each in given:
        if not is_service_address(each):
            raise SettingsError(
                f"{argument} has {each!r}, which is no address. Give one such as https://pins.example.com."
            )


def check_texts(store: object, code_key: object) -> None:
    """Refuse a store or a code key that is no text, without showing it; raise `SettingsError`."""
    if not isinstance(store, str):
        raise SettingsError(
            f"The store is of the type {type(store).__name__}. Give its address, such as 'memory://'."
        )
    if code_key is not None and not isinstance(code_key, str):
        raise SettingsError(
            f"code_key= is of the type {type(code_key).__name__}. Give a text of the form <version>:<base64>."
        )


def check_file(store: Path | None) -> None:
    """Refuse a folder instead of a file, before a key is looked for; raise `SettingsError`."""
    if store is not None and store.is_dir():
        raise SettingsError(
            f"The store {store} is a folder. Name a file in it: {store}/watchword.db."
        )


def check_clock(clock: Clock | None) -> None:
    """Refuse a clock that lacks a method, or returns a time without a zone; raise `SettingsError`."""
    if clock is None:
        return
    _whole(clock, "clock=", ("now", "real"), "watchword.Clock")
    times: Mapping[str, object] = {"now": clock.now(), "real": clock.real()}
    for name, time in times.items():
        if not isinstance(time, datetime) or time.tzinfo is None:
            raise SettingsError(
                f"The {name}() of clock= ({type(clock).__name__}) tells no time with a zone."
                " Return one such as datetime.now(UTC)."
            )


def check_hasher(hasher: CodeHasher | None) -> None:
    """Refuse a hasher that lacks a method; raise `SettingsError`."""
    if hasher is not None:
        _whole(hasher, "hasher=", ("hash", "matches"), "watchword.CodeHasher")


def _whole(given: object, argument: str, parts: Iterable[str], port: str) -> None:
    if isinstance(given, type):
        raise SettingsError(f"{argument} is the class {given.__name__}. Give an object of it.")
    lacking = [each for each in parts if not callable(getattr(given, each, None))]
    if lacking:
        raise SettingsError(
            f"{argument} ({type(given).__name__}) has no {', no '.join(lacking)}. See {port}."
        )
