"""Files for messages and templates."""

from __future__ import annotations

from .. import calls
from ..data.media import HostedMedia, MediaByUrl, MediaForm, Upload, UploadedMedia
from .calling import Calling


class Media:
    """Upload files. After `AnswerLostError` the file may be stored, without anybody who knows its id."""

    def __init__(self, calling: Calling) -> None:
        self._calling = calling

    def upload(
        self,
        file: Upload,
        *,
        sender_profile_name: str,
        message_type: str,
        timeout: float | None = None,
    ) -> HostedMedia:
        """Upload a file of less than 100 MiB for RCS (A3), and return its address."""
        request = MediaForm(sender_profile_name=sender_profile_name, message_type=message_type)
        return self._calling.make(
            calls.UPLOAD_MEDIA, request, files=[("file", file)], timeout=timeout
        )

    def upload_from_url(
        self,
        url: str,
        *,
        sender_profile_name: str,
        message_type: str,
        timeout: float | None = None,
    ) -> HostedMedia:
        """Have the service fetch a file for RCS from a public address (A3)."""
        request = MediaByUrl(
            sender_profile_name=sender_profile_name, message_type=message_type, url=url
        )
        return self._calling.make(calls.UPLOAD_MEDIA, request, timeout=timeout)

    def upload_for_whatsapp(self, file: Upload, *, timeout: float | None = None) -> UploadedMedia:
        """Upload a file for WhatsApp, and return the id that messages name."""
        return self._calling.make(
            calls.UPLOAD_WHATSAPP_MEDIA, files=[("file", file)], timeout=timeout
        )
