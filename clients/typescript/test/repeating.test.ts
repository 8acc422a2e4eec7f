/** When a call is repeated, and how long it waits. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  connect,
  hasCode,
  NoAnswerError,
  ok,
  type RepeatOptions,
  UnreadableAnswerError,
} from "watchword-client";

import { deserted, KEY, refusal, scripted, serving } from "./servers.js";

const PIN = { pinId: "pin_1", status: "PENDING", expiresAt: "2030-01-31T12:10:00.000Z", attemptsRemaining: 5, channels: [] };
const WANTED = { body: { destination: "+919812345610", templateId: "tpl_demo" } };
const GUESS = { params: { path: { pinId: "pin_1" } }, body: { pin: "000000" } };

/** A clock that a client's pauses move. */
function paced(): { options: RepeatOptions; pauses: number[] } {
  const pauses: number[] = [];
  let time = 0;
  const sleep = (milliseconds: number) => {
    pauses.push(milliseconds);
    time += milliseconds;
    return Promise.resolve();
  };
  return { options: { clock: () => time, sleep, random: () => 0.5 }, pauses };
}

for (const [code, status] of [
  ["rate_limited", 429],
  ["unavailable", 503],
  ["request_timeout", 408],
] as const)
  test(`${code} is waited for, under one key`, async (t) => {
    const { options, pauses } = paced();
    const refused = { status, headers: { "Retry-After": "2" }, body: refusal(code) };
    const { url, seen } = await scripted(t, [refused, refused, { status: 201, body: PIN }]);
    const client = connect({ url, apiKey: KEY, ...options });

    assert.equal((await ok(client.POST("/v1/pins", WANTED))).pinId, "pin_1");
    assert.deepEqual(pauses, [2125, 2250]);
    assert.equal(new Set(seen.map((each) => each.key)).size, 1);
    assert.notEqual(seen[0]?.key, undefined);
  });

test("a call that is in flight is waited for, and not for as long as a dead one would hold its key", async (t) => {
  const { options, pauses } = paced();
  const refused = { status: 409, headers: { "Retry-After": "30" }, body: refusal("idempotency_in_progress") };
  const { url, seen } = await scripted(t, [...Array(7).fill(refused), { status: 201, body: PIN }]);
  const client = connect({ url, apiKey: KEY, attempts: 2, ...options });

  assert.equal((await ok(client.POST("/v1/pins", WANTED))).pinId, "pin_1");
  assert.deepEqual(pauses, [125, 250, 500, 1000, 2000, 2500, 2500]);
  assert.equal(new Set(seen.map((each) => each.key)).size, 1);
});

test("a result that is no JSON is an error of the client, which does not quote it", async (t) => {
  const url = await serving(t, (_, __, answer) => answer.end("<h1>Tea</h1>"));
  const client = connect({ url, apiKey: KEY });

  await assert.rejects(ok(client.POST("/v1/pins", WANTED)), (caught) =>
    caught instanceof UnreadableAnswerError && !String(caught.stack).includes("Tea"),
  );
});

test("a wait that ends after the call's time is not begun", async (t) => {
  const { options, pauses } = paced();
  const refused = { status: 429, headers: { "Retry-After": "31" }, body: refusal("rate_limited") };
  const { url, seen } = await scripted(t, [refused]);
  const client = connect({ url, apiKey: KEY, ...options });

  await assert.rejects(ok(client.POST("/v1/pins", WANTED)), (caught) =>
    hasCode(caught, "rate_limited") && caught.retryAfter === 31,
  );
  assert.deepEqual([[], 1], [pauses, seen.length]);
});

for (const [code, status] of [
  ["resend_cooldown", 429],
  ["dispatch_failed", 502],
  ["internal_error", 500],
  ["pin_blocked", 409],
] as const)
  test(`${code} is final`, async (t) => {
    const { url, seen } = await scripted(t, [
      { status, headers: { "Retry-After": "1" }, body: refusal(code) },
    ]);
    const client = connect({ url, apiKey: KEY, ...paced().options });
    const params = { path: { pinId: "pin_1" } };

    await assert.rejects(ok(client.POST("/v1/pins/{pinId}/resend", { params, body: {} })), (caught) =>
      hasCode(caught, code),
    );
    assert.equal(seen.length, 1);
  });

