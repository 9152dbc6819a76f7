import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually, FakeModels, Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { Client, type Json } from './harness/client.js';

let fake: FakeModels;
let loci: Loci;
let client: Client;

beforeAll(async () => {
  fake = await FakeModels.start();
  loci = await Loci.start({ env: { INGESTION_LEASE_MS: '3000', EGRESS_ALLOW_PRIVATE: 'true' } });
  await loci.ready();
  await configure('POST', '/resources/language_models', {
    name: 'gpt',
    provider: 'openai-chat-completions',
    config: { base_url: fake.openAiUrl, api_key: 'key', model: 'gpt' },
  });
  await configure('PUT', '/memory/semantic', { llm_model: 'gpt' });
});

afterAll(async () => {
  await loci.destroy();
  await fake.close();
});

beforeEach(() => {
  fake.reset();
  client = new Client(loci.url, { org_id: randomUUID(), project_id: randomUUID() });
});

async function configure(method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${loci.url}/api/v2/config${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

const EXTRACTS = /HISTORY/;

const learn = (value: string): object => ({
  commands: [{ command: 'add', tag: 'Hobbies', feature: 'hobby', value, messages: [2] }],
});

const messages = ['Good morning.', 'I paint.', 'On Sundays.', 'It calms me.', 'That is all.'];

async function learned(): Promise<readonly Json[]> {
  const body = await client.expect(200, '/memories/list', { type: 'semantic' });
  const { semantic_memory: features } = body['content'] as { semantic_memory: readonly Json[] };
  return features;
}

const isLearned = async (): Promise<readonly Json[] | undefined> => {
  const features = await learned();
  return features.length > 0 ? features : undefined;
};

test('what an agent says becomes a feature that cites the message', async () => {
  fake.reply(EXTRACTS, learn('painting'));
  const uids = await client.add(messages);
  const [feature] = await eventually(isLearned, { what: 'a feature is there', timeoutMs: 30_000 });
  expect(feature).toMatchObject({
    category: 'profile',
    tag: 'Hobbies',
    feature_name: 'hobby',
    value: 'painting',
  });
  const { id } = feature?.['metadata'] as { id: string };
  const got = await client.expect(200, '/memories/semantic/feature/get', {
    feature_id: id,
    load_citations: true,
  });
  expect(JSON.stringify(got)).toContain(uids[1]);
  expect(JSON.stringify(got)).not.toContain(uids[0]);
});

test('a worker that is killed while the model thinks is replaced, and nothing is lost or learned twice', async () => {
  fake.fail({ path: '/chat/completions', delayMs: 1_000 });
  fake.reply(EXTRACTS, learn('painting'));
  await client.add(messages);
  await eventually(() => fake.calls('/chat/completions').length > 0, { what: 'the model is asked' });
  await loci.kill('semantic-worker');
  await eventually(isLearned, { what: 'a feature is there', timeoutMs: 40_000 });
  expect((await learned()).map(({ value }) => value)).toEqual(['painting']);
  expect(fake.calls('/chat/completions').length).toBeLessThanOrEqual(2);
});
