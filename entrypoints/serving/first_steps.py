"""Describe the next steps on a store without a channel account, which can send nothing yet."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from ...application.caller import THE_WORKER
from ...application.paging import Paging
from .endpoint import ADMIN, MAIN, Endpoint, Ports

if TYPE_CHECKING:
    # The parent of workers prints the steps, and does not load a service.
    from ..wired import Wired

# Called once a service listens, with its ports.
Ready = Callable[[Ports, "NothingToSendWith | None"], None]
_ANY = Paging(page_size=1)


@frozen
class NothingToSendWith:
    """A store has no channel account; `account` is the name of an account that can get one."""

    account: str | None


async def what_is_missing(service: Wired) -> NothingToSendWith | None:
    """Return what a store lacks before its first send; None if it has a channel account."""
    if (await service.channel_accounts.list(None, _ANY)).data:
        return None
    accounts = (await service.accounts.list(THE_WORKER, _ANY)).data
    return NothingToSendWith(accounts[0].name if accounts else None)


def next_steps(missing: NothingToSendWith, ports: Ports, endpoint: Endpoint) -> str:
    """Return a sentence, and the commands that lead to the first message."""
    place = f"--url {endpoint.at(ports.get(ADMIN, ports[MAIN]))}"
    first = "and give these commands the WATCHWORD_ADMIN_TOKEN of this service"
    if endpoint.admin_token is None:
        first = "start this service with WATCHWORD_ADMIN_TOKEN set, and give these commands the same token"
    account = shlex.quote(missing.account or "acme")
    creating = f"\n  watchword accounts create {account} {place}" if missing.account is None else ""
    return f"""
No message can be sent yet, because there is no channel account. Write the settings of your
provider to config.json (docs/how-to/channels/ has those of each),
{first}:{creating}
  watchword channel-accounts create --account {account} --type sms --provider http \\
    --name main --sender +15005550006 --config config.json {place}
  watchword channel-accounts test main --to +447700900123 {place}
"""
