import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, FakeModels, Loci } from '@loci/testing';
import { Client, type Json } from './harness/client.js';
import { ConfigClient } from './harness/config-client.js';
import { type CollectedSpan, TraceCollector } from './harness/trace-collector.js';

const SECRET_TEXT = 'the parrot is called Xanthippe';
const SECRET_KEY = 'sk-of-nobody-else-4711';
const MANY = 24;

/** A hang ends here. A busy machine indexes a handful of messages in seconds, not always in fifteen. */
const DEADLINE_MS = 90_000;

let collector: TraceCollector;
let fake: FakeModels;
let loci: Loci;

beforeAll(async () => {
  collector = await TraceCollector.start();
  fake = await FakeModels.start();
  loci = await Loci.start({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      LOCI_LOG_LEVEL: 'info',
      EGRESS_ALLOW_PRIVATE: 'true',
      // on a slow machine the sweeper would come before the message, and make the vector in a trace of its own
      SWEEP_PATIENCE_MS: '600000',
    },
  });
  await loci.ready();
});

afterAll(async () => {
  await loci.destroy();
  await fake.close();
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
  // the project exists and nothing waits when the traced message comes: it must not share a batch
  const before = newTraceId();
  expect((await add(before)).status).toBe(200);
  await eventually(() => upsertOf(before), { what: 'the first message is indexed', timeoutMs: DEADLINE_MS });
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
    'episodic-worker: index',
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

const pathsTo = (name: string, trace: readonly CollectedSpan[]): string[][] =>
  trace.filter((span) => span.name === name).map((span) => pathTo(span, trace));

/** For each trace the job that made a vector of what it learned, and the span that leads there; undefined until all have one. */
function jobsOf(traceIds: readonly string[]): { shown: CollectedSpan; job: string }[] | undefined {
  const jobs = traceIds.flatMap((traceId) => {
    const shown = collector
      .trace(traceId)
      .filter(({ name }) => name === 'ingest set')
      .map((span) => ({ shown: span, job: span.links?.[0]?.traceId ?? '' }));
    return shown.find(({ job }) => upsertOf(job) !== undefined) ?? [];
  });
  return jobs.length === traceIds.length ? jobs : undefined;
}

/** From now on two messages are enough for the model to be asked, and age alone is not. */
async function learnFromTwo(): Promise<void> {
  fake.reply(/HISTORY/, {
    commands: [{ command: 'add', tag: 'Pets', feature: 'pet', value: SECRET_TEXT, messages: [1, 2] }],
  });
  const config = new ConfigClient(loci.url);
  const model = { base_url: fake.openAiUrl, api_key: SECRET_KEY, model: 'gpt' };
  const added = await config.post('/resources/language_models', {
    name: 'gpt',
    provider: 'openai-chat-completions',
    config: model,
  });
  expect(added).toMatchObject({ status: 201, body: { status: 'ready' } });
  const triggers = { ingestion_trigger_messages: 2, ingestion_trigger_age_seconds: 86_400 };
  const memory = await config.put('/memory/semantic', { llm_model: 'gpt', ...triggers });
  expect(memory.status).toBe(200);
}

test('one trace leads from each of two requests to the feature that was drawn from both, and to its vector', async () => {
  await learnFromTwo();
  const project = { org_id: 'learned', project_id: 'p' };
  expect((await post('/projects', newTraceId(), project)).status).toBe(201);
  const traceIds = [newTraceId(), newTraceId()];
  for (const traceId of traceIds) {
    const messages = [{ content: SECRET_TEXT }];
    expect((await post('/memories', traceId, { ...project, messages })).status).toBe(200);
  }
  const features = async (): Promise<readonly Json[]> => {
    const { content } = await new Client(loci.url, project).expect(200, '/memories/list', {
      type: 'semantic',
    });
    return (content as { semantic_memory: readonly Json[] }).semantic_memory;
  };
  await eventually(async () => (await features()).length > 0, { what: 'a feature', timeoutMs: DEADLINE_MS });

  const jobs = await eventually(() => jobsOf(traceIds), {
    what: 'both traces lead to a job that ends with a vector',
    timeoutMs: DEADLINE_MS,
  });
  for (const [place, { shown }] of jobs.entries()) {
    expect(pathTo(shown, collector.trace(traceIds[place] ?? ''))).toEqual([
      'gateway: POST /api/v2/memories',
      'gateway: rpc.episodic.v1.episode.add',
      'episodic-api: rpc.episodic.v1.episode.add',
      'episodic-worker: publish evt.episodic.v1.episodes.added',
      'semantic-worker: ingest set',
    ]);
  }
  const [first, second] = jobs;
  expect(second?.job).toBe(first?.job);
  const job = collector.trace(first?.job ?? '');
  const [called, vector] = ['call language_model', 'qdrant upsert'].map((name) => pathsTo(name, job)[0]);
  expect(called).toEqual([
    'semantic-worker: ingest set',
    'semantic-worker: ingest category',
    'semantic-worker: call language_model',
  ]);
  expect(vector).toEqual([
    'semantic-worker: ingest set',
    'semantic-worker: ingest category',
    'semantic-worker: postgresql transaction',
    'semantic-worker: publish work.semantic.v1.features.index',
    'semantic-worker: process work.semantic.v1.features.index',
    'semantic-worker: index',
    'semantic-worker: qdrant upsert',
  ]);
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

test('no text of a memory and no key of a provider is in any span', () => {
  expect(collector.spans.length).toBeGreaterThan(MANY);
  expect(collector.received).not.toContain('parrot');
  expect(collector.received).not.toContain('Xanthippe');
  expect(collector.received).not.toContain(SECRET_KEY);
});
