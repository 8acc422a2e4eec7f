"""Builds the stories of PINs and messages, which the console shows (C-85)."""

from __future__ import annotations

from ...application.evidence.recording_reads import RecordingReads
from ...application.journal import Journal
from ...application.messages.planning.templates_of_sends import TemplatesOfSends
from ...application.ports.clock import Clock
from ...application.stories.naming import Naming
from ...application.stories.reading_stories import ReadingStories
from ...application.stories.shown_contents import ShownContents


def reading_stories(
    journal: Journal,
    templates: TemplatesOfSends,
    naming: Naming,
    recording: RecordingReads,
    clock: Clock,
) -> ReadingStories:
    """Build them; who reads a story is on the record."""
    return ReadingStories(journal, ShownContents(journal, templates), naming, recording, clock)
