"""The events of a WhatsApp template."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ..event import Event
from .content import TemplateContent


@frozen(kw_only=True)
class WhatsappTemplateCreated(Event):
    """A template was created and submitted for approval (C-26)."""

    account_id: str
    name: str
    language: str
    content: TemplateContent


@frozen(kw_only=True)
class WhatsappTemplateApproved(Event):
    """The template was approved, by an operator or its provider; sends under it are allowed."""

    reason: str | None = None
    by_provider: bool = False


@frozen(kw_only=True)
class WhatsappTemplateRejected(Event):
    """The template was rejected, by an operator or its provider; sends under it are refused."""

    reason: str | None = None
    by_provider: bool = False


@frozen(kw_only=True)
class WhatsappSubmissionRequested(Event):
    """The template is to be submitted to the provider of a channel account (C-99)."""

    channel_account_id: str


@frozen(kw_only=True)
class WhatsappSubmissionBegun(Event):
    """
    An attempt to submit the template begins; attempts are numbered from 1.

    Without an outcome by `again_at`, the attempt is lost, and another one begins.
    """

    attempt: int
    again_at: datetime


@frozen(kw_only=True)
class WhatsappSubmissionPutOff(Event):
    """The attempt failed for a reason that may pass; the next one follows at `again_at`."""

    attempt: int
    code: str
    reason: str
    again_at: datetime


@frozen(kw_only=True)
class WhatsappSubmissionEnded(Event):
    """No attempt follows: the provider refused the template, or the attempts took too long."""

    attempt: int
    code: str
    reason: str


@frozen(kw_only=True)
class WhatsappTemplateSubmitted(Event):
    """
    The provider has the template, under an id and in a category of its own.

    An `adopted` template was there before, with the same name and language.
    """

    attempt: int
    provider_template_id: str
    category: str | None = None
    adopted: bool = False
