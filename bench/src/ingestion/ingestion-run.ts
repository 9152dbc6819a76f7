import { eventually, FakeModels, Fleet } from '@loci/testing';
import { randomBytes } from 'node:crypto';
import { PROCESSES } from '../processes.js';
import { measureProcessorTime, type ProcessorTime } from './processor-use.js';

export interface IngestionLoad {
  readonly sets: number;
  readonly messages: number;
  /** Of the language model; that of embeddings has none. */
  readonly latencyMs: number;
  /** How long it is measured at most: what is left then is not ingested. */
  readonly longestMs: number;
}

export interface IngestionResult {
  readonly seconds: number;
  /** Messages that were ingested. */
  readonly messages: number;
  readonly calls: number;
  /** Undefined where the system does not say. */
  readonly processors: ProcessorTime | undefined;
}

/** Sets are spread over them: an organization has a quota of projects. */
const ORGANIZATIONS = 10;
/** For each worker. */
const WARM_UP_SETS = 10;
/** What one call reads at most; what one add holds at most, and adds that are under way at a time. */
const MESSAGES_PER_CALL = 50;
const MESSAGES_PER_ADD = 500;
const ADDS_AT_ONCE = 8;
const IN_VAIN_MS = 15 * 60_000;
const DAY_SECONDS = 86_400;

/** Messages wait until everything is stored: then all sets are due at the same moment. */
const LATER = { ingestion_trigger_messages: 1_000_000, ingestion_trigger_age_seconds: DAY_SECONDS };

const LEARNED = {
  commands: [{ command: 'add', tag: 'facts', feature: 'fact', value: 'something', messages: [1] }],
};

/** Ingests sets of one project each, in a product of its own, so that no measurement finds what another left. */
export async function measureIngestion(workers: number, load: IngestionLoad): Promise<IngestionResult> {
  const model = await FakeModels.start({ latencyMs: load.latencyMs });
  const embeddings = await FakeModels.start();
  const fleet = await Fleet.start({
    table: PROCESSES,
    replicas: ({ name }) => (name === 'semantic-worker' ? workers : 1),
    env: {
      INGESTION_CONCURRENCY: '1',
      EGRESS_ALLOW_PRIVATE: 'true',
      LOCI_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    },
  });
  try {
    model.reply('HISTORY', LEARNED);
    await configure(fleet, model, embeddings);
    // a process that has just started compiles its code while it works, which is no part of its speed
    const messages = Math.min(load.messages, MESSAGES_PER_CALL);
    await ingest(fleet, model, { ...load, name: 'warm-up', sets: workers * WARM_UP_SETS, messages });
    return await ingest(fleet, model, { name: 'load', ...load });
  } finally {
    await fleet.destroy();
    await Promise.all([model.close(), embeddings.close()]);
  }
}

/** Stores sets, each of a project of its own, and measures from the moment at which all of them are due. */
async function ingest(
  fleet: Fleet,
  model: FakeModels,
  load: IngestionLoad & { readonly name: string },
): Promise<IngestionResult> {
  await send(fleet, 'PUT', '/config/memory/semantic', LATER);
  const before = extractionsOf(model);
  await store(fleet, load);
  const stored = await waiting(fleet);
  await send(fleet, 'PUT', '/config/memory/semantic', { ingestion_trigger_messages: load.messages });
  const calls = (): number => extractionsOf(model) - before;
  // not how long it takes until the change is known everywhere
  await eventually(() => calls() > 0, { what: 'ingestion has begun' });
  const processorsUsed = await measureProcessorTime(pidsOf(fleet));
  const begun = performance.now();
  const expected = load.sets * Math.ceil(load.messages / MESSAGES_PER_CALL);
  // counted here, which costs Loci nothing, before it is asked whether that was all
  const isLate = (): boolean => performance.now() - begun >= load.longestMs;
  await eventually(() => calls() >= expected || isLate(), {
    what: 'the model has read every set',
    timeoutMs: IN_VAIN_MS,
  });
  await eventually(async () => isLate() || (await waiting(fleet)) === 0, {
    what: 'everything is ingested',
    timeoutMs: IN_VAIN_MS,
  });
  const seconds = (performance.now() - begun) / 1000;
  const processors = await processorsUsed();
  return { seconds, calls: calls(), messages: stored - (await waiting(fleet)), processors };
}

async function configure(fleet: Fleet, model: FakeModels, embeddings: FakeModels): Promise<void> {
  const provider = (server: FakeModels): object => ({
    base_url: server.openAiUrl,
    api_key: 'any',
    model: 'fake',
  });
  await send(fleet, 'POST', '/config/resources/language_models', {
    name: 'thinker',
    provider: 'openai-chat-completions',
    config: provider(model),
  });
  await send(fleet, 'POST', '/config/resources/embedders', {
    name: 'quick',
    provider: 'openai',
    config: provider(embeddings),
  });
  const memory = { llm_model: 'thinker', embedding_model: 'quick' };
  await send(fleet, 'PUT', '/config/memory/semantic', memory);
}

async function store(
  fleet: Fleet,
  { name, sets, messages }: { readonly name: string; readonly sets: number; readonly messages: number },
): Promise<void> {
  const adds = Array.from({ length: sets }, (_, set) =>
    Array.from({ length: Math.ceil(messages / MESSAGES_PER_ADD) }, (_, part) => ({
      set,
      count: Math.min(MESSAGES_PER_ADD, messages - part * MESSAGES_PER_ADD),
    })),
  ).flat();
  const addNext = async (): Promise<void> => {
    for (let next = adds.pop(); next; next = adds.pop()) {
      const { set, count } = next;
      await send(fleet, 'POST', '/memories', {
        org_id: `bench-${set % ORGANIZATIONS}`,
        project_id: `${name}-${set}`,
        types: ['semantic'],
        messages: Array.from({ length: count }, (_, index) => ({ content: `Message ${index} of ${set}.` })),
      });
    }
  };
  await Promise.all(Array.from({ length: ADDS_AT_ONCE }, addNext));
  // the sets of organizations and of producers learn nothing, and keep nothing
  await eventually(async () => (await waiting(fleet)) === sets * messages, {
    what: 'every message waits',
    timeoutMs: IN_VAIN_MS,
  });
}

const pidsOf = (fleet: Fleet): Record<string, number> => {
  const processes = Object.entries(fleet.servers.processes);
  return Object.fromEntries(processes.map(([name, { pid }]) => [name, pid]));
};

/** Messages that wait, in all sets. */
async function waiting(fleet: Fleet): Promise<number> {
  const metrics = await (await fetch(`${fleet.urlOf('semantic-worker-1')}/metrics`)).text();
  const found = /^loci_ingestion_waiting(?:\{[^}]*\})? (?<value>\S+)$/m.exec(metrics);
  return Number(found?.groups?.['value'] ?? Number.NaN);
}

/** Every call is an extraction: no set learns enough to be consolidated. */
const extractionsOf = (model: FakeModels): number => model.calls('/chat/completions').length;

async function send(fleet: Fleet, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${fleet.url}/api/v2${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}
