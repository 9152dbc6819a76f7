import { beforeAll, describe, expect, test } from '@jest/globals';
import { answered, filter, Loci as Client, LociError, type Memory, where } from '@loci/client';
import { eventually, type Loci } from '@loci/testing';
import { product } from './product.js';

let running: Loci;
let loci: Client;
let projects = 0;

beforeAll(async () => {
  running = await product();
  loci = new Client({ url: running.url });
});

const org = 'acme-facade';
const freshProject = () => ({ org, project: `facade-${(projects += 1)}` });

async function contents(memory: Memory, options: Parameters<Memory['list']>[0] = {}): Promise<string[]> {
  const all: string[] = [];
  for await (const one of memory.list({ ...options, kinds: ['episode'] })) all.push(one.content);
  return all;
}

describe('a memory', () => {
  test('of a user reads what is theirs, by any producer, and nothing of others', async () => {
    const project = freshProject();
    const mira = loci.memory({ ...project, user: 'mira', agent: 'guide', session: 's1' });
    const ben = loci.memory({ ...project, user: 'ben' });
    await mira.add(['I collect kites.', { role: 'assistant', content: 'Kites it is.' }]);
    await ben.add('I collect stamps.');
    await loci.memory(project).add({ content: 'I collect keys.', producer: 'mira' });

    const ofMira = loci.memory({ ...project, user: 'mira' });
    expect(await contents(ofMira)).toEqual(['I collect kites.', 'Kites it is.', 'I collect keys.']);
    expect(await contents(mira)).toEqual(['I collect kites.', 'Kites it is.']);
    expect(await contents(loci.memory(project))).toHaveLength(4);
    const { episodes, recent } = await ofMira.search('What do I collect?');
    const found = [...episodes, ...recent].map(({ content }) => content);
    expect(found).toContain('I collect kites.');
    expect(found).not.toContain('I collect stamps.');
    const { text, citations } = await ofMira.context('What do I collect?');
    expect(text).toContain('kites');
    expect(text).not.toContain('stamps');
    expect(citations.length).toBeGreaterThan(0);
  });

  test('recalls messages that were just said and facts as one list, each with a score', async () => {
    const memory = loci.memory({ ...freshProject(), user: 'mira' });
    await memory.add(['I collect kites.', 'The weather was fine.']);
    await loci.memory({ ...memory.scope, user: 'ben' }).add('I collect kites, too.');
    const { memories, degraded } = await memory.recall('Who collects kites?', { topK: 1 });
    expect(degraded).toEqual([]);
    expect(memories).toMatchObject([{ kind: 'episode', content: 'I collect kites.' }]);
    expect(memories[0]?.score).toBeGreaterThan(0.5);
    const all = await memory.recall('Who collects kites?');
    expect(all.memories.map(({ score }) => score)).toEqual(
      all.memories
        .map(({ score }) => score)
        .sort()
        .reverse(),
    );
    expect(all.memories).toHaveLength(2);
    const narrowed = { filter: where({ metadata: { colour: 'none' } }) };
    expect((await memory.recall('kites', narrowed)).memories).toEqual([]);
    expect((await memory.recall('kites', { kinds: ['feature'] })).memories).toEqual([]);
  });

  test.each(["x' OR metadata.user_id IS NOT NULL OR metadata.a='", '"', "'", 'a\nb', '木', '\\', ' '])(
    'a user called %p is one user',
    async (user) => {
      const project = freshProject();
      await loci.memory({ ...project, user: 'other' }).add('Of the other.');
      const memory = loci.memory({ ...project, user, session: user });
      await memory.add({ content: 'Of this one.', metadata: { "k'ey": user } });
      expect(await contents(memory)).toEqual(['Of this one.']);
      expect(await contents(memory, { filter: where({ metadata: { "k'ey": user } }) })).toHaveLength(1);
      expect(await contents(memory, { filter: filter`metadata.${"k'ey"} != ${user}` })).toEqual([]);
      expect(await memory.forget(where({ user_id: user }))).toBe(1);
      expect(await contents(loci.memory(project))).toEqual(['Of the other.']);
    },
  );

  test.each<[string, object]>([
    ['user', { user: undefined }],
    ['user', { user: '' }],
    ['session', { session: null }],
    ['org', { org: '' }],
  ])('with an empty %s is refused before anything is read', (name, given) => {
    expect(() => loci.memory({ ...freshProject(), ...given })).toThrow(`The ${name} of a memory`);
  });

  test('lists page by page, also when many were said at one time', async () => {
    const memory = loci.memory({ ...freshProject(), user: 'page' });
    const said = Array.from({ length: 45 }, (_, n) => `Page ${String(n).padStart(2, '0')}.`);
    const at = (n: number): Date => new Date(Date.UTC(2026, 4, 1 + Math.floor(n / 20)));
    await memory.add(said.map((content, n) => ({ content, at: at(n) })));
    for (const pageSize of [1, 7, 500]) expect(await contents(memory, { pageSize })).toEqual(said);
    const second = where({ at: { since: at(20), until: at(40) } });
    expect(await contents(memory, { filter: second, pageSize: 3 })).toEqual(said.slice(20, 40));
    expect(await memory.count({ filter: second })).toBe(20);
  });

  test('forgets what it is handed, and says what is not there', async () => {
    const memory = loci.memory({ ...freshProject(), user: 'oblivious' });
    const ids = await memory.add(['One.', 'Two.', 'Three.']);
    const [one] = (await memory.search('one', { kinds: ['episode'] })).recent;
    if (!one) throw new Error('It is found.');
    expect(await memory.forget(one)).toBe(1);
    const error = await memory.forget(one).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LociError);
    expect(error).toMatchObject({ status: 404, code: 'memory_not_found', notFound: [one.id] });
    expect(ids).toContain(one.id);
    expect(await memory.forget(where({ metadata: { room: 'attic' } }))).toBe(0);
    expect(await memory.forget(where({ uid: ids }), { wait: false })).toBe(2);
    const areGone = async () => (await contents(memory)).length === 0;
    await eventually(areGone, { what: 'they are forgotten' });
  });

  test('shows what is known, how it came about, and takes corrections', async () => {
    const project = freshProject();
    const tenant = { org_id: project.org, project_id: project.project };
    const memory = loci.memory(project);
    const set = await loci.api.POST('/api/v2/memories/semantic/set_id/get', {
      body: { ...tenant, metadata_tags: [] },
    });
    const feature = { category_name: 'profile', tag: 'Food', feature: 'dish', value: 'aubergine' };
    await loci.api.POST('/api/v2/memories/semantic/feature', {
      body: { ...tenant, ...feature, set_id: set.data?.set_id ?? '' },
    });
    const chosen = { kinds: ['feature'] as const, filter: where({ category_name: 'profile' }) };
    const featuresOf = async () => {
      const all = [];
      for await (const one of memory.list(chosen)) all.push(one);
      return all;
    };
    const [known] = await featuresOf();
    expect(known).toMatchObject({ kind: 'feature', tag: 'Food', name: 'dish', value: 'aubergine' });
    if (!known) throw new Error('It is known.');
    await memory.correct(known, { value: 'chickpeas' });
    expect((await featuresOf()).map(({ value }) => value)).toEqual(['chickpeas']);
    const actions = (await memory.history(known)).map(({ action, after }) => [action, after?.value]);
    expect(actions).toContainEqual(['update', 'chickpeas']);
    const [hit] = (await memory.search('dish', { kinds: ['feature'] })).features;
    expect(hit).toMatchObject({ value: 'chickpeas', score: expect.any(Number) });
    const asOf = new Date('2020-01-01T00:00:00Z');
    expect((await memory.search('dish', { kinds: ['feature'], asOf })).features).toEqual([]);
    expect(await memory.count({ ...chosen, asOf })).toBe(0);
    expect((await memory.context('dish', { asOf })).text).not.toContain('chickpeas');
    // fed by all users: not shown to one
    const ofOne = loci.memory({ ...project, user: 'mira' });
    expect((await ofOne.profile()).text).toBe('');
    expect(await ofOne.count({ kinds: ['feature'] })).toBe(0);
    expect((await ofOne.search('dish', { kinds: ['feature'] })).features).toEqual([]);
    const home = { category_name: 'profile', tag: 'Home', feature: 'town', value: 'Graz', subject: 'mira' };
    const body = { ...tenant, ...home, set_id: set.data?.set_id ?? '' };
    await answered(loci.api.POST('/api/v2/memories/semantic/feature', { body }));
    const ofAnother = loci.memory({ ...project, user: 'ben' });
    expect((await ofOne.profile()).text).toContain('Graz');
    expect((await ofAnother.profile()).text).toBe('');
    for (const [own, values] of [
      [ofOne, ['Graz']],
      [ofAnother, []],
    ] as const) {
      const found = (await own.search('town', { kinds: ['feature'] })).features;
      expect(found.map(({ value }) => value)).toEqual(values);
      expect(await own.count({ kinds: ['feature'] })).toBe(values.length);
    }

    expect(await memory.forget(known)).toBe(1);
    expect((await featuresOf()).map(({ value }) => value)).toEqual(['Graz']);
    await expect(memory.profile()).rejects.toThrow('A profile is that of a user');
  });
});

