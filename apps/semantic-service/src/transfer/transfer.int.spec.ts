import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  describeEpisodes,
  type ImportSemanticRequest,
  type Instant,
  type LocatedEpisode,
  SEMANTIC_PARTS,
  type SemanticParts,
  tooLarge,
} from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { Database, Outbox, QuotaLimits, ROWS_OF_ALL, runMigrations, UnitOfWork } from '@loci/persistence';
import { Metrics, RequestContext } from '@loci/platform';
import { RecordingLogger, TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { newSetsOf } from '../../test/semantic-services.js';
import { CategoryQuota } from '../categories/category-quota.js';
import { CategoriesRepository } from '../categories/categories.repository.js';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { SemanticServiceEnv } from '../env.js';
import { ErasureRepository } from '../erasure/erasure.repository.js';
import { FeatureWriter } from '../features/feature-writer.js';
import { FeatureHistoryRepository } from '../features/feature-history.repository.js';
import { FeaturesRepository } from '../features/features.repository.js';
import { BacklogRepository } from '../ingestion/backlog/backlog.repository.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { RegisteredResources } from '../resources/registered-resources.js';
import { SetTypeQuota } from '../sets/set-type-quota.js';
import { SetTypesService } from '../sets/set-types.service.js';
import { toSet } from '../sets/set.js';
import { SetsService } from '../sets/sets.service.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { ImportedCitations } from './imported-citations.js';
import { FeatureImport } from './feature-import.js';
import { MemoryExport, NO_PARTS } from './memory-export.js';
import { MemoryImport } from './memory-import.js';
import { StructureImport } from './structure-import.js';
import { TransferRepository } from './transfer.repository.js';

const AT = '2024-05-01T10:00:00.000001Z' as Instant;

/** Messages that one answer of the episodic service holds. */
const MOST_IN_ANSWER = 3;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let imports: MemoryImport;
let exports: MemoryExport;
let projects: ProjectsRepository;
let project: { uid: string; tenant: { orgId: string; projectId: string } };

/** Episodes of the project by the uid that they had elsewhere. */
let episodes: Map<string, string>;

/** When they were added. */
let addedAt: Instant;

/** Stands in for the services that are asked: the owner of the episodes, and the registry of models. */
const others = {
  call: (
    { subject }: { subject: string },
    request: { sourceUids: readonly string[]; uids: readonly string[] },
  ): Promise<object> => {
    const facts = {
      producerId: 'ada',
      producerRole: '',
      producedForId: '',
      createdAt: AT,
      addedAt,
      metadata: {},
    };
    if (subject.includes('resource')) return Promise.resolve({ resources: [] });
    if (subject === describeEpisodes.subject) {
      if (request.uids.length > MOST_IN_ANSWER)
        return Promise.reject(tooLarge('body_too_large', 'too large'));
      return Promise.resolve({ episodes: request.uids.map((uid) => ({ ...facts, uid })) });
    }
    const located = request.sourceUids.flatMap((sourceUid): LocatedEpisode[] => {
      const uid = episodes.get(sourceUid);
      return uid === undefined ? [] : [{ ...facts, sourceUid, uid }];
    });
    return Promise.resolve({ episodes: located });
  },
} as unknown as RpcClient;

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: [...MIGRATIONS] });
  const options = { url, schema: SCHEMA, entities: ENTITIES };
  database = await Database.connect(options, new RecordingLogger());
  unitOfWork = new UnitOfWork(database);
  projects = new ProjectsRepository(unitOfWork);
  const outbox = new Outbox(options, unitOfWork, new RecordingLogger());
  const service = new ProjectsService(projects, others, {} as SemanticServiceEnv);
  const sets = new SetsRepository(unitOfWork);
  const idempotency = undefined as never;
  const env = new SemanticServiceEnv();
  const newSets = newSetsOf({ sets, unitOfWork }, env);
  const limits = new QuotaLimits({ schema: SCHEMA }, unitOfWork);
  const quota = new CategoryQuota(limits, unitOfWork, env, new Metrics('spec'));
  const setsService = new SetsService(
    sets,
    newSets,
    service,
    new RegisteredResources(others),
    idempotency,
    outbox,
  );
  const features = new FeaturesRepository(unitOfWork);
  const history = new FeatureHistoryRepository(unitOfWork);
  const writer = new FeatureWriter(features, history, projects, outbox);
  const transfer = new TransferRepository(unitOfWork);
  const typeQuota = new SetTypeQuota(sets, limits, unitOfWork, env, new Metrics('spec'));
  const types = new SetTypesService(sets, typeQuota, service, idempotency);
  const structure = new StructureImport(sets, types, typeQuota, new CategoriesRepository(unitOfWork), quota);
  const featureImport = new FeatureImport(features, writer, transfer, new CategoriesRepository(unitOfWork));
  const cited = new ImportedCitations(others);
  imports = new MemoryImport(
    structure,
    featureImport,
    cited,
    service,
    setsService,
    newSets,
    unitOfWork,
    outbox,
  );
  exports = new MemoryExport(transfer, service, setsService, others);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

