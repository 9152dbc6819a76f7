import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instant } from '@loci/contracts';
import { CountedWords, IndexVersionsRepository, WordStatisticsRepository } from '@loci/indexing';
import { Database, ROWS_OF_ALL, type RowScope, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { CategoriesRepository } from '../categories/categories.repository.js';
import { ConsolidationsRepository } from '../ingestion/consolidation/consolidations.repository.js';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { ErasureRepository } from '../erasure/erasure.repository.js';
import { MessagesRepository } from '../ingestion/extraction/messages.repository.js';
import { BacklogRepository } from '../ingestion/backlog/backlog.repository.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { rowsIn } from '../projects/row-scope.js';
import { fullScope } from '../projects/project.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { TRUSTED } from './partition.js';
import { toSet } from '../sets/set.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { FeatureTable } from '../indexing/feature-table.js';
import { UsageRepository } from '../ingestion/usage/usage.repository.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import { FeaturesRepository } from './features.repository.js';

const ACME = { main: uuidv7(), next: uuidv7() };
const GLOBEX = uuidv7();

const AT = '2024-05-01T10:00:00.000000Z' as Instant;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const options = { url: testDatabase.url, schema: SCHEMA, entities: ENTITIES };
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
  await new ProjectsRepository(unitOfWork).open({ tenant, projectUid });
  for (const isOrgLevel of [false, true]) {
    const owner = isOrgLevel ? orgId : `${orgId}/${projectId}`;
    await fillSet(owner, toSet({ tenant, isOrgLevel, tags: {} }, projectUid), projectUid);
  }
}

async function fillSet(owner: string, set: ReturnType<typeof toSet>, projectUid: string): Promise<void> {
  const { orgId } = set;
  const sets = new SetsRepository(unitOfWork);
  const categories = new CategoriesRepository(unitOfWork);
  const features = new FeaturesRepository(unitOfWork);
  const history = new FeatureHistoryRepository(unitOfWork);
  const location = { setUid: set.uid, orgId, projectUid: set.projectUid };
  const content = { category: 'c', tag: 't', name: owner, value: projectUid };
  const citation = {
    episodeUid: uuidv7(),
    projectUid,
    producerId: owner,
    producerRole: '',
    producedForId: '',
    createdAt: AT,
    metadata: {},
  };
  const feature = {
    ...content,
    metadata: {},
    ...TRUSTED,
    origin: { kind: 'ingestion' as const },
    byClient: true,
    citations: [citation],
    recordedAt: citation.createdAt,
  };
  await sets.register([set]);
  await unitOfWork.run(async (tx) => {
    const type = { ...location, uid: uuidv7(), tags: [projectUid], name: owner, description: undefined };
    await sets.addType(type, tx);
    const category = { uid: uuidv7(), name: `of ${projectUid}`, prompt: owner, description: undefined };
    await categories.add({ ...category, parent: { setUid: set.uid } }, set, tx);
    const tag = { uid: uuidv7(), name: owner, description: projectUid };
    await categories.addTags(set, category.uid, [tag], tx);
    await categories.disable(set, [owner], tx);
    const uid = uuidv7();
    await features.save(location, [{ uid, ...location, ...feature }], tx);
    const origin = { kind: 'client' as const, episodes: [] };
    const entry = { featureUid: uid, location, origin, before: undefined, after: feature };
    await history.add(location, [entry], tx);
  });
  const indexVersions = new IndexVersionsRepository(unitOfWork, new FeatureTable());
  const model = { embedder: owner, fingerprint: 'spec-4-00000000', dimensions: 4 };
  await indexVersions.addCollection(model);
  await indexVersions.activate(set.uid, model);
  const words = new WordStatisticsRepository(unitOfWork, new FeatureTable());
  await words.note(new Map([[set.uid, { added: 20, isRemoved: false }]]));
  for (const taken of await words.take(1)) await words.save(taken, new CountedWords(1, Buffer.from(owner)));
  await fillIngestion(owner, set, projectUid);
}

/** A message that was given up and one that waits, what they cost, and an episode that is deleted. */
async function fillIngestion(
  owner: string,
  set: ReturnType<typeof toSet>,
  projectUid: string,
): Promise<void> {
  const { uid: setUid, orgId } = set;
  const triggers = { messages: 1, ageSeconds: 1 };
  const backlog = new BacklogRepository(unitOfWork);
  const episode = {
    uid: uuidv7(),
    tenant: { orgId, projectId: owner },
    projectUid,
    receivedAt: new Date(),
    causes: [],
    saidAt: AT,
    addedAt: AT,
    sets: [{ uid: setUid, isOrgLevel: set.projectUid === undefined }],
  };
  const messages = new MessagesRepository(unitOfWork);
  const failure = { category: owner, failures: 1, code: owner, reason: owner };
  const claim = { setUid, attempt: '1', orgId, projectUid: set.projectUid };
  const consolidations = new ConsolidationsRepository(unitOfWork);
  await unitOfWork.run((tx) => backlog.take([episode], { triggers, taking: 'now' }, tx));
  await testDatabase.query(`UPDATE ${SCHEMA}.ingestion_messages SET taken_at = now()`);
  await unitOfWork.run(async (tx) => {
    await messages.deadLetter(claim, failure, [episode.uid], tx);
    await messages.noteFailure(setUid, { ...failure, retryInMs: 0 }, tx);
    await consolidations.note(setUid, { subject: owner, partition: TRUSTED, count: 20 }, tx);
    const erasure = new ErasureRepository(unitOfWork);
    await erasure.noteDeleted({ projectUid, uids: [uuidv7()], addedUntil: AT }, tx);
  });
  const used = { calls: 1, failures: 0, inputTokens: 1, outputTokens: 1, cost: undefined };
  await new UsageRepository(unitOfWork).add({ orgId, projectUid: set.projectUid }, owner, used);
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
  ['word_statistics', `convert_from(terms, 'UTF8')`],
  ['ingestion_dead_letters', 'category'],
  ['ingestion_failures', 'category'],
  ['ingestion_consolidations', `substring(partition_key FROM '^[^/]*/[^/]*/(.*)$')`],
  ['ingestion_usage', 'model'],
  [
    'ingestion_jobs',
    `org_id || coalesce('/' || (SELECT project_id FROM semantic.projects WHERE uid = project_uid), '')`,
  ],
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

  test('mistakes the project of another organization for none', async () => {
    expect(await ownersIn(table, owner, rowsIn({ orgId: 'acme', projectUid: GLOBEX }))).toEqual(['acme']);
  });
});

