"""Meta's error codes: what each one means for a send, and what to do (C-69)."""

from __future__ import annotations

from collections.abc import Mapping

from ....application.ports.channels import Fault
from .graph import GraphError

# Meta does not know either whether it took the message.
UNKNOWN = frozenset({1, 131000})
# Meta documents these with a status of 5xx: they say that the message was refused all the same.
REFUSED_BY_SERVER = frozenset({2, 3, 131016, 131045, 131057, 133000, 133004})
# The id in the address is none of Meta's, or the token has no right to it.
_NO_SUCH_OBJECT = 33
_BY_FAULT: Mapping[Fault, tuple[int, ...]] = {
    Fault.BUSY: (2, 4, 17, 613, 80007, 80008, 130429, 131056, 133004, 133016),
    Fault.AWAY: (131016, 131057, 2494100),
    Fault.RECIPIENT: (130472, 131021, 131026, 131030, 131047, 131049, 131050, 131062, 137000),
    Fault.ACCOUNT: (
        *(0, 3, 10, 33, 190, 368, 130497, 131005, 131031, 131037, 131042, 131044, 131045),
        *(131048, 131055, 131064),
    ),
    Fault.CONTENT: (100, 131008, 131009, 131051, 131052, 131053, 131063, 135000),
}
_FAULTS = {code: fault for fault, codes in _BY_FAULT.items() for code in codes}
_RANGES = (
    (range(200, 300), Fault.ACCOUNT),
    (range(132000, 133000), Fault.CONTENT),
    (range(133000, 134000), Fault.ACCOUNT),
)
_ADVICE_BY_FAULT = {
    Fault.RECIPIENT: "Check the number, and that it uses WhatsApp.",
    Fault.CONTENT: "Compare the message with the template, and with Meta's rules for its type.",
    Fault.ACCOUNT: (
        "Check the channel account's accessToken, phoneNumberId and baseUrl, and the account at Meta."
    ),
    Fault.BUSY: "Try again later, or lower the channel account's ratePerSecond.",
    Fault.AWAY: "Try again later.",
}
_LOG_IN_AGAIN = "Make a new token of a system user, and update the channel account's accessToken."
_ADVICE = {
    0: _LOG_IN_AGAIN,
    190: _LOG_IN_AGAIN,
    131026: "The number may not be on WhatsApp, or its app is too old for this message.",
    131030: "A test number sends to its listed recipients alone: add this one in WhatsApp > API Setup.",
    131037: "Wait until Meta has approved the display name of the phone number.",
    131042: "Add or check the payment method of the WhatsApp Business Account.",
    131047: "The person has not written within the last 24 hours: send a template.",
    131056: "Meta limits the messages to one person; send this one later.",
    132000: "Give as many parameters as the template has.",
    132001: "Check the template's name and language, and that Meta approved it.",
    132015: "Meta paused the template for its quality: change it, or use another.",
    132016: "Meta disabled the template: make another.",
    133010: "Register the phone number at Meta first.",
}


def fault_of(error: GraphError) -> Fault | None:
    """Return the fault that Meta's code names; None for a code that nobody described."""
    if error.code == 100 and error.subcode == _NO_SUCH_OBJECT:
        return Fault.ACCOUNT
    found = _FAULTS.get(error.code)
    if found is not None:
        return found
    return next((fault for codes, fault in _RANGES if error.code in codes), None)


def advice(fault: Fault, code: int | None = None) -> str:
    """Return what to do about a refusal."""
    return _ADVICE.get(-1 if code is None else code, _ADVICE_BY_FAULT[fault])
