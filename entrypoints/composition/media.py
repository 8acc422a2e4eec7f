"""Builds the use cases of hosted files."""

from __future__ import annotations

from attrs import frozen

from ...application.journal import Journal
from ...application.media.hosted_media import HostedMedia
from ...application.media.receiving_media import ReceivingMedia
from ...application.media.removing_media import RemovingMedia
from ...application.media.storing_media import StoringMedia
from ...application.media.sweeping_media import SweepingMedia
from .ports import Ports


@frozen(kw_only=True)
class MediaUseCases:
    """The use cases for files: taken in, stored, shown, removed, and swept away."""

    receiving: ReceivingMedia
    storing: StoringMedia
    hosted: HostedMedia
    removing: RemovingMedia
    sweeping: SweepingMedia

    @classmethod
    def wire(cls, ports: Ports, journal: Journal) -> MediaUseCases:
        """Build them on the given ports."""
        return cls(
            receiving=ReceivingMedia(ports.media_files, ports.randomness),
            storing=StoringMedia(journal, ports.web, ports.clock),
            hosted=HostedMedia(journal, ports.media_files),
            removing=RemovingMedia(journal, ports.media_files, ports.clock),
            sweeping=SweepingMedia(journal, ports.media_files),
        )