beforeEach(async () => {
  project = await openProject(uuidv7());
  episodes = new Map();
  addedAt = AT;
});

async function openProject(orgId: string): Promise<typeof project> {
  const opened = { uid: uuidv7(), tenant: { orgId, projectId: uuidv7() } };
  await projects.open({ tenant: opened.tenant, projectUid: opened.uid });
  return opened;
}

const PROJECT_SET = { isOrgLevel: false, tags: {} };
const ORG_SET = { isOrgLevel: true, tags: { team: 'x' } };

const feature = (
  more: Partial<SemanticParts['features'][number]> = {},
): SemanticParts['features'][number] => ({
  sourceUid: uuidv7(),
  set: PROJECT_SET,
  category: 'profile',
  tag: 'Food',
  name: 'dish',
  value: uuidv7(),
  metadata: { sure: 'yes' },
  byClient: false,
  createdAt: AT,
  citations: [],
  ...more,
});

const take = (parts: Partial<SemanticParts>, to = project): ReturnType<MemoryImport['add']> => {
  const request: ImportSemanticRequest = {
    tenant: to.tenant,
    organization: 'change',
    parts: { ...NO_PARTS, ...parts },
  };
  return imports.add(request);
};

const add = async (parts: Partial<SemanticParts>, to = project): Promise<number> =>
  (await take(parts, to)).added;

async function all(of = project): Promise<SemanticParts> {
  const parts: Record<string, unknown> = {};
  for (const part of SEMANTIC_PARTS) {
    parts[part] = (await exports.next({ tenant: of.tenant, organization: 'change', part })).parts[part];
  }
  return parts as unknown as SemanticParts;
}

const STRUCTURE: Omit<SemanticParts, 'features'> = {
  setTypes: [{ isOrgLevel: true, tags: ['team'], name: 'Teams', description: 'by team' }],
  templates: [
    {
      setType: { isOrgLevel: true, tags: ['team'] },
      name: 'plans',
      prompt: 'What is planned.',
      description: 'plans',
      tags: [{ name: 'Dates', description: 'When.' }],
    },
  ],
  sets: [{ ...ORG_SET, disabledCategories: ['plans'] }],
  categories: [{ set: PROJECT_SET, name: 'taste', prompt: 'What is liked.', tags: [] }],
};

