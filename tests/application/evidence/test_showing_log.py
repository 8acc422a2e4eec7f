"""What the console shows of the log: its newest head, who signed it, and whether a proof fits it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.application.evidence.sealed_house import NAME, OLD, SealedHouse
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.evidence.checking_proofs import (
    CheckingProofs,
    ProofRefusedError,
    SameLog,
)
from watchword.application.evidence.note_signatures import NoteSignature, Signer, signatures_of
from watchword.application.evidence.proving import Proving
from watchword.application.evidence.showing_log import ShowingLog, WitnessStanding
from watchword.application.evidence.witnesses import Witness
from watchword.domain.errors import ValidationFailedError
from watchword.domain.log_history import LogKeyAdded
from watchword.verify_evidence import COSIGNATURE, Verifier, cosigned_text, signature_line

PRIVATE = Ed25519PrivateKey.from_private_bytes(b"o" * 32)
OAK = Verifier("oak.example", COSIGNATURE, PRIVATE.public_key().public_bytes_raw())
AT = 1_935_000_000


def cosignature(note: str, at: int = AT) -> str:
    """Return the line of the witness under a note."""
    text = note.rpartition("\n\n")[0] + "\n"
    signed = PRIVATE.sign(cosigned_text(text, at))
    return signature_line(OAK, at.to_bytes(8, "big") + signed)


async def no_keys(_stream: str) -> Mapping[int, bytes]:
    """Return no keys of events."""
    return {}


def a_house(folder: Path) -> SealedHouse:
    """Return a new log in memory."""
    return SealedHouse(store=MemoryEventStore(vault=new_vault()), folder=folder)


async def test_a_log_without_a_head_waits_whole(tmp_path: Path) -> None:
    """Nothing is signed, and the oldest event waits since it happened."""
    house = a_house(tmp_path)
    await house.grow(2)
    showing = ShowingLog(house.journal, [Witness("https://oak.example", OAK)])
    standing = await showing.standing()

    assert standing.head is None
    assert (2, 2, house.clock.now()) == (
        standing.events,
        standing.waiting,
        standing.waiting_since,
    )
    assert [] == list(standing.signatures)
    assert [WitnessStanding("oak.example", "https://oak.example", None)] == list(standing.witnesses)
    assert [] == list(await showing.heads(None, 10))


async def test_the_newest_head_has_its_signers(tmp_path: Path) -> None:
    """The log and its clock signed it; a witness is missing until its cosignature is kept."""
    house = a_house(tmp_path)
    head = await house.node().look()
    assert head is not None
    showing = ShowingLog(house.journal, [Witness("https://oak.example", OAK)])
    alone = await showing.standing()
    line = cosignature(head.note)
    stranger = line.replace("oak.example", "elm.example")
    await house.journal.sealed_log.cosign(head.size, head.note, head.note + line + stranger)
    standing = await showing.standing()

    assert (0, None) == (standing.waiting, standing.waiting_since)
    assert [Signer.LOG, Signer.CLOCK] == [each.signer for each in alone.signatures]
    assert [NAME, NAME, "oak.example", "elm.example"] == [each.name for each in standing.signatures]
    assert [Signer.WITNESS, Signer.UNKNOWN] == [each.signer for each in standing.signatures[2:]]
    assert [True, True, True, None] == [each.verifies for each in standing.signatures]
    (witness,) = standing.witnesses
    assert witness.signed_at is not None
    assert AT == witness.signed_at.timestamp()
    assert standing.history is not None
    assert [OLD.verifier.vkey] == [each.log_key for each in standing.history.keys]


async def test_a_wrong_signature_is_named(tmp_path: Path) -> None:
    """A line with the name and the key of a witness that signs something else does not verify."""
    head = await a_house(tmp_path).node().look()
    assert head is not None
    wrong = cosignature(head.note.replace(NAME, "weed"))
    (found,) = signatures_of(head.note.partition("\n\n")[0] + "\n\n" + wrong, {OAK: Signer.WITNESS})

    assert NoteSignature("oak.example", Signer.WITNESS, None, False) == found


async def test_heads_are_listed_from_the_newest(tmp_path: Path) -> None:
    """A page goes on before the size of its last head."""
    house = a_house(tmp_path)
    node, sizes = house.node(), []
    for _ in range(3):
        await house.grow(1)
        sizes.append((await node.sealing.seal()).size)
    showing = ShowingLog(house.journal)

    assert sizes[:0:-1] == [each.size for each in await showing.heads(None, 2)]
    assert sizes[:1] == [each.size for each in await showing.heads(sizes[1], 2)]


@pytest.mark.parametrize(("before", "found"), [(10**30, 1), (-(10**30), 0)])
async def test_heads_are_listed_before_any_number(tmp_path: Path, before: int, found: int) -> None:
    """An address may have a number that no store can compare: it is beyond every log."""
    house = a_house(tmp_path)
    await house.grow(1)
    await house.node().sealing.seal()

    assert found == len(await ShowingLog(house.journal).heads(before, 2))


async def proof_in(house: SealedHouse) -> str:
    """Seal a log, and return the proof of its first event."""
    await house.node().sealing.seal()
    first, *_ = await house.journal.read_log(0, 1)
    return (await Proving(house.journal.sealed_log, no_keys).prove(first.stream)).proofs[0].proof


async def test_a_proof_fits_the_log_that_grew_since(tmp_path: Path) -> None:
    """Its head is one that the log extends."""
    house = a_house(tmp_path)
    await house.grow(3)
    proof = await proof_in(house)
    await house.grow(3)
    await house.node().sealing.seal()
    checked = await CheckingProofs(house.journal).check(f"\n {proof}\n\n")

    assert SameLog.AGREES is checked.same_log
    assert 1 == checked.proven.leaf.position


@pytest.mark.parametrize(
    ("events", "expected"), [(9, SameLog.DIFFERS), (1, SameLog.LONGER)], ids=["other", "shorter"]
)
async def test_a_proof_of_a_log_that_was_replaced_does_not_fit(
    tmp_path: Path, events: int, expected: SameLog
) -> None:
    """It holds by its keys, and the log here has other events, or fewer, under the same name."""
    before, after = a_house(tmp_path / "before"), a_house(tmp_path / "after")
    await before.grow(5)
    proof = await proof_in(before)
    await after.grow(events)
    await after.node().sealing.seal()

    assert expected is (await CheckingProofs(after.journal).check(proof)).same_log


async def test_a_proof_of_another_log_wants_its_keys(tmp_path: Path) -> None:
    """Under keys that are given it is checked, and compared with nothing here."""
    house = a_house(tmp_path)
    await house.grow(1)
    proof = await proof_in(house)
    elsewhere = CheckingProofs(a_house(tmp_path / "elsewhere").journal)
    added = (await house.journal.read_log(1, 1))[0].event
    assert isinstance(added, LogKeyAdded)

    with pytest.raises(ProofRefusedError):
        await elsewhere.check(proof)
    checked = await elsewhere.check(proof, f"{added.log_key}\n{added.clock_key}\n")
    assert SameLog.OTHER is checked.same_log


@pytest.mark.parametrize(
    ("proof", "keys", "field"),
    [
        ("", "", "proof"),
        ("x" * (2**18 + 1), "", "proof"),
        ("tea", "", "proof"),
        ("tea", "tea", "keys"),
        ("tea", " ".join([OAK.vkey] * 21), "keys"),
    ],
)
async def test_what_cannot_be_checked_is_refused_by_its_field(
    tmp_path: Path, proof: str, keys: str, field: str
) -> None:
    """Nothing, too much, no proof, no key, and too many keys."""
    house = a_house(tmp_path)
    await proof_in(house)
    with pytest.raises(ValidationFailedError) as refusal:
        await CheckingProofs(house.journal).check(proof, keys)

    assert [field] == [each.field for each in refusal.value.problems]
