import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { Client, type Json, type WireEpisode } from '../harness/client.js';
import { pointsAmong } from '../harness/vectors.js';
import { product } from './product.js';

const EPISODIC = '/memory/episodic/config';
const SHORT_TERM = '/memory/episodic/short_term/config';
const LONG_TERM = '/memory/episodic/long_term/config';

let loci: Loci;
let projects = 0;

beforeAll(async () => {
  loci = await product();
});

const freshClient = (): Client =>
  new Client(loci.url, { org_id: 'acme-settings', project_id: `p${(projects += 1)}` });

const contents = (episodes: readonly WireEpisode[]): string[] => episodes.map(({ content }) => content);

const contentOf = async (client: Client, types: string[]): Promise<Json> =>
  (await client.expect(200, '/memories/search', { query: 'zeppelin', types }))['content'] as Json;

describe('the settings of a project', () => {
  test('404: a project that does not exist has none', async () => {
    for (const path of [EPISODIC, SHORT_TERM, LONG_TERM]) {
      for (const operation of [path, `${path}/get`]) {
        expect(await freshClient().post(operation, { enabled: true })).toMatchObject({
          status: 404,
          body: { code: 'project_not_found' },
        });
      }
    }
  });

  test('everything is on at first; what is changed under one path is read under the others', async () => {
    const client = freshClient();
    await client.expect(201, '/projects', {});
    const read = (): Promise<Json> => client.expect(200, `${EPISODIC}/get`, {});
    const on = { enabled: true, long_term_memory_enabled: true, short_term_memory_enabled: true };
    expect(await read()).toEqual(on);
    await client.expect(204, LONG_TERM, { enabled: false });
    expect(await read()).toEqual({ ...on, long_term_memory_enabled: false });
    expect(await client.expect(200, `${LONG_TERM}/get`, {})).toEqual({ enabled: false });
    expect(await client.expect(200, `${SHORT_TERM}/get`, {})).toEqual({ enabled: true });
    await client.expect(204, EPISODIC, { short_term_memory_enabled: false });
    expect(await client.expect(200, `${SHORT_TERM}/get`, {})).toEqual({ enabled: false });
    await client.expect(204, EPISODIC, { enabled: false, long_term_memory_enabled: true });
    expect(await read()).toEqual({ ...on, enabled: false, short_term_memory_enabled: false });
  });

  test('absent and null change nothing', async () => {
    const client = freshClient();
    await client.add(['x']);
    await client.expect(204, LONG_TERM, { enabled: false });
    for (const path of [EPISODIC, SHORT_TERM, LONG_TERM]) {
      await client.expect(204, path, {});
      await client.expect(204, path, { enabled: null });
    }
    expect(await client.expect(200, `${EPISODIC}/get`, {})).toEqual({
      enabled: true,
      long_term_memory_enabled: false,
      short_term_memory_enabled: true,
    });
  });

  test('belong to that project alone', async () => {
    const [mine, other] = [freshClient(), freshClient()];
    await mine.add(['x']);
    await other.add(['x']);
    await mine.expect(204, EPISODIC, { enabled: false });
    expect(await other.expect(200, `${EPISODIC}/get`, {})).toMatchObject({ enabled: true });
  });
});

describe('a half that is switched off', () => {
  test('long-term: finds nothing at once, and never what was added meanwhile', async () => {
    const client = freshClient();
    await client.add(['The first zeppelin.']);
    await client.disableShortTerm();
    expect(contents((await client.search('zeppelin')).longTerm)).toEqual(['The first zeppelin.']);
    await client.expect(204, LONG_TERM, { enabled: false });
    expect(await client.search('zeppelin')).toEqual({ longTerm: [], shortTerm: [] });
    await client.add(['The second zeppelin.']);
    await client.expect(204, LONG_TERM, { enabled: true });
    await client.add(['The third zeppelin.']);
    const found = contents((await client.search('zeppelin')).longTerm);
    expect(found.sort()).toEqual(['The first zeppelin.', 'The third zeppelin.']);
    expect(contents(await client.list())).toHaveLength(3);
  });

  test('long-term: what was added meanwhile gets no vector either', async () => {
    const client = freshClient();
    await client.expect(201, '/projects', {});
    await client.expect(204, LONG_TERM, { enabled: false });
    const [without = ''] = await client.add(['without a vector']);
    await client.expect(204, LONG_TERM, { enabled: true });
    const [having = ''] = await client.add(['with a vector']);
    await eventually(async () => (await pointsAmong(loci, [having])).length === 1, {
      what: 'the later one is indexed',
    });
    expect(await pointsAmong(loci, [without, having])).toEqual([having]);
  });

  test('short-term: shows nothing at once, and never what was added meanwhile', async () => {
    const client = freshClient();
    await client.add(['The first zeppelin.']);
    expect(contents((await client.search('zeppelin')).shortTerm)).toEqual(['The first zeppelin.']);
    await client.disableShortTerm();
    expect((await client.search('zeppelin')).shortTerm).toEqual([]);
    await client.add(['The second zeppelin.']);
    await client.expect(204, SHORT_TERM, { enabled: true });
    const found = await client.search('zeppelin');
    expect(contents(found.shortTerm)).toEqual(['The first zeppelin.']);
    expect(contents(found.longTerm)).toEqual(['The second zeppelin.']);
  });

  test('episodic memory as a whole: search leaves it out at once, and shows it again', async () => {
    const client = freshClient();
    await client.add(['A zeppelin.']);
    await client.expect(204, EPISODIC, { enabled: false });
    expect(await contentOf(client, [])).toEqual({ semantic_memory: [] });
    expect(await contentOf(client, ['episodic'])).toEqual({});
    await client.add(['Another zeppelin.']);
    await client.expect(204, EPISODIC, { enabled: true });
    const { longTerm, shortTerm } = await client.search('zeppelin');
    expect(contents([...longTerm, ...shortTerm])).toEqual(['A zeppelin.']);
    expect(await client.count()).toBe(2);
  });
});
