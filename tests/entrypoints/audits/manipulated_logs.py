"""Manipulations of the log: its order, its times, and lives that no decider allows (C-91)."""

from __future__ import annotations

from pathlib import Path

from tests.entrypoints.audits.audited_store import STORE
from tests.entrypoints.audits.manipulations import (
    OPEN_LINE,
    Case,
    appended,
    changed,
    copied,
    edited,
    forged,
    newest,
    resealed,
    sql,
    stream,
    without_the_log,
)
from watchword.application.audit.differences import Kind

_END = "(SELECT max(rowid) FROM stored_events)"
_VERIFIED = stream("PinVerified")
_OF_VERIFIED = f"originator_id = {_VERIFIED} AND originator_version"
_FIRST_ID = f"(SELECT json_extract({OPEN_LINE}, '$.id') FROM stored_events WHERE rowid = 1)"
_AT_VERIFIED = f"SELECT {newest('PinVerified')}"


def _overwritten(folder: Path) -> None:
    (folder / f"{STORE}.mark").write_text("{}")


def _of_verified(change: str) -> str:
    return f"UPDATE stored_events SET {change} WHERE rowid = {newest('PinVerified')}"


_DEEP = "replace(hex(zeroblob(50000)), '00', '[') || replace(hex(zeroblob(50000)), '00', ']')"
_ONE_MORE = (
    "INSERT INTO stored_events (originator_id, originator_version, topic, state)"
    f" SELECT 'tea', 1, topic, {{}} FROM stored_events WHERE rowid = {_END}"
)


def _told_instead(name: str, state: str) -> Case:
    end = f"SELECT {_END} + 1"
    return Case(name, sql(_ONE_MORE.format(state)), Kind.FORM, at=end, whose="SELECT 'tea'")


# Values that would stop an audit if it read them unchecked (D-165).
HOSTILE_EVENTS = (
    _told_instead(
        "an event that is nested without end",
        "CAST(replace(json_object('id', 'evt_0', 'at', '2031-05-04T12:00:00Z', 'actor', '',"
        f" 'request', '', 'data', 'deep'), '\"deep\"', {_DEEP}) AS BLOB)",
    ),
    _told_instead("an event that is nothing", "x''"),
    _told_instead("an event that is a number", "7"),
    _told_instead("an event that is no UTF-8", """CAST('{"id":"' || x'ff' || '"}' AS BLOB)"""),
    Case(
        "an event before the first year",
        sql(edited("PinVerified", "at", "'0001-01-01T00:00:00+14:00'")),
        Kind.TIME,
        at=_AT_VERIFIED,
    ),
)