test("a guess is repeated where none was judged, and only there", async (t) => {
  const limited = { status: 429, headers: { "Retry-After": "1" }, body: refusal("rate_limited") };
  const { url, seen } = await scripted(t, [limited, { status: 503, body: refusal("unavailable") }]);
  const client = connect({ url, apiKey: KEY, ...paced().options });

  await assert.rejects(ok(client.POST("/v1/pins/{pinId}/verify", GUESS)), (caught) =>
    hasCode(caught, "unavailable"),
  );
  assert.deepEqual(
    seen.map((each) => each.key),
    [undefined, undefined],
  );
});

test("a refusal that names its status alone is known by it", async (t) => {
  const slow = { status: 408, body: { status: "error", http_status: 408, message: "Too slow." } };
  const typed = { status: 415, body: { status: "error", http_status: 415, message: "No." } };
  const { url, seen } = await scripted(t, [slow, typed]);
  const client = connect({ url, apiKey: KEY, ...paced().options });
  const body = { senderProfileName: "Tea", message_type: "promotional", url: "https://tea.example/a.png" };

  await assert.rejects(ok(client.POST("/rcs/mediaupload", { body })), (caught) =>
    hasCode(caught, "unsupported_media_type"),
  );
  assert.equal(seen.length, 2);
});

test("a call that only reads is repeated, whatever its method", async (t) => {
  const url = await serving(t, (_, __, answer) => answer.destroy());
  const { options, pauses } = paced();
  const client = connect({ url, apiKey: KEY, ...options });

  await assert.rejects(client.POST("/status", { body: { messageIds: ["msg_1"] } }), NoAnswerError);
  assert.equal(pauses.length, 7);
});

test("what a proxy answers instead of the service is tried again, with pauses that grow", async (t) => {
  const { options, pauses } = paced();
  const broken = { status: 502, headers: { "Content-Type": "text/html" }, body: "<h1>Bad gateway</h1>" };
  const { url, seen } = await scripted(t, Array(8).fill(broken));
  const client = connect({ url, apiKey: KEY, ...options });

  await assert.rejects(ok(client.POST("/v1/pins", WANTED)), { code: "unexpected_answer", status: 502 });
  assert.deepEqual([pauses, seen.length], [[125, 250, 500, 1000, 2000, 2500, 2500], 8]);
});

test("an answer that breaks off counts as none", async (t) => {
  let asked = 0;
  const url = await serving(t, (_, __, answer) => {
    const whole = JSON.stringify(PIN);
    answer.writeHead(201, { "Content-Type": "application/json", "Content-Length": whole.length });
    if (++asked > 1) answer.end(whole);
    else answer.write(whole.slice(0, 9), () => answer.destroy());
  });
  const client = connect({ url, apiKey: KEY, ...paced().options });

  assert.equal((await ok(client.POST("/v1/pins", WANTED))).pinId, "pin_1");
  assert.equal(asked, 2);
});

test("an attempt that takes too long is given up for the next one", async (t) => {
  let asked = 0;
  const url = await serving(t, (_, __, answer) => {
    if (++asked > 1) answer.end(JSON.stringify({ status: "ok" }));
  });
  const client = connect({ url, attemptTimeout: 100, ...paced().options });

  await ok(client.GET("/health/live"));
  assert.equal(asked, 2);
});

test("even a guess is tried again where nobody listened", async () => {
  const { options, pauses } = paced();
  const client = connect({ url: await deserted(), apiKey: KEY, attempts: 3, ...options });

  await assert.rejects(client.POST("/v1/pins/{pinId}/verify", GUESS), (caught) =>
    caught instanceof NoAnswerError && !caught.sent,
  );
  assert.deepEqual(pauses, [125, 250]);
});

