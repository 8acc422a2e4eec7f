/** A typed client of a Watchword service, which repeats a call only where that cannot act twice. */

import createClient, { type Client, type Middleware } from "openapi-fetch";

import type { components, paths } from "./interface.js";
import { type Credential, OPERATIONS } from "./operations.js";
import { repeating, type RepeatOptions } from "./repeating.js";

export { hasCode, NoAnswerError, ok, UnreadableAnswerError, WatchwordError } from "./errors.js";
export type { DetailsOf, ErrorCode, Refusal } from "./errors.js";
export type { components, operations, paths } from "./interface.js";
export type { RepeatOptions } from "./repeating.js";

/** The bodies of requests and answers by name, such as `Schemas["Pin"]`. */
export type Schemas = components["schemas"];

/** Where a service is, and what opens it. Each call needs one of the credentials, as its description says. */
export interface Options extends RepeatOptions {
  /** The service's address, with the prefix under which it is mounted, if any. */
  url: string;
  apiKey?: string;
  adminToken?: string;
  /** A token of the legacy platform, from `POST /account/enterprise/login`. */
  legacyToken?: string;
}

/** Return a client: `client.POST("/v1/pins", { body })` answers with `data` or `error`, both typed. */
export function connect(options: Options): Client<paths> {
  const { url, apiKey, adminToken, legacyToken, ...repeats } = options;
  checkAddress(url);
  for (const [name, secret] of Object.entries({ apiKey, adminToken, legacyToken }))
    // The error of a header would show what no header can have.
    if (secret !== undefined && !/^[!-~]+$/.test(secret))
      throw new TypeError(`${name} must be visible ASCII characters without blanks.`);
  const harmless = new WeakSet<Request>();
  const fetch = repeating(repeats, harmless);
  const client = createClient<paths>({ baseUrl: url, fetch, redirect: "manual" });
  client.use(prepared({ apiKey, adminToken, legacyToken }, harmless));
  return client;
}

/** Throw for what is no address of a service; a call to it would fail as one that nobody answers. */
function checkAddress(url: string): void {
  const parts = URL.canParse(url) ? new URL(url) : undefined;
  if (!parts || !/^https?:$/.test(parts.protocol) || parts.username || parts.search || parts.hash)
    throw new TypeError("url must be an http or https address without user, query and fragment.");
}

/**
 * Set the credential of each request and, where the service takes one, an Idempotency-Key of its own; collect
 * the requests that do no more twice than once.
 */
function prepared(
  credentials: Record<Credential, string | undefined>,
  harmless: WeakSet<Request>,
): Middleware {
  return {
    onRequest({ request, schemaPath, params }) {
      const operation = OPERATIONS[`${request.method} ${schemaPath}`];
      if (operation === undefined) throw new TypeError(`No call is ${request.method} ${schemaPath}.`);
      for (const [name, value] of Object.entries(params.path ?? {}))
        // An address with these would be another one.
        if (["", ".", ".."].includes(String(value))) throw new TypeError(`${name} must be an id.`);
      if (operation.credential !== undefined) {
        const secret = credentials[operation.credential];
        if (secret !== undefined) request.headers.set(operation.header, operation.scheme + secret);
        else if (operation.required) throw new TypeError(`${schemaPath} needs the option ${operation.credential}.`);
      }
      if (operation.harmless) harmless.add(request);
      if (operation.takesKey && !request.headers.has("Idempotency-Key"))
        request.headers.set("Idempotency-Key", globalThis.crypto.randomUUID());
    },
  };
}
