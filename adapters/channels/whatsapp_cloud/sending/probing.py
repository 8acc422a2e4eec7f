"""Log in to the Cloud API, and send nothing (C-67)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from yarl import URL

from .....application.ports.channels import Connected, Rejected, Unknown
from ....checked_addresses import CheckedAddresses
from ....never_repeated import RequestCutError
from ...http_client.failures import NotSentError
from ...http_client.keep_alive import KeepAliveClients
from ...http_client.probing import connected
from ...http_client.reading_answers import object_of, one_line
from ..failures import failure
from ..graph import graph_request
from ..settings import WhatsappSettings
from ..words import said_in, without_secrets
from .outcomes import refusal

_FIELDS = "display_phone_number,verified_name,quality_rating"
_LONGEST_NAME = 80
_RATING = re.compile("[A-Z_]{1,20}")
_NUMBER = re.compile("[0-9+() -]{1,32}")
_KNOWS_IT = "knows the phone number"
_UNREADABLE = Unknown(
    message="The answer does not describe a phone number: is the baseUrl that of Meta's Graph API?"
)


async def probed(
    clients: KeepAliveClients, addresses: CheckedAddresses, settings: WhatsappSettings
) -> Connected | Rejected | Unknown:
    """Connect, and ask with the token for the phone number that sends."""
    request = graph_request(settings, "GET", settings.phone_number_id, query={"fields": _FIELDS})
    try:
        reached = await connected(URL(settings.base_url), addresses, await clients.tls())
        answer = await clients.call(settings.phone_number_id, request)
    except (NotSentError, RequestCutError, TimeoutError) as error:
        return failure(error, _KNOWS_IT)
    said = said_in(settings)
    if answer.status != 200:
        return refusal(answer, said)
    described = _described(object_of(answer))
    if described is None:
        return _UNREADABLE
    return Connected(f"{reached.detail}, {without_secrets(described, said.secrets)}")


def _described(document: Mapping[str, Any]) -> str | None:
    """Return the phone number, its verified name and its quality; None if there is no number."""
    number, name, rating = (document.get(each) for each in _FIELDS.split(","))
    if not isinstance(number, str) or not _NUMBER.fullmatch(number):
        return None
    parts = [number]
    if isinstance(name, str) and name.strip():
        parts.append(f'"{one_line(name)[:_LONGEST_NAME]}"')
    if isinstance(rating, str) and _RATING.fullmatch(rating):
        parts.append(f"quality {rating}")
    return ", ".join(parts)
