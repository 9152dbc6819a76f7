import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { answerControl } from './control-routes.js';
import { think, type Prompt } from './fake-thought.js';
import { breakAnswer, Faults, type Fault } from './fault.js';
import { openAiError } from './openai-routes.js';
import { EVENT_STREAM } from './openai-stream.js';
import { isJson, type Json, type ProviderAnswer, type ProviderRequest } from './provider-answer.js';
import { STAND_INS, standInAt, type StandInName } from './providers.js';
import { ScriptedReplies, type PromptMatcher } from './scripted-replies.js';

/** A request that was received. */
export interface RecordedCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Json;
  /** When it came, on the clock of `performance.now()`. */
  readonly atMs: number;
}

export interface FakeModelsOptions {
  /** Default: a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Every answer takes so long; default 0. */
  readonly latencyMs?: number;
}

/**
 * One local server that speaks the protocols of all providers, with answers that depend on the question alone. Any key does but `wrong-key`, any model but `unknown-model`.
 */
export class FakeModels {
  private readonly faults = new Faults();
  private readonly replies = new ScriptedReplies();
  private recorded: RecordedCall[] = [];
  private open = 0;

  private constructor(
    private readonly server: Server,
    /** Without a path: for Bedrock as `endpoint`, for Cohere as `base_url`. */
    readonly url: string,
    private readonly latencyMs: number,
  ) {}

  static async start({
    port = 0,
    host = '127.0.0.1',
    latencyMs = 0,
  }: FakeModelsOptions = {}): Promise<FakeModels> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    const fake = new FakeModels(server, `http://${host}:${address.port}`, latencyMs);
    server.on('request', (request, response) => {
      fake.receive(request, response).catch(() => request.socket.destroy());
    });
    return fake;
  }

  /** For OpenAI as `base_url`. */
  get openAiUrl(): string {
    return this.urlOf('openai');
  }

  /** The address of a provider, as its configuration has it. */
  urlOf(provider: StandInName): string {
    const { prefix, base } = STAND_INS[provider];
    return this.url + prefix + base;
  }

  /** Lets the next calls fail. */
  fail(fault: Fault): void {
    this.faults.add(fault);
  }

  /** Dictates what language models reply to prompts that fit. @param value a text, or what becomes JSON */
  reply(matcher: PromptMatcher, value: unknown, times?: number): void {
    this.replies.add(matcher, value, times);
  }

  /** Lets the test itself think about each prompt that fits. */
  replyBy(matcher: PromptMatcher, reply: (prompt: Prompt) => string): void {
    this.replies.addThinking(matcher, reply);
  }

  /** What was received, oldest first. @param path part of the path */
  calls(path = ''): readonly RecordedCall[] {
    return this.recorded.filter((call) => call.path.includes(path));
  }

  /** Replies that are neither complete nor given up by the client. */
  get openReplies(): number {
    return this.open;
  }

  /** Forgets faults, dictated replies and recorded calls. */
  reset(): void {
    this.faults.clear();
    this.replies.clear();
    this.recorded = [];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now();
    const path = new URL(request.url ?? '/', this.url).pathname;
    const body = await bodyOf(request);
    const control = answerControl({ method: request.method ?? 'GET', path, body }, this);
    if (control) {
      send(response, control);
      return;
    }
    this.recorded.push({ path, headers: request.headers, body, atMs });
    this.open += 1;
    response.once('close', () => (this.open -= 1));
    const fault = this.faults.take(path, body);
    const delayMs = this.latencyMs + (fault?.delayMs ?? 0);
    if (delayMs > 0) await pause(delayMs);
    if (fault?.kind) breakAnswer(fault.kind, request, response);
    else
      send(
        response,
        refusalOf(fault, path) ?? this.answer({ path, body, key: keyOf(request), headers: request.headers }),
      );
  }

  private answer(request: ProviderRequest): ProviderAnswer {
    const reply = (prompt: Prompt): string => this.replies.find(prompt) ?? think(prompt);
    const { standIn, path } = standInAt(request.path);
    return (
      standIn.answer({ ...request, path }, reply) ?? openAiError(404, `Invalid URL (${request.path})`, null)
    );
  }
}

function refusalOf(fault: Fault | undefined, path: string): ProviderAnswer | undefined {
  if (fault?.status === undefined) return undefined;
  const { status, headers = {}, body } = fault;
  if (body !== undefined) return { status, headers, body };
  const worded = standInAt(path).standIn.error(status, 'A scripted fault.');
  return { ...worded, headers: { ...worded.headers, ...headers } };
}

/** Where providers want the key. */
function keyOf({ headers }: IncomingMessage): string {
  const { authorization = '', 'api-key': azure, 'x-api-key': anthropic, 'x-goog-api-key': gemini } = headers;
  const own = [azure, anthropic, gemini].find((key) => typeof key === 'string');
  if (typeof own === 'string') return own;
  const aws = /Credential=(?<id>[^/]+)\//.exec(authorization)?.groups?.['id'];
  return aws ?? authorization.replace(/^Bearer /, '');
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isJson(body) ? body : {};
  } catch {
    return {};
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: ProviderAnswer): void {
  const type = headers['content-type'] ?? 'application/json';
  const content = type === EVENT_STREAM ? String(body) : JSON.stringify(body);
  response.writeHead(status, { ...headers, 'content-type': type }).end(content);
}
