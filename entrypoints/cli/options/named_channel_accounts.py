"""Finds channel accounts by the names that people gave them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from ..output.tables import brief
from ..service.records import CHANNEL_ACCOUNTS, Record

if TYPE_CHECKING:
    from ..service.management import Management

_ID = re.compile("cha_[0-9a-f]{32}")


async def id_of(management: Management, named: str) -> str:
    """
    Return the id of the channel account with this id or name; the service refuses an unknown one.

    Raises `click.UsageError` if several have the name.
    """
    if _ID.fullmatch(named):
        return named
    rows = await management.list(CHANNEL_ACCOUNTS)
    if any(each["id"] == named for each in rows):
        return named
    found = [str(each["id"]) for each in rows if each["name"] == named]
    if len(found) > 1:
        raise click.UsageError(
            f"{len(found)} channel accounts have the name {brief(named)}. Give the id of one:"
            f" {', '.join(found)}."
        )
    return found[0] if found else named


async def with_ids(management: Management, body: Record) -> Record:
    """Return the settings of a channel account with ids for the names in `failover`."""
    if not body.get("failover"):
        return body
    return {**body, "failover": [await id_of(management, each) for each in body["failover"]]}
