"""What Google's answers mean for a send and a revoke (C-68)."""

from __future__ import annotations

from collections.abc import Mapping

from ....application.ports.channels import Accepted, Fault, Rejected, Unknown
from ....domain.channel import PROVIDER_UNKNOWN
from ....domain.fallback_run import RevokeOutcome
from ..http_client.exchanges import Answer
from ..http_client.failures import NotSentError
from ..http_client.reading_answers import FAULTS_BY_STATUS, is_refusal, object_of, retry_after

# The names of Google's errors. A code has no other word of an answer, which may quote a number.
_CODES = {
    "INVALID_ARGUMENT": "rcs_invalid_argument",
    "NOT_FOUND": "rcs_not_found",
    "PERMISSION_DENIED": "rcs_permission_denied",
    "RESOURCE_EXHAUSTED": "rcs_resource_exhausted",
    "UNAUTHENTICATED": "rcs_unauthenticated",
    "UNAVAILABLE": "rcs_unavailable",
}
_FAULTS = {**FAULTS_BY_STATUS, 404: Fault.RECIPIENT}
_WORDS: Mapping[int, str] = {
    400: "Google refused the content, or the phone cannot show it.",
    401: "Google did not accept the log-in. Check the service account.",
    403: "The service account may not send for this agent, or the agent is not launched and the phone is"
    " none of its testers. Check agentId and the agent's partner, and invite the phone.",
    404: "The number cannot be reached by RCS, or the agent is not launched in its network.",
    429: "Google takes no more messages of this agent now.",
    503: "RCS Business Messaging is not available now.",
}


def send_outcome(answer: Answer, message_id: str) -> Accepted | Rejected | Unknown:
    """Return the outcome of a send."""
    status = answer.status
    if status in range(200, 300):
        name = object_of(answer).get("name")
        if isinstance(name, str) and name.rpartition("/")[2] == message_id:
            return Accepted(message_id)
        return unknown("The provider's answer does not name the message.", message_id)
    error = object_of(answer).get("error")
    name = error.get("status") if isinstance(error, dict) else None
    name = name if isinstance(name, str) else ""
    if status == 409:
        # Google has a message with this id, which nobody else makes, from an earlier request.
        if name == "ALREADY_EXISTS":
            return Accepted(message_id)
        return unknown("The provider answered 409.", message_id)
    if is_refusal(status):
        words = _WORDS.get(status, f"The provider answered {status}.")
        fault = _FAULTS.get(status, Fault.CONTENT)
        wait = retry_after(answer.headers) if fault is Fault.BUSY else None
        return Rejected(_CODES.get(name, f"rcs_{status}"), words, fault, wait)
    return unknown(f"The provider answered {status}.", message_id)


def unknown(words: str, message_id: str, code: str = PROVIDER_UNKNOWN) -> Unknown:
    """Return an unknown outcome; the id is known, because it is our own."""
    return Unknown(code, words, message_id)


def not_sent(error: NotSentError) -> Rejected:
    """Return the rejection of a message of which nothing was written."""
    return Rejected(f"rcs_{error.code}", error.words, error.fault)


def revoke_outcome(answer: Answer, *, missing: RevokeOutcome) -> RevokeOutcome:
    """Return the outcome of a revoke; `missing` is that of a message which is not in the queue."""
    if answer.status in range(200, 300):
        return RevokeOutcome.REVOKED
    return missing if answer.status == 404 else RevokeOutcome.NOT_REVOKED
