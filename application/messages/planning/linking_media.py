"""Replace the ids of an account's media in sends and templates by links (C-25, C-26)."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from itertools import islice
from typing import TypeVar

from attrs import evolve

from ....domain.errors import MOST_PROBLEMS, FieldProblem, FormProblem, ValidationFailedError
from ....domain.media import is_media_id
from ....domain.message import Content, media_ids, with_links
from ....domain.template_filling import MessageTemplate, with_hosted_files
from ...concurrency.bulk_lane import BulkWork
from ...journal import Journal
from ...records.media import MediaRow
from .send_requests import StepRequest

R = TypeVar("R", bound=StepRequest)


class LinkingMedia:
    """
    Replaces the id of a medium by its public address.

    `hosted_under` returns the address of a medium under the service's own address, `base_url`. Without
    a `base_url`, ids stay.
    """

    def __init__(
        self,
        journal: Journal,
        hosted_under: Callable[[str], Callable[[str], str]],
        base_url: str | None,
    ) -> None:
        self._journal = journal
        self._hosted_under = hosted_under
        self._address_of = None if base_url is None else hosted_under(base_url)

    def served_at(self, listening: str) -> None:
        """Set the listening address as the base where no `--public-url` is set (C-1)."""
        if self._address_of is None:
            self._address_of = self._hosted_under(listening)

    async def linked(self, account_id: str, requests: Sequence[R], work: BulkWork) -> list[R]:
        """
        Return requests with links to their media.

        Raises `ValidationFailedError` for every id that is no medium of the account.
        """
        # By identity: messages of one object have one content.
        contents = {id(each.content): each for each in requests}
        named: dict[int, dict[str, str]] = {}
        for identity, each in contents.items():
            named[identity] = dict(media_ids(each.content, each.content_path))
            await work.pause()
        wanted = {media_id for paths in named.values() for media_id in paths.values()}
        if not wanted:
            return [*requests]
        unknown = await self._unknown(account_id, wanted)
        problems: dict[str, FieldProblem] = {
            path: FormProblem(path, "must be the id of a medium that the account uploaded")
            for paths in named.values()
            for path, media_id in paths.items()
            if media_id in unknown
        }
        if problems:
            raise ValidationFailedError(islice(problems.values(), MOST_PROBLEMS))
        if self._address_of is None:
            return [*requests]
        links = {each: self._address_of(each) for each in wanted}
        linked: dict[int, Content] = {}
        for identity, each in contents.items():
            linked[identity] = with_links(each.content, links)
            await work.pause()
        return [evolve(each, content=linked[id(each.content)]) for each in requests]

    def in_template(self, template: MessageTemplate) -> MessageTemplate:
        """Return a template with links to the files that came with it."""
        address_of = self._address_of
        return template if address_of is None else with_hosted_files(template, address_of)

    async def _unknown(self, account_id: str, wanted: Set[str]) -> frozenset[str]:
        rows = await self._journal.rows(MediaRow, sorted(filter(is_media_id, wanted)))
        own = {
            media_id
            for media_id, row in rows.items()
            if row.account_id == account_id and row.removed_at is None
        }
        return frozenset(wanted - own)
