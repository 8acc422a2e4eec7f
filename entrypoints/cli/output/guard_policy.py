"""Prints a guard policy: a line for each rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from .json_text import echo_json
from .tables import echo_table

_ADAPTIVE = "adaptive: a fifth of the best of 14 days, at least 50/1d"


def echo_guard_policy(policy: Mapping[str, Any], *, as_json: bool) -> None:
    """Print a policy as its route answers it."""
    if as_json:
        echo_json(policy)
        return
    echo_table(("rule", "mode", "limit"), _rules(policy))
    passes = policy.get("verifiedPass")
    click.echo(
        f"\nA destination that was verified in the last {passes} passes unverified.*."
        if passes
        else "\nNo destination passes unverified.*, whenever it was verified."
    )


def _rules(policy: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    unverified, sends = policy["unverified"], policy["sends"]
    yield "numbers", policy["numbers"]["mode"], ""
    yield "countries", policy["countries"]["mode"], _listed(policy["countries"])
    yield _limited("guesses", policy["guesses"])
    yield _limited("unverified.country", unverified["country"], _ADAPTIVE)
    yield _limited("unverified.prefix", unverified["prefix"])
    yield _limited("unverified.ip", unverified["ip"])
    yield _limited("sends.account", sends.get("account", {}))
    channels = sends.get("channels", {})
    for channel, rule in channels.items():
        yield _limited(f"sends.channels.{channel}", rule)
    if not channels:
        yield _limited("sends.channels", {})


def _limited(name: str, rule: Mapping[str, Any], otherwise: str = "") -> tuple[str, str, str]:
    return name, rule.get("mode", "off"), rule.get("limit", otherwise)


def _listed(countries: Mapping[str, Any]) -> str:
    lists = {name: countries[name] for name in ("allow", "refuse") if name in countries}
    return "; ".join(f"{name} {', '.join(codes) or 'none'}" for name, codes in lists.items())
