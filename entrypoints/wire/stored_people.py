"""Certificates of erasures as plain data (C-74)."""

from __future__ import annotations

from typing import Any

from ...application.data_requests.certificate import Certificate
from .codec import unstructure


def certificate_record(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate; a stranger has neither id nor position."""
    shown: dict[str, Any] = unstructure(certificate)
    return {name: value for name, value in shown.items() if value is not None}
