import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { inSharedSpan } from './shared-span.js';
import { switchSpans } from './span.js';
import { currentTraceId } from './traceparent.js';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const cause = (letter: string): string => `00-${letter.repeat(32)}-${letter.repeat(16)}-01`;
const traceId = (): Promise<string | undefined> => Promise.resolve(currentTraceId());

beforeAll(() => {
  provider.register();
  switchSpans('on');
});
afterEach(() => exporter.reset());
afterAll(async () => {
  switchSpans('off');
  trace.disable();
  await provider.shutdown();
});

test('work with one cause goes on in the trace of that', async () => {
  expect(await inSharedSpan('work', {}, [cause('a')], traceId)).toBe('a'.repeat(32));
  expect(exporter.getFinishedSpans()).toHaveLength(1);
});

test('work with many causes is a trace of its own, which is found from each of theirs and the other way round', async () => {
  const whole = await inSharedSpan('work', {}, [cause('a'), cause('b')], traceId);
  const spans = exporter.getFinishedSpans().map((span) => ({
    trace: span.spanContext().traceId,
    linked: span.links.map(({ context }) => context.traceId),
  }));
  const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
  expect(spans).toEqual([
    { trace: a, linked: [whole] },
    { trace: b, linked: [whole] },
    { trace: whole, linked: [a, b] },
  ]);
});

test('a failure is shown in every trace', async () => {
  const failing = inSharedSpan('work', {}, [cause('a'), cause('b')], () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(exporter.getFinishedSpans().map(({ attributes }) => attributes['error.type'])).toEqual([
    'Error',
    'Error',
    'Error',
  ]);
});
