"""A PIN template's life: create, revise, enable, disable, archive (SPEC 2.8, C-17, C-35)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import attrs
import pytest

from tests.specs import given, state_after
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.event import Event
from watchword.domain.pin_template import (
    ChannelNotConfiguredError,
    CreatePinTemplate,
    PinTemplateArchived,
    PinTemplateCreated,
    PinTemplateDisabled,
    PinTemplateEnabled,
    PinTemplateRevised,
    RevisePinTemplate,
    TemplateChannel,
    TemplateDisabledError,
    TemplateMark,
    TemplateStatus,
    archive,
    channels_for,
    create,
    disable,
    enable,
    require_usable,
    revise,
)
from watchword.domain.pin_template.policy import PinPolicy

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
POLICY = PinPolicy(pin_attempts=2)
LATER_BY_TEO = TemplateMark(at=LATER, by="teo")


def entry(
    channel: Channel = Channel.SMS, text: str = "Tea code {{pin}}", **more
) -> TemplateChannel:
    """Word one channel, with fields in place as a create leaves them."""
    return TemplateChannel(
        id=f"entry-{channel}",
        channel_type=channel,
        channel_account_id=f"channel-{channel}",
        content_text=text,
        **more,
    )


SMS = entry(is_default=True, unicode=False)
EMAIL = entry(Channel.EMAIL, subject_text="Your tea")


def ask_for_template(*channels: TemplateChannel, name: str = "Tea house") -> CreatePinTemplate:
    """Order a template."""
    return CreatePinTemplate(
        at=NOON, by="mia", account_id="account-orchid", name=name, policy=POLICY, channels=channels
    )


def created(*channels: TemplateChannel, name: str = "Tea house") -> PinTemplateCreated:
    """Return the event that a template was created; with SMS and e-mail unless channels are given."""
    return PinTemplateCreated(
        at=NOON,
        by="mia",
        account_id="account-orchid",
        name=name,
        policy=POLICY,
        channels=channels or (SMS, EMAIL),
    )


def revised(**changes) -> PinTemplateRevised:
    """Return a template after a revision."""
    now = PinTemplateRevised(
        at=LATER, by="teo", name="Tea house", policy=POLICY, channels=(SMS, EMAIL)
    )
    return attrs.evolve(now, **changes)


def worded(channel: TemplateChannel) -> TemplateChannel:
    """Return the one channel of a new template as it is recorded."""
    (event,) = create(ask_for_template(channel)).events
    assert isinstance(event, PinTemplateCreated)
    return event.channels[0]


def problems_with(*channels: TemplateChannel, name: str = "Tea house") -> list[str]:
    """Name the fields for which a create is refused."""
    refusal = given().when(create, ask_for_template(*channels, name=name))
    return [problem.field for problem in refusal.refuses(ValidationFailedError).problems]


DISABLED = PinTemplateDisabled(at=NOON, by="mia")
ARCHIVED = PinTemplateArchived(at=NOON, by="mia")


def test_a_template_starts_enabled() -> None:
    """A create records everything at once; the template is enabled and not archived."""
    given().when(create, ask_for_template(SMS, EMAIL)).then(created()).on_condition().leaving(
        status=TemplateStatus.ENABLED,
        archived_at=None,
        created_at=NOON,
        updated_at=NOON,
        created_by="mia",
        updated_by="mia",
        policy=POLICY,
        channels=(SMS, EMAIL),
    )


def test_the_first_channel_is_the_default_where_none_is_marked() -> None:
    """Exactly one entry is the default: the marked one, else the first."""
    given().when(create, ask_for_template(entry(unicode=False), EMAIL)).then(created(SMS, EMAIL))

    marked = attrs.evolve(EMAIL, is_default=True)
    unmarked = attrs.evolve(SMS, is_default=False)
    given().when(create, ask_for_template(unmarked, marked)).then(created(unmarked, marked))


def test_texts_have_defaults() -> None:
    """A channel account is enough: text, subject and unicode flag are filled in."""
    assert "Your verification code is {{pin}}." == worded(entry(text="")).content_text
    assert (
        "Your verification code is [c]."
        == worded(entry(text="", pin_placeholder="[c]")).content_text
    )
    assert "Your verification code" == worded(entry(Channel.EMAIL)).subject_text
    assert worded(entry()).unicode is False
    assert worded(entry(unicode=True)).unicode is True


def test_fields_irrelevant_to_a_channel_are_left_empty() -> None:
    """Subject is e-mail's, the copy-code button WhatsApp's, entity id and unicode are SMS's."""
    everything: dict[str, Any] = {
        "subject_text": "Hi",
        "copy_code_button_index": 0,
        "entity_id": "110",
        "unicode": True,
    }

    def kept(channel: Channel) -> set[str]:
        recorded = worded(entry(channel, **everything))
        return {name for name in everything if getattr(recorded, name) is not None}

    assert {"entity_id", "unicode"} == kept(Channel.SMS)
    assert {"copy_code_button_index"} == kept(Channel.WHATSAPP)
    assert {"subject_text"} == kept(Channel.EMAIL)


