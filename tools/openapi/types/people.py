"""People: the certificates of erasures, and what is stored of a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from tools.openapi.schemas import narrowed, reference
from watchword.application.data_requests.certificate import Counts, Kept
from watchword.application.legacy.views import ChatRatingView
from watchword.application.messages.opt_lists.views import ConsentView
from watchword.application.test_destinations.views import TestDestinationView
from watchword.entrypoints.wire.typed_requests import Erasure, PersonQuestion


class Certificate(TypedDict):
    """The certificate of an erasure."""

    erased: bool
    personId: NotRequired[str]
    position: NotRequired[int]
    counts: Counts
    kept: list[Kept]
    finished: bool


class StoredPerson(TypedDict):
    """Everything that is stored of a person."""

    personId: str
    pins: list[Any]
    messages: list[Any]
    consents: list[ConsentView]
    testDestinations: list[TestDestinationView]
    ratings: list[ChatRatingView]
    deliveries: list[Any]
    events: list[Any]


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": reference(name)}


NAMED: Mapping[str, Any] = {
    "ErasePerson": Erasure,
    "ShowPerson": PersonQuestion,
    "ErasureCounts": Counts,
    "KeptByErasure": Kept,
    "ErasureCertificate": Certificate,
    "PersonsConsent": ConsentView,
    "ChatRating": ChatRatingView,
    "StoredPerson": narrowed(
        StoredPerson,
        pins=_list("Verification"),
        messages=_list("ReportedMessage"),
        deliveries=_list("Delivery"),
        events=_list("Event"),
    ),
}
