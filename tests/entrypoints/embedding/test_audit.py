"""Embedders let rows follow from the log again, and hand over evidence (C-81)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import watchword
from tests.log_keys import LOG_KEY, LOG_NAME
from watchword.entrypoints.demo.seeding import TEMPLATE_ID
from watchword.verify_evidence import EvidenceError, Verifier, check_proof


async def test_an_embedder_rebuilds(store_url: str) -> None:
    """The report counts what was read, and what was put right; the progress ends at the end."""
    told: list[tuple[int, int]] = []
    async with watchword.open(store_url, sandbox=True, run_worker=False) as service:
        await service.pins.issue("demo", TEMPLATE_ID, "+447700900123")
        rebuilt = await service.audit.rebuild(
            ["verifications"], progress=lambda *each: told.append(each)
        )
        events = await service.events.list(limit=1000)

    assert ({}, {}, 0) == (rebuilt.replaced, rebuilt.removed, rebuilt.flawed)
    assert (len(events), len(events)) == told[-1]


async def test_an_unknown_list_is_refused() -> None:
    """By the name of the argument."""
    async with watchword.open("memory://") as service:
        with pytest.raises(watchword.ValidationFailedError) as refused:
            await service.audit.rebuild(["teas"])

    assert ["only"] == [each.field for each in refused.value.problems]


async def key_of(service: watchword.Service) -> str:
    """Return the key that verifies the log of a service."""
    first, *_ = watchword.to_json(await service.events.get("log_history"))
    return str(first["data"]["logKey"])


async def test_an_embedder_hands_over_evidence(store_url: str) -> None:
    """Of a PIN, by its record; the number is in it on request, and only then."""
    async with watchword.open(store_url, sandbox=True, run_worker=False) as service:
        pin = await service.pins.issue("demo", TEMPLATE_ID, "+447700900123")
        bare = await service.audit.prove(pin)
        whole = await service.audit.prove(pin, disclosed=["event_key"])
        keys = [Verifier.parse(await key_of(service))]
        shown = watchword.to_json(bare)

    proven = [check_proof(each.proof, keys) for each in whole.proofs]
    assert [None, None] == [check_proof(each.proof, keys).personal for each in bare.proofs]
    assert "+447700900123" == json.loads(proven[0].personal or "{}")["destination"]
    assert [each.name for each in bare.proofs] == [each["name"] for each in shown["data"]]
    assert [each.proof for each in bare.proofs] == [each["proof"] for each in shown["data"]]


async def test_an_embedder_compares_heads(store_url: str) -> None:
    """The later head extends the earlier one, and not the other way; somebody must have signed them."""
    async with watchword.open(store_url, sandbox=True, run_worker=False) as service:
        heads = []
        for name in ("tea", "cake"):
            account = await service.accounts.create(name)
            heads.append((await service.audit.prove(account)).head)
        key = await key_of(service)
        old, new = heads
        proof = watchword.to_json(await service.audit.consistency(old.size, new.size))
        await service.audit.extends(old.note, new.note, [key])
        with pytest.raises(EvidenceError, match="covers"):
            await service.audit.extends(new.note, old.note, [key])
        with pytest.raises(EvidenceError, match="nobody signed"):
            await service.audit.extends(old.note, new.note, [])

    assert old.size < new.size
    assert {"from": old.size, "to": new.size, "proof": proof["proof"]} == proof
    assert proof["proof"]


async def test_an_embedder_gets_a_signed_head(store_url: str, tmp_path: Path) -> None:
    """The head covers the log of then, is listed, and stands in the folder that was named."""
    async with watchword.open(
        store_url, sandbox=True, run_worker=False, log_key=LOG_KEY, heads_dir=tmp_path / "heads"
    ) as service:
        head = await service.audit.seal()
        heads = await service.audit.heads()
        events = await service.events.list(limit=1000)

    assert (f"{LOG_NAME}/1", len(events)) == (head.origin, head.size)
    assert [head] == list(heads)
    assert head.note == (tmp_path / "heads" / "latest").read_text()


async def test_a_key_of_the_log_is_a_text() -> None:
    """Anything else is refused, and not shown."""
    given: Any = {"log_key": 5}
    with pytest.raises(watchword.SettingsError, match="log_key= is of the type int"):
        async with watchword.open("memory://", **given):
            pass
