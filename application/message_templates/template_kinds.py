"""The two kinds of message templates, for the use cases that handle both alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from ...domain import rcs_template, whatsapp_template
from ...domain.approval import Review
from ...domain.channel import Channel
from ...domain.decider import Decider, Decision
from ...domain.rcs_template import RcsTemplate, rcs_template_decider
from ...domain.whatsapp_template import WhatsappTemplate, whatsapp_template_decider
from .views import RcsTemplateView, WhatsappTemplateView

S = TypeVar("S")
# The view of a template. Covariant, because a kind returns views and takes none.
R_co = TypeVar("R_co", covariant=True)


@frozen(kw_only=True)
class TemplateKind(Generic[S, R_co]):
    """How a channel's templates are rebuilt, shown and reviewed."""

    channel: Channel
    decider: Decider[S]
    view: Callable[[str, S], R_co]
    approve: Callable[[S, Review], Decision]
    reject: Callable[[S, Review], Decision]


RCS_TEMPLATES: TemplateKind[RcsTemplate, RcsTemplateView] = TemplateKind(
    channel=Channel.RCS,
    decider=rcs_template_decider,
    view=RcsTemplateView.of,
    approve=rcs_template.approve,
    reject=rcs_template.reject,
)
WHATSAPP_TEMPLATES: TemplateKind[WhatsappTemplate, WhatsappTemplateView] = TemplateKind(
    channel=Channel.WHATSAPP,
    decider=whatsapp_template_decider,
    view=WhatsappTemplateView.of,
    approve=whatsapp_template.approve,
    reject=whatsapp_template.reject,
)

TemplateView = RcsTemplateView | WhatsappTemplateView
