import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { eventually, type Loci, type ProcessName } from '@loci/testing';
import { Client, type Json } from '../harness/client.js';
import { ConfigClient } from '../harness/config-client.js';
import { pointsAmong } from '../harness/vectors.js';
import { product } from './product.js';

const S = '/memories/semantic';
/** Slow enough that the index keeps up: the test is about loss, not about load. */
const PAUSE_MS = 100;
const SET = 'mem_project_set_org_acme_project_main_0_46b9dd2b0ba8__';

let loci: Loci;
let client: Client;

beforeAll(async () => {
  loci = await product();
  client = new Client(loci.url, { org_id: 'acme', project_id: 'main' });
  await client.expect(201, '/projects', {});
});

interface WireFeature {
  readonly value: string;
  readonly metadata: { readonly id: string };
}

const features = (body: Json): WireFeature[] =>
  (body['content'] as { semantic_memory: WireFeature[] }).semantic_memory;

const search = async (query: string): Promise<string[]> =>
  features(await client.expect(200, '/memories/search', { query, types: ['semantic'], top_k: 5 })).map(
    ({ value }) => value,
  );

const feature = (value: string): object => ({
  set_id: SET,
  category_name: 'profile',
  tag: 'Facts',
  feature: 'fact',
  value,
});

test('P2: features that were acknowledged are there, each once, however often api and worker are killed', async () => {
  const acknowledged = new Map<string, unknown>();
  let isRunning = true;
  const killer = async (): Promise<void> => {
    const victims: readonly ProcessName[] = [
      'semantic-api',
      'semantic-worker',
      'semantic-api',
      'semantic-worker',
    ];
    for (const victim of victims) {
      const before = acknowledged.size;
      await eventually(() => acknowledged.size >= before + 10, {
        what: 'more features are added',
      });
      const { pid } = await loci.process(victim);
      process.kill(pid, 'SIGKILL');
    }
    isRunning = false;
  };
  const writer = async (name: string): Promise<void> => {
    for (let n = 0; isRunning; n += 1) {
      const body = feature(`Fact ${n} of ${name}`);
      const headers = { 'idempotency-key': `${name}-${n}` };
      // whether an answer that never came stands for a feature is what the key is for
      await eventually(
        async () => {
          const answer = await client.post(`${S}/feature`, body, headers).catch(() => undefined);
          if (answer?.status !== 201) return false;
          acknowledged.set(`Fact ${n} of ${name}`, answer.body['feature_id']);
          return true;
        },
        { what: 'the feature is acknowledged' },
      );
      await setTimeout(PAUSE_MS);
    }
  };
  await Promise.all([killer(), writer('ada'), writer('ben')]);
  const listed = features(await client.expect(200, '/memories/list', { type: 'semantic', page_size: 1_000 }));
  expect(listed.map(({ value, metadata }) => [value, metadata.id]).sort()).toEqual([...acknowledged].sort());
  const uids = listed.map(({ metadata }) => metadata.id);
  await eventually(async () => (await pointsAmong(loci, uids)).length === uids.length, {
    what: 'all of them are indexed',
  });
});

test('P3: with the Qdrant storage wiped, features are indexed anew and the same searches give the same answers', async () => {
  const ids: string[] = [];
  for (const value of ['Plays the cello', 'Keeps bees', 'Fears heights', 'Speaks Welsh']) {
    ids.push(String((await client.expect(201, `${S}/feature`, feature(value)))['feature_id']));
  }
  const isIndexed = async (): Promise<boolean> => (await pointsAmong(loci, ids)).length === ids.length;
  await eventually(isIndexed, { what: 'the features are indexed' });
  const questions = ['Which instrument?', 'honey', 'languages'];
  const answers = (): Promise<string[][]> => Promise.all(questions.map(search));
  const before = await answers();
  await rm(join(loci.dataDir, 'qdrant', 'storage'), { recursive: true, force: true, maxRetries: 5 });
  await loci.kill('qdrant');
  await loci.ready();
  await eventually(isIndexed, { what: 'the features are indexed again' });
  await eventually(async () => JSON.stringify(await answers()) === JSON.stringify(before), {
    what: 'searches answer as before',
  });
});

test('a model that a set was configured to use is not removed by accident', async () => {
  const config = new ConfigClient(loci.url);
  const name = `model-${randomUUID()}`;
  const model = { api_key: '$LOCI_MODEL_SECRET_MISSING', model: 'm' };
  const added = { name, provider: 'openai-responses', config: model };
  expect((await config.post('/resources/language_models', added)).status).toBe(201);
  await client.expect(204, `${S}/set/configure`, { set_id: SET, llm_name: name });
  const refused = await config.delete(`/resources/language_models/${name}`);
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'resource_in_use', used_by: [`semantic set ${SET}`] },
  });
});
