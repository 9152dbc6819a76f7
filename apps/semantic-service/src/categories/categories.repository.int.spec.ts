import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { type OpenProject, scopeOf, type Owner } from '../projects/project.js';
import { type MemorySet, type SetType } from '../sets/set.js';
import { type Category } from './category.js';

let spec: SemanticSpec;
let project: OpenProject;
let stranger: OpenProject;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  project = await spec.newProject();
  stranger = await spec.newProject({ orgId: 'other', projectId: 'p' });
});

afterAll(() => spec.close());

const named = (name: string, parent: Category['parent']): Category => ({
  uid: uuidv7(),
  name,
  prompt: `Learn ${name}.`,
  description: undefined,
  parent,
});

const BUILT_IN = ['profile'];

const setsOf = (category: Category, owner: SetType): Promise<string[]> =>
  spec.unitOfWork.run(async (tx) => {
    const uids: string[] = [];
    for await (const found of spec.categories.setsOf(category, owner, { tx })) uids.push(...found);
    return uids;
  });

const add = (category: Category, owner: MemorySet | SetType): Promise<boolean> =>
  spec.unitOfWork.run((tx) => spec.categories.add(category, owner, tx));

const newType = async (...tags: string[]): Promise<SetType> => {
  const { tenant, uid: projectUid } = project;
  const type = {
    uid: uuidv7(),
    orgId: tenant.orgId,
    projectUid,
    tags,
    name: undefined,
    description: undefined,
  };
  return { ...type, uid: await spec.sets.addType(type) };
};

describe('sets', () => {
  test('that are registered by several at once are there once, under one uid', async () => {
    const tags = { room: uuidv7() };
    const sets = await Promise.all(Array.from({ length: 8 }, () => spec.newSet(project, { tags })));
    expect(new Set(sets.map(({ uid }) => uid)).size).toBe(1);
    const { id, uid } = await spec.newSet(project, { tags });
    expect(sets.map((set) => set.uid)).toContain(uid);
    expect(await spec.sets.find(scopeOf(project, 'change'), id)).toMatchObject({ uid, tags });
    expect(await spec.sets.byUid(scopeOf(project, 'change'), uid)).toMatchObject({ id });
  });

  test('of another tenant are not there', async () => {
    const { id, uid } = await spec.newSet(project, { tags: { room: 'hall' } });
    expect(await spec.sets.find(scopeOf(stranger, 'change'), id)).toBeUndefined();
    expect(await spec.sets.byUid(scopeOf(stranger, 'change'), uid)).toBeUndefined();
  });

  test('keep what is configured, and what is left out stays as it was', async () => {
    const set = await spec.newSet(project, { tags: { room: 'attic' } });
    const { id } = set;
    await spec.unitOfWork.run((tx) => spec.sets.configure(set, { llmName: 'a' }, tx));
    await spec.unitOfWork.run((tx) => spec.sets.configure(set, { embedderName: 'b' }, tx));
    expect(await spec.sets.using('language_model', 'a', 10)).toEqual([id]);
    expect(await spec.sets.using('embedder', 'b', 10)).toEqual([id]);
  });

  test('types of the same tags that are added by several at once are one', async () => {
    const tags = [uuidv7()];
    const uids = await Promise.all(Array.from({ length: 8 }, async () => (await newType(...tags)).uid));
    expect(new Set(uids).size).toBe(1);
    const types = await spec.sets.tagsOfTypes(scopeOf(project, 'change'));
    expect(types.filter((type) => type.tags[0] === tags[0])).toHaveLength(1);
    expect(await spec.sets.findType(scopeOf(stranger, 'change'), uids[0] ?? '')).toBeUndefined();
  });
});

