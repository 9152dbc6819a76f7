import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Instant, instantFromDate, parseFilter } from '@loci/contracts';
import { Database, Outbox, runMigrations, UnitOfWork } from '@loci/persistence';
import { PinoLogger } from '@loci/platform';
import { TestDatabase } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import { SCHEMA } from '../database.js';
import { ENTITIES } from '../entities.js';
import { EpisodeForgetter } from '../erasure/episode-forgetter.js';
import { BacklogRepository } from '../ingestion/backlog/backlog.repository.js';
import { ErasureRepository } from '../erasure/erasure.repository.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { ProjectsRepository } from '../projects/projects.repository.js';
import { locationOf, type MemorySet, toSet } from '../sets/set.js';
import { SetsRepository } from '../sets/sets.repository.js';
import { type AppliedChanges, type FeatureChange } from './feature-change.js';
import { FeatureWriter } from './feature-writer.js';
import { type Citation, type Feature, type FeatureLocation, type FeatureState } from './feature.js';
import { type HistoryPage } from './feature-history.js';
import { FeatureHistoryRepository } from './feature-history.repository.js';
import { FeaturesRepository } from './features.repository.js';
import { fullScope } from '../projects/project.js';
import { type StatedValidity } from './validity.js';

const AT = '2024-05-01T10:00:00.000001Z' as Instant;

let testDatabase: TestDatabase;
let database: Database;
let unitOfWork: UnitOfWork;
let writer: FeatureWriter;
let features: FeaturesRepository;
let history: FeatureHistoryRepository;
let forgetter: EpisodeForgetter;
let set: MemorySet;
const projectUid = uuidv7();
const tenant = { orgId: 'acme', projectId: 'main' };

beforeAll(async () => {
  testDatabase = await TestDatabase.create();
  const { url } = testDatabase;
  await runMigrations({ url, schema: SCHEMA, migrations: [...MIGRATIONS] });
  const logger = new PinoLogger({ service: 'spec', level: 'silent' });
  const options = { url, schema: SCHEMA, entities: ENTITIES };
  database = await Database.connect(options, logger);
  unitOfWork = new UnitOfWork(database);
  features = new FeaturesRepository(unitOfWork);
  history = new FeatureHistoryRepository(unitOfWork);
  const projects = new ProjectsRepository(unitOfWork);
  const outbox = new Outbox(options, unitOfWork, logger);
  writer = new FeatureWriter(features, history, projects, outbox);
  const erasure = new ErasureRepository(unitOfWork);
  const backlog = new BacklogRepository(unitOfWork);
  forgetter = new EpisodeForgetter(projects, erasure, features, writer, backlog, unitOfWork, outbox);
  await projects.open({ tenant, projectUid });
  set = toSet({ tenant, isOrgLevel: false, tags: {} }, projectUid);
  await new SetsRepository(unitOfWork).register([set]);
});

afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const cite = (episodeUid = uuidv7()): Citation => ({
  episodeUid,
  projectUid,
  producerId: 'ada',
  producerRole: 'user',
  producedForId: '',
  createdAt: AT,
  addedAt: AT,
  metadata: {},
});

const apply = (category: string, ...changes: FeatureChange[]): Promise<AppliedChanges> =>
  unitOfWork.run((tx) =>
    writer.apply(tx, {
      location: { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid },
      category,
      changes,
      origin: { kind: 'ingestion', jobId: 'job', model: 'model', episodes: [] },
    }),
  );

const add = (value: string, ...citations: Citation[]): FeatureChange => ({
  kind: 'add',
  tag: 'tag',
  name: 'name',
  value,
  citations,
});

const known = (category: string): Promise<Feature[]> =>
  features.newest(locationOf(set), category, { limit: 100 });

const citationsOf = async (uid: string): Promise<string[] | undefined> =>
  (await features.find(fullScope({ orgId: 'acme', projectUid }), uid))?.citations;

test('the very same feature is not added twice: it cites more', async () => {
  const [first, second] = [cite(), cite()];
  const { added } = await apply('doubles', add('x', first));
  const again = await apply('doubles', add('x', second), add('x', first));
  expect(again).toEqual({ added: [], updated: added, removed: [] });
  expect((await citationsOf(added[0] ?? ''))?.sort()).toEqual([first.episodeUid, second.episodeUid].sort());
});

test('what is applied again changes nothing', async () => {
  const change = add('x', cite());
  await apply('again', change);
  expect(await apply('again', change)).toEqual({ added: [], updated: [], removed: [] });
});

test('an update gives the features of a name one value, and is told in the history with the model', async () => {
  await apply('updates', add('old', cite()), add('older', cite()));
  await apply('updates', { ...add('new', cite()), kind: 'update' } as FeatureChange);
  const [feature, ...others] = await known('updates');
  expect([feature?.value, others]).toEqual(['new', []]);
  const [latest] = await history.ofFeature(fullScope({ orgId: 'acme', projectUid }), feature?.uid ?? '');
  expect(latest).toMatchObject({
    action: 'update',
    origin: { kind: 'ingestion', model: 'model', jobId: 'job' },
  });
  expect(latest?.before?.value).toBe('old');
});

