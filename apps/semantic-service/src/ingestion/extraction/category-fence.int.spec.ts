import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { servicesOf, type SpecServices } from '../../../test/semantic-services.js';
import { ADDED_FIRST, SemanticSpec, specAdd, specCitation } from '../../../test/semantic-spec.js';
import { specEpisode } from '../../../test/spec-episode.js';
import { SCHEMA } from '../../database.js';
import { LOCK_SETS } from '../../features/lock-sets.sql.js';
import { type Claim } from '../jobs/job.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { BacklogRepository } from '../backlog/backlog.repository.js';
import { FORGOTTEN_REASON } from '../backlog/forget-commands.sql.js';
import { type OpenProject } from '../../projects/project.js';
import { type FeatureContext } from '../../search/feature-context.js';
import { type MemorySet } from '../../sets/set.js';
import { type MeteredModel } from '../usage/metered-model.js';
import { BatchReader } from './batch-reader.js';
import { ExtractionQuestions } from './extraction-questions.js';
import { type EpisodeSource } from './episode-source.js';
import { CategoryIngester } from './category-ingester.js';
import { type IngestionCategory } from './extraction-prompt.js';
import { CategoryGoneError } from './ingestion-sets.js';
import { WrittenFeatureStore } from './written-feature-store.js';
import { MessagesRepository } from './messages.repository.js';
import { IngestionPartitions } from './ingestion-partitions.js';
import { TooLongRequests } from './too-long-requests.js';
import { UnfinishedMessages } from './unfinished-messages.js';

let spec: SemanticSpec;
let services: SpecServices;
let jobs: JobsRepository;
let ingester: CategoryIngester;
let messages: MessagesRepository;
let project: OpenProject;
let set: MemorySet;
let setTypeId: string;
let claim: Claim;
/** Of the messages that wait. */
let uids: string[];
let readEpisodes: EpisodeSource['read'];

beforeAll(async () => {
  spec = await SemanticSpec.create();
  services = servicesOf(spec);
  const { unitOfWork, outbox, projects, callRecords } = spec;
  jobs = new JobsRepository(unitOfWork);
  messages = new MessagesRepository(unitOfWork);
  const nothingKnown = { relevant: () => Promise.resolve([]) } as unknown as FeatureContext;
  const unfinished = new UnfinishedMessages(unitOfWork);
  const store = new WrittenFeatureStore(
    spec.writer,
    spec.features,
    spec.history,
    spec.proposals,
    nothingKnown,
  );
  const episodes: EpisodeSource = {
    read: (waiting) => readEpisodes(waiting),
    before: () => Promise.resolve([]),
  };
  const partitions = new IngestionPartitions(projects);
  const questions = new ExtractionQuestions(store, { INGESTION_KNOWN_TOKENS: 3_000 });
  ingester = new CategoryIngester(
    messages,
    unfinished,
    episodes,
    new BatchReader(unfinished, questions, episodes, partitions, new TooLongRequests(), callRecords),
    store,
    jobs,
    projects,
    services.ingestionSets,
    partitions,
    callRecords,
    unitOfWork,
    outbox,
  );
});

afterAll(() => spec.close());

/** A set of a type that a template hangs on, with two messages that wait. */
beforeEach(async () => {
  readEpisodes = (waiting) => Promise.resolve(waiting.map((message) => ({ ...specEpisode(), ...message })));
  await spec.query(`DELETE FROM ${SCHEMA}.ingestion_jobs`);
  project = await spec.newProject();
  const { tenant, uid: projectUid } = project;
  setTypeId = await services.setTypes.add({
    tenant,
    organization: 'change' as const,
    isOrgLevel: false,
    tags: ['team'],
    name: undefined,
    description: undefined,
    idempotency: undefined,
  });
  set = await spec.newSet(project, { tags: { team: 'red' } });
  uids = [uuidv7(), uuidv7()];
  const message = { tenant, projectUid, saidAt: ADDED_FIRST, addedAt: ADDED_FIRST };
  const backlog = new BacklogRepository(spec.unitOfWork);
  const one = {
    ...message,
    receivedAt: new Date(),
    causes: [],
    sets: [{ uid: set.uid, isOrgLevel: false }],
  };
  const triggers = { messages: 1, ageSeconds: 1 };
  const incoming = uids.map((uid) => ({ ...one, uid }));
  await spec.unitOfWork.run((tx) => backlog.take(incoming, { triggers, taking: 'now' }, tx));
  const taken = await jobs.claim(60_000);
  if (!taken) throw new Error('nothing was due');
  claim = taken;
});

