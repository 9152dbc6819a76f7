import { eventually, FakeModels, Fleet } from '@loci/testing';
import { randomBytes } from 'node:crypto';
import { PROCESSES } from '../processes.js';

export interface IngestionLoad {
  readonly sets: number;
  readonly messages: number;
  /** Of the language model; that of embeddings has none. */
  readonly latencyMs: number;
}

export interface IngestionResult {
  readonly workers: number;
  readonly seconds: number;
  readonly calls: number;
}

const ORG = 'bench';
const IN_VAIN_MS = 15 * 60_000;
const DAY_SECONDS = 86_400;

/** Messages wait until everything is stored: then all sets are due at the same moment. */
const LATER = { ingestion_trigger_messages: 1_000_000, ingestion_trigger_age_seconds: DAY_SECONDS };

const LEARNED = { commands: [{ command: 'add', tag: 'facts', feature: 'fact', value: 'something' }] };

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
    await store(fleet, load);
    await send(fleet, 'PUT', '/config/memory/semantic', { ingestion_trigger_messages: load.messages });
    // not how long it takes until the change is known everywhere
    await eventually(() => extractionsOf(model) > 0, { what: 'ingestion has begun' });
    const begun = performance.now();
    await eventually(async () => (await waiting(fleet)) === 0, {
      what: 'everything is ingested',
      timeoutMs: IN_VAIN_MS,
    });
    const seconds = (performance.now() - begun) / 1000;
    return { workers, seconds, calls: extractionsOf(model) };
  } finally {
    await fleet.destroy();
    await Promise.all([model.close(), embeddings.close()]);
  }
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
  const memory = { llm_model: 'thinker', embedding_model: 'quick', ...LATER };
  await send(fleet, 'PUT', '/config/memory/semantic', memory);
}

async function store(fleet: Fleet, { sets, messages }: IngestionLoad): Promise<void> {
  for (let set = 0; set < sets; set += 1) {
    await send(fleet, 'POST', '/memories', {
      org_id: ORG,
      project_id: `p${set}`,
      types: ['semantic'],
      messages: Array.from({ length: messages }, (_, place) => ({ content: `Message ${place} of ${set}.` })),
    });
  }
  // each message waits in the sets of its project, of its organization and of its producer
  await eventually(async () => (await waiting(fleet)) === sets * messages * 3, {
    what: 'every message waits',
    timeoutMs: IN_VAIN_MS,
  });
}

/** Messages that wait, in all sets. */
async function waiting(fleet: Fleet): Promise<number> {
  const metrics = await (await fetch(`${fleet.urlOf('semantic-worker-1')}/metrics`)).text();
  const found = /^loci_ingestion_waiting(?:\{[^}]*\})? (?<value>\S+)$/m.exec(metrics);
  return Number(found?.groups?.['value'] ?? Number.NaN);
}

const extractionsOf = (model: FakeModels): number =>
  model.calls('/chat/completions').filter(({ body }) => JSON.stringify(body).includes('HISTORY')).length;

async function send(fleet: Fleet, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${fleet.url}/api/v2${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}
