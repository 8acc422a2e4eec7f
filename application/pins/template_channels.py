"""Build the channels of a PIN template from an operator's entries (C-35)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import attrs
from attrs import field, frozen

from ...domain.accounts.channel_account import channel_account_decider
from ...domain.channel import Channel, PinChannel
from ...domain.decider import Decision
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.language_tags import NOT_A_TAG, is_tag, same_language
from ...domain.limits import Characters, FromTo
from ...domain.pin_template import (
    DEFAULT_PLACEHOLDER,
    MAX_BUTTON_INDEX,
    MAX_PLACEHOLDER_LENGTH,
    MAX_TEXT_LENGTH,
    TemplateChannel,
    position_keys,
    unfilled_text,
)
from ...domain.placeholders import carries_code
from ...domain.sms.autofill import a_host, an_app_hash
from ..journal import Journal
from ..ports.listings import Equals, Query
from ..ports.randomness import Randomness
from ..records.channel_account import ChannelAccountRow


@frozen(kw_only=True)
class ChannelEntry:
    """An operator's entry for one channel; without an account, it uses the oldest enabled one."""

    channel_type: PinChannel
    id: str | None = None
    channel_account_id: str | None = None
    provider_template_ref: str | None = None
    content_text: str | None = field(default=None, validator=Characters(0, MAX_TEXT_LENGTH))
    subject_text: str | None = field(default=None, validator=Characters(0, MAX_TEXT_LENGTH))
    is_default: bool = False
    language_code: str | None = None
    copy_code_button_index: int | None = field(default=None, validator=FromTo(0, MAX_BUTTON_INDEX))
    pin_placeholder: str | None = field(
        default=None, validator=Characters(1, MAX_PLACEHOLDER_LENGTH)
    )
    param_defaults: Mapping[str, str] = field(factory=dict, validator=position_keys)
    entity_id: str | None = None
    unicode: bool | None = None
    literal: bool = False
    web_otp_origin: str | None = field(default=None, validator=a_host)
    app_hash: str | None = field(default=None, validator=an_app_hash)


@frozen
class BuiltChannels:
    """A template's channels, and what is wrong in them apart from the rules of the domain."""

    entries: tuple[TemplateChannel, ...]
    problems: tuple[FieldProblem, ...]

    def decided(self, decide: Callable[[tuple[TemplateChannel, ...]], Decision]) -> Decision:
        """
        Return a decision on the channels.

        Raises `ValidationFailedError` with everything that is wrong, so that an author needs one round
        (D-529): one problem of a field, in the order of the entries.
        """
        problems = [*self.problems]
        try:
            decision = decide(self.entries)
        except ValidationFailedError as refusal:
            problems += refusal.problems
        else:
            if not problems:
                return decision
        first: dict[str, FieldProblem] = {}
        for each in problems:
            first.setdefault(each.field, each)
        raise ValidationFailedError(sorted(first.values(), key=_entry_number))


class TemplateChannels:
    """Makes ids for channels, and finds channel accounts for entries without one (D-9)."""

    def __init__(self, journal: Journal, randomness: Randomness) -> None:
        self._journal = journal
        self._randomness = randomness

    async def of(
        self,
        account_id: str,
        given: Sequence[ChannelEntry],
        present: Sequence[TemplateChannel] = (),
    ) -> BuiltChannels:
        """
        Return a template's channels, with what is wrong in them.

        Entries that replace one in `present` keep its id and account.
        """
        kept = _kept(given, present)
        entries = []
        problems: list[FieldProblem] = []
        for index, entry in enumerate(given):
            before = kept[index]
            channel_account_id = await self._channel_account(account_id, entry, before)
            problems += entry_problems(f"channels[{index}]", entry)
            if channel_account_id is None:
                problems.append(
                    FieldProblem(f"channels[{index}].channel_account_id", _no_account(entry))
                )
            channel_id = before.id if before else self._randomness.new_id("chn")
            entries.append(template_channel(entry, channel_id, channel_account_id or ""))
        return BuiltChannels(tuple(entries), tuple(problems))

    async def _channel_account(
        self, account_id: str, entry: ChannelEntry, before: TemplateChannel | None
    ) -> str | None:
        """Return the account in an entry; else the previous one, else the oldest enabled of its type."""
        if entry.channel_account_id is not None:
            loaded = await self._journal.find(channel_account_decider, entry.channel_account_id)
            fits = (
                loaded is not None
                and loaded.state.account_id == account_id
                and loaded.state.channel_type == entry.channel_type
            )
            return entry.channel_account_id if fits else None
        if before is not None:
            return before.channel_account_id
        of_type = (
            Equals("account_id", account_id),
            Equals("channel_type", str(entry.channel_type)),
        )
        # A disabled one sends nothing; it is chosen so that the template can be made before it is enabled.
        for where in ((*of_type, Equals("enabled", value=True)), of_type):
            query = Query(rows=ChannelAccountRow, where=where, descending=False, page_size=1)
            if found := await self._journal.slice(query):
                return found[0].id
        return None


