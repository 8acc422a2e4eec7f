"""Look up Meta's decisions on all templates of a business account (C-36)."""

from __future__ import annotations

from collections.abc import Sequence

from .....application.ports.channels import Rejected, TemplateReview, Unknown
from ....never_repeated import RequestCutError
from ...http_client.failures import NotSentError
from ...http_client.keep_alive import KeepAliveClients
from ..decisions import decides
from ..failures import failure
from ..languages import in_requests
from ..settings import WhatsappSettings
from .answers import HAS_IT, RefusedError, reason_of
from .listing import listed


async def looked_up(
    clients: KeepAliveClients, settings: WhatsappSettings
) -> Sequence[TemplateReview] | Rejected | Unknown:
    """Return the decisions in force; a template that waits for one is left out."""
    found: list[TemplateReview] = []
    try:
        async for known in listed(clients, settings):
            approved = decides(known.status)
            if approved is not None:
                found.append(
                    TemplateReview(
                        name=known.name,
                        language=in_requests(known.language),
                        approved=approved,
                        reason=None if approved else reason_of(known),
                    )
                )
    except RefusedError as refused:
        return refused.outcome
    except (NotSentError, RequestCutError, TimeoutError) as error:
        return failure(error, HAS_IT)
    return found
