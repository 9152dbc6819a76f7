import { connect } from 'node:net';
import { type Operation, type WireAnswer } from '../harness/api-document.js';
import { TIMEOUT_MS } from '../harness/client.js';

/** What a request brings, besides its method and its path. */
export interface Input {
  /** Values of the variable segments of the path. */
  readonly segments?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string;
  /** Beyond those of JSON. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request with the token of a caller; undefined: without a token. */
export interface Request extends Input {
  readonly token: string | undefined;
}

/** Sends a request for an operation. */
export async function exchange(url: string, operation: Operation, request: Request): Promise<WireAnswer> {
  const { body } = request;
  const response = await fetch(`${url}${pathOf(operation, request)}`, {
    method: operation.method,
    headers: headersOf(request),
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A request that was begun. */
export interface Half {
  /** Once the connection has ended. */
  readonly answer: Promise<WireAnswer>;
  readonly hangUp: () => void;
}

/** Begins to send a request for an operation and never goes on. */
export function exchangeHalf(url: string, operation: Operation, request: Request): Half {
  const { hostname, port } = new URL(url);
  const headers = { host: hostname, 'content-length': '1000', ...headersOf(request) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${operation.method} ${pathOf(operation, request)} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const socket = connect(Number(port), hostname, () => socket.write(`${head}{`));
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  // whatever goes wrong, the connection ends, with less than an answer
  socket.on('error', () => undefined);
  const answer = new Promise<WireAnswer>((resolve) => {
    socket.on('close', () => resolve(parseAnswer(received)));
  });
  return { answer, hangUp: () => socket.destroy() };
}

function parseAnswer(received: string): WireAnswer {
  const [head = '', text = ''] = received.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { status: Number(status.split(' ')[1]), headers, text };
}

function pathOf({ path }: Operation, { segments = {}, query = {} }: Input): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(segments[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

const headersOf = ({ token, body, headers }: Request): Record<string, string> => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
  ...headers,
});

/** The input with other values in its fields, wherever it has those of a project. */
export function withFields(input: Input, fields: Readonly<Record<string, unknown>>): Input {
  if (typeof input.body === 'object') return { ...input, body: { ...input.body, ...fields } };
  return { ...input, query: { ...input.query, ...(fields as Record<string, string>) } };
}

/** Another input of the same operation. Quotas are the only ones that refuse a field that they do not know. */
export const changed = (input: Input): Input =>
  withFields(
    input,
    typeof input.body === 'object' && 'keys' in input.body ? { keys: 4_999 } : { further: 'x' },
  );

/** Whether the input says which project it is about. */
export const namesProject = ({ body, query }: Input): boolean =>
  [body, query].some((part) => typeof part === 'object' && 'project_id' in part);
