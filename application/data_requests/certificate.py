"""The certificate of an erasure: what was erased, what is kept, and why (C-74)."""

from __future__ import annotations

from attrs import frozen


@frozen(kw_only=True)
class Counts:
    """
    How much is stored of a person.

    `pins`, `messages` and `deliveries` count records, `messages` sent and received ones. `events` are
    the events of all these histories, `rows` the entries of all lists.
    """

    pins: int = 0
    messages: int = 0
    events: int = 0
    rows: int = 0
    deliveries: int = 0


@frozen
class Kept:
    """Something that an erasure keeps, and the reason."""

    what: str
    why: str


@frozen(kw_only=True)
class Certificate:
    """
    The answer to an erasure.

    `position` is the place of the erasure in the log. `finished` is whether nothing is left to do: the
    PINs, fallbacks and deliveries have ended, and the store's files hold no key any more. For an
    unknown person it says so of all earlier erasures of the account (D-341).
    """

    erased: bool
    person_id: str | None = None
    position: int | None = None
    counts: Counts = Counts()
    kept: tuple[Kept, ...] = ()
    finished: bool = True


KEPT = (
    Kept(
        "The history without its personal members: events, times, templates, accounts, outcomes,"
        " prices and hashes of codes.",
        "It proves what was sent and verified. No remaining key opens what was sealed in it.",
    ),
    Kept(
        "The random id of the person.",
        "It joins the history, and repeats the erasure after a restore. Nothing leads from it to the"
        " number.",
    ),
    Kept(
        "An opt-out, as an HMAC.",
        "Nothing may be sent to a number that opted out, also after its erasure.",
    ),
    Kept(
        "Saved answers to calls about several people, for at most 24 hours.",
        "A repeated call must not send again. They open only with the Idempotency-Key of the caller.",
    ),
    Kept(
        "Texts and links that a call sent to several people, and media.",
        "They are no one person's. Operators remove media: watchword media list, media remove.",
    ),
    Kept(
        "Backups that were made before.",
        "They end with their retention. After a restore, watchword restored --erasures repeats the"
        " erasure.",
    ),
)
