"""The refusals of an RCS template."""

from __future__ import annotations

from ..errors import DomainError


class TemplateNotSubmittedError(DomainError):
    """The template is a draft, which cannot be approved or rejected (C-55)."""

    code = "template_not_submitted"

    def __init__(self, name: str) -> None:
        super().__init__(f"The template {name!r} is a draft. Submit it first.")