describe('the other facades', () => {
  test('projects are made, listed, exported, imported and deleted', async () => {
    const project = freshProject();
    await loci.projects.create({ ...project, description: 'For a facade.' });
    expect(await loci.projects.get(project)).toMatchObject({ description: 'For a facade.' });
    expect(await loci.projects.list()).toContainEqual(project);
    await loci.memory(project).add(['One.', 'Two.']);
    const copy = freshProject();
    const imported = await loci.projects.import(copy, loci.projects.export(project));
    expect(imported.added).toBeGreaterThanOrEqual(2);
    expect(await contents(loci.memory(copy))).toEqual(['One.', 'Two.']);
    await loci.projects.delete(project);
    await expect(loci.projects.get(project)).rejects.toMatchObject({ status: 404 });
  });

  test('models, ingestion and health are read', async () => {
    const project = freshProject();
    await loci.memory(project).add('Something waits.');
    const waits = async () => (await loci.ingestion.jobs(project).next()).value;
    expect(await eventually(waits, { what: 'the message waits' })).toMatchObject({
      set_id: expect.any(String),
    });
    expect(await loci.resources.list()).toHaveProperty('embedders');
    expect(await loci.ingestion.usage(project)).toEqual([]);
    expect((await loci.health()).status).toBe('healthy');
  });
});

test('a write whose answer was lost is sent again, and stored once', async () => {
  let losses = 0;
  const lossy = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    if (losses > 0 || !request.url.endsWith('/memories')) return response;
    losses += 1;
    throw new TypeError('terminated');
  };
  const memory = new Client({ url: running.url, fetch: lossy }).memory(freshProject());
  expect(await memory.add('Once.')).toHaveLength(1);
  expect(losses).toBe(1);
  expect(await contents(memory)).toEqual(['Once.']);
});
