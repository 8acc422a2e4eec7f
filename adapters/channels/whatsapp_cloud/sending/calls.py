"""One send: its request, and the outcome of the call (C-68)."""

from __future__ import annotations

from .....application.ports.channels import Accepted, Message, Rejected, Unknown
from ....never_repeated import RequestCutError
from ...http_client.failures import NotSentError, no_unicode
from ...http_client.keep_alive import KeepAliveClients
from ..failures import failure
from ..graph import graph_request
from ..settings import WhatsappSettings
from ..words import said_in
from .outcomes import TOOK_IT, outcome
from .requests import request_body


async def sent(
    clients: KeepAliveClients, settings: WhatsappSettings, message: Message
) -> Accepted | Rejected | Unknown:
    """Send a message with one request."""
    path = f"{settings.phone_number_id}/messages"
    try:
        body = request_body(message)
        request = graph_request(settings, "POST", path, body=body)
        answer = await clients.call(message.channel_account_id, request)
    except UnicodeError:
        return failure(no_unicode(), TOOK_IT)
    except (NotSentError, RequestCutError, TimeoutError) as error:
        return failure(error, TOOK_IT)
    return outcome(answer, said_in(settings, body))
