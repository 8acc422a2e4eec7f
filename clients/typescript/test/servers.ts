/** Servers in front of a service, or instead of one. */

import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";

export const SANDBOX = process.env["WATCHWORD_URL"] ?? "http://127.0.0.1:8080";
export const KEY = "sandbox-key";

type Answering = (asked: IncomingMessage, body: Buffer, answer: ServerResponse) => void;

/** Serve on loopback until the test ends; return the address. */
export async function serving(test: TestContext, answering: Answering): Promise<string> {
  const server = createServer((asked, answer) => {
    const parts: Buffer[] = [];
    asked.on("data", (part: Buffer) => parts.push(part));
    asked.on("end", () => answering(asked, Buffer.concat(parts), answer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Return an address at which a server has stopped. */
export async function deserted(): Promise<string> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}`;
}

/** One request that came, and the Idempotency-Key that it had. */
export interface Seen {
  method: string;
  path: string;
  key: string | undefined;
}

/** Serve the sandbox, and break off the first answers after the sandbox gave them. */
export async function losing(test: TestContext, answers: number): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const url = await serving(test, (asked, body, answer) => {
    seen.push(seenIn(asked));
    const { host: _, ...headers } = asked.headers;
    const passed = request(SANDBOX + asked.url, { method: asked.method ?? "GET", headers }, (given) => {
      if (seen.length <= answers) {
        // The service has acted; its caller does not learn how.
        given.resume().on("end", () => answer.destroy());
        return;
      }
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    passed.end(body);
  });
  return { url, seen };
}

/** One answer of a script. */
export interface Line {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Answer each request with the next line of a script. */
export async function scripted(test: TestContext, lines: Line[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const url = await serving(test, (asked, _, answer) => {
    seen.push(seenIn(asked));
    const line = lines[seen.length - 1] ?? { status: 500 };
    answer.writeHead(line.status, { "Content-Type": "application/json", ...line.headers });
    answer.end(typeof line.body === "string" ? line.body : JSON.stringify(line.body ?? {}));
  });
  return { url, seen };
}

/** The body of a refusal under `/v1`. */
export function refusal(code: string, details: object = {}): object {
  return { error: { code, message: "No.", requestId: "req_1", details } };
}

function seenIn(asked: IncomingMessage): Seen {
  const key = asked.headers["idempotency-key"];
  return { method: asked.method ?? "", path: asked.url ?? "", key: key?.toString() };
}
