import { expect, test } from '@jest/globals';
import { Loci } from '@loci/client';
import { simulateReadableStream, streamText, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { withMemory, type WithMemoryOptions } from './with-memory.js';

interface Asked {
  readonly path: string;
  readonly body: { readonly query?: string; readonly messages?: readonly { readonly content: string }[] };
}

/** A memory whose server remembers nothing, and a model that answers in two pieces. */
function conversation(
  options: WithMemoryOptions = {},
  {
    answer = () => undefined,
    stream,
  }: { answer?: () => Promise<Response> | undefined; stream?: ReadableStream<never> } = {},
) {
  const asked: Asked[] = [];
  const fetch = async (request: Request) => {
    const { pathname: path } = new URL(request.url);
    asked.push({ path, body: (await request.json()) as Asked['body'] });
    const context = { text: '', tokens: 0, citations: [], degraded: [] };
    return answer() ?? Response.json(path.endsWith('/context') ? context : { results: [] });
  };
  const memory = new Loci({ url: 'http://127.0.0.1:9', fetch }).memory({
    org: 'acme',
    project: 'p',
    user: 'mira',
  });
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const finishReason = { unified: 'stop', raw: 'stop' } as const;
  const model = new MockLanguageModelV4({
    doStream: () =>
      Promise.resolve({
        stream:
          stream ??
          simulateReadableStream({
            chunks: [
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: 'Window ' },
              { type: 'text-delta', id: '1', delta: 'seats.' },
              { type: 'text-end', id: '1' },
              { type: 'finish', finishReason, usage },
            ],
          }),
      }),
  });
  const stored = () => asked.flatMap(({ body }) => body.messages?.map(({ content }) => content) ?? []);
  return { asked, stored, model: wrapLanguageModel({ model, middleware: withMemory(memory, options) }) };
}

test('what was answered until its reader left is stored', async () => {
  const { model, stored } = conversation();
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Which?' }] }],
  });
  const reader = stream.getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  expect(stored()).toEqual(['Which?', 'Window ']);
});

test('of a turn that was left before anything was answered nothing is stored: it will be asked for again', async () => {
  const { model, stored } = conversation({}, { stream: new ReadableStream() });
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Which?' }] }],
  });
  const reader = stream.getReader();
  const waiting = reader.read();
  await reader.cancel();
  expect(await waiting).toMatchObject({ done: true });
  expect(stored()).toEqual([]);
});

test('a text that is longer than a query or a message may be breaks nothing', async () => {
  const { model, asked, stored } = conversation();
  const prompt = 'x'.repeat(250_000);
  expect(await streamText({ model, prompt }).text).toBe('Window seats.');
  expect(asked[0]?.body.query).toHaveLength(8_000);
  expect(stored().map((text) => text.length)).toEqual([100_000, 100_000, 50_000, 13]);
});

test('a memory that does not answer costs no more than its time', async () => {
  const failures: unknown[] = [];
  const never = (): Promise<Response> => new Promise(() => undefined);
  const { model } = conversation(
    { timeoutMs: 1, onError: (error) => failures.push(error) },
    { answer: never },
  );
  expect(await streamText({ model, prompt: 'Which?' }).text).toBe('Window seats.');
  expect(failures).toMatchObject([{ name: 'TimeoutError' }, { name: 'TimeoutError' }]);
});