test.each([
  ['ingestion_messages', 'project_uid::text'],
  [
    'ingestion_progress',
    `(SELECT project_uid::text FROM semantic.ingestion_messages AS message
      WHERE message.set_uid = ingestion_progress.set_uid AND message.episode_uid = ingestion_progress.episode_uid)`,
  ],
  ['deleted_episodes', 'project_uid::text'],
])(
  'a query on %s that forgets its predicate sees what came from the project itself, in whichever set',
  async (table, owner) => {
    const main = rowsIn({ orgId: 'acme', projectUid: ACME.main });
    expect(await ownersIn(table, owner, main)).toEqual([ACME.main]);
    expect(await ownersIn(table, owner, rowsIn({ orgId: 'acme', projectUid: undefined }))).toEqual([]);
    expect(await ownersIn(table, owner, rowsIn({ orgId: 'acme', projectUid: GLOBEX }))).toEqual([]);
    expect(await ownersIn(table, owner)).toEqual([]);
    expect(await ownersIn(table, owner, ROWS_OF_ALL)).toEqual([ACME.main, ACME.next, GLOBEX].sort());
  },
);

test('no table with data of tenants is without row security', async () => {
  const bare = await testDatabase.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = '${SCHEMA}' AND relkind = 'r' AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY relname`,
  );
  // which collections there are, how far a comparison is, counters of all tenants together, the table of migrations, and what is ours to send and to look after
  const ours = [
    'dead_letters',
    'index_backlog',
    'index_collections',
    'ingestion_counts',
    'ingestion_cursors',
    'migrations',
    'outbox_0',
    'outbox_1',
    'outbox_2',
    'outbox_3',
    'unfinished_deliveries',
    'work_leases',
  ];
  expect(bare.map(({ name }) => name)).toEqual(ours);
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

test('no feature can be given to another project', async () => {
  const plant = unitOfWork.single(
    (manager) => manager.query(`UPDATE ${SCHEMA}.features SET project_uid = $1`, [ACME.main]),
    rowsIn({ orgId: 'acme', projectUid: ACME.next }),
  );
  await expect(plant).rejects.toThrow(/row-level security|duplicate/);
});

test.each([
  ['another organization', { orgId: 'globex', projectUid: GLOBEX }],
  ['another project', { orgId: 'acme', projectUid: ACME.next }],
])('a client write in the scope of %s changes nothing', async (_, other) => {
  const everything = async (): Promise<unknown[]> =>
    Promise.all(
      ['features', 'citations', 'feature_history', 'sets', 'set_types', 'categories', 'category_tags'].map(
        (table) => testDatabase.query(`SELECT to_jsonb(${table}) AS row FROM ${SCHEMA}.${table} ORDER BY 1`),
      ),
    );
  const uidIn = async (table: string, condition: string): Promise<string> => {
    const [row] = await testDatabase.query<{ uid: string }>(
      `SELECT uid FROM ${SCHEMA}.${table} WHERE ${condition}`,
    );
    return row?.uid ?? '';
  };
  const before = await everything();
  const owner = { orgId: 'acme', projectUid: ACME.main };
  const uid = await uidIn('features', `name = 'acme/main'`);
  const [features, history] = [new FeaturesRepository(unitOfWork), new FeatureHistoryRepository(unitOfWork)];
  const [sets, categories] = [new SetsRepository(unitOfWork), new CategoriesRepository(unitOfWork)];
  const ofMain = `project_uid = '${ACME.main}'`;
  const theirs = toSet(
    { tenant: { orgId: 'acme', projectId: 'main' }, isOrgLevel: false, tags: {} },
    ACME.main,
  );
  const type = { uid: await uidIn('set_types', ofMain), tags: [], name: '', description: '' };
  const categoryUid = await uidIn('categories', ofMain);
  const tagUid = await uidIn('category_tags', `category_uid = '${categoryUid}'`);
  const save = unitOfWork.run(async (tx) => {
    const [record] = await features.recordsOf(fullScope(owner), [uid], tx);
    await features.save(other, [{ ...record!, value: 'theirs' }], tx);
  });
  await expect(save).rejects.toThrow(/row-level security/);
  await unitOfWork.run(async (tx) => {
    await features.remove(other, [{ uid, setUid: theirs.uid }], tx);
    await history.forget(other, [uid], tx);
    await sets.configure({ ...theirs, ...other }, { llmName: 'theirs' }, tx);
    await sets.removeType({ ...type, ...other }, tx);
    await categories.remove(other, categoryUid, tx);
    await categories.removeTag(other, tagUid, tx);
  });
  expect(await everything()).toEqual(before);
  expect([uid, type.uid, categoryUid, tagUid]).not.toContain('');
});
