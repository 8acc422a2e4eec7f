"""Commands of an RCS template."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from ..value import value
from .content import HostedFile, TemplateDefinition, UploadedFile


@value(kw_only=True)
class CreateRcsTemplate:
    """
    Create a template with the fields of SPEC 2.1, as they were given.

    `files` come with the template; `hosted` are the media that host them after the creation.
    """

    at: datetime
    account_id: str
    sender_profile: str
    message_type: str
    update_by: str = field(repr=False)
    definition: TemplateDefinition
    files: tuple[UploadedFile, ...] = ()
    hosted: tuple[HostedFile, ...] = ()


@value(kw_only=True)
class SubmitRcsTemplate:
    """Submit a draft or a rejected template for approval (C-55)."""

    at: datetime
