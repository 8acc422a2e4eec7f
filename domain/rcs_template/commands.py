"""What an RCS template is asked to do."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from ..value import value
from .content import HostedFile, TemplateDefinition, UploadedFile


@value(kw_only=True)
class CreateRcsTemplate:
    """
    Create a template, with the fields of SPEC 2.1 as they came.

    `files` come with it, and are `hosted` once it is created.
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
    """Put a draft, or a rejected template, up for approval (C-55)."""

    at: datetime
