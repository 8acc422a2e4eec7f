"""Examples of headers that were uploaded here go to Meta's uploads first (C-26, D-92)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web

from tests.adapters.channels.whatsapp_cloud.graph_server import GraphServer
from tests.whatsapp_templates import BODY, worded
from watchword.adapters.channels.whatsapp_cloud import WhatsappCloudProvider
from watchword.adapters.channels.whatsapp_cloud.templates.examples import MOST_BYTES, MOST_UPLOADS
from watchword.application.ports.channels import (
    Fault,
    MediaFile,
    Rejected,
    Submitted,
    Unknown,
)
from watchword.domain.whatsapp_template import (
    Body,
    Card,
    Carousel,
    HeaderFormat,
    MediaHeader,
    TemplateDefinition,
)
from watchword.testing import FakeContext


def medium(number: int) -> str:
    """Return the id of an upload of ours."""
    return f"med_{number:032x}"


def picture(content: bytes, content_type: str = "image/png") -> MediaFile:
    """Return a file."""
    return MediaFile(name="Tee & Söhne.png", content_type=content_type, content=content)


MEDIA = {
    medium(1): picture(b"one"),
    medium(2): picture(b"two", "image/jpeg"),
    medium(3): picture(b"three", "image/webp"),
    medium(4): picture(b"x" * (MOST_BYTES + 1)),
    medium(5): picture(b"y" * 3 * 2**20),
}


def header(example: str) -> MediaHeader:
    """Return the header of a picture."""
    return MediaHeader(format=HeaderFormat.IMAGE, example=(example,))


def pictured(example: str, name: str = "pictured") -> TemplateDefinition:
    """Return a template with a picture."""
    return TemplateDefinition(name=name, language="en", content=worded(header(example), BODY))


@pytest.fixture
async def whatsapp() -> AsyncIterator[WhatsappCloudProvider]:
    """Yield the provider, opened by a service that hosts media."""
    provider = WhatsappCloudProvider()
    await provider.open(FakeContext(media=MEDIA))
    yield provider
    await provider.close()


async def test_our_files_become_metas_handles(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """Each is uploaded once for a template, also where two cards show it; other handles stay."""
    cards = tuple(Card(components=(header(each),)) for each in (medium(1), medium(2), medium(1)))
    carousel = Carousel(cards=(*cards, Card(components=(header("4::bX"),))))
    template = TemplateDefinition(
        name="cards", language="en", content=worded(Body(text="Teas"), carousel)
    )
    answer = await whatsapp.submit_template(graph.config, template)

    assert isinstance(answer, Submitted)
    assert [b"one", b"two"] == [*graph.uploads.taken.values()]
    first, second = graph.uploads.taken
    shown = graph.business.taken[0]["components"][1]["cards"]
    assert [[first], [second], [first], ["4::bX"]] == [
        each["components"][0]["example"]["header_handle"] for each in shown
    ]


async def test_an_adopted_template_needs_no_upload(
    graph: GraphServer, whatsapp: WhatsappCloudProvider
) -> None:
    """Meta has its example already."""
    graph.business.add("pictured", "en", "APPROVED")
    answer = await whatsapp.submit_template(graph.config, pictured(medium(1)))

    assert isinstance(answer, Submitted)
    assert {} == graph.uploads.taken


@pytest.mark.parametrize(
    ("number", "without", "code"),
    [
        (1, "appId", "whatsapp_no_app_id"),
        (3, "", "whatsapp_example_type"),
        (4, "", "whatsapp_example_gone"),
        (99, "", "whatsapp_example_gone"),
    ],
    ids=["no app", "type", "too large", "removed"],
)
async def test_an_example_that_cannot_be_uploaded(
    graph: GraphServer, whatsapp: WhatsappCloudProvider, number: int, without: str, code: str
) -> None:
    """The template is rejected with what to do, and nothing was sent."""
    config = {name: each for name, each in graph.config.items() if name != without}
    refused = await whatsapp.submit_template(config, pictured(medium(number)))

    assert isinstance(refused, Rejected)
    assert (code, Fault.CONTENT) == (refused.code, refused.fault)
    assert ({}, []) == (graph.uploads.begun, graph.business.taken)


@pytest.mark.parametrize(
    "answer",
    [
        lambda: web.Response(status=500),
        lambda: web.json_response({"id": "upload:../../elsewhere?x=1#y z"}),
        lambda: web.json_response({"id": 7}),
        lambda: web.json_response([]),
    ],
    ids=["500", "an address", "a number", "a list"],
)
async def test_an_upload_that_fails_is_tried_again(
    graph: GraphServer, whatsapp: WhatsappCloudProvider, answer: Any
) -> None:
    """No template was created, and the next attempt uploads the file anew."""
    graph.uploads.errors = [answer()]
    unknown = await whatsapp.submit_template(graph.config, pictured(medium(1)))
    again = await whatsapp.submit_template(graph.config, pictured(medium(1)))

    assert isinstance(unknown, Unknown)
    assert isinstance(again, Submitted)
    assert 1 == len(graph.business.taken)


async def test_few_files_are_in_memory_at_once(graph: GraphServer) -> None:
    """Twenty templates wait for each other's uploads."""
    at_once: list[int] = []

    class Counting(FakeContext):
        async def media(self, media_id: str, most_bytes: int) -> MediaFile | None:
            at_once.append(len(at_once) + 1 - len(graph.uploads.taken))
            return await super().media(media_id, most_bytes)

    provider = WhatsappCloudProvider()
    await provider.open(Counting(media=MEDIA))
    answers = await asyncio.gather(
        *(
            provider.submit_template(graph.config, pictured(medium(5), f"tea_{number}"))
            for number in range(20)
        )
    )
    await provider.close()

    assert 20 == sum(isinstance(each, Submitted) for each in answers)
    assert MOST_UPLOADS == max(at_once)
    assert {3 * 2**20} == {len(each) for each in graph.uploads.taken.values()}
