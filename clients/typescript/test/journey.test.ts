/** Calls of a service as it is. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { connect, hasCode, NoAnswerError, ok, WatchwordError } from "watchword-client";

import { KEY, losing, SANDBOX } from "./servers.js";

const client = connect({ url: SANDBOX, apiKey: KEY, adminToken: "sandbox-admin" });

/** Issue a PIN for a number; return its id and the code that the phone shows. */
async function issued(destination: string, by = client): Promise<{ pinId: string; code: string }> {
  const { pinId } = await ok(by.POST("/v1/pins", { body: { destination, templateId: "tpl_demo" } }));
  const code = /\d{6}/.exec((await sentTo(destination)).at(-1) ?? "")?.[0];
  assert(code !== undefined);
  return { pinId, code };
}

async function sentTo(destination: string): Promise<string[]> {
  const { data } = await ok(client.GET("/sandbox/outbox", { params: { query: { destination } } }));
  return data.map((each) => each.text);
}

test("a wrong code is refused with what is left, and the right one verifies", async () => {
  const { pinId, code } = await issued("+919812345701");
  const path = { pinId };
  const wrong = code === "000000" ? "000001" : "000000";

  const refused = await client.POST("/v1/pins/{pinId}/verify", { params: { path }, body: { pin: wrong } });
  assert.equal(refused.response.status, 422);
  // The compiler knows the members of each code's details.
  const error = refused.error?.error;
  assert(error?.code === "pin_incorrect");
  assert.equal(error.details.attemptsRemaining, 4);

  const verified = await ok(client.POST("/v1/pins/{pinId}/verify", { params: { path }, body: { pin: code } }));
  assert.equal(verified.status, "VERIFIED");
});

test("a refusal can be caught by its code", async () => {
  const { pinId } = await issued("+919812345702");
  const resent = ok(client.POST("/v1/pins/{pinId}/resend", { params: { path: { pinId } }, body: {} }));

  await assert.rejects(resent, (caught) => {
    assert(hasCode(caught, "resend_cooldown"));
    assert(!hasCode(caught, "rate_limited"));
    assert(caught.details.retryAfterSeconds > 0);
    assert.equal(caught.retryAfter, caught.details.retryAfterSeconds);
    assert.match(caught.requestId ?? "", /^req_/);
    return caught.status === 429;
  });
});

test("a message that does not arrive falls back to an SMS", async () => {
  const recipient = "+447700980003";
  const templateMessage = { templateCode: "demo", customParams: JSON.stringify({ name: "Asha", order: "4711" }) };
  const body = {
    rcs: [{ sender: "Watchword", recipient, messageType: "template" as const, contentMessage: { templateMessage } }],
    fallback: {
      fallback_id: "demo",
      fallback: true as const,
      waittime: "60",
      sms: { sender: "Watchword", type: "SI" as const, messageBody: "Order 4711 is on its way." },
    },
  };
  const sent = await ok(client.POST("/oapi/send_sms", { body }));
  assert.equal(sent.data.length, 1);
  await ok(client.POST("/sandbox/clock/advance", { body: { seconds: 60 } }));

  const history = await ok(client.GET("/history", { params: { query: { recipient } } }));
  assert.deepEqual(history.data.map((each) => each.channel).sort(), ["rcs", "sms"]);
});

test("a limit of the service ends in its error and not in a long wait", async () => {
  const channels = [{ channelType: "sms" as const, contentText: "{{pin}}" }];
  const body = {
    account: "demo",
    name: "one a day",
    channels,
    sendPinPerPhoneNumberLimit: "1/1d",
  };
  const { id } = await ok(client.POST("/admin/v1/pin-templates", { body }));
  const once = { body: { destination: "+919812345703", templateId: id } };
  await ok(client.POST("/v1/pins", once));

  await assert.rejects(ok(client.POST("/v1/pins", once)), (caught) => {
    assert(hasCode(caught, "rate_limited"));
    assert.equal(caught.details.rule, "phone_number");
    return (caught.retryAfter ?? 0) > 60;
  });
});

test("a lost answer is not a second send", async (t) => {
  const { url, seen } = await losing(t, 2);
  const pausing = connect({ url, apiKey: KEY, sleep: () => Promise.resolve() });
  const destination = "+919812345704";
  const { code, pinId } = await issued(destination, pausing);

  assert.deepEqual([1, 3], [new Set(seen.map((each) => each.key)).size, seen.length]);
  assert.equal((await sentTo(destination)).length, 1);
  const verified = await ok(
    client.POST("/v1/pins/{pinId}/verify", { params: { path: { pinId } }, body: { pin: code } }),
  );
  assert.equal(verified.status, "VERIFIED");
});

test("a lost answer to a send of messages is not a second send", async (t) => {
  const { url, seen } = await losing(t, 1);
  const pausing = connect({ url, apiKey: KEY, sleep: () => Promise.resolve() });
  const recipient = "+447700980011";
  const sms = [{ sender: "Watchword", recipient, type: "SI" as const, messageBody: "Your tea is ready." }];
  await ok(pausing.POST("/send_sms", { body: { sms } }));

  assert.equal(seen.length, 2);
  assert.equal((await sentTo(recipient)).length, 1);
});

test("a guess is never sent twice, and its caller learns that it may have counted", async (t) => {
  const { pinId, code } = await issued("+919812345705");
  const { url, seen } = await losing(t, 1);
  const guessing = connect({ url, apiKey: KEY, sleep: () => Promise.resolve() });
  const params = { path: { pinId } };

  const guess = guessing.POST("/v1/pins/{pinId}/verify", { params, body: { pin: code } });
  await assert.rejects(guess, (caught) => caught instanceof NoAnswerError && caught.sent);
  assert.equal(seen.length, 1);
  assert.equal((await ok(guessing.GET("/v1/pins/{pinId}", { params }))).status, "VERIFIED");
});

test("an upload with a wrong key, which answers 200, is an error", async () => {
  const stranger = connect({ url: SANDBOX, apiKey: "wrong" });
  const body = { senderProfileName: "Watchword", message_type: "promotional", url: "https://example.com/a.png" };

  await assert.rejects(ok(stranger.POST("/rcs/mediaupload", { body })), (caught) =>
    hasCode(caught, "unauthorized"),
  );
});

test("no key is in what a program prints of a client or of an error", async () => {
  const stranger = connect({ url: SANDBOX, apiKey: "a-secret-key" });
  const caught: unknown = await ok(stranger.GET("/v1/templates")).catch((error: unknown) => error);

  assert(caught instanceof WatchwordError);
  assert.equal(caught.status, 401);
  const printed = inspect([stranger, caught], { depth: 9, showHidden: true });
  assert(!printed.includes("a-secret-key"));
});

test("a key that no header can have is refused without showing it", () => {
  for (const apiKey of ["a-secret\nkey", "a-secret-key\n", "a-secret-kéy", ""])
    assert.throws(
      () => connect({ url: SANDBOX, apiKey }),
      (error) => error instanceof TypeError && error.message.startsWith("apiKey must") && !inspect(error).includes("a-secret"),
    );
});

test("a call without the credential that it needs is not sent", async () => {
  const nobody = connect({ url: "http://127.0.0.1:1" });

  await assert.rejects(nobody.GET("/v1/templates"), /needs the option apiKey/);
});
