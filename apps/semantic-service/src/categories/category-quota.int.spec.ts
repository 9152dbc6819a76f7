import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError, MAX_CATEGORY_TAGS, MAX_DISABLED_CATEGORIES } from '@loci/contracts';
import { v7 as uuidv7 } from 'uuid';
import { ROWS_OF_ALL } from '@loci/persistence';
import { servicesOf, type SpecServices } from '../../test/semantic-services.js';
import { SemanticSpec } from '../../test/semantic-spec.js';
import { SemanticServiceEnv } from '../env.js';
import { type OpenProject } from '../projects/project.js';

const QUOTA = 3;

let spec: SemanticSpec;
let services: SpecServices;
let project: OpenProject;

beforeAll(async () => {
  spec = await SemanticSpec.create();
  const env = new SemanticServiceEnv();
  env.QUOTA_CATEGORIES_PER_SET = QUOTA;
  services = servicesOf(spec, env);
});

beforeEach(async () => {
  project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
});

afterAll(() => spec.close());

const asAdministrator = () => ({ tenant: project.tenant, organization: 'change' as const });

/** @returns the code of the refusal; undefined when it was added */
const codeOf = (added: Promise<string>): Promise<string | undefined> =>
  added.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

const add = (setId: string, name: string, prompt = 'p'): Promise<string | undefined> =>
  codeOf(services.categories.add({ ...asAdministrator(), setId, name, prompt }));

const LONG = 'p'.repeat(2_500_000);

const addTemplate = (setTypeId: string, name: string, prompt = 'p'): Promise<string | undefined> =>
  codeOf(services.categories.addTemplate({ ...asAdministrator(), setTypeId, name, prompt }));

const typeOf = (tags: readonly string[]): Promise<string> =>
  services.setTypes.add({ ...asAdministrator(), isOrgLevel: false, tags: [...tags] });

describe('a set', () => {
  test('gets as many categories as the quota says, however many ask at once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const codes = await Promise.all(names.map((name) => add('mem_project_set_mine', name)));
    expect(codes.filter((code) => code === undefined)).toHaveLength(QUOTA);
    expect(codes.filter((code) => code === 'quota_exceeded')).toHaveLength(names.length - QUOTA);
    expect(await add('mem_project_set_other', 'a')).toBeUndefined();
  });

  test('has those of its type counted in, by either way, and a name that both have once', async () => {
    const type = await typeOf(['room']);
    const set = await spec.newSet(project, { tags: { room: 'kitchen' } });
    expect(await addTemplate(type, 'inherited')).toBeUndefined();
    expect([await add(set.id, 'inherited'), await add(set.id, 'b'), await add(set.id, 'c')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await add(set.id, 'd')).toBe('quota_exceeded');
    expect(await addTemplate(type, 'd')).toBe('quota_exceeded');
    expect(await addTemplate(type, 'b')).toBeUndefined();
  });

  test('gets no more text than is read at once, by categories, templates or tags', async () => {
    const type = await typeOf(['room']);
    const set = await spec.newSet(project, { tags: { room: 'kitchen' } });
    expect(await addTemplate(type, 'inherited', LONG)).toBeUndefined();
    expect(await add(set.id, 'own', LONG)).toBeUndefined();
    expect(await add(set.id, 'further', LONG)).toBe('body_too_large');
    expect(await addTemplate(type, 'further', LONG)).toBe('body_too_large');
    const categoryId = await services.categories.add({
      ...{ ...asAdministrator(), setId: set.id },
      ...{ name: 'short', prompt: 'p' },
    });
    const tag = { ...asAdministrator(), categoryId, name: 't' };
    expect(await codeOf(services.categories.addTag({ ...tag, description: LONG }))).toBe('body_too_large');
    expect(await codeOf(services.categories.addTag({ ...tag, description: 'd' }))).toBeUndefined();
  });

  test('does without categories as long as their names have room in one line of an export', async () => {
    const set = await spec.newSet(project, { tags: { room: 'kitchen' } });
    await spec.unitOfWork.single(
      (manager) =>
        manager.query(
          `INSERT INTO semantic.disabled_categories (set_uid, name) SELECT $1, n || repeat('x', 1000) FROM generate_series(1000, 2039) n`,
          [set.uid],
        ),
      ROWS_OF_ALL,
    );
    const disable = (name: string): Promise<string | undefined> =>
      codeOf(services.categories.disable({ ...asAdministrator(), setId: set.id, name }).then(() => ''));
    expect(await disable('y'.repeat(1300))).toBe('body_too_large');
    expect(await disable('y'.repeat(300))).toBeUndefined();
    expect(await disable(`1000${'x'.repeat(1000)}`)).toBeUndefined();
  });

  test('has no more tags, and does without no more categories, than a line of an import may name', async () => {
    const set = await spec.newSet(project, { tags: { room: 'kitchen' } });
    const categoryId = await services.categories.add({
      ...asAdministrator(),
      setId: set.id,
      name: 'a',
      prompt: 'p',
    });
    await spec.query(
      `INSERT INTO semantic.disabled_categories (set_uid, name) SELECT $1, n FROM generate_series(1, $2::int) n`,
      [set.uid, MAX_DISABLED_CATEGORIES],
    );
    await spec.query(
      `INSERT INTO semantic.category_tags (uid, category_uid, name, description)
       SELECT gen_random_uuid(), $1, 't', 'd' FROM generate_series(1, $2::int)`,
      [categoryId, MAX_CATEGORY_TAGS],
    );
    const request = { ...asAdministrator(), setId: set.id, name: 'one more' };
    expect(await codeOf(services.categories.disable(request).then(() => ''))).toBe('body_too_large');
    const tag = { ...asAdministrator(), categoryId, name: 't', description: 'd' };
    expect(await codeOf(services.categories.addTag(tag))).toBe('body_too_large');
  });

  test('with a name that is taken is told that, not of the quota', async () => {
    for (const name of ['a', 'b', 'c']) await add('mem_project_set_mine', name);
    expect(await add('mem_project_set_mine', 'a')).toBe('category_exists');
  });
});
