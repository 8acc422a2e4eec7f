// An SMSC on loopback, made of npm's `smpp`: `node smsc.mjs PORT`, and 0 lets the system choose. With a file
// behind it that has a key and its certificate, it demands TLS.
//
// It accepts every bind and submit_sm, and sends a receipt of each message that asks for one. It writes what
// happens to stdout, one JSON object a line, reads orders from stdin in the same form, and ends with stdin.

import fs from "node:fs";
import readline from "node:readline";
import smpp from "smpp";

const ACCEPTED_AND_DELIVERED = "submit date:2611230600 done date:2611230601 stat:DELIVRD err:000";
const hearing = new Set();
let throttled = 0;
let submits = 0;

function tell(what) {
  process.stdout.write(JSON.stringify(what) + "\n");
}

function deliver(pdu) {
  const session = [...hearing].at(-1);
  session.deliver_sm(pdu, (answer) => tell({ answered: answer.command_status }));
}

function headerOf(pdu) {
  if (pdu.sar_total_segments !== undefined) {
    const { sar_msg_ref_num, sar_total_segments, sar_segment_seqnum } = pdu;
    return Buffer.from([sar_msg_ref_num >> 8, sar_msg_ref_num & 255, sar_total_segments, sar_segment_seqnum]);
  }
  return Buffer.concat((pdu.short_message.udh ?? []).map((each) => Buffer.from(each)));
}

function take(session, pdu) {
  if (throttled > 0) {
    throttled -= 1;
    session.send(pdu.response({ command_status: smpp.ESME_RTHROTTLED }));
    return;
  }
  submits += 1;
  const id = `npm-${process.pid}-${submits}`;
  tell({
    submit: id,
    from: pdu.source_addr,
    to: pdu.destination_addr,
    text: pdu.message_payload?.message ?? pdu.short_message.message ?? "",
    header: headerOf(pdu).toString("hex"),
  });
  session.send(pdu.response({ message_id: id }));
  if (pdu.registered_delivery & 1) {
    deliver({
      source_addr: pdu.destination_addr,
      destination_addr: pdu.source_addr,
      esm_class: smpp.ESM_CLASS.MC_DELIVERY_RECEIPT,
      short_message: `id:${id} sub:001 dlvrd:001 ${ACCEPTED_AND_DELIVERED} text:`,
    });
  }
}

const [port, file] = process.argv.slice(2);
const pem = file && fs.readFileSync(file);
const server = smpp.createServer(pem ? { key: pem, cert: pem } : {}, (session) => {
  const bound = (kind) => (pdu) => {
    session.send(pdu.response({ system_id: "npm" }));
    if (kind !== "transmitter") hearing.add(session);
    tell({ bound: kind, systemId: pdu.system_id, password: pdu.password });
  };
  for (const kind of ["transceiver", "transmitter", "receiver"]) {
    session.on(`bind_${kind}`, bound(kind));
  }
  session.on("submit_sm", (pdu) => take(session, pdu));
  session.on("enquire_link", (pdu) => session.send(pdu.response()));
  session.on("unbind", (pdu) => {
    session.send(pdu.response());
    session.close();
  });
  session.on("unknown", (pdu) => session.send(pdu.response()));
  session.on("error", (error) => console.error(String(error)));
  session.on("close", () => hearing.delete(session));
});

const orders = {
  throttle: ({ times }) => {
    throttled = times;
  },
  say: ({ from, to, texts, coding }) => {
    texts.forEach((text, index) => {
      const udh = Buffer.from([5, 0, 3, 7, texts.length, index + 1]);
      const short_message = texts.length > 1 ? { udh, message: text } : text;
      deliver({
        source_addr: from,
        source_addr_ton: 1,
        destination_addr: to,
        data_coding: coding,
        short_message,
      });
    });
  },
};

readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const order = JSON.parse(line);
    orders[order.do](order);
  })
  .on("close", () => process.exit(0));

server.listen(Number(port), "127.0.0.1", () => tell({ listening: server.address().port }));
