"""Submit templates to Meta, unless it has one of this name and language (C-99, D-284)."""

from __future__ import annotations

from .....application.ports.channels import Rejected, Submitted, Unknown
from .....domain.whatsapp_template import TemplateDefinition
from ....never_repeated import RequestCutError
from ...http_client.failures import NotSentError
from ...http_client.keep_alive import KeepAliveClients
from ..failures import failure
from ..graph import graph_request
from ..languages import in_requests
from ..settings import WhatsappSettings
from .answers import HAS_IT, RefusedError, adopted, created, exists_already, refusal
from .definitions import request_body
from .examples import Examples, MediaOf
from .listing import listed, path


class Submissions:
    """Submits templates; `media_of` reads the files that their examples name."""

    def __init__(self, clients: KeepAliveClients, media_of: MediaOf) -> None:
        self._clients = clients
        self._examples = Examples(clients, media_of)

    async def submit(
        self, settings: WhatsappSettings, template: TemplateDefinition
    ) -> Submitted | Rejected | Unknown:
        """
        Submit a template, or adopt the one that Meta has.

        Meta has one template of a name and language, and refuses a second one: whatever became of an
        earlier attempt, no template is there twice.
        """
        try:
            return await self._found(settings, template) or await self._create(settings, template)
        except RefusedError as refused:
            return refused.outcome
        except (NotSentError, RequestCutError, TimeoutError) as error:
            return failure(error, HAS_IT)

    async def _create(
        self, settings: WhatsappSettings, template: TemplateDefinition
    ) -> Submitted | Rejected | Unknown:
        body = request_body(template, await self._examples.handles(settings, template))
        request = graph_request(settings, "POST", path(settings), body=body)
        answer = await self._clients.call(settings.phone_number_id, request)
        if 200 <= answer.status < 300:
            return created(answer)
        if exists_already(answer):
            # Somebody else created it meanwhile, or the list did not have it yet.
            return await self._found(settings, template) or refusal(answer, settings)
        return refusal(answer, settings)

    async def _found(
        self, settings: WhatsappSettings, template: TemplateDefinition
    ) -> Submitted | None:
        async for known in listed(self._clients, settings, template.name):
            if (known.name, in_requests(known.language)) == (template.name, template.language):
                return adopted(known)
        return None
