import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type Json } from './provider-answer.js';

export type FaultKind =
  'truncated' | 'invalid_json' | 'wrong_shape' | 'reset' | 'hang' | 'huge' | 'huge_error' | 'nested' | 'drip';

/** What goes wrong with the next calls. Without `kind` and `status` a fault only delays. */
export interface Fault {
  /** Part of the path; absent: every path of a provider. */
  readonly path?: string;
  /** Part of the body, as it is written in JSON; absent: every body. */
  readonly text?: string;
  /** How many calls; default 1. */
  readonly times?: number;
  readonly delayMs?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body that goes with `status`; default an error as the provider words it. */
  readonly body?: unknown;
  readonly kind?: FaultKind;
}

/** Faults in the order in which they were asked for; each call takes the first one that fits. */
export class Faults {
  private waiting: { readonly fault: Fault; left: number }[] = [];

  add(fault: Fault): void {
    this.waiting.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.waiting = [];
  }

  take(path: string, body: Json): Fault | undefined {
    const written = JSON.stringify(body);
    const found = this.waiting.find(
      ({ fault }) => path.includes(fault.path ?? '') && written.includes(fault.text ?? ''),
    );
    if (!found) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.waiting = this.waiting.filter((entry) => entry !== found);
    return found.fault;
  }
}

const HALF_A_BODY = '{"id":"fake","object":"';

/** A small reply that would be a large one in memory if it went on like this. */
const NESTED = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;

const MIB = Buffer.alloc(1024 * 1024, ' ');
const HUGE_MIB = 300;
const DRIP_INTERVAL_MS = 20;

/** Blanks, which JSON may begin with; compressed, for clients that allow it, to a thousandth. */
function sendHugeBody(status: number, request: IncomingMessage, response: ServerResponse): void {
  const isGzip = String(request.headers['accept-encoding']).includes('gzip');
  const part = isGzip ? gzipSync(MIB) : MIB;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(isGzip && { 'content-encoding': 'gzip' }),
  });
  // gzip files put together are one
  Readable.from(Array.from({ length: HUGE_MIB }, () => part))
    .on('error', () => undefined)
    .pipe(response);
}

/** A blank now and then, for ever. */
function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), DRIP_INTERVAL_MS);
  response.once('close', () => clearInterval(timer));
}

/** Breaks the answer in the given way. */
export function breakAnswer(kind: FaultKind, request: IncomingMessage, response: ServerResponse): void {
  switch (kind) {
    case 'hang':
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
    case 'truncated':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write(HALF_A_BODY, () => request.socket.destroy());
      return;
    case 'invalid_json':
      response.writeHead(200, { 'content-type': 'application/json' }).end(`${HALF_A_BODY}oops`);
      return;
    case 'wrong_shape':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":"world"}');
      return;
    case 'huge':
    case 'huge_error':
      sendHugeBody(kind === 'huge' ? 200 : 500, request, response);
      return;
    case 'nested':
      response.writeHead(200, { 'content-type': 'application/json' }).end(NESTED);
      return;
    case 'drip':
      drip(response);
  }
}