describe('an import', () => {
  test('brings what an export then shows, and repeated it changes nothing', async () => {
    episodes.set('17', uuidv7());
    const parts = { ...STRUCTURE, features: [feature({ citations: ['17'] }), feature({ byClient: true })] };
    expect(await add(parts)).toBe(6);
    const before = await all();
    expect(before).toMatchObject({
      ...STRUCTURE,
      features: [
        { set: PROJECT_SET, byClient: false, createdAt: AT, citations: [episodes.get('17')] },
        { set: PROJECT_SET, byClient: true, createdAt: AT, citations: [] },
      ],
    });
    expect(await add(parts)).toBe(0);
    expect(await all()).toEqual(before);
  });

  test('refuses categories whose tags are longer than what is read at once, with all that comes with them', async () => {
    const tags = [1, 2, 3].map((n) => ({ name: `t${n}`, description: 'd'.repeat(2_500_000) }));
    const categories = [{ set: PROJECT_SET, name: 'taste', prompt: 'What is liked.', tags }];
    await expect(take({ categories })).rejects.toMatchObject({ code: 'body_too_large' });
    expect((await all()).categories).toEqual([]);
  });

  test('refuses what is known in a category that its set has not got, with all that comes with it', async () => {
    const features = [feature({ byClient: true }), feature({ byClient: true, category: 'plans' })];
    await expect(take({ features })).rejects.toMatchObject({ code: 'category_not_found' });
    await expect(take({ ...STRUCTURE, sets: [], features })).rejects.toMatchObject({
      code: 'category_not_found',
    });
    expect((await all()).features).toEqual([]);
  });

  test('takes what is known in categories of the set, of its type, and built-in ones, also where it does without', async () => {
    const known = (more: Partial<SemanticParts['features'][number]>) => feature({ byClient: true, ...more });
    const features = [
      known({ category: 'taste' }),
      known({ category: 'crm' }),
      known({ set: ORG_SET, category: 'plans' }),
      known({ set: { ...ORG_SET, tags: { team: 'y' } }, category: 'plans' }),
    ];
    const disabled = { ...PROJECT_SET, disabledCategories: ['profile', 'moods'] };
    const parts = { ...STRUCTURE, sets: [...STRUCTURE.sets, disabled] };
    expect(await add({ ...parts, features: [...features, known({ category: 'moods' })] })).toBe(10);
    expect((await all()).features).toHaveLength(5);
  });

  test('leaves out what was learned from nothing that is there', async () => {
    const features = [feature({ citations: ['unheard of'] }), feature(), feature({ byClient: true })];
    expect(await take({ features })).toMatchObject({ added: 1, leftOut: 2 });
    expect(await take({ features })).toMatchObject({ added: 0, leftOut: 2 });
    expect((await all()).features).toMatchObject([{ byClient: true }]);
  });

  test('takes what ends before it begins without its beginning, and says of how many', async () => {
    for (const uid of ['17', '18']) episodes.set(uid, uuidv7());
    const day = (text: string): Instant => `${text}T00:00:00.000000Z` as Instant;
    const dates = (from: string, until: string): Partial<SemanticParts['features'][number]> => ({
      citations: ['17', '18'],
      dates: [
        { bound: 'from', at: day(from), precision: 'day', episode: '17' },
        { bound: 'until', at: day(until), precision: 'day', episode: '18' },
      ],
    });
    const features = [
      feature(dates('2024-05-02', '2024-05-01')),
      feature(dates('2024-05-01', '2024-05-01')),
      feature(dates('2024-05-01', '2024-05-02')),
    ];
    expect(await take({ features })).toEqual({ added: 3, leftOut: 0, datesLeftOut: 1 });
    expect((await all()).features.map(({ dates: stored }) => stored?.map(({ bound }) => bound))).toEqual([
      ['until'],
      ['from', 'until'],
      ['from', 'until'],
    ]);
    expect(await take({ features })).toEqual({ added: 0, leftOut: 0, datesLeftOut: 0 });
  });

  test('brings back what was learned from a message that was deleted and is there again', async () => {
    const uid = uuidv7();
    episodes.set('17', uid);
    const deleted = { projectUid: project.uid, uids: [uid], addedUntil: addedAt };
    await unitOfWork.run((tx) => new ErasureRepository(unitOfWork).noteDeleted(deleted, tx));
    expect(await add({ features: [feature({ citations: ['17'] })] })).toBe(0);
    addedAt = '2024-05-01T10:00:00.000002Z' as Instant;
    expect(await add({ features: [feature({ citations: ['17'] })] })).toBe(1);
  });

  test('gives a feature the citations that it lacks, in a set that projects share', async () => {
    const sibling = await openProject(project.tenant.orgId);
    const shared = feature({ set: ORG_SET, citations: ['17'] });
    episodes.set('17', uuidv7());
    expect(await add({ features: [shared] })).toBe(1);
    const first = episodes.get('17');
    episodes.set('17', uuidv7());
    expect(await add({ features: [shared] }, sibling)).toBe(1);
    expect((await all()).features).toMatchObject([{ citations: [first] }]);
    expect((await all(sibling)).features).toMatchObject([{ citations: [episodes.get('17')] }]);
  });

  test('does not wait for another project whose messages a shared feature cites, while that one deletes some', async () => {
    const sibling = await openProject(project.tenant.orgId);
    const shared = feature({ set: ORG_SET, citations: ['17'] });
    episodes.set('17', uuidv7());
    await add({ features: [shared] }, sibling);
    episodes.set('17', uuidv7());
    await unitOfWork.run(async (tx) => {
      await projects.lock(sibling.uid, tx);
      expect(await add({ features: [shared] })).toBe(1);
    });
  });

  test('becomes one with what says the very same', async () => {
    const one = feature({ byClient: true });
    await add({ features: [one] });
    expect(await add({ features: [{ ...one, sourceUid: uuidv7() }] })).toBe(0);
    expect((await all()).features).toHaveLength(1);
  });

  test('keeps what contradicts what, also where one becomes one with what says the very same', async () => {
    const [one, other] = [feature({ byClient: true }), feature({ byClient: true })];
    const features = [
      { ...one, contradicts: [other.sourceUid] },
      { ...other, contradicts: [one.sourceUid] },
    ];
    const pairs = async (of: typeof project): Promise<unknown> => {
      const exported = (await all(of)).features;
      expect(exported).toHaveLength(2);
      return exported.map(({ contradicts = [] }) =>
        exported.findIndex(({ sourceUid }) => sourceUid === contradicts[0]),
      );
    };
    await add({ features });
    expect(await pairs(project)).toEqual([1, 0]);
    const sibling = await openProject(project.tenant.orgId);
    await add({ features: [{ ...one, sourceUid: uuidv7() }] }, sibling);
    await add({ features }, sibling);
    expect(await pairs(sibling)).toEqual([1, 0]);
    const [first] = (await all()).features;
    await add({ features: [{ ...feature({ byClient: true }), contradicts: [first?.sourceUid ?? ''] }] });
    expect((await all()).features[0]).toEqual(first);
  });

  test('of a feature that was replaced names what replaced it as it is called here', async () => {
    const [home, moved] = [feature({ byClient: true }), feature({ byClient: true })];
    await add({ features: [moved] });
    const [here] = (await all()).features;
    const dates = [{ bound: 'until', at: AT, precision: 'day', supersededBy: here?.sourceUid } as const];
    await add({ features: [{ ...home, dates }] });
    const ended = (await all()).features.find(({ value }) => value === home.value);
    expect(ended?.dates).toEqual(dates);
  });

  test('gives support to no feature that says something else, under whatever uid', async () => {
    episodes.set('17', uuidv7());
    episodes.set('18', uuidv7());
    await add({ features: [feature({ citations: ['17'], subject: 'alice' })] });
    const before = (await all()).features;
    const [known] = before;
    const other = { ...feature({ citations: ['18'] }), sourceUid: known?.sourceUid ?? '' };
    expect(await add({ features: [other] })).toBe(0);
    expect((await all()).features).toEqual(before);
    expect(await add({ features: [{ ...known, citations: ['18'] } as typeof other] })).toBe(1);
    expect((await all()).features[0]?.citations).toHaveLength(2);
  });

  test('by a key that is bound to a producer supports nothing that is known of another user', async () => {
    for (const uid of ['17', '18']) episodes.set(uid, uuidv7());
    const known = feature({ citations: ['17'], metadata: { user_id: 'alice' } });
    await add({ features: [known] });
    const author = { kind: 'api-key', id: 'k', producer: 'mallory' } as const;
    const [stored] = (await all()).features;
    const line = { ...known, sourceUid: stored?.sourceUid ?? '', metadata: {}, citations: ['18'] };
    const adding = RequestContext.run({ requestId: 'r', author }, () => add({ features: [line] }));
    await expect(adding).rejects.toMatchObject({ code: 'producer_not_allowed' });
  });

  test('with the uid of a feature of another tenant makes a feature of its own', async () => {
    await add({ features: [feature({ byClient: true, value: 'theirs' })] });
    const [theirs] = (await all()).features;
    const stranger = await openProject(uuidv7());
    const stolen = { ...feature({ byClient: true, value: 'mine' }), sourceUid: theirs?.sourceUid ?? '' };
    expect(await add({ features: [stolen] }, stranger)).toBe(1);
    expect((await all()).features).toEqual([theirs]);
    expect((await all(stranger)).features).toMatchObject([{ value: 'mine' }]);
  });

  test('names no model that is not here, and says so, whatever else of the set it adds', async () => {
    const set = { ...PROJECT_SET, llmName: 'unknown', disabledCategories: [] };
    expect(await take({ sets: [set] })).toMatchObject({ added: 0, leftOut: 1 });
    expect((await all()).sets).toEqual([]);
    const sets = [{ ...set, disabledCategories: ['plans'] }];
    expect(await take({ sets })).toMatchObject({ added: 0, leftOut: 1 });
    expect((await all()).sets).toEqual([{ ...PROJECT_SET, disabledCategories: ['plans'] }]);
  });
});