ORDER = (
    Case(
        "a deleted event",
        sql(f"DELETE FROM stored_events WHERE rowid = {newest('VerifyFailed')} - 1"),
        Kind.ORDER,
        at=f"SELECT {newest('VerifyFailed')}",
    ),
    Case(
        "a deleted stream",
        sql(f"DELETE FROM stored_events WHERE originator_id = {_VERIFIED}"),
        Kind.ORDER,
    ),
    Case("a deleted end", sql(f"DELETE FROM stored_events WHERE rowid = {_END}"), Kind.MARK),
    Case("an emptied log", sql("DELETE FROM stored_events"), Kind.MARK),
    Case("an emptied store", without_the_log, Kind.MARK),
    Case("a mark that was overwritten", _overwritten, Kind.MARK),
    Case(
        "a gap in the positions",
        sql(f"UPDATE stored_events SET rowid = rowid + 10 WHERE rowid = {_END}"),
        Kind.ORDER,
        at=f"SELECT {_END} + 10",
    ),
    Case(
        "an event behind those that follow from it",
        sql(
            _of_verified("rowid = -1"),
            f"UPDATE stored_events SET rowid = 1000000 WHERE {_OF_VERIFIED} = 2",
        ),
        Kind.ORDER,
    ),
    Case(
        "two versions that changed places",
        sql(
            f"UPDATE stored_events SET originator_version = 1000 WHERE {_OF_VERIFIED} = 2",
            f"UPDATE stored_events SET originator_version = 2 WHERE {_OF_VERIFIED} = 3",
            f"UPDATE stored_events SET originator_version = 3 WHERE {_OF_VERIFIED} = 1000",
        ),
        Kind.ORDER,
    ),
    changed("a repeated event id", "PinVerified", "id", _FIRST_ID, Kind.ORDER),
    changed("a time that goes back", "PinVerified", "at", "'2020-01-01T00:00:00Z'", Kind.TIME),
    Case(
        "a time that runs ahead",
        changed("", "MediaStored", "at", "'2099-01-01T00:00:00Z'").change,
        Kind.TIME,
        at=f"SELECT {newest('MediaStored')} + 1",
    ),
    changed("a time without a zone", "MediaStored", "at", "'2026-01-01T00:00:00'", Kind.FORM),
    Case("an event that is none", sql(_of_verified("state = x'7b'")), Kind.FORM, at=_AT_VERIFIED),
    Case("an unknown topic", sql(_of_verified("topic = 'Tea/1'")), Kind.FORM, at=_AT_VERIFIED),
    changed("an event of another account", "PinVerified", "account", "'acc_0'", Kind.LIFE),
    changed("an event of another person", "PinVerified", "person", "'per_0'", Kind.LIFE),
    changed("an event of an empty account", "PinVerified", "account", "''", Kind.FORM),
    changed("a member too many", "PinVerified", "data.tea", "'pot'", Kind.FORM),
    changed("a member too many of an envelope", "PinVerified", "tea", "'pot'", Kind.FORM),
    changed("an actor that is none", "PinVerified", "actor", "5", Kind.FORM),
    changed("nobody as the actor", "PinVerified", "actor", "''", Kind.FORM),
    Case(
        "a member that stands twice",
        sql(
            _of_verified(
                """state = CAST('{"actor":"pot",' || substr(CAST(state AS TEXT), 2) AS BLOB)"""
            )
        ),
        Kind.FORM,
        at=_AT_VERIFIED,
    ),
    Case(
        "a stream that begins in its middle",
        sql(
            f"UPDATE stored_events SET topic = 'ReceiptDropped/1' WHERE rowid = {newest('ReceiptParked')}"
        ),
        Kind.FORM,
    ),
)

PINS = (
    changed("an attempt given back", "VerifyFailed", "data.attempts_remaining", "9"),
    Case(
        "a wrong guess made right",
        sql(
            "UPDATE stored_events SET topic = 'PinVerified/1' WHERE rowid ="
            " (SELECT min(rowid) FROM stored_events WHERE topic = 'VerifyFailed/1')"
        ),
        Kind.LIFE,
    ),
    appended("a blocked PIN verified", forged("PinVerified", "PinBlocked", issue=1), "PinBlocked"),
    appended(
        "a guess at an expired code",
        forged("VerifyFailed", "PinExpired", issue=1, attempts_remaining=4),
        "PinExpired",
    ),
    appended("a PIN verified twice", copied("PinVerified"), "PinVerified"),
    changed("a guess at another code", "PinVerified", "data.issue", "7"),
    appended("a PIN issued twice", copied("PinIssued"), "PinIssued"),
    changed("more attempts than any template gives", "PinIssued", "data.attempts", "1000"),
    appended("a code dispatched twice", copied("PinDispatched"), "PinDispatched"),
    appended(
        "a receipt for a code that was never sent",
        forged(
            "PinReported",
            "PinBlocked",
            issue=9,
            channel="sms",
            status="read",
            reported_at="2031-01-01T00:00:00Z",
        ),
        "PinBlocked",
    ),
    Case(
        "a hash that no key made",
        resealed("PinIssued", code_hash="tea"),
        Kind.LIFE,
        whose=f"SELECT {stream('PinIssued')}",
    ),
    appended("a verified PIN superseded", forged("PinSuperseded", "PinVerified", by="pin_0")),
    changed("a resend that jumps a code", "PinResent", "data.issue", "9"),
)

