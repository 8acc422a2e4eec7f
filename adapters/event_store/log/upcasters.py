"""
Upcasters convert old forms of events, one version at a time.

An upcaster takes stored data of version n and returns data of version n + 1. Its key is the event's
name and n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]


def _with_origin(submitted: dict[str, Any]) -> dict[str, Any]:
    return {**submitted, "resource_type": "api", "tags": {}, "callback_url": None}


def _with_content_and_links(submitted: dict[str, Any]) -> dict[str, Any]:
    return {**submitted, "content_id": None, "link_codes": []}


def _with_content_and_links_in_steps(armed: dict[str, Any]) -> dict[str, Any]:
    return {**armed, "steps": [_with_content_and_links(step) for step in armed["steps"]]}


def _in_clear(created: dict[str, Any]) -> dict[str, Any]:
    # Nothing takes a secret out of a log, so what was stored in clear goes on being used (D-198).
    return {**created, "sealed": False}


def _with_limits_and_failover(created: dict[str, Any]) -> dict[str, Any]:
    return {**created, "limits": {}, "failover": [], "failover_on_unknown": None, "prices": []}


def _without_attempts_and_price(reported: dict[str, Any]) -> dict[str, Any]:
    # Older releases knew neither, and newer ones leave out what is not there (D-228).
    return reported


def _without_a_ttl(armed: dict[str, Any]) -> dict[str, Any]:
    # Older releases did not keep it, and newer ones leave out what is not there (D-228).
    return armed


def _by_anyone(reviewed: dict[str, Any]) -> dict[str, Any]:
    # Older releases did not tell a provider's review from an operator's (D-287).
    return {**reviewed, "by_provider": False}


UPCASTERS: Mapping[tuple[str, int], Upcaster] = {
    ("MessageSubmitted", 1): _with_origin,
    ("MessageSubmitted", 2): _with_content_and_links,
    ("ChannelAccountCreated", 1): _in_clear,
    ("ChannelAccountCreated", 2): _with_limits_and_failover,
    ("FallbackArmed", 1): _with_content_and_links_in_steps,
    ("FallbackArmed", 2): _without_a_ttl,
    ("PinDispatched", 1): _without_attempts_and_price,
    ("MessageDispatched", 1): _without_attempts_and_price,
    ("FallbackDispatched", 1): _without_attempts_and_price,
    ("PinReported", 1): _without_attempts_and_price,
    ("MessageReported", 1): _without_attempts_and_price,
    ("ReceiptParked", 1): _without_attempts_and_price,
    ("WhatsappTemplateApproved", 1): _by_anyone,
    ("WhatsappTemplateRejected", 1): _by_anyone,
}
