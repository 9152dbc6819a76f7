import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Loci } from '@loci/testing';
import { Client, type Json } from '../harness/client.js';
import { product } from './product.js';

const S = '/memories/semantic';
const SAID = { category_name: 'profile', tag: 'Food', feature: 'dish', value: 'soup' };

let loci: Loci;
let client: Client;
let neighbour: Client;

beforeAll(async () => {
  loci = await product();
  client = new Client(loci.url, { org_id: 'made-up', project_id: 'main' });
  neighbour = new Client(loci.url, { org_id: 'made-up', project_id: 'next' });
});

const featureOf = async (feature_id: unknown): Promise<Json> =>
  client.expect(200, `${S}/feature/get`, { feature_id, load_citations: true });

describe('under an id that a client made up', () => {
  const set_id = 'mem_project_set_session 7/ä';

  test('a feature goes into a set of the project, in a default category, and is read, changed and deleted', async () => {
    const { feature_id } = await client.expect(201, `${S}/feature`, { ...SAID, set_id });
    expect(await featureOf(feature_id)).toMatchObject({ set_id, category: 'profile', value: 'soup' });
    await client.expect(204, `${S}/feature/update`, { feature_id, category_name: 'profile', value: 'stew' });
    expect(await featureOf(feature_id)).toMatchObject({ set_id, value: 'stew' });
    await client.expect(204, `${S}/delete`, { semantic_id: feature_id });
    await client.expect(404, `${S}/feature/get`, { feature_id });
  });

  test('a category is added, shown with its set, tagged, used and deleted', async () => {
    const own = { set_id, category_name: 'plans', prompt: 'What is planned.' };
    const { category_id } = await client.expect(201, `${S}/category`, own);
    expect(await client.expect(200, `${S}/category/set_ids/get`, { category_id })).toEqual({
      set_ids: [set_id],
    });
    const tag = { category_id, tag_name: 'soon', tag_description: 'This week.' };
    const { tag_id } = await client.expect(201, `${S}/category/tag`, tag);
    const { feature_id } = await client.expect(201, `${S}/feature`, {
      ...SAID,
      set_id,
      category_name: 'plans',
      tag: 'soon',
    });
    await client.expect(204, `${S}/category/tag/delete`, { tag_id });
    await client.expect(204, `${S}/category/delete`, { category_id });
    await client.expect(404, `${S}/feature/get`, { feature_id });
  });

  test('models are chosen, and a default category is switched off', async () => {
    const other = { set_id: 'mem_project_set_other' };
    await client.expect(204, `${S}/set/configure`, { ...other, embedder_name: 'local' });
    await client.expect(204, `${S}/category/disable`, { ...other, category_name: 'profile' });
    expect(await client.post(`${S}/feature`, { ...SAID, ...other })).toMatchObject({
      status: 404,
      body: { code: 'category_not_found' },
    });
  });

  test('each project has a set of its own', async () => {
    const shared = { set_id: 'mem_project_set_same' };
    const { feature_id: mine } = await client.expect(201, `${S}/feature`, { ...SAID, ...shared });
    const { feature_id: theirs } = await neighbour.expect(201, `${S}/feature`, { ...SAID, ...shared });
    expect(theirs).not.toBe(mine);
    await neighbour.expect(404, `${S}/feature/get`, { feature_id: mine });
    const own = { ...shared, category_name: 'mine', prompt: 'p' };
    await client.expect(201, `${S}/category`, own);
    await neighbour.expect(201, `${S}/category`, own);
  });

  test.each([
    ['mem_user_set_x', 'category_not_found'],
    ['mem_other_set_x', 'category_not_found'],
    ['mem_set_type_x', 'category_not_found'],
  ])('%s is of its prefix’s kind, which has no default category here', async (id, code) => {
    const answer = await client.post(`${S}/feature`, { ...SAID, set_id: id });
    expect(answer).toMatchObject({ status: 404, body: { code } });
  });

  test('it comes along in an export, under its id, and into another project', async () => {
    const from = new Client(loci.url, { org_id: 'made-up', project_id: 'from' });
    await from.expect(201, '/projects', {});
    const named = { set_id: 'mem_project_set_along' };
    await from.expect(201, `${S}/feature`, { ...SAID, ...named });
    await from.expect(201, `${S}/category`, { ...named, category_name: 'trips', prompt: 'p' });
    const at = `${loci.url}/api/v2/projects`;
    const lines = await (await fetch(`${at}/export?org_id=made-up&project_id=from`)).text();
    const put = async (): Promise<Json> => {
      const answer = await fetch(`${at}/import?org_id=made-up&project_id=to`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: lines,
      });
      return (await answer.json()) as Json;
    };
    expect(await put()).toMatchObject({ added: 2 });
    expect(await put()).toMatchObject({ added: 0, existing: 2 });
    const to = new Client(loci.url, { org_id: 'made-up', project_id: 'to' });
    expect((await to.post(`${S}/category`, { ...named, category_name: 'trips', prompt: 'p' })).status).toBe(
      409,
    );
    const { feature_id } = await to.expect(201, `${S}/feature`, { ...SAID, ...named });
    expect(await to.expect(200, `${S}/feature/get`, { feature_id })).toMatchObject(named);
  });
});

test('asking for ids, and listing sets, stores nothing: not even the project', async () => {
  const reader = new Client(loci.url, { org_id: 'made-up', project_id: 'only-read' });
  const { set_id } = await reader.expect(200, `${S}/set_id/get`, {
    metadata_tags: ['team'],
    set_metadata: { team: 'red_hot' },
  });
  const { sets } = await reader.expect(200, `${S}/set_id/list`, { set_metadata: { producer_id: 'ada' } });
  expect((sets as Json[]).map(({ name }) => name)).toEqual([null, null, 'User Profile']);
  expect(await reader.expect(200, `${S}/set_type/list`, {})).toEqual({ set_types: [] });
  await reader.expect(404, '/projects/get', {});
  // and yet the id is good for what comes
  await reader.expect(201, `${S}/category`, { set_id, category_name: 'own', prompt: 'p' });
  await reader.expect(201, `${S}/set_type`, { metadata_tags: ['team'] });
  const template = { category_name: 'habits', prompt: 'p' };
  const { set_types } = await reader.expect(200, `${S}/set_type/list`, {});
  const [type] = set_types as Json[];
  await reader.expect(201, `${S}/category/template`, { ...template, set_type_id: type?.['id'] });
  await reader.expect(201, `${S}/feature`, { ...SAID, set_id, category_name: 'habits' });
  const body = { query: 'soup', types: ['semantic'], set_metadata: { team: 'red_hot' } };
  const { content } = await reader.expect(200, '/memories/search', body);
  expect((content as { semantic_memory: Json[] }).semantic_memory).toHaveLength(1);
});