test('a history that is too large for one answer is told in pages, all of it once', async () => {
  const cited = Array.from({ length: 5_000 }, () => cite());
  const { added } = await apply('large', add('x', ...cited));
  for (let count = 0; count < 3; count += 1) await apply('large', add('x', cite()));
  const [uid = ''] = added;
  const scope = fullScope({ orgId: 'acme', projectUid });
  const pages: HistoryPage[] = [];
  for (let behind: string | undefined; pages.length === 0 || behind !== undefined;) {
    const page = await history.page(scope, uid, behind);
    pages.push(page);
    behind = page.next;
  }
  expect(pages.length).toBeGreaterThan(1);
  for (const { entries } of pages) {
    expect(entries.length === 1 || JSON.stringify(entries).length < 1.1 * 1024 * 1024).toBe(true);
  }
  const uidsOf = (state: FeatureState | undefined) =>
    state && { ...state, citations: state.citations.map(({ episodeUid }) => episodeUid) };
  const told = pages.flatMap(({ entries }) => entries);
  expect(new Set(told.map((entry) => entry.uid)).size).toBe(4);
  for (const entry of told) {
    // one by one: undo reads no more of it than the change that it takes back
    const entries = await history.ofFeature(scope, uid, entry.uid);
    expect(
      entries.map(({ before, after, ...rest }) => ({
        ...rest,
        before: uidsOf(before),
        after: uidsOf(after),
      })),
    ).toEqual([entry]);
  }
  expect((await history.ofFeature(scope, uid)).map((entry) => entry.uid)).toEqual([told[0]?.uid]);
});

test('what replaces features cites what they cited together', async () => {
  const [first, second] = [cite(), cite()];
  const { added } = await apply('replaced', add('a', first), add('b', second));
  const by = [{ tag: 'tag', name: 'name', value: 'a and b' }];
  const merged = await apply('replaced', { kind: 'replace', uids: added, by });
  expect([...merged.removed].sort()).toEqual([...added].sort());
  expect((await citationsOf(merged.added[0] ?? ''))?.length).toBe(2);
});

test('a feature that only an ingestion made goes with its last episode, history and all', async () => {
  const [gone, kept] = [cite(), cite()];
  const { added } = await apply('forgotten', add('lost', gone), add('stays', gone, kept));
  await forgetter.forgetDeleted({ projectUid, uids: [gone.episodeUid], addedUntil: AT });
  expect((await known('forgotten')).map(({ value }) => value)).toEqual(['stays']);
  const scope = fullScope({ orgId: 'acme', projectUid });
  expect((await history.page(scope, added[0] ?? '', undefined)).entries).toEqual([]);
});

test('an episode that is deleted cannot be cited by work that had read it before', async () => {
  const gone = cite();
  await forgetter.forgetDeleted({ projectUid, uids: [gone.episodeUid], addedUntil: AT });
  expect(await apply('late', add('x', gone))).toEqual({ added: [], updated: [], removed: [] });
});

test('nothing is written when the transaction of the caller fails', async () => {
  const failing = unitOfWork.run(async (tx) => {
    const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
    const origin = { kind: 'ingestion', episodes: [] } as const;
    await writer.apply(tx, { location, category: 'undone', changes: [add('x', cite())], origin });
    throw new Error('lease lost');
  });
  await expect(failing).rejects.toThrow('lease lost');
  expect(await known('undone')).toEqual([]);
});

