import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, Loci } from '@loci/testing';
import { Client } from './harness/client.js';
import { countPoints } from './harness/vectors.js';

let loci: Loci;
let client: Client;

beforeAll(async () => {
  loci = await Loci.start();
  client = new Client(loci.url, { org_id: 'acme', project_id: 'journey' });
});

afterAll(() => loci.destroy());

test('the start prints where to go: the URL, a curl that stores and a curl that finds', () => {
  expect(loci.printed).toContain(`http://`);
  expect(loci.printed).toMatch(/curl .*\/api\/v2\/memories /s);
  expect(loci.printed).toMatch(/curl .*\/api\/v2\/memories\/search /s);
});

describe('a memory, from its creation to its deletion', () => {
  let uids: string[];

  test('a project is created, and its name is taken from then on', async () => {
    const created = await client.expect(201, '/projects', { description: 'notes' });
    expect(created).toMatchObject({ org_id: 'acme', project_id: 'journey', description: 'notes' });
    expect(await client.post('/projects', {})).toMatchObject({
      status: 409,
      body: { code: 'project_exists' },
    });
    await client.disableShortTerm();
  });

  test('what was added is found by the very next search, by its words and by its meaning', async () => {
    uids = await client.add(['Ada prefers tea without sugar.', 'The server room is in the basement.']);
    const [tea, basement] = uids;
    expect((await client.search('tea without sugar')).longTerm[0]?.uid).toBe(tea);
    expect((await client.search('What hot beverage does she like?')).longTerm[0]?.uid).toBe(tea);
    expect((await client.search('Where are the machines?')).longTerm[0]?.uid).toBe(basement);
  });

  test('short-term memory shows the newest, oldest first, and long-term memory does not repeat them', async () => {
    await client.expect(204, '/memory/episodic/short_term/config', { enabled: true });
    const [latest] = await client.add(['Tea is at four today.']);
    const found = await client.search('tea', { top_k: 1 });
    expect(found.shortTerm.map(({ uid }) => uid)).toEqual([latest]);
    expect(found.longTerm.map(({ uid }) => uid)).toEqual([uids[0]]);
    await client.expect(204, '/memories/episodic/delete', { episodic_id: latest });
    await client.disableShortTerm();
  });

  test('everything is still there after a restart of every process', async () => {
    const { dataDir } = loci;
    await loci.stop();
    loci = await Loci.start({ dataDir });
    client = new Client(loci.url, { org_id: 'acme', project_id: 'journey' });
    expect((await client.list()).map(({ uid }) => uid)).toEqual(uids);
    expect((await client.search('What hot beverage does she like?')).longTerm[0]?.uid).toBe(uids[0]);
  });

  test('a deleted episode is gone from every read at once, and from the vector index soon', async () => {
    await eventually(async () => (await countPoints(loci)) === 2, {
      what: 'both episodes are in the vector index',
    });
    await client.expect(204, '/memories/episodic/delete', { episodic_ids: [uids[0]] });
    expect((await client.search('tea without sugar')).longTerm.map(({ uid }) => uid)).toEqual([uids[1]]);
    expect(await client.count()).toBe(1);
    expect((await client.list()).map(({ uid }) => uid)).toEqual([uids[1]]);
    await eventually(async () => (await countPoints(loci)) === 1, { what: 'the vector is purged' });
  });

  test('deleting again what is gone names it, and deletes the rest', async () => {
    const [other] = await client.add(['to be deleted']);
    const answer = await client.post('/memories/episodic/delete', {
      episodic_ids: [uids[0], other, 'never-there'],
    });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'memory_not_found', not_found: [uids[0], 'never-there'], deleted: [other] },
    });
    expect(await client.count()).toBe(1);
  });

  test('a deleted project is gone at once and erased behind it, and only it', async () => {
    const neighbour = new Client(loci.url, { org_id: 'acme', project_id: 'neighbour' });
    await neighbour.add(['I stay.']);
    await client.expect(204, '/projects/delete', {});
    expect(await client.post('/projects/get', {})).toMatchObject({
      status: 404,
      body: { code: 'project_not_found' },
    });
    expect(await client.list()).toEqual([]);
    expect(await client.count()).toBe(0);
    await eventually(async () => (await client.post('/projects/delete', {})).status === 404, {
      what: 'the erasure is complete',
    });
    await eventually(async () => (await countPoints(loci)) === 1, {
      what: 'only the neighbour is left in the vector index',
    });
    expect(await neighbour.count()).toBe(1);
  });

  test('the name can be used again, and nothing of the former project comes back', async () => {
    await client.expect(201, '/projects', {});
    expect(await client.list()).toEqual([]);
    const [fresh] = await client.add(['A new beginning.']);
    expect((await client.search('tea')).longTerm.every(({ uid }) => uid === fresh)).toBe(true);
  });
});

test('a hit brings in its neighbours when asked to, within top_k and with its score', async () => {
  const dialogue = new Client(loci.url, { org_id: 'acme', project_id: 'dialogue' });
  await dialogue.expect(201, '/projects', {});
  await dialogue.disableShortTerm();
  const said = ['Where is the key to the attic?', 'Under the red flowerpot.', 'Thanks, see you on Monday.'];
  const [question, answer] = await dialogue.add(said);
  const { longTerm } = await dialogue.search('attic key', { top_k: 2, expand_context: 1 });
  expect(longTerm.map(({ uid }) => uid)).toEqual([question, answer]);
  expect(longTerm[1]?.score).toBe(longTerm[0]?.score);
  const diverse = await dialogue.search('attic key', { diversity: 0.5, reference_time: '2024-05-01' });
  expect(diverse.longTerm[0]?.uid).toBe(question);
  expect(diverse.longTerm).toHaveLength(3);
});
