"""RCS templates for embedders (C-44, C-65)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import watchword
from tests.entrypoints.message_templates.creating_rcs import AROUND, TEXT
from watchword.domain.approval import ApprovalStatus
from watchword.domain.errors import DuplicateNameError, NotFoundError, ValidationFailedError
from watchword.domain.rcs_template import (
    HostedFile,
    TemplateNotSubmittedError,
    TemplateState,
    TextMessage,
)

DRAFT = {**TEXT, "templateState": "Create"}
MENU = {
    **TEXT,
    "name": "menu",
    "type": "text_message_with_media",
    "messageOrder": "media_at_top",
    "documentFileName": "teas.pdf",
}


async def chunks(*pieces: bytes) -> AsyncIterator[bytes]:
    """Yield the bytes of a file."""
    for each in pieces:
        yield each


async def test_a_template_goes_its_way() -> None:
    """Created, found, listed, submitted, approved and rejected, as records in snake case."""
    async with watchword.open("memory://", sandbox=True) as service:
        templates = service.rcs_templates
        made = await templates.create("demo", data=DRAFT, **AROUND)
        with pytest.raises(TemplateNotSubmittedError):
            await templates.approve(made)
        submitted = await templates.submit(made)
        approved = await templates.approve(made.id)
        rejected = await templates.reject(made, reason="Shouts.")
        # The older one is the sandbox's own.
        listed = await templates.list("demo", page_size=1)

        assert ("teas", TextMessage(text_message_content=str(TEXT["textMessageContent"]))) == (
            made.name,
            made.content,
        )
        assert TemplateState.SUBMIT is submitted.template_state
        assert ApprovalStatus.APPROVED is approved.status
        assert (ApprovalStatus.REJECTED, "Shouts.") == (rejected.status, rejected.reason)
        assert (2, [rejected]) == (listed.total, list(listed.data))
        assert rejected == await templates.get(made)


async def test_a_template_with_its_file(tmp_path: Path) -> None:
    """The file is stored under its medium's id, and removed if the template is refused."""
    store = f"sqlite:///{tmp_path / 'store.db'}"
    async with watchword.open(store, data_dir=tmp_path) as service:
        await service.accounts.create("shop")
        files = {"teas.pdf": chunks(b"te", b"as")}
        made = await service.rcs_templates.create(
            "shop", data=MENU, multimedia_files=files, **AROUND
        )
        with pytest.raises(DuplicateNameError):
            await service.rcs_templates.create(
                "shop", data=MENU, multimedia_files={"teas.pdf": chunks(b"x")}, **AROUND
            )
        (hosted,) = made.files
        kept = [each for each in (tmp_path / "media").rglob("*") if each.is_file()]

    assert HostedFile(name="teas.pdf", media_id=hosted.media_id) == hosted
    assert [(hosted.media_id, b"teas")] == [(each.name, each.read_bytes()) for each in kept]


async def test_what_is_wrong_is_named() -> None:
    """All mistakes are named at once, by the names of the form, as over HTTP."""
    around = {**AROUND, "update_by": "", "message_type": "x"}
    async with watchword.open("memory://", sandbox=True) as service:
        with pytest.raises(ValidationFailedError) as refused:
            await service.rcs_templates.create("demo", data={**TEXT, "name": "a b"}, **around)
        with pytest.raises(ValidationFailedError):
            await service.rcs_templates.create(
                "demo", data=TEXT, **{**AROUND, "sender_profile_name": "a\0"}
            )
        with pytest.raises(ValidationFailedError):
            await service.rcs_templates.create("demo", data={"name": object()}, **AROUND)
        for wrong in ("rct_0", "tpl_demo"):
            with pytest.raises(NotFoundError):
                await service.rcs_templates.get(wrong)
        with pytest.raises(ValidationFailedError):
            await service.rcs_templates.approve("rct_0", reason="x" * 1_001)

    assert ["data.name", "update_by", "message_type"] == [
        each.path for each in refused.value.problems
    ]
