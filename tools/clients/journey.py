"""Sends a PIN and a message with the generated client to a sandbox, and prints the problems."""

from __future__ import annotations

import re
import sys
from typing import Any

from watchword_client import AuthenticatedClient, Client
from watchword_client.api.messages import check_status, send_messages
from watchword_client.api.pins import create_pin, verify_pin
from watchword_client.api.sandbox import show_outbox
from watchword_client.models import (
    CheckStatus,
    CreatePin,
    Message,
    Outbox,
    Pin,
    SendSms,
    SentMessages,
    SmsMessage,
    SmsMessageType,
    VerifiedPin,
    VerifyPin,
)

KEY, TEMPLATE, NUMBER = "sandbox-key", "tpl_demo", "+919812345610"


def travel(address: str) -> None:
    """Issue a PIN, read its code from the outbox and verify it; send a message and get its status."""
    client = AuthenticatedClient(base_url=address, token=KEY)
    wanted = CreatePin(destination=NUMBER, template_id=TEMPLATE)
    made = expected(Pin, create_pin.sync(client=client, body=wanted))
    outbox = expected(Outbox, show_outbox.sync(client=Client(base_url=address)))
    code = re.findall(r"\d{6}", outbox.data[-1].text)[-1]
    verified = verify_pin.sync(made.pin_id, client=client, body=VerifyPin(pin=code))
    expected(VerifiedPin, verified)
    client = AuthenticatedClient(base_url=address, token=KEY, prefix="", auth_header_name="apikey")
    sms = SmsMessage(
        sender="TEAHSE",
        recipient="+447700900123",
        type_=SmsMessageType.SI,
        message_body="Your tea is ready.",
    )
    sent = expected(SentMessages, send_messages.sync(client=client, body=SendSms(sms=[sms])))
    ids = CheckStatus(message_ids=[each.message_id for each in sent.data])
    told = check_status.sync(client=client, body=ids)
    for each in told.data:
        expected(Message, each)


def expected(kind: Any, answer: Any) -> Any:
    """Return an answer if it has the expected type; otherwise end the program."""
    if not isinstance(answer, kind):
        print(f"{kind.__name__} was expected, and this was answered: {answer!r:.500}")
        sys.exit(0)
    return answer


if __name__ == "__main__":
    travel(sys.argv[1])
