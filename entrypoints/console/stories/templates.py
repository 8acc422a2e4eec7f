"""The events of PIN templates, RCS templates and WhatsApp templates in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....domain.event import Event
from ....domain.pin_template import (
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
)
from ....domain.rcs_template import (
    RcsTemplateApproved,
    RcsTemplateCreated,
    RcsTemplateRejected,
    RcsTemplateSubmitted,
)
from ....domain.whatsapp_template import (
    WhatsappSubmissionBegun,
    WhatsappSubmissionEnded,
    WhatsappSubmissionPutOff,
    WhatsappSubmissionRequested,
    WhatsappTemplateApproved,
    WhatsappTemplateCreated,
    WhatsappTemplateRejected,
    WhatsappTemplateSubmitted,
)
from .telling import Told, bad, good, warn


def _reviewed(event: WhatsappTemplateApproved | WhatsappTemplateRejected, verdict: str) -> str:
    who = "provider" if event.by_provider else "operator"
    return f"The {who} {verdict} the template{_reason(event.reason)}."


def _reason(reason: str | None) -> str:
    return "" if reason is None else f", because: {reason.rstrip('.')}"


def _submitted(event: WhatsappTemplateSubmitted) -> Told:
    if event.adopted:
        return good("The provider had the template already, under the same name and language.")
    return good("The provider has the template, and reviews it.")


TEMPLATE_STORIES: Mapping[type[Event], Any] = {
    PinTemplateCreated: lambda event: Told(f"The PIN template {event.name} was created, enabled."),
    PinTemplateRevised: lambda event: Told(f"The PIN template {event.name} was changed."),
    PinTemplateEnabled: lambda _: good("The PIN template was enabled. It sends codes again."),
    PinTemplateDisabled: lambda _: warn("The PIN template was disabled. It sends no codes."),
    PinTemplateArchived: lambda _: warn("The PIN template was archived, for good."),
    RcsTemplateCreated: lambda event: Told(
        f"The RCS template {event.name} was created as a draft."
    ),
    RcsTemplateSubmitted: lambda _: Told("The template was submitted for approval."),
    RcsTemplateApproved: lambda event: good(f"The template was approved{_reason(event.reason)}."),
    RcsTemplateRejected: lambda event: bad(f"The template was rejected{_reason(event.reason)}."),
    WhatsappTemplateCreated: lambda event: Told(
        f"The WhatsApp template {event.name} was created in {event.language}."
    ),
    WhatsappTemplateApproved: lambda event: good(_reviewed(event, "approved")),
    WhatsappTemplateRejected: lambda event: bad(_reviewed(event, "rejected")),
    WhatsappSubmissionRequested: lambda _: Told("The template is to go to its provider."),
    WhatsappSubmissionBegun: lambda event: Told(
        f"Attempt {event.attempt} to submit the template to its provider begins."
    ),
    WhatsappSubmissionPutOff: lambda event: warn(
        f"Attempt {event.attempt} to submit the template failed with the code {event.code}."
        " Another one follows."
    ),
    WhatsappSubmissionEnded: lambda event: bad(
        f"The template was not submitted: attempt {event.attempt} ended with the code {event.code}."
    ),
    WhatsappTemplateSubmitted: _submitted,
}
