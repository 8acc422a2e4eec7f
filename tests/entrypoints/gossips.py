"""Providers that quote in their answers whatever they were told, secrets included."""

from __future__ import annotations

import asyncio
import base64
import re
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import unquote_plus

from tests.adapters.channels.smpp.smsc import Session, Smsc, Submit
from tests.entrypoints.marks import DIGITS
from watchword.testing import HttpAnswer, HttpRequest

# The last digit of a number decides how the provider answers.
ACCEPTS, REFUSES, SILENT, UNAUTHORIZED, FAILS, CUTS, NAMES = "1234567"
NUMBER = "+44794600000"
_ENDING = re.compile(rf"(?:{NUMBER[1:]}|49{DIGITS}\d{{3}})(\d)")
# The token that each log-in to Google gets.
ACCESS_TOKEN = "ya29.zqJ6vX0canaryOfAnAccessToken"


def gossip(request: HttpRequest) -> HttpAnswer:
    """Answer in the forms of all presets at once."""
    headers = " ".join(f"{name}: {value}" for name, value in request.header_lines)
    told = f"{request.target} {headers} {request.body.decode()}"
    if "assertion=" in told:
        return HttpAnswer.json({"access_token": ACCESS_TOKEN, "expires_in": 3_599})
    found = _ENDING.search(unquote_plus(told))
    ending = found[1] if found else REFUSES
    if ending == ACCEPTS:
        number = str(hash(request.body) & 0xFFFFFFFF)
        message = {"messageId": number, "id": number, "status": {"groupId": 1}}
        named = {"name": request.query.get("messageId", number)}
        ids = {"sid": number, "message_uuid": number, "messages": [message], **named}
        return HttpAnswer.json({**ids, "features": [told]})
    if ending == SILENT:
        return HttpAnswer(silent=True)
    if ending == CUTS:
        return HttpAnswer(cut_at=0)
    status = {UNAUTHORIZED: 401, FAILS: 500}.get(ending, 400)
    code = told if ending == NAMES else "17"
    exception = {"messageId": code, "text": told}
    meta = {"code": 190 if ending == UNAUTHORIZED else 100, "message": told, "error_user_msg": told}
    google = {"status": code}
    return HttpAnswer.json(
        {
            "code": code,
            "message": told,
            "type": code,
            "title": told,
            "detail": told,
            "error": {**meta, **google, "error_data": {"details": told if ending == NAMES else ""}},
            "requestError": {"serviceException": exception},
            "errorCode": code,
            "description": told,
        },
        status=status,
    )


@asynccontextmanager
async def gossiping_mail_server() -> AsyncIterator[int]:
    """Yield the port of a mail server that quotes logins, in its refusals of these and of recipients."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        known = "nothing"
        writer.write(b"220 mail.example.com\r\n")
        with_login = b"250-mail.example.com\r\n250 AUTH PLAIN LOGIN\r\n"
        while line := (await reader.readline()).decode().strip():
            verb, _, rest = line.partition(" ")
            match verb.upper():
                case "EHLO":
                    writer.write(with_login)
                case "AUTH":
                    coded = rest.split()[-1]
                    plain = base64.b64decode(coded).decode().replace("\0", " ")
                    known = f"{plain} {coded}"
                    good = "nobody" not in plain
                    reply = "235 welcome" if good else f"535 5.7.8 no login {known}"
                    writer.write(f"{reply}\r\n".encode())
                case "RCPT":
                    good = f"x{ACCEPTS}@" in rest
                    reply = "250 OK" if good else f"550 5.1.1 {rest} refused after {known}"
                    writer.write(f"{reply}\r\n".encode())
                case "DATA":
                    writer.write(b"354 go on\r\n")
                    await reader.readuntil(b"\r\n.\r\n")
                    writer.write(b"250 OK\r\n")
                case "QUIT":
                    break
                case _:
                    writer.write(b"250 OK\r\n")
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@asynccontextmanager
async def gossiping_smsc() -> AsyncIterator[int]:
    """Yield the port of an SMSC that puts the password into the body of every answer that has one."""

    def bind(session: Session) -> None:
        assert session.bind is not None
        status = 0x0E if session.bind.system_id == "nobody" else 0
        session.bound = status == 0
        quoted = session.bind.password.encode() + b"\0"
        command = 0x8000_0000 | session.bind.command
        head = (16 + len(quoted), command, status, session.bind.sequence)
        session.send(struct.pack("!IIII", *head) + quoted)

    def take(submit: Submit) -> None:
        bind = submit.session.bind
        assert bind is not None
        match submit.pdu.destination_addr[-1]:
            case each if each == ACCEPTS:
                submit.accept()
            case each if each == SILENT:
                pass
            case each if each == CUTS:
                submit.session.cut()
            case each if each == UNAUTHORIZED:
                submit.respond(0x0A, bind.password)
            case _:
                submit.respond(0x45, bind.password)

    async with Smsc() as smsc:
        smsc.bind_answer, smsc.answer = bind, take
        yield smsc.port
