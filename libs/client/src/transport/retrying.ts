import { LociError, retryAfterSecondsOf } from '../errors.js';
import { backoffMs, type Waiting, WAITING } from './pause.js';
import { wholeAnswer } from './whole-answer.js';

/** What sends a request: the global `fetch`, for instance. */
export type Send = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly maxRetries: number;
  /** A refusal that asks to wait for longer is final. */
  readonly maxWaitMs: number;
}

/** Refusals that waiting can mend. A write that ran out of time may still have taken effect: its key makes it repeatable. */
const PASSING = new Set([408, 429, 502, 503, 504]);
const CONFLICT = 409;
const NO_ANSWER = new Set(['timeout', 'connection_failed']);

/**
 * Sends again what failed on the way or met a refusal that passes, after the time that Loci asks for. All attempts of a
 * request have one `x-request-id`, and all of a write one `idempotency-key`, so that it takes effect once.
 * @returns what rejects with a LociError when there was no answer, or with the reason of the request's signal
 */
export function retrying(send: Send, options: RetryOptions, waiting: Waiting = WAITING): Send {
  const { maxRetries, maxWaitMs, timeoutMs } = options;
  return async (request) => {
    const repeatable = await repeatableOf(request, maxRetries > 0);
    for (let retries = 0; ; retries += 1) {
      const outcome = await attempt(send, repeatable(), timeoutMs);
      const waitMs = waitOf(outcome, retries, waiting.random());
      if (waitMs === undefined || retries >= maxRetries || waitMs > maxWaitMs) return settled(outcome);
      await waiting.pause(waitMs, request.signal);
    }
  };
}

/** The request as often as it is needed: its body can be read once. */
async function repeatableOf(request: Request, withKey: boolean): Promise<() => Request> {
  const { method, signal, url } = request;
  const headers = new Headers(request.headers);
  if (!headers.has('x-request-id')) headers.set('x-request-id', randomId());
  if (method === 'GET' || method === 'HEAD') return () => new Request(url, { method, headers, signal });
  if (withKey && !headers.has('idempotency-key')) headers.set('idempotency-key', randomId());
  const body = await request.arrayBuffer();
  const sent = body.byteLength > 0 ? { body } : {};
  return () => new Request(url, { method, headers, signal, ...sent });
}

/** 32 hexadecimal digits. `crypto.randomUUID` is missing on pages without TLS. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

async function attempt(send: Send, request: Request, timeoutMs: number): Promise<Response | LociError> {
  request.signal.throwIfAborted();
  const clock = new AbortController();
  const stop = (): void => clock.abort();
  const timer = setTimeout(stop, timeoutMs);
  const { signal } = clock;
  // not only by the signal of the request: Node 20 may collect that as garbage, and then nothing ends the wait
  const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', reject));
  request.signal.addEventListener('abort', stop);
  try {
    const sent = send(new Request(request, { signal, redirect: 'manual' }));
    return await Promise.race([ended, sent.then((response) => wholeAnswer(response, request))]);
  } catch (cause) {
    request.signal.throwIfAborted();
    if (cause instanceof LociError) return cause;
    return signal.aborted ? late(request, timeoutMs) : unreached(request, cause);
  } finally {
    clearTimeout(timer);
  }
}

const late = ({ url, headers }: Request, timeoutMs: number): LociError =>
  new LociError(0, 'timeout', `${new URL(url).origin} gave no answer within ${timeoutMs} ms.`, {
    requestId: headers.get('x-request-id') ?? undefined,
  });

const unreached = ({ url, headers }: Request, cause: unknown): LociError =>
  new LociError(
    0,
    'connection_failed',
    `${new URL(url).origin} cannot be reached: ${reasonOf(cause)}. Is Loci running there?`,
    {
      requestId: headers.get('x-request-id') ?? undefined,
      cause,
    },
  );

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message ? cause.cause.message : cause.message;
}

/** Milliseconds until the next attempt; undefined when the outcome is final. */
function waitOf(outcome: Response | LociError, retries: number, random: number): number | undefined {
  const ownMs = backoffMs(retries, random);
  if (outcome instanceof LociError) return NO_ANSWER.has(outcome.code) ? ownMs : undefined;
  const seconds = retryAfterSecondsOf(outcome.headers);
  const passes = PASSING.has(outcome.status) || (outcome.status === CONFLICT && seconds !== undefined);
  if (!passes) return undefined;
  // never earlier than asked for, and not all clients at once
  return seconds === undefined ? ownMs : seconds * 1000 + ownMs * random;
}

function settled(outcome: Response | LociError): Response {
  if (outcome instanceof LociError) throw outcome;
  return outcome;
}