const define = { prompt: 'p', description: undefined, idempotency: undefined };

const asked = () => ({ tenant: project.tenant, organization: 'change' }) as const;

const addOwn = (name: string): Promise<string> =>
  services.categories.add({ ...define, ...asked(), setId: set.id, name });

const addTemplate = (name: string): Promise<string> =>
  services.categories.addTemplate({ ...define, ...asked(), setTypeId, name });

async function described(name: string): Promise<IngestionCategory> {
  const { categories } = await services.ingestionSets.describe(set.uid);
  const found = categories.find((category) => category.name === name);
  if (!found) throw new Error(`the set has no category ${name}`);
  return found;
}

const NOTED = { command: 'add', tag: 't', feature: 'f', value: 'learned', messages: [1] };

/** Ingests while something happens as the batch is with the model. */
async function ingest(
  names: readonly string[],
  meanwhile: () => Promise<unknown>,
  noted: object = NOTED,
): Promise<unknown[]> {
  const generateJson = async (): Promise<object> => {
    await meanwhile();
    return { commands: names.map((category) => ({ category, ...noted })) };
  };
  const model = { name: 'gpt', generateJson } as unknown as MeteredModel;
  const categories = await Promise.all(names.map(described));
  const waiting = await messages.next(set.uid, names[0] ?? '', 50);
  const ends = await ingester.ingest(
    { claim, categories, model, signal: new AbortController().signal },
    waiting,
  );
  return ends.map(({ end }) => ('error' in end ? end.error : end));
}

const learned = (): Promise<object[]> =>
  spec.query(`SELECT category FROM ${SCHEMA}.features WHERE set_uid = $1 AND deleted_at IS NULL`, [set.uid]);

const remove = (categoryId: string): Promise<void> =>
  services.categories.remove({ ...asked(), categoryId, idempotency: undefined });

const disable = (name: string): Promise<void> =>
  services.categories.disable({ ...asked(), setId: set.id, name, idempotency: undefined });

const removeType = (): Promise<void> =>
  services.setTypeRemoval.remove({ ...asked(), setTypeId, idempotency: undefined });

test('a batch whose category is as it was is written', async () => {
  await addOwn('mine');
  await ingest(['mine'], () => Promise.resolve());
  expect(await learned()).toEqual([{ category: 'mine' }]);
});

test.each([
  ['the category of the set is removed', () => addOwn('name').then((uid) => () => remove(uid))],
  ['the template is removed', () => addTemplate('name').then((uid) => () => remove(uid))],
  ['the set type is removed', () => addTemplate('name').then(() => () => removeType())],
  ['the template is disabled', () => addTemplate('name').then(() => () => disable('name'))],
  ['the set gets its own category of the name', () => addTemplate('name').then(() => () => addOwn('name'))],
])('%s while a batch is with the model: nothing of it is written', async (_, prepare) => {
  const happens = await prepare();
  expect(await ingest(['name'], happens)).toEqual([expect.any(CategoryGoneError)]);
  expect(await learned()).toEqual([]);
});

test('of several categories in one call the one that is removed gets nothing, and the others theirs', async () => {
  const gone = await addOwn('gone');
  await addOwn('stays');
  const [first, second] = await ingest(['gone', 'stays'], () => remove(gone));
  expect(first).toBeInstanceOf(CategoryGoneError);
  expect(second).toMatchObject({ isMore: false });
  expect(await learned()).toEqual([{ category: 'stays' }]);
});

describe('a batch whose messages are all gone', () => {
  const marked = (): Promise<object[]> =>
    spec.query(`SELECT attempt FROM ${SCHEMA}.ingestion_progress WHERE set_uid = $1`, [set.uid]);

  beforeEach(async () => {
    await addOwn('mine');
    readEpisodes = () => Promise.resolve([]);
  });

  test('is marked by who holds the set', async () => {
    expect(await ingest(['mine'], () => Promise.resolve())).toMatchObject([{ isMore: false }]);
    expect(await marked()).toHaveLength(uids.length);
  });

  test('is not marked by a claim that another one followed', async () => {
    await spec.query(
      `UPDATE ${SCHEMA}.ingestion_jobs SET state = 'due', ordered_at = now(), lease_until = NULL WHERE set_uid = $1`,
      [set.uid],
    );
    expect(await jobs.claim(60_000)).toMatchObject({ setUid: set.uid });
    expect(await ingest(['mine'], () => Promise.resolve())).toMatchObject([{ code: 'lease_lost' }]);
    expect(await marked()).toEqual([]);
  });
});

