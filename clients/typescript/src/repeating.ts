/** A `fetch` that tries again where that cannot act twice, within the time that a call has. */

import { NoAnswerError, type Refused, refusedBy, secondsToWait, UnreadableAnswerError } from "./errors.js";

/** How long a call may take, and what it takes from outside. All times are milliseconds. */
export interface RepeatOptions {
  /** For a call with all its attempts and pauses: 30 s. `signal` ends one call earlier. */
  timeout?: number;
  /** For one attempt: 12 s. */
  attemptTimeout?: number;
  /** The most attempts of one call: 8. */
  attempts?: number;
  /** The longest answer that is read, in bytes: 32 MiB. */
  maxAnswerBytes?: number;
  fetch?: (request: Request) => Promise<Response>;
  /** What the time is, such as `performance.now`. */
  clock?: () => number;
  /** Waits; rejects with the signal's reason when that aborts. */
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** A number from 0 up to 1, as `Math.random` returns. */
  random?: () => number;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5_000;
// The service did nothing: it was busy with the same key, counted no send and no guess, or read no whole request.
// So every call is repeated, whatever it does. `resend_cooldown` is not among them: nothing resends by itself (D-538).
const NOTHING_DONE: ReadonlySet<string> = new Set([
  "idempotency_in_progress",
  "rate_limited",
  "request_timeout",
]);
// Node's names for a connection that was never there.
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "EAI_AGAIN",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Return a `fetch` that repeats a request under the one Idempotency-Key that it has, or where it is harmless. */
export function repeating(
  options: RepeatOptions,
  harmless: WeakSet<Request>,
): (request: Request) => Promise<Response> {
  const {
    timeout = 30_000,
    attemptTimeout = 12_000,
    attempts = 8,
    maxAnswerBytes = 32 * 1024 * 1024,
    fetch = (request: Request) => globalThis.fetch(request),
    clock = () => performance.now(),
    sleep = sleepOnTimers,
    random = Math.random,
  } = options;

  for (const [name, value] of Object.entries({ timeout, attemptTimeout, attempts, maxAnswerBytes }))
    if (!(value > 0)) throw new RangeError(`${name} must be above zero.`);

  async function attempt(request: Request, left: number): Promise<Response> {
    const expiry = AbortSignal.timeout(Math.max(1, Math.floor(Math.min(left, attemptTimeout))));
    const signal = AbortSignal.any([request.signal, expiry]);
    return read(await fetch(new Request(request.clone(), { signal })), maxAnswerBytes);
  }

  return async (request) => {
    const end = clock() + timeout;
    const key = request.headers.get("Idempotency-Key") ?? undefined;
    const repeatable = key !== undefined || harmless.has(request);
    let sent = false;
    let done = 0;
    for (let pauses = 0; ; pauses++) {
      let answer: Response | undefined;
      let failure: unknown;
      try {
        answer = await attempt(request, end - clock());
      } catch (error) {
        request.signal.throwIfAborted();
        if (error instanceof UnreadableAnswerError) throw error;
        failure = error;
        sent ||= !neverSent(error);
      }
      const refused = answer && (await refusalIn(answer));
      const again = answer === undefined ? repeatable || !sent : mayRepeat(answer, refused, repeatable);
      // An earlier attempt of the same call is still running. Its Retry-After is when the claim of a dead process
      // ends, and a live one answers long before (D-535).
      const inFlight = refused?.code === "idempotency_in_progress";
      if (!inFlight) done++;
      const asked = answer && !inFlight ? secondsToWait(answer) : undefined;
      // Full jitter spreads the clients that failed together, or were told to wait for as long.
      const jitter = random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** pauses);
      const pause = (asked ?? 0) * 1000 + jitter;
      if (!again || done >= attempts || clock() + pause >= end) {
        if (answer !== undefined) return answer;
        throw new NoAnswerError(sent, key, failure);
      }
      await sleep(pause, request.signal);
    }
  };
}

/** Return the refusal in an answer, or nothing if it has none of this service's. */
async function refusalIn(answer: Response): Promise<Refused | undefined> {
  if (answer.status < 400) return undefined;
  return refusedBy(await answer.clone().json().catch(() => undefined));
}

/** Return whether another attempt can follow this answer, and cannot act twice. */
function mayRepeat(answer: Response, refused: Refused | undefined, repeatable: boolean): boolean {
  if (answer.status < 400) return false;
  if (refused !== undefined && NOTHING_DONE.has(refused.code)) return true;
  if (!repeatable) return false;
  // A refusal of the service is final, unless it says that it could not work. A proxy knows nothing of the call.
  if (refused !== undefined) return refused.code === "unavailable";
  return answer.status === 429 || answer.status >= 502;
}

/** Read an answer whole, so that one that breaks off counts as none. */
async function read(answer: Response, most: number): Promise<Response> {
  if (answer.body === null) return answer;
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new UnreadableAnswerError(`The answer was longer than ${most} bytes.`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  const { status, statusText, headers } = answer;
  const body = [204, 205, 304].includes(status) ? null : whole;
  return new Response(body, { status, statusText, headers });
}

function neverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  // Node tries several addresses of one name, and reports them together.
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return causes.every((each) => each instanceof Error && "code" in each && NEVER_SENT.has(each.code));
}

function sleepOnTimers(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", aborted);
      resolve();
    }, milliseconds);
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted, { once: true });
  });
}
