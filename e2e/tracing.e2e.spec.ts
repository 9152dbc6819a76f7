import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, Loci } from '@loci/testing';
import { type CollectedSpan, TraceCollector } from './harness/trace-collector.js';

const SECRET_TEXT = 'the parrot is called Xanthippe';
const MANY = 24;

/** A hang ends here. A busy machine indexes a handful of messages in seconds, not always in fifteen. */
const DEADLINE_MS = 90_000;

let collector: TraceCollector;
let loci: Loci;

beforeAll(async () => {
  collector = await TraceCollector.start();
  loci = await Loci.start({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOCI_LOG_LEVEL: 'info',
      // on a slow machine the sweeper would come before the message, and make the vector in a trace of its own
      SWEEP_PATIENCE_MS: '600000',
    },
  });
  await loci.ready();
});

afterAll(async () => {
  await loci.destroy();
  await collector.stop();
});

const newTraceId = (): string => randomBytes(16).toString('hex');

const post = (path: string, traceId: string, body: object): Promise<Response> =>
  fetch(`${loci.url}/api/v2${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${'1'.repeat(16)}-01` },
    body: JSON.stringify({ org_id: 'traced', project_id: 'p', ...body }),
  });

const add = (traceId: string): Promise<Response> =>
  post('/memories', traceId, { messages: [{ content: SECRET_TEXT }] });

/** From the outermost span to this one: `service: name`, as far as the spans have arrived. */
function pathTo(span: CollectedSpan, trace: readonly CollectedSpan[]): string[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent ? pathTo(parent, trace) : []), `${span.service}: ${span.name}`];
}

const upsertOf = (traceId: string): CollectedSpan | undefined =>
  collector.trace(traceId).find(({ name }) => name === 'qdrant upsert');

test('one trace leads from the request of an agent to the vector of its message, through every process', async () => {
  // the project exists when the traced message comes: making it is a story of its own
  expect((await add(newTraceId())).status).toBe(200);
  const traceId = newTraceId();
  expect((await add(traceId)).status).toBe(200);

  const path = await eventually(
    () => {
      const upsert = upsertOf(traceId);
      const found = upsert ? pathTo(upsert, collector.trace(traceId)) : [];
      return found.length === 7 && found;
    },
    { what: 'the whole trace has arrived', timeoutMs: DEADLINE_MS },
  );
  expect(path).toEqual([
    'gateway: POST /api/v2/memories',
    'gateway: rpc.episodic.v1.episode.add',
    'episodic-api: rpc.episodic.v1.episode.add',
    'episodic-worker: publish evt.episodic.v1.episodes.added',
    'episodic-worker: process evt.episodic.v1.episodes.added',
    'episodic-worker: index episodes',
    'episodic-worker: qdrant upsert',
  ]);
  const names = collector.trace(traceId).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['postgresql add_episodes', 'embed']));
});

test('a message that was handled together with others is found from the trace of each request', async () => {
  const traceIds = Array.from({ length: MANY }, newTraceId);
  await Promise.all(traceIds.map(add));

  // several services hear of an episode; one of them makes its vector
  const handlingsOf = (traceId: string): CollectedSpan[] =>
    collector.trace(traceId).filter(({ name }) => name.startsWith('process evt.episodic'));
  await eventually(() => traceIds.every((traceId) => handlingsOf(traceId).length > 0), {
    what: 'every trace shows that its message was handled',
    timeoutMs: DEADLINE_MS,
  });
  const batchesOf = (traceId: string): string[] =>
    handlingsOf(traceId).map(({ links = [] }) => links[0]?.traceId ?? traceId);
  await eventually(
    () => traceIds.every((traceId) => batchesOf(traceId).some((batch) => upsertOf(batch) !== undefined)),
    { what: 'every trace leads to the batch that made its vector', timeoutMs: DEADLINE_MS },
  );
  expect(traceIds.some((traceId) => handlingsOf(traceId).some(({ links = [] }) => links.length > 0))).toBe(
    true,
  );
});

test('a log line names the trace that it belongs to', async () => {
  const traceId = newTraceId();
  await post('/memories/search', traceId, { query: 'parrot' });
  const log = await eventually(
    async () => {
      const text = await readFile(`${loci.dataDir}/logs/gateway.log`, 'utf8');
      return text.split('\n').find((line) => line.includes(traceId));
    },
    { what: 'the request is logged' },
  );
  expect(JSON.parse(log)).toMatchObject({ msg: 'request', trace_id: traceId });
});

test('no text of a memory is in any span', () => {
  expect(collector.spans.length).toBeGreaterThan(MANY);
  expect(collector.received).not.toContain('parrot');
  expect(collector.received).not.toContain('Xanthippe');
});