_EUROS_BACK = 'json(\'{"amount": "-1", "currency": "EUR"}\')'
# No decision looks at them (D-261).
PROVIDERS = (
    *(
        Case(
            name,
            sql(edited(topic, f"data.{path}", value)),
            Kind.FORM,
            at=f"SELECT {newest(topic)}",
        )
        for name, topic, path, value in (
            ("less than no segments", "MessageDispatched", "outcome.segments", "-5"),
            ("segments without end", "PinDispatched", "outcomes[0].segments", "99999"),
            ("a price that is earned", "MessageReported", "price", _EUROS_BACK),
            ("segments of nothing", "PinReported", "segments", "0"),
            ("a rate that is earned", "PinDispatched", "outcomes[0].rate", _EUROS_BACK),
            ("segments of a fallback", "FallbackDispatched", "outcome.segments", "-1"),
            ("a test that failed without a code", "ChannelAccountTested", "status", "'rejected'"),
        )
    ),
)

MESSAGES = (
    appended("a message dispatched twice", copied("MessageDispatched"), "MessageDispatched"),
    appended("a message submitted twice", copied("MessageSubmitted"), "MessageSubmitted"),
    appended(
        "an end without a fallback", forged("MessageEnded", "MessageReceived", status="expired")
    ),
    appended(
        "a fallback fired before its turn",
        forged("FallbackFired", "FallbackArmed", step=1, message_id="msg_0"),
        "FallbackArmed",
    ),
    appended("a fallback fired twice", copied("FallbackFired"), "FallbackFired"),
    appended(
        "a fallback that stood down triggered",
        forged("FallbackTriggered", "FallbackStoodDown", step=1, reason="deadline"),
    ),
    changed("a deadline moved", "FallbackArmed", "data.deadline", "'2099-01-01T00:00:00Z'"),
    appended("a shared content submitted twice", copied("ContentSubmitted")),
    Case(
        "a click on another address",
        resealed("ShortLinkClicked", url="https://tea.example/x"),
        Kind.LIFE,
        at=f"SELECT {newest('ShortLinkClicked')}",
    ),
    changed("a number listed as another one was", "RecipientOptedOut", "data.person_id", "'per_0'"),
    appended(
        "a number taken off a list that it is not on",
        forged("RecipientUnlisted", "RecipientOptedOut", opt_list="in"),
    ),
)

SET_UP = (
    appended(
        "a template enabled twice", forged("PinTemplateEnabled", "PinTemplateCreated", by="me")
    ),
    appended(
        "an archived template enabled", forged("PinTemplateEnabled", "PinTemplateArchived", by="me")
    ),
    appended("an RCS template rejected twice", copied("RcsTemplateRejected")),
    appended("a WhatsApp template rejected twice", copied("WhatsappTemplateRejected")),
    appended(
        "an attempt to submit a template begun out of turn",
        forged(
            "WhatsappSubmissionBegun",
            "WhatsappSubmissionRequested",
            attempt=99,
            again_at="2099-01-01T00:00:00Z",
        ),
    ),
    appended(
        "a template submitted without an attempt",
        forged(
            "WhatsappTemplateSubmitted",
            "WhatsappTemplateCreated",
            attempt=1,
            provider_template_id="their-1",
            category=None,
            adopted=False,
        ),
    ),
    appended("a revoked key used", forged("ApiKeyUsed", "ApiKeyRevoked"), "ApiKeyRevoked"),
    appended("a key revoked twice", copied("ApiKeyRevoked")),
    appended("an account resumed twice", copied("AccountResumed")),
    appended("an account created twice", copied("AccountCreated")),
    appended("a user removed twice", copied("LegacyUserRemoved")),
    appended("a text removed twice", copied("DltTemplateRemoved")),
    appended("a callback removed twice", copied("CallbackEndpointRemoved")),
    appended("a file stored twice", copied("MediaStored")),
)
