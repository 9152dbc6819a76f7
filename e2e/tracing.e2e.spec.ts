import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, FakeModels, Loci } from '@loci/testing';
import { Client, type Json } from './harness/client.js';
import { ConfigClient } from './harness/config-client.js';
import { type CollectedSpan, TraceCollector } from './harness/trace-collector.js';

const SECRET_TEXT = 'the parrot is called Xanthippe';
const SECRET_KEY = 'sk-of-this-test-4711';
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

/** What every traced request of the client gives as its own span. */
const CLIENT_SPAN = '1'.repeat(16);

const newTraceId = (): string => randomBytes(16).toString('hex');

const post = (path: string, traceId: string, body: object): Promise<Response> =>
  fetch(`${loci.url}/api/v2${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${CLIENT_SPAN}-01` },
    body: JSON.stringify({ org_id: 'traced', project_id: 'p', ...body }),
  });

const add = (traceId: string): Promise<Response> =>
  post('/memories', traceId, { messages: [{ content: SECRET_TEXT }] });

/** From the outermost span of the trace to this one: `service: name`; undefined until all of them have arrived. */
function pathTo({ traceId, parentSpanId, service, name }: CollectedSpan): string[] | undefined {
  const here = `${service}: ${name}`;
  if (!parentSpanId || parentSpanId === CLIENT_SPAN) return [here];
  const parent = collector.trace(traceId).find(({ spanId }) => spanId === parentSpanId);
  const path = parent && pathTo(parent);
  return path && [...path, here];
}

const spansOf = (traceId: string, name: string): CollectedSpan[] =>
  collector.trace(traceId).filter((span) => span.name === name);

const upsertOf = (traceId: string): CollectedSpan | undefined => spansOf(traceId, 'qdrant upsert')[0];

/** Where the work is told that a span shows: the trace that it links to, or, if it was not shared, its own. */
const wholeOf = ({ traceId, links = [] }: CollectedSpan): string => links[0]?.traceId ?? traceId;

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
      return upsert && pathTo(upsert);
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
  await eventually(
    () =>
      traceIds.every((traceId) => handlingsOf(traceId).some((span) => upsertOf(wholeOf(span)) !== undefined)),
    { what: 'every trace leads to the batch that made its vector', timeoutMs: DEADLINE_MS },
  );
  expect(traceIds.some((traceId) => handlingsOf(traceId).some(({ links = [] }) => links.length > 0))).toBe(
    true,
  );
});

/** A job that made a vector of what it learned: where it is shown, and the paths that lead to what it did. */
interface TracedJob {
  /** The path to the job in the trace of each request whose message it ingested. */
  readonly shown: readonly string[][];
  readonly call: readonly string[];
  /** The path to where the work message that asks for vectors was taken up. */
  readonly enqueued: readonly string[];
  /** The path to a vector. Messages that are taken up together are a trace of their own, which each of them links to. */
  readonly vector: readonly string[];
}

/** A job that is shown in all the traces; undefined until there is one, and all spans of its paths have arrived. */
function jobOf(traceIds: readonly string[]): TracedJob | undefined {
  const [first = '', ...others] = traceIds;
  for (const span of spansOf(first, 'ingest set')) {
    const job = wholeOf(span);
    const shown = others.map((traceId) => spansOf(traceId, 'ingest set').find((one) => wholeOf(one) === job));
    const found = [span, ...shown].map((one) => one && pathTo(one));
    const whole = tracedJob(job);
    if (whole && found.every((path) => path !== undefined)) return { ...whole, shown: found };
  }
  return undefined;
}

function tracedJob(job: string): Omit<TracedJob, 'shown'> | undefined {
  const [called] = spansOf(job, 'call language_model');
  const call = called && pathTo(called);
  if (!call) return undefined;
  for (const taken of spansOf(job, 'process work.semantic.v1.features.index')) {
    const upsert = upsertOf(wholeOf(taken));
    const [enqueued, vector] = [pathTo(taken), upsert && pathTo(upsert)];
    if (enqueued && vector) return { call, enqueued, vector };
  }
  return undefined;
}

/** From now on two messages are enough for the model to be asked, and age alone is not. */
async function learnFromTwo(): Promise<void> {
  fake.reply(/HISTORY/, {
    commands: [{ command: 'add', tag: 'Pets', feature: 'pet', value: SECRET_TEXT, messages: [1, 2] }],
  });
  const config = new ConfigClient(loci.url);
  const model = { base_url: fake.openAiUrl, api_key: SECRET_KEY, model: 'gpt' };
  const added = await config.register('language_models', {
    name: 'gpt',
    provider: 'openai-chat-completions',
    config: model,
  });
  expect(added).toMatchObject({ status: 201, body: { status: 'ready' } });
  const triggers = { ingestion_trigger_messages: 2, ingestion_trigger_age_seconds: 86_400 };
  const memory = await config.put('/memory/semantic', { llm_model: 'gpt', ...triggers });
  expect(memory.status).toBe(200);
}

/** Adds a message in each trace to a project of its own, and waits until a feature was drawn from them. */
async function learned(orgId: string, traceIds: readonly string[]): Promise<void> {
  const project = { org_id: orgId, project_id: 'p' };
  expect((await post('/projects', newTraceId(), project)).status).toBe(201);
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
}

test('one trace leads from each of two requests to the feature that was drawn from both, and to its vector', async () => {
  await learnFromTwo();
  // until the worker has heard of the model, it counts messages, and takes them up later, without their traces
  await learned('before', [newTraceId(), newTraceId()]);
  const traceIds = [newTraceId(), newTraceId()];
  await learned('learned', traceIds);

  const { shown, call, enqueued, vector } = await eventually(() => jobOf(traceIds), {
    what: 'both traces lead to a job that ends with a vector',
    timeoutMs: DEADLINE_MS,
  });
  for (const path of shown) {
    expect(path).toEqual([
      'gateway: POST /api/v2/memories',
      'gateway: rpc.episodic.v1.episode.add',
      'episodic-api: rpc.episodic.v1.episode.add',
      'episodic-worker: publish evt.episodic.v1.episodes.added',
      'semantic-worker: ingest set',
    ]);
  }
  expect(call).toEqual([
    'semantic-worker: ingest set',
    'semantic-worker: ingest categories',
    'semantic-worker: call language_model',
  ]);
  expect(enqueued).toEqual([
    'semantic-worker: ingest set',
    'semantic-worker: ingest categories',
    'semantic-worker: postgresql transaction',
    'semantic-worker: publish work.semantic.v1.features.index',
    'semantic-worker: process work.semantic.v1.features.index',
  ]);
  expect(vector.slice(-3)).toEqual([
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
