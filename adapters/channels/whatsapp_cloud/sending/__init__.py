"""Sends by the Cloud API: requests, and the outcomes that their answers mean (C-26, C-68)."""

from .calls import sent
from .probing import probed

__all__ = ["probed", "sent"]
