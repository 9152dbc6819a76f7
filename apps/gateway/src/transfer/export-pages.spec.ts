import { afterEach, expect, test } from '@jest/globals';
import {
  type ExportedEpisode,
  exportEpisodes,
  exportSemantic,
  getEpisodicSettings,
  getIngestedMessages,
  getProject,
  type Instant,
} from '@loci/contracts';
import { PROJECT, SETTINGS } from '../../test/projects.js';
import { startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const NOTHING = { setTypes: [], templates: [], sets: [], categories: [], features: [] };
const AT = '2024-05-01T10:00:00.000001Z' as Instant;

const OWN = { isOrgLevel: false, tags: {} };
const SHARED = { isOrgLevel: true, tags: {} };

const episode = (uid: string): ExportedEpisode => ({
  ...{ uid, content: uid, producerId: 'ada', producerRole: 'user', producedForId: '', createdAt: AT },
  ...{ metadata: {}, types: ['semantic'], ingested: [OWN, SHARED] },
});

/** Semantic memory has learned from the first, and has not heard of the other. */
const EPISODES = ['0190c5d0-0000-7000-8000-000000000001', '0190c5d0-0000-7000-8000-000000000002'].map(
  episode,
);

let gateway: TestGateway;

afterEach(() => gateway.app.close());

async function ingestedIn(bounds: { readonly orgId: string; readonly projectId?: string }): Promise<unknown> {
  gateway = await startTestGateway({ AUTH: 'on' });
  const keys = new TestKeys();
  const headers = bearer(keys.add({ scopes: ['read'], bounds }));
  keys.serve(gateway);
  gateway.rpc.on(getProject, () => PROJECT);
  gateway.rpc.on(getEpisodicSettings, () => SETTINGS);
  gateway.rpc.on(exportSemantic, () => ({ parts: NOTHING, positions: [] }));
  gateway.rpc.on(exportEpisodes, ({ after }) => ({ episodes: after ? [] : EPISODES }));
  gateway.rpc.on(getIngestedMessages, ({ uids }) => ({
    messages: uids.slice(0, 1).map((uid) => ({ uid, ingested: [SHARED, OWN] })),
  }));
  const { body } = await gateway.app.inject({
    url: '/api/v2/projects/export?org_id=acme&project_id=p',
    headers,
  });
  const lines = body.split('\n').filter((line) => line.includes('"kind":"episode"'));
  return lines.map((line) => (JSON.parse(line) as { ingested?: { is_org_level: boolean }[] }).ingested);
}

test('a message names the sets that have learned from it', async () => {
  expect(await ingestedIn({ orgId: 'acme' })).toMatchObject([
    [{ is_org_level: true }, { is_org_level: false }],
    [{ is_org_level: false }, { is_org_level: true }],
  ]);
});

test('for a key of one project it names none of the organization, whose facts do not go along', async () => {
  expect(await ingestedIn({ orgId: 'acme', projectId: 'p' })).toMatchObject([
    [{ is_org_level: false }],
    [{ is_org_level: false }],
  ]);
});
