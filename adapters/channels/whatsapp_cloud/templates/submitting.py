"""Submit a template to Meta, unless it has one of this name and language (C-99, D-284)."""

from __future__ import annotations

from .....application.ports.channels import Fault, Rejected, Submitted, Unknown
from .....domain.media import is_media_id
from .....domain.whatsapp_template import TemplateDefinition, header_examples
from ....never_repeated import RequestCutError
from ...http_client.failures import NotSentError
from ...http_client.keep_alive import KeepAliveClients
from ..graph import graph_request
from ..settings import WhatsappSettings
from .answers import RefusedError, adopted, created, exists_already, failure, refusal
from .definitions import request_body
from .listing import listed, path

_OUR_MEDIUM = Rejected(
    "whatsapp_example_not_uploaded",
    "Meta takes the example of a header as a handle of its own upload. Upload it there, and create the"
    " template with the handle.",
    Fault.CONTENT,
)


async def submitted(
    clients: KeepAliveClients, settings: WhatsappSettings, template: TemplateDefinition
) -> Submitted | Rejected | Unknown:
    """
    Submit a template, or adopt the one that Meta has.

    Meta has one template of a name and language, and refuses a second one: whatever became of an
    earlier attempt, no template is there twice.
    """
    try:
        return await _submitted(clients, settings, template)
    except RefusedError as refused:
        return refused.outcome
    except (NotSentError, RequestCutError, TimeoutError) as error:
        return failure(error)


async def _submitted(
    clients: KeepAliveClients, settings: WhatsappSettings, template: TemplateDefinition
) -> Submitted | Rejected | Unknown:
    found = await _found(clients, settings, template)
    if found is not None:
        return found
    if any(map(is_media_id, header_examples(template.content).values())):
        return _OUR_MEDIUM
    body = request_body(template, {})
    request = graph_request(settings, "POST", path(settings), body=body)
    answer = await clients.call(settings.phone_number_id, request)
    if 200 <= answer.status < 300:
        return created(answer)
    if exists_already(answer):
        # Somebody else created it meanwhile, or the list did not have it yet.
        return await _found(clients, settings, template) or refusal(answer, settings)
    return refusal(answer, settings)


async def _found(
    clients: KeepAliveClients, settings: WhatsappSettings, template: TemplateDefinition
) -> Submitted | None:
    async for known in listed(clients, settings, template.name):
        if known.name == template.name and known.language.replace("-", "_") == template.language:
            return adopted(known)
    return None