test("the caller's own key is kept, and named where no answer came", async (t) => {
  const url = await serving(t, (_, __, answer) => answer.destroy());
  const client = connect({ url, apiKey: KEY, ...paced().options });
  const headers = { "Idempotency-Key": "login-4711" };

  await assert.rejects(client.POST("/v1/pins", { ...WANTED, headers }), {
    name: "NoAnswerError",
    sent: true,
    idempotencyKey: "login-4711",
  });
});

test("a caller can end a call while it pauses", { timeout: 10_000 }, async (t) => {
  const refused = { status: 503, headers: { "Retry-After": "20" }, body: refusal("unavailable") };
  const { url } = await scripted(t, [refused]);
  const left = new AbortController();
  let looks = 0;
  const clock = () => {
    // The third look at the clock is the one before the pause.
    if (++looks === 3) setImmediate(() => left.abort(new Error("The user went away.")));
    return performance.now();
  };
  const client = connect({ url, apiKey: KEY, clock });

  await assert.rejects(client.POST("/v1/pins", { ...WANTED, signal: left.signal }), /The user went away/);
});

test("a caller can end a call while it is asked", async (t) => {
  const { options, pauses } = paced();
  const left = new AbortController();
  const url = await serving(t, () => left.abort(new Error("The user went away.")));
  const client = connect({ url, apiKey: KEY, ...options });

  await assert.rejects(client.POST("/v1/pins", { ...WANTED, signal: left.signal }), /The user went away/);
  assert.deepEqual(pauses, []);
});

test("a redirect is not followed, so that no key goes elsewhere", async (t) => {
  const there = await scripted(t, [{ status: 200, body: PIN }]);
  const here = await scripted(t, [{ status: 307, headers: { Location: there.url } }]);
  const client = connect({ url: here.url, apiKey: KEY, ...paced().options });

  await assert.rejects(ok(client.POST("/v1/pins", WANTED)), { code: "unexpected_answer", status: 307 });
  assert.deepEqual([here.seen.length, there.seen.length], [1, 0]);
});

test("an id never leads to another path", async (t) => {
  const { url, seen } = await scripted(t, [{ status: 200 }, { status: 200 }]);
  const client = connect({ url, apiKey: KEY });

  for (const pinId of ["..", ".", ""])
    await assert.rejects(client.GET("/v1/pins/{pinId}", { params: { path: { pinId } } }), /pinId must be an id/);
  assert.equal(seen.length, 0);
  for (const pinId of ["../templates?a=b#c", "%2e%2e"])
    await client.GET("/v1/pins/{pinId}", { params: { path: { pinId } } });
  assert.deepEqual(
    seen.map((each) => each.path),
    ["/v1/pins/..%2Ftemplates%3Fa%3Db%23c", "/v1/pins/%252e%252e"],
  );
});

test("an answer without end is not read to its end", async (t) => {
  const { url, seen } = await scripted(t, [{ status: 200, body: "x".repeat(2000) }]);
  const client = connect({ url, maxAnswerBytes: 1000, ...paced().options });

  await assert.rejects(client.GET("/health/live"), /longer than 1000 bytes/);
  assert.equal(seen.length, 1);
});

test("what is no address of a service is refused", () => {
  for (const url of ["", "127.0.0.1:8080", "ftp://127.0.0.1", "http://me@127.0.0.1", "http://127.0.0.1?a=b", "http://127.0.0.1#a"])
    assert.throws(() => connect({ url }), { name: "TypeError", message: /^url must be/ }, url);
});

test("an option that can be no bound is refused by name", () => {
  for (const name of ["timeout", "attemptTimeout", "attempts", "maxAnswerBytes"])
    for (const value of [0, -1, Number.NaN])
      assert.throws(() => connect({ url: "http://127.0.0.1:1", [name]: value }), {
        name: "RangeError",
        message: `${name} must be above zero.`,
      });
});

test("an address can have a prefix", async (t) => {
  const { url, seen } = await scripted(t, [{ status: 201, body: PIN }]);
  await ok(connect({ url: `${url}/codes/`, apiKey: KEY }).POST("/v1/pins", WANTED));

  assert.equal(seen[0]?.path, "/codes/v1/pins");
});
