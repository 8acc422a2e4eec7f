/** Refusals as errors, by the documented code. */

import type { components } from "./interface.js";
import { CODES_OF_STATUSES } from "./operations.js";

type Schemas = components["schemas"];
type Named<Ending extends string> = Schemas[Extract<keyof Schemas, `${string}${Ending}`>];
type Outside = Extract<Named<"OutsideError">, { code: string }>;

/** What a service answers instead of a result, under `/v1` and `/admin/v1`. */
export type Refusal = Named<"Refusal">;
/** Every documented code. */
export type ErrorCode = Refusal["code"] | Outside["code"];
/** What a refusal with this code says besides its message. */
export type DetailsOf<Code extends string> = Extract<Refusal, { code: Code }> extends {
  details: infer Details;
}
  ? Details
  : Readonly<Record<string, unknown>>;

/** What the parts of an answer are, whichever of the service's forms it has. */
export interface Refused {
  code: string;
  message: string;
  requestId: string | undefined;
  details: unknown;
}

/** The service refused a call. `code` is a documented one, or `unexpected_answer` where a proxy answered. */
export class WatchwordError<Code extends string = ErrorCode | "unexpected_answer"> extends Error {
  override readonly name = "WatchwordError";
  readonly code: Code;
  readonly status: number;
  readonly details: DetailsOf<Code>;
  /** What to quote to those who run the service. */
  readonly requestId: string | undefined;
  /** The seconds after which another attempt can succeed, where the service says so. */
  readonly retryAfter: number | undefined;

  constructor(refused: Refused, answer: Response) {
    super(refused.message);
    this.code = refused.code as Code;
    this.status = answer.status;
    this.details = refused.details as DetailsOf<Code>;
    this.requestId = refused.requestId ?? answer.headers.get("X-Request-Id") ?? undefined;
    this.retryAfter = secondsToWait(answer);
  }
}

/**
 * No answer came, in all attempts. The service may have acted unless `sent` is false: ask it, or call again with
 * this `idempotencyKey`.
 */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";

  constructor(
    readonly sent: boolean,
    readonly idempotencyKey: string | undefined,
    cause: unknown,
  ) {
    super(sent ? "No answer came; the service may have acted." : "The service could not be reached.", { cause });
  }
}

/** The answer is not one of the service's: longer than `maxAnswerBytes`, or no JSON. The service may have acted. */
export class UnreadableAnswerError extends Error {
  override readonly name = "UnreadableAnswerError";
}

/** Return whether a caught value is a refusal with this code, whose details are then typed. */
export function hasCode<Code extends ErrorCode>(
  caught: unknown,
  code: Code,
): caught is WatchwordError<Code> {
  return caught instanceof WatchwordError && caught.code === code;
}

/**
 * Return the result of a call; throw a `WatchwordError` if it was refused, and an `UnreadableAnswerError` if what
 * came as its result is no JSON.
 */
export async function ok<Result>(
  call: Promise<{ data?: Result; error?: unknown; response: Response }>,
): Promise<Exclude<Result, Schemas["MediaKeyRefused"]>> {
  const { data, error, response } = await call.catch((caught: unknown) => {
    // Its text quotes the answer, so the error is not its cause.
    throw caught instanceof SyntaxError ? new UnreadableAnswerError("The answer is no JSON.") : caught;
  });
  if (!response.ok) throw new WatchwordError(refusedBy(error) ?? unexpected(response), response);
  // An upload answers 200 where its key is missing or wrong (section 7 of the specification, media upload).
  const key = isObject(data) && (data["code"] === 114 || data["code"] === 115) ? data : undefined;
  if (key !== undefined)
    throw new WatchwordError({ ...said(key), code: "unauthorized" }, response);
  return data as Exclude<Result, Schemas["MediaKeyRefused"]>;
}

/** Return the parts of a refusal, or nothing if the body is none of this service's. */
export function refusedBy(body: unknown): Refused | undefined {
  const inside = isObject(body) && isObject(body["error"]) ? body["error"] : body;
  if (!isObject(inside)) return undefined;
  if (typeof inside["code"] === "string") return { ...said(inside), code: inside["code"] };
  // The upload of media names no code, and repeats its status.
  if (inside["status"] === "error" && "http_status" in inside)
    return { ...said(inside), code: CODES_OF_STATUSES[String(inside["http_status"])] ?? "unexpected_answer" };
  return undefined;
}

/** Return the whole seconds of `Retry-After`, or nothing. */
export function secondsToWait(answer: Response): number | undefined {
  const seconds = Number.parseInt(answer.headers.get("Retry-After") ?? "", 10);
  return Number.isNaN(seconds) ? undefined : seconds;
}

function said(inside: Readonly<Record<string, unknown>>): Refused {
  return {
    code: "",
    message: typeof inside["message"] === "string" ? inside["message"] : "The service refused the call.",
    requestId: typeof inside["requestId"] === "string" ? inside["requestId"] : undefined,
    // The messaging routes list wrong fields beside the message, and the others in the details.
    details: isObject(inside["details"]) ? inside["details"] : { fields: inside["errors"] ?? [] },
  };
}

function unexpected(answer: Response): Refused {
  const message = `The status ${answer.status} came without an answer of the service.`;
  return { code: "unexpected_answer", message, requestId: undefined, details: {} };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
