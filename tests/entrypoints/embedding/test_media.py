"""Hosted media for embedders, on every kind of store (C-25, C-44)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import watchword
from tests.entrypoints.conftest import EVERY_STORE
from watchword.domain.media import (
    FILE_LIMIT,
    FileTooLargeError,
    MediaNotFoundError,
    MediaRemovedError,
)
from watchword.entrypoints.embedding.service import Service

STORES = EVERY_STORE
CONTENT = b"tea" * 200_000


@pytest.fixture
async def embedded(store_url: str, tmp_path: Path) -> AsyncIterator[Service]:
    """Yield a service on each store."""
    async with watchword.open(
        store_url, data_dir=tmp_path, sandbox=True, allow_private_urls=True
    ) as service:
        yield service


async def pieces() -> AsyncIterator[bytes]:
    """Yield the content piece by piece."""
    for at in range(0, len(CONTENT), 7_000):
        yield CONTENT[at : at + 7_000]


async def test_files_are_hosted_found_and_read(embedded: Service, tmp_path: Path) -> None:
    """Bytes, pieces and paths are accepted alike."""
    path = tmp_path / "menu.pdf"
    path.write_bytes(CONTENT)
    made = [
        await embedded.media.create("demo", CONTENT, name="a/menu.pdf", content_type="image/png"),
        await embedded.media.create("demo", pieces(), name="menu.pdf"),
        await embedded.media.create("demo", path),
    ]

    for medium in made:
        assert ("menu.pdf", len(CONTENT)) == (medium.name, medium.size)
        assert medium == await embedded.media.get(medium.id)
        assert CONTENT == b"".join([piece async for piece in embedded.media.content(medium)])
    listed = await embedded.media.list("demo")
    assert {each.id for each in made} == {each.id for each in listed.data}
    assert 1 == len({each.sha256 for each in made})
    assert 3 == [each.type for each in await embedded.events.list()].count("MediaStored")


async def test_what_cannot_be_hosted_is_told(embedded: Service) -> None:
    """With the wire's code, and nothing is listed."""
    with pytest.raises(FileTooLargeError) as refusal:
        await embedded.media.create("demo", bytes(FILE_LIMIT))
    for url in ("ftp://a.example/", "http://169.254.169.254/"):
        with pytest.raises(watchword.DomainError, match="url"):
            await embedded.media.create_from_url("demo", url)
    with pytest.raises(MediaNotFoundError):
        await embedded.media.get("med_0")

    assert "payload_too_large" == refusal.value.code
    assert 0 == (await embedded.media.list()).total


async def test_a_medium_is_removed(embedded: Service, tmp_path: Path) -> None:
    """Its file is removed, and no call finds or reads it (C-95)."""
    medium = await embedded.media.create("demo", CONTENT)
    removed = await embedded.media.remove(medium)
    with pytest.raises(MediaRemovedError):
        await embedded.media.get(medium)
    with pytest.raises(MediaNotFoundError):
        await embedded.media.remove("med_0")

    assert removed.removed_at is not None
    assert 0 == (await embedded.media.list("demo")).total
    assert not (tmp_path / "media" / medium.id).exists()