describe('what a client wrote', () => {
  const location = (): FeatureLocation => ({ setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid });

  /** As a model that was told to by a message. @returns the changes that were not made */
  async function ask(
    category: string,
    kind: 'ingestion' | 'consolidation',
    ...changes: FeatureChange[]
  ): Promise<string[]> {
    const refused: string[] = [];
    const onRefused = (change: { kind: string }): void => void refused.push(change.kind);
    const origin = { kind, jobId: 'job', model: 'model', episodes: [] };
    await unitOfWork.run((tx) =>
      writer.apply(tx, { location: location(), category, changes, origin, onRefused }),
    );
    return refused;
  }

  const write = (category: string, value: string, validity: StatedValidity = {}): Promise<unknown> => {
    const origin = { kind: 'client', episodes: [] } as const;
    const changes = [{ ...add(value), ...validity } as FeatureChange];
    const request = { location: location(), category, changes, origin };
    return unitOfWork.run((tx) => writer.apply(tx, request));
  };

  const update = (value: string): FeatureChange =>
    ({ ...add(value, cite()), kind: 'update' }) as FeatureChange;

  test('is neither changed nor removed by a model, which is told; what it adds is added', async () => {
    await write('protected', 'true');
    const removal = { kind: 'delete', tag: 'tag', name: 'name' } as const;
    const asked = await ask('protected', 'ingestion', removal, update('false'), add('more', cite()));
    expect(asked).toEqual(['delete', 'update']);
    expect((await known('protected')).map(({ value }) => value).sort()).toEqual(['more', 'true']);
  });

  test('is confirmed by a model that says the same', async () => {
    await write('confirmed', 'true');
    expect(await ask('confirmed', 'ingestion', update('true'))).toEqual([]);
    const [feature] = await known('confirmed');
    expect(await citationsOf(feature?.uid ?? '')).toHaveLength(1);
  });

  test.each(['update', 'add'] as const)('is not ended by a model whose %s says the same', async (kind) => {
    const category = `ended by ${kind}`;
    await write(category, 'true');
    const validUntil = { at: instantFromDate(new Date(Date.now() + 60_000)), precision: 'time' } as const;
    const change = { ...add('true', cite()), kind, validUntil } as FeatureChange;
    expect(await ask(category, 'ingestion', change)).toEqual(['update']);
    const facts = await known(category);
    expect(facts.map(({ value, validUntil: end }) => [value, end])).toEqual([['true', undefined]]);
  });

  /** With what ended. */
  const everKnown = async (category: string): Promise<Feature[]> => {
    const all = { validity: 'all', filter: parseFilter(`category='${category}'`) } as const;
    return (await features.list(fullScope(set), [set.uid], all, { offset: 0, limit: 100 })).features;
  };

  describe('and ended', () => {
    const validUntil = { at: '2024-05-01T00:00:00.000000Z' as Instant, precision: 'day' } as const;

    test.each(['update', 'delete'] as const)(
      'stays when a %s ends at the same moment what was learned',
      async (kind) => {
        const category = `outranks by ${kind}`;
        await write(category, 'Rome', { validUntil });
        const byHand = await everKnown(category);
        await apply(category, add('Rome', cite()));
        expect(await everKnown(category)).toHaveLength(2);
        const change = { ...add('Rome', cite()), kind, validUntil } as FeatureChange;
        expect(await ask(category, 'ingestion', change)).toEqual([]);
        const stored = await everKnown(category);
        const { revision } = stored[0] ?? {};
        expect(stored).toEqual(byHand.map((feature) => ({ ...feature, revision })));
        expect((await citationsOf(stored[0]?.uid ?? ''))?.length).toBe(kind === 'update' ? 2 : 1);
      },
    );

    test.each(['update', 'add'] as const)(
      'is not joined with another one by a model whose %s says both',
      async (kind) => {
        const category = `both by ${kind}`;
        const year = (at: number) =>
          ({ at: `${at}-01-01T00:00:00.000000Z` as Instant, precision: 'year' }) as const;
        await write(category, 'Rome');
        await write(category, 'Rome', { validFrom: year(2010), validUntil: year(2015) });
        const before = await everKnown(category);
        expect(before).toHaveLength(2);
        const change = { ...add('Rome', cite()), kind, validFrom: year(2012) } as FeatureChange;
        expect(await ask(category, 'ingestion', change)).toEqual(['update']);
        expect(await everKnown(category)).toEqual(before);
      },
    );

    test('is not what a model makes of what was learned', async () => {
      await write('into protected', 'Rome', { validUntil });
      await apply('into protected', add('Paris', cite()));
      const before = await everKnown('into protected');
      const validFrom = { at: '2023-01-01T00:00:00.000000Z' as Instant, precision: 'year' } as const;
      const change = { ...add('Rome', cite()), kind: 'update', validFrom } as FeatureChange;
      expect(await ask('into protected', 'ingestion', change)).toEqual(['update']);
      expect(await everKnown('into protected')).toEqual(before);
    });
  });

  test('is not what a consolidation makes of what was learned', async () => {
    await write('worded alike', 'Rome');
    const until = { validUntil: { at: '2100-01-01T00:00:00.000000Z' as Instant, precision: 'day' } } as const;
    const learned = [add('Roma', cite()), add('in Rome', cite())];
    await apply('worded alike', ...learned.map((one) => ({ ...one, ...until })));
    const before = await everKnown('worded alike');
    const uids = before.flatMap(({ uid, value }) => (value === 'Rome' ? [] : [uid]));
    const by = [{ tag: 'tag', name: 'name', value: 'Rome' }];
    await ask('worded alike', 'consolidation', { kind: 'replace', uids, by });
    expect(await everKnown('worded alike')).toEqual(before);
  });

  test('is no part of a consolidation', async () => {
    await write('kept', 'by hand');
    await apply('kept', add('learned', cite()));
    const uids = (await known('kept')).map(({ uid }) => uid);
    const by = [{ tag: 'tag', name: 'name', value: 'merged' }];
    await ask('kept', 'consolidation', { kind: 'replace', uids, by });
    expect((await known('kept')).map(({ value }) => value).sort()).toEqual(['by hand', 'learned']);
  });
});