@pytest.mark.parametrize("channel", [Channel.SMS, Channel.EMAIL])
def test_a_text_without_the_placeholder_would_send_no_code(channel: Channel) -> None:
    """For sms and email, contentText without the placeholder is refused; a subject is no help."""
    assert ["channels[0].content_text"] == problems_with(entry(channel, "Tea is ready"))
    assert ["channels[0].content_text"] == problems_with(
        entry(channel, "Code {{pin}}", subject_text="[c]", pin_placeholder="[c]")
    )


def test_a_whatsapp_text_is_the_provider_s() -> None:
    """On WhatsApp the provider's template holds the text: none is made up, none is asked for."""
    assert "" == worded(entry(Channel.WHATSAPP, "")).content_text
    assert "Tea is ready" == worded(entry(Channel.WHATSAPP, "Tea is ready")).content_text


@pytest.mark.parametrize("name", ["", "   ", "x" * 201])
def test_a_name_is_needed(name: str) -> None:
    """A name has 1 to 200 characters besides blanks."""
    assert ["name"] == problems_with(SMS, name=name)


def test_the_longest_name_is_fine() -> None:
    """200 characters are allowed."""
    name = "x" * 200

    given().when(create, ask_for_template(SMS, name=name)).then(created(SMS, name=name))


def test_a_channel_is_needed() -> None:
    """At least one channel, else nothing could be sent."""
    assert ["channels"] == problems_with()


def test_every_wrong_field_is_named_at_once() -> None:
    """The refusal names all mistakes of a template, each with its path."""
    rcs = entry(Channel.RCS)
    second_sms = entry(is_default=True, text="no code")

    assert [
        "name",
        "channels[1].channel_type",
        "channels[2].channel_type",
        "channels[2].content_text",
        "channels",
    ] == problems_with(SMS, rcs, second_sms, name=" ")


def test_a_revision_replaces_what_is_given() -> None:
    """Name, limits and channels change one by one; the event holds all of them."""
    stricter = PinPolicy(pin_attempts=1)
    template = given(created())

    def change(**parts) -> RevisePinTemplate:
        return RevisePinTemplate(at=LATER, by="teo", **parts)

    template.when(revise, change(name="Tea bar")).then(revised(name="Tea bar")).on_condition()
    template.when(revise, change(policy=stricter)).then(revised(policy=stricter))
    template.when(revise, change(channels=(entry(),))).then(revised(channels=(SMS,)))


def test_a_revision_remembers_who_created_it() -> None:
    """Created by one, updated by another."""
    template = state_after(created(), revised(name="Tea bar"))

    assert ("mia", NOON, "teo", LATER) == (
        template.created_by,
        template.created_at,
        template.updated_by,
        template.updated_at,
    )
    assert "Tea bar" == template.name


def test_a_revision_that_changes_nothing_is_no_event() -> None:
    """Repeating the present values records nothing."""
    same = RevisePinTemplate(
        at=LATER, by="teo", name="Tea house", policy=POLICY, channels=(SMS, EMAIL)
    )

    given(created()).when(revise, same).nothing()
    given(created()).when(revise, RevisePinTemplate(at=LATER, by="teo")).nothing()


