"""Witnesses cosign the newest head, by real calls to a small witness on loopback (C2SP tlog-witness)."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from attrs import define, field, frozen
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.contracts.event_store.histories import ORCHID, grown, step
from tests.fakes.clocks import MachineSeconds
from tests.fakes.webs import ScriptedWeb
from tests.vaults import new_vault
from tests.witness import SmallWitness, witness
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.guarded_web import GuardedWeb
from watchword.adapters.public_addresses import is_public, is_public_or_own
from watchword.application.evidence.tree import root, root_tiles
from watchword.application.evidence.witnesses import Witness
from watchword.application.evidence.witnessing import MOST_ANSWER, Witnessing
from watchword.application.ports.sealed_log import Head, SealedLog
from watchword.application.ports.web import WebFailure
from watchword.verify_evidence import (
    ED25519,
    Checkpoint,
    Verifier,
    open_checkpoint,
    open_note,
    signature_line,
)

NOON = datetime(2031, 5, 4, 12, 0, tzinfo=UTC)
ORIGIN = "watchword-tea/1"


@define
class SignedLog:
    """A log in memory, whose heads a test signs."""

    store: MemoryEventStore
    events: int = 0
    _key: Ed25519PrivateKey = field(factory=Ed25519PrivateKey.generate, repr=False)

    @property
    def log(self) -> SealedLog:
        """The sealed log."""
        return self.store.sealed_log

    @property
    def verifier(self) -> Verifier:
        """The key of the heads."""
        public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return Verifier("watchword-tea", ED25519, public)

    async def grow(self, size: int, origin: str = ORIGIN) -> Head:
        """Append events up to a size, cover them, and keep a signed head."""
        await self.store.append(step(grown(ORCHID, at=self.events, by=size - self.events)))
        self.events = size
        assert size == await self.log.extend(10_000)
        text = Checkpoint(origin, size, root(size, await self.log.tiles(root_tiles(size)))).text
        note = f"{text}\n{signature_line(self.verifier, self._key.sign(text.encode()))}"
        head = Head(origin, size, Checkpoint.parse(text).root, NOON + timedelta(seconds=size), note)
        assert await self.log.keep_head(head)
        return head

    async def note(self) -> str:
        """Return the note of the newest head."""
        head = await self.log.newest_head()
        assert head is not None
        return head.note


@frozen
class Told:
    """What was told of witnesses."""

    said: list[tuple[str, str | None, int | None]] = field(factory=list)

    def __call__(self, name: str, failure: str | None, status: int | None) -> None:
        """Take it."""
        self.said.append((name, failure, status))


@define
class Scene:
    """A log, a witness that knows it, and a node that asks the witness."""

    log: SignedLog
    oak: SmallWitness
    web: GuardedWeb
    told: Told
    seconds: MachineSeconds

    def node(self, *others: SmallWitness) -> Witnessing:
        """Return another node on the same log."""
        asked = [Witness.parse(each.setting) for each in (self.oak, *others)]
        return Witnessing(self.log.log, self.web, asked, self.told, self.seconds)


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    """Yield a log and its witness."""
    web = GuardedWeb(is_public_or_own, seconds=1.0)
    log = SignedLog(MemoryEventStore(vault=new_vault()))
    async with witness() as oak:
        oak.logs[ORIGIN] = [log.verifier]
        yield Scene(log, oak, web, Told(), MachineSeconds())
    await web.close()


async def test_the_newest_head_is_cosigned(scene: Scene) -> None:
    """The note then opens with the keys of both, and says when the witness saw it."""
    head = await scene.log.grow(5)
    await scene.node().run_due()
    note = await scene.log.note()
    _, signed = open_note(note, [scene.oak.verifier])

    assert head.note == note[: len(head.note)]
    assert [(scene.oak.verifier, scene.oak.clock)] == [(each.by, each.at) for each in signed]
    assert head.root == open_checkpoint(note, [scene.log.verifier]).root
    assert (5, head.root) == scene.oak.heads[ORIGIN]
    assert [] == scene.told.said


@pytest.mark.parametrize(
    ("before", "after"), [(1, 2), (5, 300), (256, 257), (256, 512), (300, 301)]
)
async def test_a_later_head_is_proven_to_extend_the_earlier(
    scene: Scene, before: int, after: int
) -> None:
    """The witness checks the proof from what it signed; the node remembers what that was."""
    node = scene.node()
    await scene.log.grow(before)
    await node.run_due()
    await scene.log.grow(after)
    await node.run_due()
    await node.run_due()

    assert [0, before] == scene.oak.asked
    assert open_note(await scene.log.note(), [scene.oak.verifier])


async def test_a_node_learns_what_the_witness_has(scene: Scene) -> None:
    """After a start it knows of no size; the 409 of the witness names the one to prove from."""
    await scene.log.grow(5)
    await scene.node().run_due()
    await scene.log.grow(300)
    await scene.node().run_due()

    assert [0, 0, 5] == scene.oak.asked
    assert open_note(await scene.log.note(), [scene.oak.verifier])


async def test_an_answer_that_was_lost_is_asked_for_again(scene: Scene) -> None:
    """The witness signs the head that it has once more."""
    await scene.log.grow(5)
    scene.oak.answers = [(500, b"")]
    await scene.node().run_due()
    await scene.node().run_due()

    assert [0, 0, 5] == scene.oak.asked
    assert open_note(await scene.log.note(), [scene.oak.verifier])


async def test_every_witness_is_asked(scene: Scene) -> None:
    """Their cosignatures stand in one note; two nodes at once leave one of each."""
    await scene.log.grow(5)
    async with witness("elm.example/witness") as elm:
        elm.logs[ORIGIN] = [scene.log.verifier]
        await asyncio.gather(scene.node(elm).run_due(), scene.node(elm).run_due())
        note = await scene.log.note()

    assert 2 == len(open_note(note, [scene.oak.verifier, elm.verifier])[1])
    assert [1, 1] == [note.count(f"— {each.name} ") for each in (scene.oak, elm)]


async def test_a_log_that_went_back_gets_no_cosignature(scene: Scene) -> None:
    """The witness has a longer log: the node says so, and shows it nothing else."""
    other = SignedLog(MemoryEventStore(vault=new_vault()))
    scene.oak.heads[ORIGIN] = 9, (await other.grow(9)).root
    head = await scene.log.grow(5)
    await scene.node().run_due()

    assert head.note == await scene.log.note()
    assert [(scene.oak.name, "ahead", 409)] == scene.told.said


async def test_a_rewritten_log_gets_no_cosignature(scene: Scene) -> None:
    """No proof leads from what the witness signed to the rewritten events."""
    scene.oak.heads[ORIGIN] = 3, hashlib.sha256(b"as it was").digest()
    head = await scene.log.grow(5)
    await scene.node().run_due()

    assert head.note == await scene.log.note()
    assert [(scene.oak.name, "refused", 422)] == scene.told.said


async def test_a_log_that_the_witness_does_not_know_is_told_once(scene: Scene) -> None:
    """A failing witness rests for a minute; what it answers then ends the failure."""
    scene.oak.logs.clear()
    await scene.log.grow(5)
    node = scene.node()
    for _ in range(3):
        await node.run_due()
    asked = len(scene.oak.asked)
    scene.oak.logs[ORIGIN] = [scene.log.verifier]
    scene.seconds.forward(60)
    await node.run_due()

    assert 1 == asked
    assert [(scene.oak.name, "refused", 404), (scene.oak.name, None, None)] == scene.told.said
    assert open_note(await scene.log.note(), [scene.oak.verifier])


async def test_only_what_verifies_is_kept(scene: Scene) -> None:
    """A cosignature of another key, of another head, or none at all leaves the note as it was."""
    head = await scene.log.grow(5)
    elm = SmallWitness("elm.example/witness")
    other = scene.oak.signed(Checkpoint(ORIGIN, 4, head.root)).encode()
    bodies = [
        b"",
        b"tea\n",
        b"\xff\xfe",
        elm.signed(Checkpoint(ORIGIN, 5, head.root)).encode(),
        other,
        b"\n" * 2 * MOST_ANSWER,
    ]
    for body in bodies:
        scene.oak.heads.clear()
        scene.oak.answers = [(200, body)]
        await scene.node().run_due()

    assert head.note == await scene.log.note()
    assert [(scene.oak.name, "not_signed", 200)] * len(bodies) == scene.told.said


async def test_of_a_longer_answer_its_own_line_is_kept(scene: Scene) -> None:
    """What else a witness answers is left out, such as lines of keys that nobody named."""
    head = await scene.log.grow(5)
    elm = SmallWitness("elm.example/witness")
    mine, others = (each.signed(Checkpoint(ORIGIN, 5, head.root)) for each in (scene.oak, elm))
    scene.oak.answers = [(200, f"{others}{mine}{mine}".encode())]
    await scene.node().run_due()

    assert head.note + mine == await scene.log.note()


@pytest.mark.parametrize(
    "answer", [(409, b"tea"), (409, b""), (409, b"-1\n"), (503, b""), (302, b"")]
)
async def test_any_other_answer_is_a_refusal(scene: Scene, answer: tuple[int, bytes]) -> None:
    """No redirect is followed, and a size that is none is not believed."""
    head = await scene.log.grow(5)
    scene.oak.answers = [answer, answer]
    await scene.node().run_due()

    assert head.note == await scene.log.note()
    assert [(scene.oak.name, "refused", answer[0])] == scene.told.said


async def test_a_witness_that_is_down_holds_up_no_other(scene: Scene) -> None:
    """Its kind of failure is told; the others sign all the same."""
    await scene.log.grow(5)
    down = SmallWitness("elm.example/witness", url="http://127.0.0.1:9/one")
    await scene.node(down).run_due()

    assert [("elm.example/witness", "connection_failed", None)] == scene.told.said
    assert open_note(await scene.log.note(), [scene.oak.verifier])


async def test_a_private_address_is_not_called_unless_allowed(scene: Scene) -> None:
    """The guard of all outgoing calls stands here, too (C-47)."""
    await scene.log.grow(5)
    guarded = GuardedWeb(is_public)
    asked = [Witness.parse(scene.oak.setting)]
    await Witnessing(scene.log.log, guarded, asked, scene.told, scene.seconds).run_due()
    await guarded.close()

    assert [(scene.oak.name, "address_refused", None)] == scene.told.said
    assert [] == scene.oak.asked


async def test_without_a_head_nobody_is_asked(scene: Scene) -> None:
    """Neither is a witness asked about a head that it has signed already."""
    web = ScriptedWeb(status=WebFailure.TIMEOUT)
    asked = [Witness.parse(scene.oak.setting)]
    await Witnessing(scene.log.log, web, asked, scene.told, scene.seconds).run_due()
    await scene.log.grow(5)
    await scene.node().run_due()
    await Witnessing(scene.log.log, web, asked, scene.told, scene.seconds).run_due()

    assert [] == web.posted


async def test_a_restored_log_begins_anew_at_the_witness(scene: Scene) -> None:
    """Its next origin is another log for a witness, which starts it from nothing."""
    node = scene.node()
    await scene.log.grow(5)
    await node.run_due()
    scene.oak.logs["watchword-tea/2"] = [scene.log.verifier]
    await scene.log.grow(7, "watchword-tea/2")
    await node.run_due()

    assert [0, 0] == scene.oak.asked
    assert {ORIGIN, "watchword-tea/2"} == scene.oak.heads.keys()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://witness.example",
        "https://witness.example,tea",
        f"https://witness.example,{Verifier('log', ED25519, b'k' * 32).vkey}",
    ],
)
def test_a_witness_needs_the_key_of_its_cosignatures(text: str) -> None:
    """A key of another kind signs no time, so it is refused."""
    with pytest.raises(ValueError):  # noqa: PT011  the texts are those of the keys' own tests
        Witness.parse(text)


async def test_a_note_of_other_events_stays(scene: Scene) -> None:
    """If another head of this size is kept meanwhile, no signature is added to it."""
    head = await scene.log.grow(5)
    forged = Checkpoint("watchword-tea/9", 5, head.root)
    mine = scene.oak.signed(Checkpoint.parse(head.note.rpartition("\n\n")[0] + "\n"))
    await scene.log.log.cosign(5, head.note, f"{forged.text}\n{mine}")
    node = scene.node()
    await node._keep(head, {Witness.parse(scene.oak.setting): [mine]})

    assert f"{forged.text}\n{mine}" == await scene.log.note()