def _kept(
    given: Sequence[ChannelEntry], present: Sequence[TemplateChannel]
) -> list[TemplateChannel | None]:
    """Return for each entry the one of its channel that it replaces: by id, by language, or in order."""
    left = list(present)
    kept: list[TemplateChannel | None] = [None] * len(given)
    for replaces in (_same_id, _same_language, _same_channel):
        for index, entry in enumerate(given):
            found = next((each for each in left if replaces(entry, each)), None)
            if kept[index] is None and found is not None:
                kept[index] = found
                left.remove(found)
    return kept


def _same_id(entry: ChannelEntry, before: TemplateChannel) -> bool:
    return _same_channel(entry, before) and entry.id == before.id


def _same_language(entry: ChannelEntry, before: TemplateChannel) -> bool:
    return _same_channel(entry, before) and same_language(entry.language_code, before.language_code)


def _same_channel(entry: ChannelEntry, before: TemplateChannel) -> bool:
    return entry.channel_type == before.channel_type


def _entry_number(problem: FieldProblem) -> int:
    """Return the number of the entry that a problem is in; -1 for one of the whole template."""
    match problem.parts:
        case ("channels", int(number), *_):
            return number
        case _:
            return -1


def _no_account(entry: ChannelEntry) -> str:
    if entry.channel_account_id is not None:
        return f"must name a channel account of this account for {entry.channel_type}"
    return f"is required: the account has none for {entry.channel_type}; create a channel account first"


def entry_problems(path: str, entry: ChannelEntry) -> list[FieldProblem]:
    """Return what is wrong in a new entry at a path. A stored template stays valid, whatever it has."""
    problems = _unfilled_texts(path, entry)
    if entry.language_code and not is_tag(entry.language_code):
        problems.append(FieldProblem(f"{path}.language_code", NOT_A_TAG))
    if entry.content_text == "" and entry.channel_type is not Channel.WHATSAPP:
        # A missing text has a default; an empty one is a mistake.
        problems.append(FieldProblem(f"{path}.content_text", "must contain the placeholder"))
    return problems


def _unfilled_texts(path: str, entry: ChannelEntry) -> list[FieldProblem]:
    placeholder = entry.pin_placeholder or DEFAULT_PLACEHOLDER
    text, subject = entry.content_text or "", entry.subject_text or ""
    shows_code = entry.channel_type is Channel.WHATSAPP or carries_code(text, placeholder)
    if entry.literal:
        return []
    found = [
        # A text without the code has another problem, and one problem is enough.
        unfilled_text(f"{path}.content_text", text, placeholder) if shows_code else None,
        unfilled_text(f"{path}.subject_text", subject, placeholder),
    ]
    return [problem for problem in found if problem is not None]


def template_channel(
    entry: ChannelEntry, channel_id: str, channel_account_id: str
) -> TemplateChannel:
    """Return the channel of a template that an entry stands for."""
    values = attrs.asdict(entry, recurse=False) | {
        "id": channel_id,
        "channel_account_id": channel_account_id,
    }
    # Missing values get the defaults of `TemplateChannel`.
    return TemplateChannel(**{name: value for name, value in values.items() if value is not None})