describe('lists', () => {
  /** 800 kB; about what ten of them have fills an answer. */
  const PROMPT = `repeat('🦊', 199990)`;

  test('of templates read no prompt: they are whole, whatever the prompts are', async () => {
    const type = await newType(uuidv7());
    await spec.query(
      `INSERT INTO semantic.categories (uid, org_id, project_uid, set_type_uid, name, prompt)
       SELECT gen_random_uuid(), '${type.orgId}', '${project.uid}', '${type.uid}', 'c' || n, ${PROMPT}
       FROM generate_series(1, 12) AS n`,
    );
    const templates = await spec.categories.templates(type);
    expect(templates).toHaveLength(12);
    expect(Object.keys(templates[0] ?? {})).not.toContain('prompt');
    expect(await spec.unitOfWork.run((tx) => spec.categories.lockTemplates(type, tx))).toHaveLength(12);
  });

  test('of categories that do not fit together are refused before one is read', async () => {
    const set = await spec.newSet(project, { tags: { room: 'library' } });
    await spec.query(
      `INSERT INTO semantic.categories (uid, org_id, project_uid, set_uid, name, prompt)
       SELECT gen_random_uuid(), '${set.orgId}', '${project.uid}', '${set.uid}', 'c' || n, ${PROMPT}
       FROM generate_series(1, 10) AS n`,
    );
    await expect(spec.categories.sources(set, BUILT_IN)).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringMatching(/shorten their prompts/),
    });
    await spec.query(`DELETE FROM semantic.categories WHERE set_uid = '${set.uid}' AND name > 'c5'`);
    expect((await spec.categories.sources(set, BUILT_IN)).own).toHaveLength(6);
  });

  test('of names that a set does without have those alone that it would have', async () => {
    const set = await spec.newSet(project, { tags: { room: 'study' } });
    await spec.query(
      `INSERT INTO semantic.disabled_categories (set_uid, name)
       SELECT '${set.uid}'::uuid, 'made up ' || n FROM generate_series(1, 1000) AS n UNION SELECT '${set.uid}', 'profile'`,
    );
    expect((await spec.categories.sources(set, BUILT_IN)).disabled).toEqual(new Set(BUILT_IN));
  });

  test('of the sets of a category are read some at a time, and refused where their ids do not fit', async () => {
    const key = 'k'.repeat(60);
    const type = await newType(key);
    const template = named('everywhere', { setTypeUid: type.uid });
    await add(template, type);
    const some = (from: number, to: number): Promise<unknown> =>
      spec.query(
        `INSERT INTO semantic.sets (uid, org_id, project_uid, id, kind, tags, tag_values)
         SELECT gen_random_uuid(), '${type.orgId}', '${project.uid}', 'mem_user_set_' || lpad(n::text, 8000, '0'), 'set_type',
                ARRAY['${key}'], jsonb_build_object('${key}', n::text)
         FROM generate_series(${from}, ${to}) AS n`,
      );
    await some(1, 501);
    expect(await spec.categories.setIdsOf(template, type)).toHaveLength(501);
    await some(502, 2_001);
    expect(new Set(await setsOf(template, type)).size).toBe(2_001);
    await expect(spec.categories.setIdsOf(template, type)).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringMatching(/by its metadata/),
    });
  });

  test('of set types that do not fit into an answer are refused with a page that would, and its pages are all of them', async () => {
    const crowded = await spec.newProject({ orgId: uuidv7(), projectId: 'crowded' });
    const scope = scopeOf(crowded, 'change');
    await spec.query(
      `INSERT INTO semantic.set_types (uid, org_id, project_uid, tags, tags_hash, description)
       SELECT gen_random_uuid(), '${scope.orgId}', '${crowded.uid}', ARRAY['k' || n], n::text, repeat('🦊', 10000)
       FROM generate_series(1, 250) AS n`,
    );
    await expect(spec.sets.types(scope, { limit: undefined, offset: 0 })).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringMatching(/a page_size of 18\d or less/),
    });
    const pages = [];
    for (const offset of [0, 100, 200]) pages.push(await spec.sets.types(scope, { limit: 100, offset }));
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(new Set(pages.flat().map(({ uid }) => uid)).size).toBe(250);
    const tagged = await spec.sets.tagsOfTypes(scope);
    expect(tagged).toHaveLength(250);
    await expect(
      spec.sets.typesByUid(
        scope,
        tagged.map(({ uid }) => uid),
      ),
    ).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringMatching(/fewer metadata keys/),
    });
  });
});

describe('categories', () => {
  test('of one name that are added by several at once: one is added, the others are told', async () => {
    const set = await spec.newSet(project, { tags: { room: 'cellar' } });
    const attempts = Array.from({ length: 6 }, () => add(named('double', { setUid: set.uid }), set));
    expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1);
    expect((await spec.categories.sources(set, BUILT_IN)).own.map(({ name }) => name)).toEqual(['double']);
  });

  test('a set has its own, those of its type, its tags, and what it does without', async () => {
    const key = uuidv7();
    const type = await newType(key);
    const set = await spec.newSet(project, { tags: { [key]: 'x' } });
    const other = await spec.newSet(project, { tags: { room: 'porch' } });
    const template = named('template', { setTypeUid: type.uid });
    const own = named('own', { setUid: set.uid });
    await add(template, type);
    await add(own, set);
    await spec.unitOfWork.run(async (tx) => {
      const tag = { uid: uuidv7(), name: 'tag', description: 'what it is for' };
      await spec.categories.addTags(set, own.uid, [tag], tx);
      await spec.categories.disable(set, ['profile'], tx);
      await spec.categories.disable(set, ['profile'], tx);
    });
    const sources = await spec.categories.sources(set, BUILT_IN);
    expect(sources.own).toMatchObject([{ name: 'own', origin: 'set', tags: { tag: 'what it is for' } }]);
    expect(sources.inherited).toMatchObject([{ name: 'template', origin: 'set_type', tags: {} }]);
    expect([...sources.disabled]).toEqual(['profile']);
    expect(await setsOf(template, type)).toEqual([set.uid]);
    expect(await spec.categories.setIdsOf(template, type)).toEqual([set.id]);
    expect(await spec.categories.sources(other, BUILT_IN)).toEqual({
      own: [],
      inherited: [],
      disabled: new Set(),
    });
  });

  test('of another tenant are not there, and neither are their tags', async () => {
    const set = await spec.newSet(project, { tags: { room: 'loft' } });
    const category = named('secret', { setUid: set.uid });
    await add(category, set);
    const tagUid = uuidv7();
    await spec.unitOfWork.run((tx) =>
      spec.categories.addTags(set, category.uid, [{ uid: tagUid, name: 't', description: 'd' }], tx),
    );
    expect(await spec.categories.find(scopeOf(stranger, 'change'), category.uid)).toBeUndefined();
    const ownerOf = (asking: OpenProject): Promise<Owner | undefined> =>
      spec.unitOfWork.run((tx) => spec.categories.holdTag(scopeOf(asking, 'change'), tagUid, tx));
    const owner = { orgId: project.tenant.orgId, projectUid: project.uid };
    expect([await ownerOf(stranger), await ownerOf(project)]).toEqual([undefined, owner]);
    await spec.unitOfWork.run((tx) => spec.categories.removeTag(owner, tagUid, tx));
    expect(await ownerOf(project)).toBeUndefined();
  });

  test('go with their tags', async () => {
    const set = await spec.newSet(project, { tags: { room: 'shed' } });
    const category = named('gone', { setUid: set.uid });
    await add(category, set);
    await spec.unitOfWork.run((tx) => spec.categories.remove(set, category.uid, tx));
    expect(await spec.categories.find(scopeOf(project, 'change'), category.uid)).toBeUndefined();
    expect((await spec.categories.sources(set, BUILT_IN)).own).toEqual([]);
  });
});
