"""Notices of pages after a form has done its work; an address names a notice and has none of its words."""

from __future__ import annotations

from collections.abc import Mapping

NOTICES: Mapping[str, str] = {
    "signed-out": "You are signed out.",
    "session-ended": "Your session has ended. Sign in again.",
    "created": "Created.",
    "changed": "The change is saved.",
    "revoked": "Revoked. It opens nothing from its next request on.",
    "sealed": "A head covers the log as it is now.",
    "removed": "Removed.",
    "logged-out": "Logged out. Every token of the user has ended.",
    "enabled": "Enabled.",
    "disabled": "Disabled.",
    "archived": "Archived. Nothing is sent under it any more.",
    "approved": "Approved.",
    "rejected": "Rejected.",
    "submitted": "Submitted.",
    "test-event-sent": "The test event is on its way.",
    "redelivered": "The delivery is attempted again.",
    "nothing-released": "Nothing was released: the rule counts nothing of this subject.",
    "written": "Written. The service has received it.",
    "reported": "The receipt is sent.",
    "clock-moved": "The clock is moved, and what fell due is done.",
    "emptied": "All phones are empty.",
    "released": "Released. The count of the subject begins anew.",
}
