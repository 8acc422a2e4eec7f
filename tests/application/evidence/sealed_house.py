"""A log that is sealed by nodes whose keys, clocks and folders a test has in hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from attrs import field, frozen

from tests.fakes.clocks import MachineSeconds, StillClock
from watchword.adapters.evidence.heads_folder import HeadsFolder, HeadsFolders
from watchword.adapters.evidence.log_keys import LogKey
from watchword.adapters.evidence.note_signer import NoteSigner
from watchword.adapters.randomness import SecretRandomness
from watchword.application.caller import THE_WORKER
from watchword.application.evidence.sealing_log import LogState, SealingLog
from watchword.application.evidence.tree import consistency_proof, consistency_tiles
from watchword.application.journal import Journal, beginning
from watchword.application.ports.event_store import EventStore
from watchword.application.ports.sealed_log import Head
from watchword.domain.errors import DomainError
from watchword.domain.log_history import ReadModelsRepaired, repair, repair_decider
from watchword.verify_evidence import check_consistency, open_checkpoint

NAME = "tea.example"
OLD, NEW = LogKey.new(NAME), LogKey.new(NAME)


@frozen(kw_only=True)
class Node:
    """One process that seals, and what it told."""

    sealing: SealingLog
    heads: HeadsFolder
    seconds: MachineSeconds
    told: list[tuple[LogState, str | None]]

    async def look(self, seconds: float = 10) -> Head | None:
        """Let time go by until the node looks at the log again; return the newest head."""
        self.seconds.forward(seconds)
        assert 0 == await self.sealing.run_due()
        return await self.sealing._log.newest_head()


@frozen(kw_only=True)
class SealedHouse:
    """A store and its nodes."""

    store: EventStore
    folder: Path
    clock: StillClock = field(factory=StillClock)

    @property
    def journal(self) -> Journal:
        """The way to the log."""
        return Journal(self.store)

    def node(
        self,
        *keys: LogKey,
        folder: str = "heads",
        copies: Sequence[HeadsFolder] = (),
        only: bool = False,
    ) -> Node:
        """Return a node with these keys, the newest first."""
        told: list[tuple[LogState, str | None]] = []

        def tell(state: LogState, why: DomainError | None) -> None:
            told.append((state, None if why is None else why.code))

        seconds, heads = MachineSeconds(), HeadsFolder(self.folder / folder)
        sealing = SealingLog(
            self.journal,
            NoteSigner(keys or (OLD,)),
            HeadsFolders(heads, copies),
            SecretRandomness().new_id("nod"),
            self.clock,
            tell,
            seconds,
            only_node=only,
        )
        return Node(sealing=sealing, heads=heads, seconds=seconds, told=told)

    async def grow(self, events: int) -> None:
        """Append events to the log, in streams of their own."""
        now = self.clock.now()
        for _ in range(events):
            event = ReadModelsRepaired(at=now, position=1, replaced={"messages": 1}, removed={})
            stream = SecretRandomness().new_id("rpr")
            change = beginning(repair_decider, stream, repair(event))
            await self.journal.write(THE_WORKER, now, change)

    async def check_extension(self, old: Head, new: Head) -> None:
        """Check by proof that a head extends an older one."""
        tiles = await self.journal.sealed_log.tiles(consistency_tiles(old.size, new.size))
        proof = consistency_proof(old.size, new.size, tiles)
        check_consistency(old.size, new.size, old.root, new.root, proof)


def signers(head: Head, *keys: LogKey) -> list[bool]:
    """Return for each key whether it signed a head, with its clock at the head's time."""
    return [_signed(head, key) for key in keys]


def _signed(head: Head, key: LogKey) -> bool:
    try:
        opened = open_checkpoint(head.note, [key.verifier, key.clock_verifier])
    except ValueError:
        return False
    assert (head.origin, head.size, head.root) == opened[:3]
    assert int(head.at.timestamp()) == opened.at
    return True
