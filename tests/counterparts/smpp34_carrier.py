"""The carrier of smpp34: its server, which speaks the protocol in Rust."""

from __future__ import annotations

import asyncio

import smpp34
from aiosmpplib.codec import find_codec_info
from attrs import define, field

from tests.counterparts.carriers import Carrier, Part

_RECEIPT, _UDH = 0x04, 0x40
_THROTTLED, _UCS2, _DELIVERED = 0x58, 8, 2
_RECEIPTED_MESSAGE_ID, _MESSAGE_STATE, _MESSAGE_PAYLOAD = 0x001E, 0x0427, 0x0424
_PORT_FREE_WITHIN = 10
# The reference, the total and the number of a part.
_SAR = (0x020C, 0x020E, 0x020F)


@define
class Smpp34Carrier(Carrier):
    """Its receipts have optional parameters alone."""

    _server: smpp34.Server | None = None
    _serving: asyncio.Task[None] | None = None
    _throttled: int = 0
    _sessions: dict[str, smpp34.Esme] = field(factory=dict)
    _tasks: set[asyncio.Task[None]] = field(factory=set)

    async def start(self) -> None:
        """Listen."""
        self._server = smpp34.Server("127.0.0.1", self.port, system_id="smpp34")
        async with asyncio.timeout(_PORT_FREE_WITHIN):
            while not await self._listening(self._server):  # noqa: ASYNC110  a thread of Rust makes it come true
                await asyncio.sleep(0.05)
        self._serving = asyncio.create_task(self._serve(self._server))

    @staticmethod
    async def _listening(server: smpp34.Server) -> bool:
        """Listen; return False while the listener of a server that was stopped still has the port."""
        try:
            await server.start()
        except smpp34.SmppError as error:
            if "Address already in use" in str(error):
                return False
            raise
        return True

    async def stop(self) -> None:
        """Unbind all, and stop listening."""
        assert self._server is not None
        assert self._serving is not None
        for task in (self._serving, *self._tasks):
            task.cancel()
        await asyncio.gather(self._serving, *self._tasks, return_exceptions=True)
        for each in self._sessions.values():
            await each.unbind()
        self._sessions.clear()
        await self._server.stop()

    async def throttle(self, times: int) -> None:
        """Refuse the next messages as too many."""
        self._throttled = times

    async def say(self, phone: str, to: str, *texts: str, unicode: bool = False) -> None:
        """Send a person's message, and wait until its parts are answered."""
        coding, name = (_UCS2, "utf-16-be") if unicode else (0, "gsm0338")
        for number, text in enumerate(texts, start=1):
            octets, _ = find_codec_info(name).encode(text)
            header = bytes([5, 0, 3, 7, len(texts), number]) if len(texts) > 1 else b""
            taken = await self._hearer().deliver_sm(
                to,
                header + octets,
                source_addr=phone,
                source_addr_ton=1,
                esm_class=_UDH if header else 0,
                data_coding=coding,
            )
            self.answered.append(taken.command_status)

    async def _serve(self, server: smpp34.Server) -> None:
        while True:
            match await server.next():
                case smpp34.Esme() as esme:
                    self._sessions[esme.session_id] = esme
                    self.binds.append("receiving" if esme.can_receive else "transmitter")
                case smpp34.SubmitSmEvent() as event:
                    await self._take(event)
                case smpp34.Unbound() as ended:
                    self._sessions.pop(ended.session_id, None)

    async def _take(self, event: smpp34.SubmitSmEvent) -> None:
        if self._throttled:
            self._throttled -= 1
            event.reject(_THROTTLED)
            return
        part = _part(f"s34-{len(self.parts) + 1}", event)
        self.parts.append(part)
        event.accept(part.message_id)
        if event.registered_delivery & 1:
            task = asyncio.create_task(self._report(part))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _report(self, part: Part) -> None:
        tlvs = [
            smpp34.Tlv(_RECEIPTED_MESSAGE_ID, part.message_id.encode() + b"\0"),
            smpp34.Tlv(_MESSAGE_STATE, bytes([_DELIVERED])),
        ]
        taken = await self._hearer().deliver_sm(
            part.source, b"", source_addr=part.destination, esm_class=_RECEIPT, tlvs=tlvs
        )
        self.answered.append(taken.command_status)

    def _hearer(self) -> smpp34.Esme:
        return [each for each in self._sessions.values() if each.can_receive][-1]


def _part(message_id: str, event: smpp34.SubmitSmEvent) -> Part:
    """Read a part by aiosmpplib's alphabets."""
    tlvs = {each.tag: each.value for each in event.tlvs}
    octets = tlvs.get(_MESSAGE_PAYLOAD, event.short_message)
    header = b"".join(tlvs.get(each, b"") for each in _SAR)
    if event.esm_class & _UDH:
        header, octets = octets[: octets[0] + 1], octets[octets[0] + 1 :]
    name = "utf-16-be" if event.data_coding == _UCS2 else "gsm0338"
    text, _ = find_codec_info(name).decode(octets)
    return Part(message_id, event.source_addr, event.destination_addr, text, header)
