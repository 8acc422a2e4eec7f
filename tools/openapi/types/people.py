"""People: the certificates of erasures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from watchword.application.data_requests.certificate import Counts, Kept
from watchword.entrypoints.wire.typed_requests import Erasure


class Certificate(TypedDict):
    """The certificate of an erasure."""

    erased: bool
    personId: NotRequired[str]
    position: NotRequired[int]
    counts: Counts
    kept: list[Kept]
    finished: bool


NAMED: Mapping[str, Any] = {
    "ErasePerson": Erasure,
    "ErasureCounts": Counts,
    "KeptByErasure": Kept,
    "ErasureCertificate": Certificate,
}
