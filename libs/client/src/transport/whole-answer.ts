import { LociError } from '../errors.js';

/** Far more than Loci answers at once: what is larger it streams. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** They come as they are made. */
const STREAMS = /^(application\/x-ndjson|text\/event-stream)\b/i;

/** What Loci answers with otherwise. */
const ANSWERS = /^(application\/json|text\/plain)\b/i;

const BODILESS = new Set([204, 205, 304]);

/** To a notification of MCP there is no answer. */
const ACCEPTED = 202;

/**
 * An answer with its body, so that one that breaks off is a failed attempt, and the time of an attempt counts for all of it.
 * @throws LociError for what Loci does not answer: a redirect, which would take memory to another server or tell a write as
 * done that was not; a page; too many bytes
 */
export async function wholeAnswer(response: Response, request: Request): Promise<Response> {
  const { status, statusText, headers, ok } = response;
  if (isRedirect(response)) throw refused(response, request, 'redirected', whereTo(response));
  const type = headers.get('content-type') ?? '';
  if (ok && STREAMS.test(type)) return response;
  const body = await bytesOf(response, request);
  if (BODILESS.has(status)) return new Response(null, { status, statusText, headers });
  if (ok && status !== ACCEPTED && (!ANSWERS.test(type) || body.byteLength === 0)) {
    const what = body.byteLength === 0 ? 'with nothing' : `with ${type || 'something that it gives no type'}`;
    throw refused(response, request, 'unexpected_answer', `${what}, as Loci does not; is Loci there?`);
  }
  return new Response(body, { status, statusText, headers });
}

/** Browsers show nothing of a redirect that is not followed. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);

function whereTo({ headers }: Response): string {
  const location = headers.get('location') ?? '';
  const to = URL.canParse(location) ? ` to ${new URL(location).origin}` : '';
  return `with a redirect${to}, which is not followed; give the client the address that it leads to.`;
}

async function bytesOf(response: Response, request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, size);
    size += value.byteLength;
    if (size > MAX_ANSWER_BYTES) {
      reader.cancel().catch(() => undefined);
      const most = `with more than ${MAX_ANSWER_BYTES} bytes, which is no answer of Loci.`;
      throw refused(response, request, 'unexpected_answer', most);
    }
    chunks.push(value);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

const refused = ({ status }: Response, { url, headers }: Request, code: string, what: string): LociError =>
  new LociError(status, code, `${new URL(url).origin} answered ${what}`, {
    requestId: headers.get('x-request-id') ?? undefined,
  });
