"""Checks the arguments of `open` and `http_app` before any other code uses them (D-154)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from ...application.ports.clock import Clock
from ...application.ports.code_hasher import CodeHasher
from ..addresses.services import is_service_address
from ..providers.built_in import OWN_NAMES
from ..providers.checking import check_provider
from ..settings import SettingsError


def check_providers(providers: object) -> None:
    """
    Refuse an incomplete `ChannelProvider`, and a name that is taken.

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
        check_provider(name, f"the provider {name!r} in channels=", provider)


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


def checked_witnesses(witnesses: object) -> tuple[str, ...]:
    """Return the witnesses; raise `SettingsError` for one text instead of several."""
    if isinstance(witnesses, str) or not isinstance(witnesses, Iterable):
        raise SettingsError(f"witnesses= is {witnesses!r}. Give a list of 'URL,VKEY'.")
    return tuple(str(each) for each in witnesses)


def checked_proxies(trusted_proxies: object) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks; raise `SettingsError` for what is none, and for one text instead of several."""
    if isinstance(trusted_proxies, str) or not isinstance(trusted_proxies, Iterable):
        raise SettingsError(
            f"trusted_proxies= is {trusted_proxies!r}. Give a list of networks, such as ['10.0.0.0/24']."
        )
    try:
        # `ip_network` takes numbers and bytes, too, and reads an address from them that nobody wrote.
        return tuple(ip_network(str(each)) for each in trusted_proxies)
    except ValueError as error:
        raise SettingsError(f"{error}. Give trusted_proxies= such as ['10.0.0.0/24'].") from None


def check_admin_token(admin_token: object) -> None:
    """Refuse a token that is no text, without showing it; raise `SettingsError`."""
    if admin_token is not None and not isinstance(admin_token, str):
        raise SettingsError(
            f"admin_token= is of the type {type(admin_token).__name__}. Give a text from"
            " secrets.token_urlsafe(32)."
        )


def check_texts(store: object, code_key: object, receipt_key: object, log_key: object) -> None:
    """Refuse a store or a key that is no text, without showing it; raise `SettingsError`."""
    if not isinstance(store, str):
        raise SettingsError(
            f"The store is of the type {type(store).__name__}. Give its address, such as 'memory://'."
        )
    if code_key is not None and not isinstance(code_key, str):
        raise SettingsError(
            f"code_key= is of the type {type(code_key).__name__}. Give a text of the form <version>:<base64>."
        )
    if receipt_key is not None and not isinstance(receipt_key, str):
        raise SettingsError(
            f"receipt_key= is of the type {type(receipt_key).__name__}. Give the base64 of 32 bytes."
        )
    if log_key is not None and not isinstance(log_key, str):
        raise SettingsError(
            f"log_key= is of the type {type(log_key).__name__}. Give a text that begins with PRIVATE+KEY+."
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
