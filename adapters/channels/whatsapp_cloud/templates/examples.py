"""Upload the examples of headers, which Meta takes as handles of its own uploads (C-26, D-92)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from yarl import URL

from .....application.ports.channels import Fault, MediaFile, Rejected
from .....domain.media import is_media_id
from .....domain.whatsapp_template import TemplateDefinition, header_examples
from ...http_client.exchanges import Answer, Request
from ...http_client.keep_alive import KeepAliveClients
from ...http_client.reading_answers import object_of
from ..graph import GRAPH_VERSION, graph_request
from ..settings import WhatsappSettings
from .answers import RefusedError, refusal, unreadable
from .definitions import Handles

# More than Meta shows of an image or a video; the files of uploads under way are in memory.
MOST_BYTES = 16 * 2**20
MOST_UPLOADS = 2
_TYPES = frozenset({"application/pdf", "image/jpeg", "image/png", "video/mp4"})
_SESSION = re.compile(r"upload:[\w:+/=.~%-]{1,2000}(\?[\w:+/=.~%&-]{1,2000})?", re.ASCII)
_HANDLE = re.compile(r"[!-~]{1,8192}")
_NO_APP = (
    "The example of a header is a file that was uploaded here, and an app uploads it to Meta. Add appId to"
    " the channel account's config, and submit the template again."
)
_GONE = (
    "The file of an example was removed, or has more than 16 MiB. Create the template with another."
)
_TYPE = "Meta takes PDF, JPEG, PNG and MP4 as examples. Create the template with such a file."

# Returns a file of ours, unless it has more bytes.
MediaOf = Callable[[str, int], Awaitable[MediaFile | None]]


class Examples:
    """Uploads files; few at once, because each is in memory meanwhile."""

    def __init__(self, clients: KeepAliveClients, media_of: MediaOf) -> None:
        self._clients = clients
        self._media_of = media_of
        self._places = asyncio.Semaphore(MOST_UPLOADS)

    async def handles(self, settings: WhatsappSettings, template: TemplateDefinition) -> Handles:
        """
        Return Meta's handles of the files of ours that a template names.

        Raises `RefusedError`, and the errors of `KeepAliveClients.call`.
        """
        ours = {each for each in header_examples(template.content).values() if is_media_id(each)}
        return {each: await self._handle(settings, each) for each in sorted(ours)}

    async def _handle(self, settings: WhatsappSettings, media_id: str) -> str:
        if settings.app_id is None:
            raise _refused("whatsapp_no_app_id", _NO_APP)
        async with self._places:
            file = await self._media_of(media_id, MOST_BYTES)
            if file is None:
                raise _refused("whatsapp_example_gone", _GONE)
            if file.content_type not in _TYPES:
                raise _refused("whatsapp_example_type", _TYPE)
            session = await self._begin(settings, settings.app_id, file)
            return await self._upload(settings, session, file)

    async def _begin(self, settings: WhatsappSettings, app_id: str, file: MediaFile) -> str:
        query = {
            "file_name": file.name,
            "file_length": str(len(file.content)),
            "file_type": file.content_type,
        }
        said = await self._asked(
            settings, graph_request(settings, "POST", f"{app_id}/uploads", query=query)
        )
        return _member(said, "id", _SESSION)

    async def _upload(self, settings: WhatsappSettings, session: str, file: MediaFile) -> str:
        # The session has a signature in its query, which must stay as it is.
        url = URL(f"{settings.base_url}/{GRAPH_VERSION}/{session}", encoded=True)
        headers = {
            "Authorization": f"OAuth {settings.access_token}",
            "file_offset": "0",
            "Content-Type": "application/octet-stream",
        }
        request = Request(method="POST", url=url, headers=headers, body=file.content)
        return _member(await self._asked(settings, request), "h", _HANDLE)

    async def _asked(self, settings: WhatsappSettings, request: Request) -> Mapping[str, Any]:
        answer: Answer = await self._clients.call(settings.phone_number_id, request)
        if not 200 <= answer.status < 300:
            raise RefusedError(refusal(answer, settings))
        return object_of(answer)


def _member(said: Mapping[str, Any], name: str, form: re.Pattern[str]) -> str:
    found = said.get(name)
    if not isinstance(found, str) or not form.fullmatch(found):
        raise unreadable()
    return found


def _refused(code: str, words: str) -> RefusedError:
    return RefusedError(Rejected(code, words, Fault.CONTENT))
