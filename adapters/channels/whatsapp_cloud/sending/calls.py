"""One send: its request, and the outcome of the call (C-68)."""

from __future__ import annotations

from .....application.ports.channels import Accepted, Message, Rejected, Unknown
from .....domain.channel import PROVIDER_TIMEOUT
from ....never_repeated import RequestCutError
from ...http_client.failures import NotSentError, no_unicode
from ...http_client.keep_alive import KeepAliveClients
from ..graph import graph_request
from ..settings import WhatsappSettings
from ..words import said_in
from .outcomes import not_sent, outcome, unknown
from .requests import request_body

_CUT = "The connection was cut after the request began; nobody knows whether Meta took the message."
_LATE = "Meta did not answer in time; nobody knows whether it took the message."


async def sent(
    clients: KeepAliveClients, settings: WhatsappSettings, message: Message
) -> Accepted | Rejected | Unknown:
    """Send a message with one request."""
    path = f"{settings.phone_number_id}/messages"
    try:
        body = request_body(message)
        request = graph_request(settings, "POST", path, body=body)
        answer = await clients.call(message.channel_account_id, request)
    except NotSentError as error:
        return not_sent(error)
    except UnicodeError:
        return not_sent(no_unicode())
    except RequestCutError:
        return unknown(_CUT)
    except TimeoutError:
        return unknown(_LATE, PROVIDER_TIMEOUT)
    return outcome(answer, said_in(settings, body))
