import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { notFound } from '@loci/contracts';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { detached, inChildSpan, inSpan, switchSpans } from './span.js';
import { currentTraceId, currentTraceparent } from './traceparent.js';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const TRACE = 'a'.repeat(32);

const names = (): string[] => exporter.getFinishedSpans().map(({ name }) => name);

beforeAll(() => provider.register());
afterEach(() => exporter.reset());
afterAll(async () => {
  trace.disable();
  await provider.shutdown();
});

test('while spans are off, work is done and nothing is recorded', async () => {
  expect(await inSpan('work', {}, () => Promise.resolve(currentTraceparent()))).toBeUndefined();
  expect(names()).toEqual([]);
});

describe('while spans are on', () => {
  beforeAll(() => switchSpans('on'));
  afterAll(() => switchSpans('off'));

  test('a span goes on with the trace that its cause came from', async () => {
    const parent = `00-${TRACE}-${'b'.repeat(16)}-01`;
    const found = await inSpan('work', { parent }, () => Promise.resolve(currentTraceId()));
    expect(found).toBe(TRACE);
    expect(exporter.getFinishedSpans()[0]?.parentSpanContext?.spanId).toBe('b'.repeat(16));
  });

  test.each([undefined, 'nonsense', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`])(
    'a cause that names no trace (%s) begins a new one',
    async (parent) => {
      await inSpan('work', { parent }, () => Promise.resolve());
      expect(exporter.getFinishedSpans()[0]?.parentSpanContext).toBeUndefined();
    },
  );

  test('a failure is told by its code, never by its message', async () => {
    const fail = (): Promise<never> =>
      Promise.reject(notFound('project_not_found', 'a secret of a user', {}));
    await expect(inSpan('work', {}, fail)).rejects.toThrow('a secret');
    const [span] = exporter.getFinishedSpans();
    expect(span?.attributes).toEqual({ 'error.type': 'project_not_found' });
    expect(JSON.stringify([span?.status, span?.events])).not.toContain('secret');
  });

  test('a part is recorded only inside of something that is, and shared work belongs to no request', async () => {
    const part = (): Promise<void> => inChildSpan('part', {}, () => Promise.resolve());
    await part();
    await inSpan('whole', {}, () => detached(part));
    expect(names()).toEqual(['whole']);
    await inSpan('whole', {}, part);
    expect(names()).toEqual(['whole', 'part', 'whole']);
  });
});
