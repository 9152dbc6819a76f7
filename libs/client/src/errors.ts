/** One problem of an invalid request. */
export interface Problem {
  /** Where: `['body', 'messages', 0, 'content']`. */
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

export interface LociErrorDetails {
  readonly problems?: readonly Problem[];
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly notFound?: readonly string[];
  readonly cause?: unknown;
}

/**
 * Loci refused, or was not reached. `code` is a stable slug: that of the refusal, `invalid_request` when there are
 * `problems`, `connection_failed` or `timeout` when there was no answer, `redirected` or `unexpected_answer` when another
 * than Loci answered, `secret_lost` when the only answer with a new secret was lost on its way.
 */
export class LociError extends Error {
  override readonly name = 'LociError';

  /** Of an invalid request, every problem. */
  readonly problems: readonly Problem[];

  /** Of `memory_not_found`: the ids that were not there. */
  readonly notFound: readonly string[];

  /** Seconds until trying again makes sense. */
  readonly retryAfterSeconds: number | undefined;

  /** Names the request in the logs and traces of Loci. */
  readonly requestId: string | undefined;

  constructor(
    /** Of HTTP; 0 when there was no answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    { problems = [], notFound = [], retryAfterSeconds, requestId, cause }: LociErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.problems = problems;
    this.notFound = notFound;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

/** @param body of the answer, when it was JSON */
export function refusalOf(body: unknown, { status, headers }: Response): LociError {
  const refusal: RefusalBody = isRefusal(body) ? body : { detail: `Status ${status}` };
  const { detail, code = 'unknown', not_found: notFound = [] } = refusal;
  const details = {
    notFound,
    retryAfterSeconds: retryAfterSecondsOf(headers),
    requestId: headers.get('x-request-id') ?? undefined,
  };
  if (typeof detail === 'string') return new LociError(status, code, detail, details);
  const message = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return new LociError(status, 'invalid_request', message, { ...details, problems: detail });
}

interface RefusalBody {
  readonly detail: string | readonly Problem[];
  readonly code?: string;
  readonly not_found?: readonly string[];
}

/** Proxies answer, too, and not always in these words. */
const isRefusal = (body: unknown): body is RefusalBody =>
  isObject(body) &&
  (typeof body['detail'] === 'string' || (Array.isArray(body['detail']) && body['detail'].every(isProblem)));

const isProblem = (item: unknown): item is Problem => isObject(item) && Array.isArray(item['loc']);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** `Retry-After` in either of its forms; undefined when there is none. */
export function retryAfterSecondsOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
