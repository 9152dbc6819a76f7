import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type Episode,
  type Feature,
  type Instant,
  searchEpisodes,
  searchFeatures,
  unavailable,
} from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

let gateway: TestGateway;

const episode = (uid: string): Episode => ({
  uid,
  content: `said in ${uid}`,
  producerId: 'ann',
  producerRole: 'user',
  producedForId: '',
  metadata: {},
  createdAt: '2026-03-02T10:00:00.000000Z' as Instant,
});

const feature = (featureId: string, score: number): Feature => ({
  featureId,
  setId: 'mem_project_set_org_acme_project_apollo_0_46b9dd2b0ba8__',
  trust: 'trusted',
  origin: { kind: 'ingestion' },
  metadata: {},
  category: 'profile',
  tag: 'Sport',
  name: 'rows',
  value: `known in ${featureId}`,
  score,
});

beforeAll(async () => {
  gateway = await startTestGateway();
});

beforeEach(() => {
  gateway.rpc
    .on(searchEpisodes, () => ({
      enabled: true,
      longTerm: [
        { ...episode('e-1'), score: 0.8 },
        { ...episode('e-2'), score: 0.3 },
      ],
      shortTerm: [episode('e-2')],
      summary: '',
      degraded: [],
    }))
    .on(searchFeatures, () => ({ features: [feature('f-1', 0.9), feature('f-2', 0.3)], degraded: [] }));
});

afterEach(() => {
  expect(gateway.rpc.unexpected).toEqual([]);
  gateway.rpc.reset();
});

afterAll(() => gateway.app.close());

const TENANT = { org_id: 'acme', project_id: 'apollo' };
const recall = async (body: object) => {
  const { status, body: answer } = await post(gateway, '/api/v2/recall', {
    ...TENANT,
    query: 'rowing',
    ...body,
  });
  return { status, memories: (answer as { memories: Record<string, unknown>[] }).memories };
};
const ids = ({ memories }: { memories: Record<string, unknown>[] }): unknown[] =>
  memories.map(({ id }) => id);

test('200: both kinds in one list, best first, each with its text, its score and the whole memory', async () => {
  const { status, memories } = await recall({});
  expect(status).toBe(200);
  expect(memories).toMatchObject([
    { kind: 'feature', id: 'f-1', text: 'known in f-1', score: 0.9, feature: { feature_name: 'rows' } },
    { kind: 'episode', id: 'e-1', text: 'said in e-1', score: 0.8, episode: { producer_id: 'ann' } },
    { kind: 'feature', id: 'f-2' },
    { kind: 'episode', id: 'e-2', recent: true },
  ]);
  expect(memories[1]).not.toHaveProperty('recent');
  const asked = { query: 'rowing', topK: 10 };
  expect(gateway.rpc.requests(searchEpisodes)).toMatchObject([{ ...asked, rankShortTerm: true }]);
  expect(gateway.rpc.requests(searchFeatures)).toMatchObject([{ ...asked, setMetadata: {} }]);
});

test('200: top_k counts both kinds together', async () => {
  expect(ids(await recall({ top_k: 3 }))).toEqual(['f-1', 'e-1', 'f-2']);
  expect(gateway.rpc.requests(searchEpisodes)).toMatchObject([{ topK: 3 }]);
});

test('200: threshold, filter, moment and user reach both kinds; a filter narrows a user and does not replace it', async () => {
  const as_of = '2026-01-01T00:00:00Z';
  await recall({ score_threshold: 0.5, filter: "metadata.a='b'", user: 'ann', as_of });
  const [episodes] = gateway.rpc.requests(searchEpisodes);
  const [features] = gateway.rpc.requests(searchFeatures);
  expect(episodes).toMatchObject({ scoreThreshold: 0.5, filter: { op: 'and', args: { length: 2 } } });
  expect(JSON.stringify(episodes?.filter)).toContain('"user_id"');
  expect(features).toMatchObject({ scoreThreshold: 0.5, user: 'ann', filter: { op: 'compare' } });
  expect(features?.asOf).toMatch(/^2026-01-01T00:00:00/);
});

test('200: only the kinds that are asked for', async () => {
  expect(ids(await recall({ types: ['semantic'] }))).toEqual(['f-1', 'f-2']);
  expect(ids(await recall({ types: ['episodic'] }))).toEqual(['e-1', 'e-2']);
});

test('200: without semantic memory the list has what was said, and says so', async () => {
  gateway.rpc.on(searchFeatures, () => {
    throw unavailable('service_unavailable', 'Not there.');
  });
  const answer = await gateway.app.inject({
    method: 'POST',
    url: '/api/v2/recall',
    payload: { ...TENANT, query: 'x' },
  });
  expect(answer.headers['x-degraded']).toBe('semantic_unavailable');
  expect(ids(answer.json())).toEqual(['e-1', 'e-2']);
});

test.each([[{ top_k: 0 }], [{ user: '' }], [{ filter: 'nonsense' }], [{ types: ['other'] }]])(
  '422: %j',
  async (body) => {
    expect((await recall(body)).status).toBe(422);
  },
);
