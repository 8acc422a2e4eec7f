"""The parts that send, and the templates, files, links, figures and events that belong to it."""

from __future__ import annotations

from ..embedding import (
    events,
    media,
    messages,
    pin_templates,
    pins,
    rcs_templates,
    short_links,
    statistics,
    whatsapp_templates,
)
from .calls import Call, Direct, Part, Stream


class PinTemplates(Part[pin_templates.PinTemplates]):
    """PIN templates. A channel is a `ChannelEntry`, or a dictionary in either spelling."""

    create = Call(pin_templates.PinTemplates.create)
    get = Call(pin_templates.PinTemplates.get)
    list = Call(pin_templates.PinTemplates.list)
    revise = Call(pin_templates.PinTemplates.revise)
    enable = Call(pin_templates.PinTemplates.enable)
    disable = Call(pin_templates.PinTemplates.disable)
    archive = Call(pin_templates.PinTemplates.archive)


class RcsTemplates(Part[rcs_templates.RcsTemplates]):
    """The RCS templates of accounts, and their approval."""

    create = Call(rcs_templates.RcsTemplates.create)
    get = Call(rcs_templates.RcsTemplates.get)
    list = Call(rcs_templates.RcsTemplates.list)
    submit = Call(rcs_templates.RcsTemplates.submit)
    approve = Call(rcs_templates.RcsTemplates.approve)
    reject = Call(rcs_templates.RcsTemplates.reject)


class WhatsappTemplates(Part[whatsapp_templates.WhatsappTemplates]):
    """The WhatsApp templates of accounts, and their approval."""

    create = Call(whatsapp_templates.WhatsappTemplates.create)
    get = Call(whatsapp_templates.WhatsappTemplates.get)
    list = Call(whatsapp_templates.WhatsappTemplates.list)
    submit = Call(whatsapp_templates.WhatsappTemplates.submit)
    approve = Call(whatsapp_templates.WhatsappTemplates.approve)
    reject = Call(whatsapp_templates.WhatsappTemplates.reject)


class Pins(Part[pins.Pins]):
    """The PIN service: issue, resend, verify, look up."""

    issue = Call(pins.Pins.issue)
    resend = Call(pins.Pins.resend)
    verify = Call(pins.Pins.verify)
    receipt_keys = Direct(pins.Pins.receipt_keys)
    get = Call(pins.Pins.get)
    list = Call(pins.Pins.list)


class Media(Part[media.Media]):
    """Files hosted for accounts (C-25), each of less than 100 MiB."""

    create = Call(media.Media.create)
    create_from_url = Call(media.Media.create_from_url)
    get = Call(media.Media.get)
    list = Call(media.Media.list)
    remove = Call(media.Media.remove)
    content = Stream(media.Media.content)


class Messages(Part[messages.Messages]):
    """Messages on SMS, WhatsApp and RCS, each with its fallback."""

    send = Call(messages.Messages.send)
    status = Call(messages.Messages.status)
    history = Call(messages.Messages.history)
    list = Call(messages.Messages.list)


class ShortLinks(Part[short_links.ShortLinks]):
    """Short links of messages by code, for a server of your own that redirects."""

    follow = Call(short_links.ShortLinks.follow)
    disable = Call(short_links.ShortLinks.disable)
    enable = Call(short_links.ShortLinks.enable)


class Statistics(Part[statistics.Statistics]):
    """Counts of the outcomes of codes: call it, as in `service.stats(by="day")` (C-80)."""

    __call__ = Call(statistics.Statistics.__call__)
    rebuild = Call(statistics.Statistics.rebuild)


class Events(Part[events.Events]):
    """The log of events, and the histories in it."""

    list = Call(events.Events.list)
    follow = Stream(events.Events.follow, endless=True)
    get = Call(events.Events.get)
    replay = Call(events.Events.replay)
