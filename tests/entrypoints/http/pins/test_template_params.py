"""Placeholders: the code, and the positions that `templateParams` fills (C-17a, C-64)."""

from tests.entrypoints.caller import Caller

GREETING = {
    "channelType": "sms",
    "contentText": "{{1}}, your code for {{2}} is {{pin}}",
    "paramDefaults": {"2": "tea"},
}


async def sent(caller: Caller) -> str:
    """Return the text that was sent last, with the code as <code>."""
    (issued, *_) = (await caller.outbox())[::-1]
    words = [word for word in issued["text"].split() if word.isdigit() and len(word) == 6]
    return str(issued["text"]).replace(words[-1], "<code>") if words else str(issued["text"])


async def test_positions_are_filled(caller: Caller) -> None:
    """A parameter fills its position; one that is left out takes the stored default."""
    tea = await caller.with_template(GREETING)
    await tea.created(templateParams={"1": "Ann"})

    assert "Ann, your code for tea is <code>" == await sent(tea)


async def test_a_parameter_overrides_the_default(caller: Caller) -> None:
    """The caller's value comes before paramDefaults."""
    tea = await caller.with_template(GREETING)
    await tea.created(templateParams={"1": "Ann", "2": "cake"})

    assert "Ann, your code for cake is <code>" == await sent(tea)


async def test_what_is_filled_in_is_never_scanned_again(caller: Caller) -> None:
    """One pass, literal: a parameter that looks like a placeholder stays as it is."""
    tea = await caller.with_template(GREETING)
    await tea.created(templateParams={"1": "{{pin}} {{2}} {0.__class__} \\1"})

    assert "{{pin}} {{2}} {0.__class__} \\1, your code for tea is <code>" == await sent(tea)


async def test_a_position_without_a_value_is_400(caller: Caller) -> None:
    """Without a given and a stored value, the position is named, and nothing is sent."""
    tea = await caller.with_template(GREETING)

    assert ["templateParams.1"] == (await tea.create()).wrong
    assert [] == await tea.outbox()


async def test_a_key_that_is_no_position_is_400(caller: Caller) -> None:
    """`"7"` without a `{{7}}` on any requested channel (C-64)."""
    tea = await caller.with_template(GREETING)

    assert ["templateParams.7"] == (await tea.create(templateParams={"1": "Ann", "7": "x"})).wrong


async def test_the_positions_are_those_of_the_requested_channels(caller: Caller) -> None:
    """A parameter may serve one channel alone, but not one that is not asked for."""
    email = {
        "channelType": "email",
        "contentText": "Code {{pin}}",
        "subjectText": "For {{3}}",
    }
    tea = await caller.with_template(GREETING, email)
    params = {"1": "Ann", "3": "you"}
    reply = await tea.create("ann@tea.example", channels=["sms", "email"], templateParams=params)
    (subject,) = [each["subject"] for each in await tea.outbox() if each["channel"] == "email"]

    assert 201 == reply.status
    assert "For you" == subject
    assert ["templateParams.3"] == (await tea.create(templateParams=params)).wrong


async def test_the_placeholder_of_the_code_can_be_another(caller: Caller) -> None:
    """PinPlaceholder stands for the code and takes no position, even when it looks like one."""
    entry = {"channelType": "sms", "contentText": "{{1}} for {{2}}", "pinPlaceholder": "{{1}}"}
    tea = await caller.with_template(entry)
    await tea.created(templateParams={"2": "you"})

    assert "<code> for you" == await sent(tea)
    assert ["templateParams.1", "templateParams.2"] == sorted(
        (await tea.create(templateParams={"1": "Ann"})).wrong
    )


async def test_a_text_without_the_placeholder_is_400(caller: Caller) -> None:
    """For sms and email, a text without the code would send none."""
    for channel in ("sms", "email"):
        body = {"name": "mute", "channels": [{"channelType": channel, "contentText": "Hello"}]}
        reply = await caller.operate("POST", "/pin-templates", body)

        assert ["channels[0].contentText"] == reply.wrong


async def test_whatsapp_takes_the_code_into_body_and_button(caller: Caller) -> None:
    """The positions are the body parameters of providerTemplateRef; the code goes with them."""
    entry = {
        "channelType": "whatsapp",
        "providerTemplateRef": "tea_code",
        "languageCode": "en",
        "copyCodeButtonIndex": 0,
        "paramDefaults": {"1": "friend", "2": "tea"},
    }
    tea = await caller.with_template(entry)
    await tea.created(templateParams={"2": "cake"})
    (message,) = await tea.outbox()
    code = message["payload"]["code"]

    assert {
        "name": "tea_code",
        "language": "en",
        "code": code,
        "params": {"1": "friend", "2": "cake"},
        "copyCodeButtonIndex": 0,
    } == message["payload"]
    assert 6 == len(code)
    assert ["templateParams.3"] == (await tea.create(templateParams={"3": "x"})).wrong


async def test_a_resend_takes_its_own_parameters(caller: Caller) -> None:
    """TemplateParams of the create are not kept: a resend has its own (SPEC D2)."""
    tea = await caller.with_template(GREETING, resendCooldown="0s")
    pin_id = await tea.created(templateParams={"1": "Ann"})

    assert ["templateParams.1"] == (await tea.resend(pin_id)).wrong

    await tea.resend(pin_id, templateParams={"1": "Bob"})

    assert "Bob, your code for tea is <code>" == await sent(tea)


async def test_parameters_are_not_on_record(caller: Caller) -> None:
    """No event contains the filled-in values."""
    tea = await caller.with_template(GREETING)
    pin_id = await tea.created(templateParams={"1": "Annabella"})

    assert "Annabella" not in str(await tea.events(pin_id))