@pytest.mark.parametrize(
    ("parts", "field"),
    [
        ({"name": ""}, "name"),
        ({"channels": ()}, "channels"),
        ({"channels": (entry(text="no code"),)}, "channels[0].content_text"),
    ],
)
def test_a_revision_obeys_the_rules_of_a_create(parts: dict, field: str) -> None:
    """A revision is refused for every reason for which a create is."""
    command = RevisePinTemplate(at=LATER, by="teo", **parts)
    refusal = given(created()).when(revise, command).refuses(ValidationFailedError)

    assert [field] == [problem.field for problem in refusal.problems]


def test_disable_and_enable() -> None:
    """The event says who switched a template, and when."""
    (
        given(created())
        .when(disable, LATER_BY_TEO)
        .then(PinTemplateDisabled(at=LATER, by="teo"))
        .on_condition()
        .leaving(status=TemplateStatus.DISABLED, updated_at=LATER, updated_by="teo")
    )
    (
        given(created(), DISABLED)
        .when(enable, LATER_BY_TEO)
        .then(PinTemplateEnabled(at=LATER, by="teo"))
        .on_condition()
        .leaving(status=TemplateStatus.ENABLED, updated_at=LATER, updated_by="teo")
    )


def test_archive_is_for_good() -> None:
    """An archived template says since when, and is neither revised nor switched again."""
    archived = given(created(), ARCHIVED)
    rename = RevisePinTemplate(at=LATER, by="teo", name="Tea bar")

    (
        given(created(), DISABLED)
        .when(archive, LATER_BY_TEO)
        .then(PinTemplateArchived(at=LATER, by="teo"))
        .leaving(archived_at=LATER, status=TemplateStatus.DISABLED)
    )
    archived.when(revise, rename).refuses(TemplateDisabledError)
    archived.when(enable, LATER_BY_TEO).refuses(TemplateDisabledError)
    archived.when(disable, LATER_BY_TEO).refuses(TemplateDisabledError)


def test_what_is_so_already_is_no_event() -> None:
    """Enabling the enabled, disabling the disabled and archiving the archived do nothing."""
    given(created()).when(enable, LATER_BY_TEO).nothing()
    given(created(), DISABLED).when(disable, LATER_BY_TEO).nothing()
    given(created(), ARCHIVED).when(archive, LATER_BY_TEO).nothing()


@pytest.mark.parametrize(
    ("end", "advice"), [(DISABLED, "Enable it"), (ARCHIVED, "Create a new one")]
)
def test_nothing_is_sent_under_a_disabled_or_archived_template(end: Event, advice: str) -> None:
    """A send under either is template_disabled, with the next step."""
    with pytest.raises(TemplateDisabledError, match=advice):
        require_usable(state_after(created(), end))


def test_sends_under_an_enabled_template_are_fine() -> None:
    """Enabled from the start, or again, a template is usable."""
    require_usable(state_after(created()))
    require_usable(state_after(created(), DISABLED, PinTemplateEnabled(at=LATER, by="teo")))


def test_a_disabled_template_can_be_revised() -> None:
    """Switched off is not out of use: it can be put right before it is enabled."""
    rename = RevisePinTemplate(at=LATER, by="teo", name="Tea bar")

    given(created(), DISABLED).when(revise, rename).then(revised(name="Tea bar"))


def test_without_channels_a_send_takes_the_default() -> None:
    """Omitted channels mean the template's default channel."""
    marked = attrs.evolve(EMAIL, is_default=True)

    assert (SMS,) == channels_for(state_after(created()), None)
    assert (marked,) == channels_for(
        state_after(created(attrs.evolve(SMS, is_default=False), marked)), None
    )


def test_a_send_takes_the_named_channels_each_once() -> None:
    """Duplicate channels in one request count once; the order is the caller's."""
    named = [Channel.EMAIL, Channel.SMS, Channel.EMAIL]

    assert (EMAIL, SMS) == channels_for(state_after(created()), named)


def test_a_channel_that_the_template_lacks_is_refused() -> None:
    """channel_not_configured names the channel and the available ones."""
    with pytest.raises(ChannelNotConfiguredError) as refusal:
        channels_for(state_after(created()), [Channel.SMS, Channel.WHATSAPP])

    assert {"channel": "whatsapp", "configured": ["sms", "email"]} == refusal.value.details
