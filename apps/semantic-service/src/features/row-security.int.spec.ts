import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instant } from '@loci/contracts';
import { PostgresIndexSpacesRepository } from '@loci/indexing';
import { Database, ROWS_OF_ALL, type RowScope, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { TypeormCategoriesRepository } from '../categories/typeorm-categories.repository.js';
import { SCHEMA } from '../database.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { rowsIn } from '../projects/row-scope.js';
import { TypeormProjectsRepository } from '../projects/typeorm-projects.repository.js';
import { toSet } from '../sets/set.js';
import { TypeormSetsRepository } from '../sets/typeorm-sets.repository.js';
import { FeatureTable } from '../spaces/feature-table.js';
import { TypeormFeatureHistoryRepository } from './typeorm-feature-history.repository.js';
import { TypeormFeaturesRepository } from './typeorm-features.repository.js';

const ACME = { main: uuidv7(), next: uuidv7() };
const GLOBEX = uuidv7();

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: [] };
  await runMigrations({ ...options, migrations: [...MIGRATIONS] });
  database = await Database.connect(options, new PinoLogger({ service: 'spec', level: 'silent' }));
  unitOfWork = new UnitOfWork(database);
  await fill('acme', 'main', ACME.main);
  await fill('acme', 'next', ACME.next);
  await fill('globex', 'main', GLOBEX);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

/** One of everything at both levels, each telling by its name whose it is. */
async function fill(orgId: string, projectId: string, projectUid: string): Promise<void> {
  const tenant = { orgId, projectId };
  await new TypeormProjectsRepository(unitOfWork).open({ tenant, projectUid });
  for (const isOrgLevel of [false, true]) {
    const owner = isOrgLevel ? orgId : `${orgId}/${projectId}`;
    await fillSet(owner, toSet({ tenant, isOrgLevel, tags: {} }, projectUid), projectUid);
  }
}

async function fillSet(owner: string, set: ReturnType<typeof toSet>, projectUid: string): Promise<void> {
  const { orgId } = set;
  const sets = new TypeormSetsRepository(unitOfWork);
  const categories = new TypeormCategoriesRepository(unitOfWork);
  const features = new TypeormFeaturesRepository(unitOfWork);
  const history = new TypeormFeatureHistoryRepository(unitOfWork);
  const place = { setUid: set.uid, orgId, projectUid: set.projectUid };
  const content = { category: 'c', tag: 't', name: owner, value: projectUid };
  const citation = {
    ...{ episodeUid: uuidv7(), projectUid, producerId: owner, producerRole: '', producedForId: '' },
    ...{ createdAt: '2024-05-01T10:00:00.000000Z' as Instant, metadata: {} },
  };
  const feature = { ...content, metadata: {}, byClient: true, citations: [citation] };
  await sets.register([set]);
  await unitOfWork.run(async (tx) => {
    const type = { ...place, uid: uuidv7(), tags: [projectUid], name: owner, description: undefined };
    await sets.addType(type, tx);
    const category = { uid: uuidv7(), name: `of ${projectUid}`, prompt: owner, description: undefined };
    await categories.add({ ...category, place: { setUid: set.uid } }, set, tx);
    await categories.addTag(
      { uid: uuidv7(), categoryUid: category.uid, name: owner, description: projectUid },
      tx,
    );
    await categories.disable(set.uid, owner, tx);
    const uid = uuidv7();
    await features.save({ uid, ...place, ...feature }, tx);
    const origin = { kind: 'client' as const, episodes: [] };
    await history.add({ featureUid: uid, place, origin, before: undefined, after: feature }, tx);
  });
  const spaces = new PostgresIndexSpacesRepository(unitOfWork, new FeatureTable());
  const model = { embedder: owner, fingerprint: 'spec-4-00000000', dimensions: 4 };
  await spaces.addCollection(model);
  await spaces.activate(set.uid, model);
}

const ownersIn = async (table: string, owner: string, scope?: RowScope): Promise<string[]> => {
  const rows = await unitOfWork.single(
    (manager) =>
      manager.query<{ owner: string }[]>(`SELECT DISTINCT ${owner} AS owner FROM ${SCHEMA}.${table}`),
    scope,
  );
  return rows.map((row) => row.owner).sort();
};

describe.each([
  ['set_types', 'name'],
  ['categories', 'prompt'],
  ['category_tags', 'name'],
  ['disabled_categories', 'name'],
  ['features', 'name'],
  ['citations', 'producer_id'],
  ['feature_history', `after->>'name'`],
  ['index_spaces', 'embedder'],
])('a query on %s that forgets its predicate', (table, owner) => {
  test('sees what is of the organization as a whole, and of the project', async () => {
    const main = rowsIn({ orgId: 'acme', projectUid: ACME.main });
    expect(await ownersIn(table, owner, main)).toEqual(['acme', 'acme/main']);
    expect(await ownersIn(table, owner, rowsIn({ orgId: 'globex', projectUid: GLOBEX }))).toEqual([
      'globex',
      'globex/main',
    ]);
  });

  test('without a project sees what is of the organization only; without a scope, nothing', async () => {
    expect(await ownersIn(table, owner, rowsIn({ orgId: 'acme', projectUid: undefined }))).toEqual(['acme']);
    expect(await ownersIn(table, owner)).toEqual([]);
    expect(await ownersIn(table, owner, ROWS_OF_ALL)).toHaveLength(5);
  });

  test('mistakes the project of another organization for nobody’s', async () => {
    expect(await ownersIn(table, owner, rowsIn({ orgId: 'acme', projectUid: GLOBEX }))).toEqual(['acme']);
  });
});

test('a query on sets or projects that forgets its predicate stays within the organization', async () => {
  const scope = rowsIn({ orgId: 'acme', projectUid: ACME.main });
  expect(await ownersIn('sets', `org_id || coalesce(project_uid::text, '')`, scope)).toEqual([
    'acme',
    `acme${ACME.main}`,
  ]);
  expect(await ownersIn('projects', 'project_id', scope)).toEqual(['main', 'next']);
  expect(await ownersIn('projects', 'org_id', scope)).toEqual(['acme']);
});

test('a statement on behalf of one project changes and removes nothing of another', async () => {
  const scope = rowsIn({ orgId: 'acme', projectUid: ACME.next });
  await unitOfWork.single((manager) => manager.query(`UPDATE ${SCHEMA}.features SET tag = 'mine'`), scope);
  await unitOfWork.single((manager) => manager.query(`DELETE FROM ${SCHEMA}.citations`), scope);
  expect(await ownersIn('features', `name || ' ' || tag`, ROWS_OF_ALL)).toEqual(
    ['acme mine', 'acme/main t', 'acme/next mine', 'globex t', 'globex/main t'].sort(),
  );
  expect(await ownersIn('citations', 'producer_id', ROWS_OF_ALL)).toEqual([
    'acme/main',
    'globex',
    'globex/main',
  ]);
});

test('nobody can give a feature to another project', async () => {
  const plant = unitOfWork.single(
    (manager) => manager.query(`UPDATE ${SCHEMA}.features SET project_uid = $1`, [ACME.main]),
    rowsIn({ orgId: 'acme', projectUid: ACME.next }),
  );
  await expect(plant).rejects.toThrow(/row-level security|duplicate/);
});
