import { afterEach, expect, test } from '@jest/globals';
import {
  addEpisodes,
  exportEpisodes,
  exportSemantic,
  getEpisodicSettings,
  getProject,
} from '@loci/contracts';
import { eventually } from '@loci/testing';
import { PROJECT, SETTINGS } from '../../test/projects.js';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { bearer, TestKeys } from '../../test/test-keys.js';

const NOTHING = { setTypes: [], templates: [], sets: [], categories: [], features: [] };

type Headers = Readonly<Record<'authorization', string>>;

/** Pages that a service was asked for and has not written yet. */
const unanswered: { readonly org: string; readonly answer: () => void }[] = [];
let gateway: TestGateway;

afterEach(() => gateway.app.close());

const exportBy = (orgId: string, headers: Headers) =>
  gateway.app.inject({ url: `/api/v2/projects/export?org_id=${orgId}&project_id=p`, headers });

test('exports whose pages are long in coming, of many keys of one organization, leave others their turns', async () => {
  gateway = await startTestGateway({ AUTH: 'on', MAX_IN_FLIGHT: '8', MAX_WAIT_MS: '60000' });
  const keys = new TestKeys();
  const keyOf = (orgId: string, number: number): Headers => {
    const id = `01890a5d-ac96-774b-bcce-00000000000${number}`;
    return bearer(keys.add({ id, scopes: ['read', 'write'], bounds: { orgId } }));
  };
  const busy = [1, 2, 3].map((number) => keyOf('busy', number));
  const quiet = keyOf('quiet', 4);
  keys.serve(gateway);
  gateway.rpc.on(getProject, () => PROJECT);
  gateway.rpc.on(getEpisodicSettings, () => SETTINGS);
  gateway.rpc.on(addEpisodes, () => ({ uids: ['u'] }));
  gateway.rpc.on(exportEpisodes, () => ({ episodes: [] }));
  gateway.rpc.on(
    exportSemantic,
    ({ tenant: { orgId } }) =>
      new Promise((resolve) =>
        unanswered.push({ org: orgId, answer: () => resolve({ parts: NOTHING, positions: [] }) }),
      ),
  );
  const slow = busy.flatMap((headers) => [1, 2, 3, 4].map(() => exportBy('busy', headers)));
  await eventually(() => unanswered.length > 0, { what: 'pages are asked for' });
  const message = { org_id: 'quiet', project_id: 'p', messages: [{ content: 'x' }] };
  expect((await post(gateway, '/api/v2/memories', message, quiet)).status).toBe(200);
  const own = exportBy('quiet', quiet);
  await eventually(() => unanswered.some(({ org }) => org === 'quiet'), { what: 'so is one of the other' });
  expect(unanswered.filter(({ org }) => org === 'busy').length).toBeLessThan(slow.length);

  let hasEnded = false;
  const ended = Promise.all([...slow, own]).finally(() => (hasEnded = true));
  await eventually(
    () => {
      for (const { answer } of unanswered.splice(0)) answer();
      return hasEnded;
    },
    { what: 'all exports have ended' },
  );
  expect((await ended).map(({ statusCode }) => statusCode)).toEqual(Array(13).fill(200));
});