describe('what was learned from elsewhere', () => {
  const take = (ingested: readonly string[] | 'all' | undefined): Promise<string> =>
    unitOfWork.run(async (tx) => {
      const set = toSet({ tenant: project.tenant, isOrgLevel: false, tags: {} }, project.uid);
      await new SetsRepository(unitOfWork).register([set], tx);
      const uid = uuidv7();
      const sets = [{ uid: set.uid, isOrgLevel: false, ingested }];
      const incoming = {
        tenant: project.tenant,
        projectUid: project.uid,
        receivedAt: new Date(),
        causes: [],
      };
      const backlog = new BacklogRepository(unitOfWork);
      await backlog.take(
        [{ ...incoming, uid, saidAt: AT, addedAt: AT, sets }],
        { triggers: { messages: 1_000, ageSeconds: 1_000 }, taking: 'now' },
        tx,
      );
      return uid;
    });

  const waiting = async (): Promise<unknown> =>
    unitOfWork.single(
      (manager) =>
        manager.query(
          `SELECT waiting, fresh, fresh_since IS NULL AS is_calm FROM ${SCHEMA}.ingestion_jobs WHERE project_uid = $1`,
          [project.uid],
        ),
      ROWS_OF_ALL,
    );

  const ingested = async (uid: string): Promise<unknown> =>
    (await exports.ingested({ tenant: project.tenant, uids: [uid] }))[0]?.ingested;

  test('does not wait, and is told to the next one', async () => {
    expect(await ingested(await take('all'))).toEqual([PROJECT_SET]);
    expect(await waiting()).toEqual([{ waiting: 0, fresh: 0, is_calm: true }]);
  });

  test('is told also where many do not fit into one answer of the episodic service', async () => {
    const [first, second] = [await take('all'), await take('all')];
    const unknown = Array.from({ length: MOST_IN_ANSWER }, () => uuidv7());
    const uids = [first, ...unknown, second];
    const told = await exports.ingested({ tenant: project.tenant, uids });
    expect(told.map(({ uid }) => uid).sort()).toEqual([first, second].sort());
  });

  test('for some categories waits for the others', async () => {
    expect(await ingested(await take(['profile']))).toEqual([{ ...PROJECT_SET, categories: ['profile'] }]);
    expect(await waiting()).toEqual([{ waiting: 1, fresh: 1, is_calm: false }]);
  });

  test('is nothing for what only waits, and unknown for what was never heard of', async () => {
    expect(await ingested(await take(undefined))).toEqual([]);
    expect(await ingested(uuidv7())).toBeUndefined();
  });

  test('is told also without a row, but for what waits for a set', async () => {
    const [learned, refused] = [await take('all'), await take(undefined)];
    const query = (text: string, values: unknown[]): Promise<unknown> =>
      unitOfWork.single((manager) => manager.query(text, values), ROWS_OF_ALL);
    await query(`DELETE FROM ${SCHEMA}.ingestion_messages WHERE project_uid = $1`, [project.uid]);
    expect(await ingested(learned)).toBeUndefined();
    await query(
      `INSERT INTO ${SCHEMA}.ingestion_cursors (name, position) VALUES ('missed-episodes', ARRAY[$1, $2])`,
      [AT, refused],
    );
    await query(`INSERT INTO ${SCHEMA}.messages_without_set VALUES ($1, $2, $3, now(), now(), now())`, [
      project.uid,
      refused,
      project.tenant.orgId,
    ]);
    expect(await ingested(learned)).toEqual([PROJECT_SET]);
    expect(await ingested(refused)).toBeUndefined();
    await query(`DELETE FROM ${SCHEMA}.ingestion_cursors`, []);
  });
});
