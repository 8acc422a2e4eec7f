"""Bodies of the legacy platform's send that are right, for tests that make one thing different."""

from __future__ import annotations

from typing import Any

RECIPIENT = "+4915112345610"
TEXT: dict[str, Any] = {
    "senderPhone": "+15550100",
    "recipientPhone": RECIPIENT,
    "journeyId": "tea-time",
    "templateId": "demo",
    "bodyVariables": {"1": "Asha", "2": "A-1"},
}
PICTURE = {"type": "IMAGE", "url": "https://tea.example/pot.png"}
PAPER = {"type": "DOC", "url": "https://tea.example/list.pdf", "name": "Teas.pdf"}
OPEN = {"type": "URL", "text": "Order", "payload": "oolong"}
CALL = {"type": "Phone_Number", "text": "Call us", "payload": "+15550100"}
AGAIN = {"type": "Quick_Reply", "text": "Again", "payload": "again"}
