"""A removed medium: gone from its address, its folder and every list, and named by no send (C-95)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.adapters.test_media_files import names
from tests.entrypoints.caller import Caller
from tests.entrypoints.http.hostile.raw_client import exchange
from tests.entrypoints.http.media.forms import FIELDS, FORM, file_part, form, upload
from tests.entrypoints.message_templates.creating_whatsapp import PICTURE, create
from tests.entrypoints.messaging.sends import session

# A store in memory has a folder of no known name.
STORES = ("sqlite",)


async def hosted(port: int) -> str:
    """Host a file, and return its id."""
    answer = await exchange(port, upload(form(file_part(), **FIELDS), FORM))
    return str(json.loads(answer.body)["id"])


async def test_a_removed_medium_is_gone(caller: Caller, port: int, folder: Path) -> None:
    """410 for any cache header, no file, in no list; record and history say so."""
    kept, medium = await hosted(port), await hosted(port)
    tag = (await caller.get(f"/media/{medium}")).headers["ETag"]
    listed = (await caller.operated("GET", "/media?account=demo"))["data"]
    removed = await caller.operated("DELETE", f"/media/{medium}")
    again = await caller.operated("DELETE", f"/media/{medium}")
    gone = await caller.get(f"/media/{medium}", headers={"If-None-Match": tag})
    left = await caller.operated("GET", "/media")

    assert [medium, kept] == [each["id"] for each in listed]
    assert removed == again == {**listed[0], "removedAt": removed["removedAt"]}
    assert removed["removedAt"] is not None
    assert (410, "media_removed") == gone.refusal
    assert [kept] == names(folder)
    assert (1, [kept]) == (left["total"], [each["id"] for each in left["data"]])
    assert ["MediaStored", "MediaRemoved"] == await caller.story(medium)


async def test_a_file_whose_removal_was_cut_off_goes_later(
    caller: Caller, port: int, folder: Path
) -> None:
    """The log says that it is removed, so the worker deletes the file (D-136)."""
    medium = await hosted(port)
    incoming = folder / "incoming"
    place = folder / medium
    # A folder cannot be unlinked: the disk fails in the middle of the removal.
    content = place.read_bytes()
    place.unlink()
    place.mkdir()
    reply = await caller.operate("DELETE", f"/media/{medium}")
    place.rmdir()
    place.write_bytes(content)
    await caller.advance(61)

    assert 200 == reply.status
    assert [] == names(folder)
    assert not list(incoming.iterdir())
    assert 410 == (await caller.get(f"/media/{medium}")).status


async def test_no_send_names_a_removed_medium(caller: Caller, port: int) -> None:
    """400 by its path, as for an unknown id; the same for an example of a template."""
    medium = await hosted(port)
    wa = [session("image", {"id": medium})]
    header = {"type": "HEADER", "format": "IMAGE", "example": {"header_handle": [medium]}}
    template = {**PICTURE, "components": [PICTURE["components"][0], header]}
    before = await caller.send(wa=wa)
    await caller.operated("DELETE", f"/media/{medium}")
    after = await caller.send(wa=wa)
    example = await create(caller, template)

    assert 200 == before.status, before.body
    assert ["wa[0].image.id"] == after.wrong
    assert ["components[1].example.header_handle[0]"] == example.wrong


async def test_what_is_nobodys_medium_is_404(caller: Caller) -> None:
    """For any id and any account."""
    for media_id in ("med_0", "x", "med_" + "0" * 32):
        assert (404, "not_found") == (await caller.operate("DELETE", f"/media/{media_id}")).refusal
    unknown = await caller.operate("GET", "/media?account=nobody")
    assert (404, "account_not_found") == unknown.refusal