test.each([
  ['its category', () => addOwn('name').then((uid) => () => remove(uid))],
  ['its set type', () => addTemplate('name').then(() => () => removeType())],
])('a removal of %s while a batch is being written removes what the batch wrote', async (_, prepare) => {
  const act = await prepare();
  const category = await described('name');
  let removed: Promise<unknown> | undefined;
  await spec.unitOfWork.run(async (tx) => {
    await services.ingestionSets.fence(set.uid, category, tx);
    removed = act();
    const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
    const changes = [specAdd('learned', specCitation(project.uid))];
    const origin = { kind: 'ingestion' as const, episodes: [] };
    await spec.writer.apply(tx, { location, category: 'name', changes, origin });
  });
  await removed;
  expect(await learned()).toEqual([]);
});

test('a client that adds to a category keeps it from being removed until that is done', async () => {
  const categoryId = await addOwn('name');
  let removed: Promise<unknown> | undefined;
  await spec.unitOfWork.run(async (tx) => {
    await services.categories.refuseUnavailable(set, 'name', tx);
    removed = remove(categoryId);
    const location = { setUid: set.uid, orgId: set.orgId, projectUid: set.projectUid };
    const changes = [specAdd('by hand', specCitation(project.uid))];
    await spec.writer.apply(tx, {
      location,
      category: 'name',
      changes,
      origin: { kind: 'ingestion', episodes: [] },
    });
  });
  await removed;
  expect(await learned()).toEqual([]);
});

test('a template goes with what is known in any number of sets, a few of which are locked at a time', async () => {
  const template = await addTemplate('name');
  await spec.query(
    `INSERT INTO ${SCHEMA}.sets (uid, org_id, project_uid, id, kind, tags, tag_values)
     SELECT gen_random_uuid(), org_id, project_uid, id || n, kind, tags, tag_values
     FROM ${SCHEMA}.sets, generate_series(1, 1000) AS n WHERE uid = $1`,
    [set.uid],
  );
  await spec.query(
    `INSERT INTO ${SCHEMA}.features (uid, set_uid, org_id, project_uid, category, tag, name, value, metadata, by_client)
     SELECT gen_random_uuid(), uid, org_id, project_uid, 'name', 't', 'f', 'known', '{}', false
     FROM ${SCHEMA}.sets WHERE id LIKE $1 || '%'`,
    [set.id],
  );
  const executed = jest.spyOn(spec.unitOfWork, 'execute');
  await remove(template);
  const locked = new Map<unknown, number>();
  for (const [statement, values, options] of executed.mock.calls) {
    if (statement !== LOCK_SETS) continue;
    const [uids] = values as [string[]];
    locked.set(options?.tx, (locked.get(options?.tx) ?? 0) + uids.length);
  }
  executed.mockRestore();
  expect([...locked.values()].reduce((sum, sets) => sum + sets)).toBe(1_001);
  expect(Math.max(...locked.values())).toBeLessThanOrEqual(50);
  expect(
    await spec.query(`SELECT FROM ${SCHEMA}.features WHERE category = 'name' AND deleted_at IS NULL`),
  ).toEqual([]);
});

describe('refused commands of a batch', () => {
  const REFUSED = { ...NOTED, command: 'guess Rome', feature: 'Rome' };

  const letters = (): Promise<{ reason: string; commands: object[] | null }[]> =>
    spec.query(`SELECT reason, commands FROM ${SCHEMA}.ingestion_dead_letters WHERE set_uid = $1`, [set.uid]);

  const ingestRefused = async (meanwhile: () => Promise<unknown>): Promise<void> => {
    await addOwn('mine');
    await ingest(['mine'], meanwhile, REFUSED);
  };

  test('are kept in a dead letter', async () => {
    await ingestRefused(() => Promise.resolve());
    expect(await letters()).toMatchObject([
      { reason: expect.stringContaining('guess Rome'), commands: [{ feature: 'Rome' }] },
    ]);
  });

  test('are not kept once a message of it is deleted, be it while the batch is with the model', async () => {
    await ingestRefused(() => spec.forget(project.uid, uids.slice(1)));
    expect(await letters()).toEqual([{ reason: FORGOTTEN_REASON, commands: null }]);
  });

  test('are not kept once a message of it is deleted, be it later', async () => {
    await ingestRefused(() => Promise.resolve());
    await spec.forget(project.uid, uids.slice(1));
    expect(await letters()).toEqual([{ reason: FORGOTTEN_REASON, commands: null }]);
  });

  test('leave no letter when all of its messages are deleted', async () => {
    await ingestRefused(() => spec.forget(project.uid, uids));
    expect(await letters()).toEqual([]);
  });
});
