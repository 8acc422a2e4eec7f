"""Have Meta post what concerns a phone number to the address of its channel account (C-70, D-282)."""

from __future__ import annotations

from ....application.ports.channels import Fault, Rejected, Unknown, Webhook
from ...never_repeated import RequestCutError
from ..http_client.exchanges import Answer
from ..http_client.failures import NotSentError
from ..http_client.keep_alive import KeepAliveClients
from ..http_client.reading_answers import object_of
from .failures import failure
from .faults import advice, fault_of
from .graph import error_in, graph_request
from .settings import WhatsappSettings
from .words import explained, said_in

_STEPS = (
    "Meta posts messages and statuses of this phone number to the address. In the app, under WhatsApp,"
    " Configuration, the field messages has to be subscribed to.",
    "Decisions on templates never come to the address of a phone number: Meta posts them to the app's own"
    " callback URL. Enter the address of one channel account of the app there, with its verifyToken, and"
    " subscribe to message_template_status_update.",
)
_REACHABLE = "Meta calls the address at once: it has to be https, and the service has to answer."
_SET_IT = "set the address"
_UNCLEAR = Unknown(message=f"Meta's answer does not say whether it {_SET_IT}.")


async def webhook_set(
    clients: KeepAliveClients, settings: WhatsappSettings, url: str
) -> Webhook | Rejected | Unknown:
    """Override the app's callback URL for the phone number; Meta checks the address with a challenge."""
    override = {"override_callback_uri": url, "verify_token": settings.verify_token}
    body = {"webhook_configuration": override}
    request = graph_request(settings, "POST", settings.phone_number_id, body=body)
    try:
        answer = await clients.call(settings.phone_number_id, request)
    except (NotSentError, RequestCutError, TimeoutError) as error:
        return failure(error, _SET_IT)
    if not 200 <= answer.status < 300:
        return _refusal(answer, settings)
    is_set = object_of(answer).get("success") is True
    return Webhook(is_set=True, steps=_STEPS) if is_set else _UNCLEAR


def _refusal(answer: Answer, settings: WhatsappSettings) -> Rejected | Unknown:
    error = error_in(answer)
    if error is None or answer.status >= 500:
        return Unknown(message=f"Meta answered {answer.status}; nobody knows whether it {_SET_IT}.")
    fault, words = fault_of(error) or Fault.CONTENT, explained(error, said_in(settings))
    begin = f"Meta refused (error {error.code}){': ' if words else ''}{words}"
    what = _REACHABLE if fault is Fault.CONTENT else advice(fault, error.code)
    return Rejected(f"whatsapp_{error.code}", f"{begin}. {what}", fault)
