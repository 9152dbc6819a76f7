import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type AdditionPosition,
  type DescribedEpisodes,
  type Episode,
  type EpisodesReference,
  followEpisodes,
  MAX_SETS_OF_MESSAGE,
  type IngestedSet,
  type FollowedEpisode,
  type Instant,
  tooLarge,
} from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { Metrics } from '@loci/platform';
import { Idempotency, QuotaLimits, WorkLeases } from '@loci/persistence';
import { eventually } from '@loci/testing';
import { v7 as uuidv7 } from 'uuid';
import {
  ADDED_AGAIN,
  ADDED_FIRST,
  SemanticSpec,
  specAdd,
  specCitation,
} from '../../../test/semantic-spec.js';
import { newSetsOf } from '../../../test/semantic-services.js';
import { BuiltInDefaults } from '../../categories/built-in-defaults.js';
import { SCHEMA } from '../../database.js';
import { ENTITIES } from '../../entities.js';
import { SemanticServiceEnv } from '../../env.js';
import { fullScope, type OpenProject } from '../../projects/project.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { locationOf, toSet } from '../../sets/set.js';
import { RegisteredResources } from '../../resources/registered-resources.js';
import { SetsService } from '../../sets/sets.service.js';
import { type AddedReference, EpisodeIntake } from './episode-intake.js';
import { FoundEpisodes } from './found-episodes.js';
import { IntakeService } from './intake.service.js';
import { MessagesWithoutSet } from '../backlog/messages-without-set.js';
import { CursorsRepository } from '../reconciliation/cursors.repository.js';
import { LearnedMessages } from '../reconciliation/learned-messages.js';
import { MissedEpisodes } from '../reconciliation/missed-episodes.js';
import { type IngestionSwitch } from '../settings/ingestion-switch.js';
import { Learnability } from '../settings/learnability.js';
import { LearningSets } from './learning-sets.js';
import { IngestionDeadLettersRepository } from '../dead-letters/ingestion-dead-letters.repository.js';
import { RefusedSetRetry } from './refused-set-retry.js';

const AT = '2024-05-01T10:00:00.000000Z' as Instant;

let spec: SemanticSpec;
let intake: EpisodeIntake;
let withoutSet: MessagesWithoutSet;
/** All sets learn. */
const env = Object.assign(new SemanticServiceEnv(), {
  ORG_SET_CATEGORIES: 'profile',
  USER_SET_CATEGORIES: 'profile',
});
/** As delivered, sets of projects alone do. */
let delivered: EpisodeIntake;
/** Whether the episodic service answers. */
let isUp = true;
let learned: LearnedMessages;
/** Follows the order of adding. */
let missed: MissedEpisodes;
/** What the registry says. */
const registry = { isOn: true, areKnown: true, names: [''] };
/** The episodes for semantic memory, in the order of adding. */
const feed: FollowedEpisode[] = [];
const deleted = new Set<string>();
/** Of which two do not fit into one answer. */
const large = new Set<string>();
/** What was learned of episodes before they were imported. */
const imported = new Map<string, IngestedSet[]>();
/** What is said beside episodes. */
const metadata = new Map<string, Record<string, string>>();
/** Of episodes that were added again. */
const addedAgain = new Set<string>();

beforeAll(async () => {
  spec = await SemanticSpec.create();
  const rpc = {
    call: (operation: unknown, request: { uids: readonly string[] } & FollowRequest) => {
      if (!isUp) return Promise.reject(new Error('down'));
      return Promise.resolve().then(() =>
        operation === followEpisodes ? follow(request) : describeAll(request),
      );
    },
  } as unknown as RpcClient;
  const { unitOfWork, outbox } = spec;
  const idempotency = new Idempotency({ url: spec.url, schema: SCHEMA, entities: ENTITIES }, unitOfWork);
  const projects = new ProjectsService(spec.projects, rpc, env);
  const newSets = newSetsOf(spec, env);
  const sets = new SetsService(
    spec.sets,
    newSets,
    projects,
    new RegisteredResources(rpc),
    idempotency,
    outbox,
  );
  const triggers = { current: () => ({ messages: 5, ageSeconds: 300 }) };
  const { backlog } = spec;
  withoutSet = new MessagesWithoutSet(unitOfWork);
  const service = new IntakeService(backlog, triggers, outbox, unitOfWork);
  const ingestion = {
    get isOn() {
      return registry.isOn;
    },
  } as IngestionSwitch;
  const learnability = new Learnability(ingestion, registry, unitOfWork);
  const intakeIn = (settings: SemanticServiceEnv): EpisodeIntake => {
    const learning = new LearningSets(new BuiltInDefaults(settings), unitOfWork);
    return new EpisodeIntake(
      ...([
        rpc,
        projects,
        sets,
        learning,
        learnability,
        service,
        backlog,
        withoutSet,
        spec.forgetter,
        spec.logger,
        new Metrics('spec'),
      ] as const),
    );
  };
  intake = intakeIn(env);
  delivered = intakeIn(new SemanticServiceEnv());
  const cursors = new CursorsRepository(
    unitOfWork,
    new WorkLeases({ schema: SCHEMA }, unitOfWork),
    spec.logger,
  );
  const patient = Object.assign(new SemanticServiceEnv(), { SWEEP_PATIENCE_MS: 0 });
  learned = new LearnedMessages(cursors, unitOfWork, patient);
  const found = new FoundEpisodes(delivered, withoutSet, unitOfWork, spec.logger);
  missed = new MissedEpisodes(cursors, rpc, backlog, found, learnability, patient, spec.logger);
});

afterAll(() => spec.close());

const EPISODE = {
  content: 'I paint.',
  producerId: 'ada',
  producerRole: 'user',
  producedForId: '',
  createdAt: AT,
  metadata: {},
} as unknown as Episode;

interface FollowRequest {
  readonly after?: AdditionPosition;
  readonly limit: number;
}

const follow = ({ after, limit }: FollowRequest): { episodes: FollowedEpisode[] } => {
  const from = feed.findIndex(({ uid }) => uid === after?.uid) + 1;
  return { episodes: feed.slice(from, from + limit).filter(({ uid }) => !deleted.has(uid)) };
};

function describeAll({ uids }: { readonly uids: readonly string[] }): DescribedEpisodes {
  const there = uids.filter((uid) => !deleted.has(uid));
  if (there.filter((uid) => large.has(uid)).length > 1) throw tooLarge('body_too_large', 'too large');
  return {
    episodes: there.map((uid) => ({
      ...EPISODE,
      uid,
      addedAt: addedAtOf(uid),
      metadata: metadata.get(uid) ?? {},
      ingested: imported.get(uid),
    })),
  };
}

const addedAtOf = (uid: string): Instant => (addedAgain.has(uid) ? ADDED_AGAIN : ADDED_FIRST);

const added = ({ tenant, uid }: OpenProject, uids: readonly string[], ageMs = 0): AddedReference => ({
  reference: { tenant, projectUid: uid, uids, types: ['semantic'] } as unknown as EpisodesReference,
  receivedAt: new Date(Date.now() - ageMs),
  causes: [],
});

interface Job {
  readonly project_uid: string | null;
  readonly state: string;
  readonly waiting: number;
  readonly fresh: number;
}

/** The sets of the organization, those of its projects first. */
const jobsOf = (orgId: string): Promise<Job[]> =>
  spec.query<Job>(
    `SELECT project_uid, state, waiting, fresh FROM ${SCHEMA}.ingestion_jobs WHERE org_id = $1
     ORDER BY project_uid NULLS LAST, set_uid`,
    [orgId],
  );

const uidsOf = (count: number): string[] => Array.from({ length: count }, () => uuidv7());

test('events of several projects that come together wait in all their sets, each once, however often they come', async () => {
  const orgId = uuidv7();
  const main = await spec.newProject({ orgId, projectId: 'main' });
  const next = await spec.newProject({ orgId, projectId: 'next' });
  const [ours, theirs] = [uidsOf(3), uidsOf(2)];
  const batch = [added(main, ours), added(next, theirs), added(main, ours.slice(1))];
  await intake.take(batch);
  const before = await jobsOf(orgId);
  expect(before.map(({ waiting, fresh }) => [waiting, fresh])).toEqual([
    [3, 3],
    [2, 2],
    // of the organization, and of the producer within it
    [5, 5],
    [5, 5],
  ]);
  expect(before.map(({ state }) => state)).toEqual(['idle', 'idle', 'due', 'due']);
  await Promise.all([intake.take(batch), intake.take([...batch].reverse())]);
  expect(await jobsOf(orgId)).toEqual(before);
});

describe('a set in which no category is at work', () => {
  const messages = (orgId: string): Promise<object[]> =>
    spec.query(`SELECT FROM ${SCHEMA}.ingestion_messages WHERE org_id = $1`, [orgId]);

  test('keeps nothing of a message, until it has a category of its own or of its type', async () => {
    const project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
    const { orgId } = project.tenant;
    await delivered.take([added(project, uidsOf(2))]);
    expect((await jobsOf(orgId)).map(({ project_uid: uid, waiting }) => [uid, waiting])).toEqual([
      [project.uid, 2],
    ]);
    expect(await messages(orgId)).toHaveLength(2);
    const org = toSet({ tenant: project.tenant, isOrgLevel: true, tags: {} }, project.uid);
    const category = { uid: uuidv7(), name: 'rules', prompt: 'p', description: undefined };
    await spec.unitOfWork.run((tx) =>
      spec.categories.add({ ...category, parent: { setUid: org.uid } }, org, tx),
    );
    await delivered.take([added(project, uidsOf(1))]);
    expect(await messages(orgId)).toHaveLength(4);
  });

  test('is one that does without all that it would inherit', async () => {
    const project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
    const set = await spec.newSet(project);
    await spec.unitOfWork.run((tx) => spec.categories.disable(set, ['profile'], tx));
    await delivered.take([added(project, uidsOf(1))]);
    expect(await messages(project.tenant.orgId)).toEqual([]);
  });
});

/** New episodes, of which no event has told. */
const saidIn = (project: OpenProject, count: number): string[] => {
  const uids = uidsOf(count);
  const { tenant, uid: projectUid } = project;
  feed.push(...uids.map((uid) => ({ uid, addedAt: ADDED_FIRST, project: { tenant, projectUid } })));
  return uids;
};

const sweep = async (): Promise<void> => {
  await spec.query(`UPDATE ${SCHEMA}.ingestion_cursors SET next_at = now()`);
  await missed.find(new AbortController().signal);
};

const rowsOf = (project: OpenProject): Promise<{ episode_uid: string }[]> =>
  spec.query(`SELECT episode_uid FROM ${SCHEMA}.ingestion_messages WHERE org_id = $1`, [
    project.tenant.orgId,
  ]);

test('messages whose metadata do not fit into one answer are taken in, announced or not, and keep no one behind them back', async () => {
  const project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  const other = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  const [announced, missing] = [saidIn(project, 5), saidIn(project, 7)];
  const behind = saidIn(other, 1);
  for (const uid of [...announced, ...missing]) large.add(uid);
  await delivered.take([added(project, announced)]);
  expect((await rowsOf(project)).map((row) => row.episode_uid).sort()).toEqual([...announced].sort());
  await sweep();
  expect(await rowsOf(project)).toHaveLength(12);
  expect(await rowsOf(other)).toEqual([{ episode_uid: behind[0] }]);
});

test('messages that cannot be taken in keep those of other projects back for no longer than they are looked at, and are tried again', async () => {
  const [poisoned, healthy] = [
    await spec.newProject({ orgId: uuidv7(), projectId: 'main' }),
    await spec.newProject({ orgId: uuidv7(), projectId: 'main' }),
  ];
  const [failing, [fine]] = [saidIn(poisoned, 3), saidIn(healthy, 1)];
  const take = delivered.take.bind(delivered);
  jest.spyOn(delivered, 'take').mockImplementation(async (...given) => {
    if (given[0].some(({ reference }) => reference.projectUid === poisoned.uid)) throw new Error('poison');
    return take(...given);
  });
  const found = new FoundEpisodes(delivered, withoutSet, spec.unitOfWork, spec.logger);
  // they wait for no quota
  const full = Object.assign(new SemanticServiceEnv(), env, { QUOTA_SETS: 0 });
  const retry = new RefusedSetRetry(withoutSet, found, full, spec.logger, new Metrics('spec'));
  await sweep();
  expect(await rowsOf(healthy)).toEqual([{ episode_uid: fine }]);
  const [behind] = saidIn(healthy, 1);
  await sweep();
  expect((await rowsOf(healthy)).map((row) => row.episode_uid)).toContain(behind);
  await retry.retry();
  expect(await withoutSet.count(poisoned.tenant.orgId)).toBe(3);
  jest.restoreAllMocks();
  await retry.retry();
  expect((await rowsOf(poisoned)).map((row) => row.episode_uid).sort()).toEqual([...failing].sort());
  expect(await withoutSet.count(poisoned.tenant.orgId)).toBe(0);
});

test('a message with the keys of very many set types is in as many sets as one may be in', async () => {
  const project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  const { orgId } = project.tenant;
  const keys = Array.from({ length: 8 }, (_, index) => `key_${index}`);
  for (let subset = 1; subset < 128; subset += 1) {
    const tags = keys.filter((_, bit) => subset & (1 << bit));
    await spec.sets.addType({
      uid: uuidv7(),
      orgId,
      projectUid: project.uid,
      tags,
      name: '',
      description: '',
    });
  }
  const uids = uidsOf(2);
  for (const uid of uids) metadata.set(uid, Object.fromEntries(keys.map((key) => [key, 'v'])));
  await intake.take([added(project, uids)]);
  const [{ sets } = { sets: 0 }] = await spec.query<{ sets: number }>(
    `SELECT count(*)::int AS sets FROM ${SCHEMA}.sets WHERE org_id = $1`,
    [orgId],
  );
  expect(sets).toBe(MAX_SETS_OF_MESSAGE);
});

describe('while nothing can learn from messages', () => {
  let project: OpenProject;

  const NO_MODEL = { isOn: true, areKnown: true, names: [] as string[] };
  const OFF = { isOn: false, areKnown: true, names: [''] };
  const READY = { isOn: true, areKnown: true, names: [''] };

  const says = (state: typeof registry): unknown => Object.assign(registry, state);

  beforeEach(async () => {
    project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  });

  afterEach(() => void says(READY));

  const job = async (): Promise<unknown> =>
    (
      await spec.query(
        `SELECT waiting, deferred, fresh, state FROM ${SCHEMA}.ingestion_jobs WHERE org_id = $1`,
        [project.tenant.orgId],
      )
    )[0];

  const said = (count: number): string[] => saidIn(project, count);
  const rows = (): Promise<{ episode_uid: string }[]> => rowsOf(project);

  test.each([
    ['no language model is ready', NO_MODEL],
    ['semantic memory is off', OFF],
    ['only a model is ready that no set uses', { ...READY, names: ['other'] }],
  ])(
    'for %s, they are counted and leave no row, and are taken each once when something can',
    async (_, state) => {
      says(state);
      const uids = said(7);
      await delivered.take([added(project, uids)]);
      await sweep();
      expect(await rows()).toEqual([]);
      expect(await job()).toEqual({ waiting: 7, deferred: 7, fresh: 7, state: 'due' });
      says(READY);
      await Promise.all([sweep(), delivered.take([added(project, uids.slice(5))])]);
      await sweep();
      await delivered.take([added(project, uids)]);
      expect((await rows()).map((row) => row.episode_uid).sort()).toEqual([...uids].sort());
      expect(await job()).toEqual({ waiting: 7, deferred: 0, fresh: 7, state: 'due' });
    },
  );

  test('more than a page of them is taken whole although its worker ends in between, also what comes meanwhile', async () => {
    says(NO_MODEL);
    const uids = said(450);
    for (let start = 0; start < uids.length; start += 90) {
      await delivered.take([added(project, uids.slice(start, start + 90))]);
    }
    says(READY);
    const [late = ''] = said(1);
    await delivered.take([added(project, [late])]);
    let pages = 0;
    const take = delivered.take.bind(delivered);
    jest.spyOn(delivered, 'take').mockImplementation(async (...given) => {
      const taken = await take(...given);
      pages += 1;
      if (pages >= 2) throw new Error('killed after the commit');
      return taken;
    });
    jest.spyOn(withoutSet, 'note').mockImplementation(async (messages) => {
      if (messages.length > 0) throw new Error('killed after the commit');
      return Promise.resolve();
    });
    await expect(sweep()).rejects.toThrow('killed');
    jest.restoreAllMocks();
    expect(await rows()).toHaveLength(401);
    expect(await job()).toMatchObject({ waiting: 451, deferred: 50 });
    await sweep();
    expect((await rows()).map((row) => row.episode_uid).sort()).toEqual([...uids, late].sort());
    expect(await job()).toMatchObject({ waiting: 451, deferred: 0 });
  });

  test('one that is deleted is not waited for any more, and what was counted twice is set right in the end', async () => {
    says(NO_MODEL);
    const [gone = '', ...rest] = said(3);
    await delivered.take([added(project, [gone, ...rest])]);
    deleted.add(gone);
    await spec.forget(project.uid, [gone]);
    expect(await job()).toMatchObject({ waiting: 2, deferred: 2, fresh: 2 });
    await delivered.take([added(project, [gone, ...rest])]);
    expect(await job()).toMatchObject({ waiting: 4, deferred: 4 });
    says(READY);
    await sweep();
    await sweep();
    expect((await rows()).map((row) => row.episode_uid).sort()).toEqual([...rest].sort());
    expect(await job()).toMatchObject({ waiting: 2, deferred: 0, fresh: 2 });
  });

  test('a message that was learned elsewhere does not wait, and is not learned again', async () => {
    says(NO_MODEL);
    const ingested = [{ isOrgLevel: false, tags: {} }];
    const [uid = ''] = said(1);
    imported.set(uid, ingested);
    await delivered.take([added(project, [uid])]);
    says(READY);
    await sweep();
    expect(await job()).toMatchObject({ waiting: 0, deferred: 0 });
    expect(await rows()).toHaveLength(1);
  });
});

describe('a message that was learned', () => {
  let project: OpenProject;
  let uids: string[];

  beforeEach(async () => {
    project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
    uids = saidIn(project, 3);
    await delivered.take([added(project, uids)]);
    await spec.query(
      `UPDATE ${SCHEMA}.ingestion_messages SET taken_at = now(), done_at = now() WHERE project_uid = $1`,
      [project.uid],
    );
    await spec.query(
      `UPDATE ${SCHEMA}.ingestion_jobs SET waiting = 0, fresh = 0, fresh_since = NULL WHERE project_uid = $1`,
      [project.uid],
    );
  });

  const remove = async (settledMs = 0): Promise<void> => {
    await spec.query(`UPDATE ${SCHEMA}.ingestion_cursors SET next_at = now()`);
    await learned.remove(new AbortController().signal, settledMs);
  };

  const job = async (): Promise<object | undefined> =>
    (
      await spec.query(`SELECT waiting, learned FROM ${SCHEMA}.ingestion_jobs WHERE project_uid = $1`, [
        project.uid,
      ])
    )[0];

  test('leaves no row once the order of adding is followed beyond it, and is never taken in again', async () => {
    await remove();
    expect(await rowsOf(project)).toHaveLength(3);
    await sweep();
    await remove(60_000);
    expect(await rowsOf(project)).toHaveLength(3);
    await remove();
    expect(await rowsOf(project)).toEqual([]);
    expect(await job()).toEqual({ waiting: 0, learned: 3 });
    // its event again, from a worker that could not confirm it; and the page of one that had stopped with it in hand
    expect(await delivered.take([added(project, uids)])).toBe(false);
    expect(await delivered.take([added(project, uids)], { isAgain: true })).toBe(false);
    registry.names = [];
    expect(await delivered.take([added(project, uids)])).toBe(false);
    registry.names = [''];
    expect(await rowsOf(project)).toEqual([]);
    expect(await job()).toEqual({ waiting: 0, learned: 3 });
    const late = saidIn(project, 1);
    await delivered.take([added(project, late)]);
    expect(await rowsOf(project)).toEqual([{ episode_uid: late[0] }]);
  });

  test('keeps its row while an intake that may know nothing of it is under way', async () => {
    await sweep();
    let removal: Promise<void> | undefined;
    await spec.unitOfWork.run(async (tx) => {
      await spec.backlog.shareIntake(tx);
      removal = remove();
      await eventually(
        async () =>
          (
            await spec.query(
              `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database AND datname = current_database()
               WHERE locktype = 'advisory' AND NOT granted`,
            )
          ).length > 0,
        { what: 'the removal waits' },
      );
      expect(await rowsOf(project)).toHaveLength(3);
    });
    await removal;
    expect(await rowsOf(project)).toEqual([]);
  });

  test('keeps it while a dead letter may bring it back, until that is dropped', async () => {
    const [dead = ''] = uids;
    const letterUid = uuidv7();
    const { orgId } = project.tenant;
    await spec.query(
      `INSERT INTO ${SCHEMA}.ingestion_dead_letters (uid, set_uid, org_id, project_uid, category, code, reason, failures)
       SELECT $1, set_uid, $2, $3, 'profile', 'c', 'r', 6 FROM ${SCHEMA}.ingestion_jobs WHERE project_uid = $3`,
      [letterUid, orgId, project.uid],
    );
    await spec.query(
      `INSERT INTO ${SCHEMA}.ingestion_progress (set_uid, episode_uid, category, outcome, attempt, letter_uid)
       SELECT set_uid, episode_uid, 'profile', 'dead', 1, $1 FROM ${SCHEMA}.ingestion_messages WHERE episode_uid = $2`,
      [letterUid, dead],
    );
    await sweep();
    await remove();
    expect(await rowsOf(project)).toEqual([{ episode_uid: dead }]);
    const letters = new IngestionDeadLettersRepository(spec.unitOfWork);
    const owner = fullScope({ orgId, projectUid: project.uid });
    expect(await spec.unitOfWork.run((tx) => letters.drop(owner, letterUid, tx))).toBe(true);
    await remove();
    expect(await rowsOf(project)).toEqual([]);
  });

  test('is forgotten, with what it supports, by the news of the one that was added under its uid', async () => {
    const set = await spec.newSet(project);
    const [uid = ''] = uids;
    await spec.apply(set, 'c', [specAdd('learned from the deleted one', specCitation(project.uid, uid))]);
    await sweep();
    await remove();
    addedAgain.add(uid);
    await delivered.take([added(project, [uid])]);
    expect(await rowsOf(project)).toEqual([{ episode_uid: uid }]);
    expect(await spec.features.newest(locationOf(set), 'c', { limit: 9 })).toEqual([]);
  });

  test('is learned again when that is ordered, each once, and not what was learned since', async () => {
    const [gone = '', kept = '', later = ''] = uids;
    await sweep();
    await remove();
    const ordered = ADDED_FIRST;
    await spec.query(
      `INSERT INTO ${SCHEMA}.ingestion_messages
         (set_uid, episode_uid, org_id, project_id, project_uid, said_at, received_at, taken_at, done_at)
       SELECT set_uid, uid, org_id, 'main', project_uid, now(), now(), now(), done
       FROM ${SCHEMA}.ingestion_jobs, unnest($2::uuid[], ARRAY['2000-01-01', '2100-01-01']::timestamptz[]) AS given(uid, done)
       WHERE project_uid = $1`,
      [project.uid, [kept, later]],
    );
    let isFirst = true;
    const again = (): Promise<void> =>
      delivered.takeAgain(added(project, uids), ordered, () => {
        const begins = isFirst;
        isFirst = false;
        return Promise.resolve(begins);
      });
    await again();
    await again();
    const waiting = await spec.query<{ episode_uid: string }>(
      `SELECT episode_uid FROM ${SCHEMA}.ingestion_messages WHERE project_uid = $1 AND done_at IS NULL`,
      [project.uid],
    );
    expect(waiting.map((row) => row.episode_uid).sort()).toEqual([gone, kept].sort());
    expect(await job()).toEqual({ waiting: 2, learned: 2 });
  });
});

test('of a batch, what belongs to a project that is closed is left out, and nothing else', async () => {
  const orgId = uuidv7();
  const open = await spec.newProject({ orgId, projectId: 'open' });
  const closed = await spec.newProject({ orgId, projectId: 'closed' });
  await spec.projects.close({ tenant: closed.tenant, projectUid: closed.uid });
  await intake.take([added(closed, uidsOf(1)), added(open, uidsOf(1))]);
  expect((await jobsOf(orgId)).map(({ project_uid: uid, waiting }) => [uid, waiting])).toEqual([
    [open.uid, 1],
    [null, 1],
    [null, 1],
  ]);
});

test('a batch that fails leaves nothing, and is whole when it comes again', async () => {
  const project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  const batch = [added(project, uidsOf(2)), added(project, uidsOf(1))];
  isUp = false;
  await expect(intake.take(batch)).rejects.toThrow('down');
  expect(await jobsOf(project.tenant.orgId)).toEqual([]);
  isUp = true;
  await intake.take(batch);
  expect((await jobsOf(project.tenant.orgId)).map(({ waiting }) => waiting)).toEqual([3, 3, 3]);
});

test('the age of a set counts from the oldest of what came together', async () => {
  const project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  await intake.take([added(project, uidsOf(1)), added(project, uidsOf(1), 60_000)]);
  const ages = await spec.query<{ seconds: number }>(
    `SELECT extract(epoch FROM now() - fresh_since)::float8 AS seconds FROM ${SCHEMA}.ingestion_jobs WHERE org_id = $1`,
    [project.tenant.orgId],
  );
  for (const { seconds } of ages) expect(Math.abs(seconds - 60)).toBeLessThan(30);
  expect(ages).toHaveLength(3);
});

describe('a message that was deleted', () => {
  let project: OpenProject;
  let uid: string;

  beforeEach(async () => {
    project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
    uid = uuidv7();
  });

  const take = (): Promise<boolean> => intake.take([added(project, [uid])]);
  const waiting = async (): Promise<number[]> =>
    (await jobsOf(project.tenant.orgId)).map((job) => job.waiting);

  test('is not taken in by late news of it; one that is added under its uid is, and stays', async () => {
    await take();
    await spec.forget(project.uid, [uid]);
    expect(await waiting()).toEqual([0, 0, 0]);
    await take();
    expect(await waiting()).toEqual([0, 0, 0]);
    addedAgain.add(uid);
    await take();
    await spec.forget(project.uid, [uid]);
    expect(await waiting()).toEqual([1, 1, 1]);
    await spec.forget(project.uid, [uid], ADDED_AGAIN);
    expect(await waiting()).toEqual([0, 0, 0]);
  });

  test('is forgotten by the news of the one that was added under its uid, should that come first', async () => {
    const set = await spec.newSet(project);
    await take();
    await spec.apply(set, 'c', [specAdd('learned from the deleted one', specCitation(project.uid, uid))]);
    await spec.query(`UPDATE ${SCHEMA}.ingestion_messages SET taken_at = now(), done_at = now()`);
    await spec.query(`UPDATE ${SCHEMA}.ingestion_jobs SET waiting = 0, fresh = 0, fresh_since = NULL`);
    addedAgain.add(uid);
    await take();
    await take();
    expect(await waiting()).toEqual([1, 1, 1]);
    expect(await spec.features.newest(locationOf(set), 'c', { limit: 9 })).toEqual([]);
    await spec.forget(project.uid, [uid]);
    expect(await waiting()).toEqual([1, 1, 1]);
  });

  test('is no reason to think that the one under its uid was taken in', async () => {
    const backlog = spec.backlog;
    await take();
    const first = { uid, projectUid: project.uid, addedAt: ADDED_FIRST };
    expect(await backlog.unknown([first])).toEqual([]);
    expect(await backlog.unknown([{ ...first, addedAt: ADDED_AGAIN }])).toEqual([uid]);
  });
});

describe('an organization whose quota of sets is used up', () => {
  const QUOTA = 2;
  let project: OpenProject;
  let retry: RefusedSetRetry;

  beforeAll(() => {
    const found = new FoundEpisodes(intake, withoutSet, spec.unitOfWork, spec.logger);
    retry = new RefusedSetRetry(withoutSet, found, env, spec.logger, new Metrics('spec'));
  });

  beforeEach(async () => {
    env.QUOTA_SETS = QUOTA;
    project = await spec.newProject({ orgId: uuidv7(), projectId: 'main' });
  });

  afterEach(() => {
    env.QUOTA_SETS = 1_000_000;
  });

  const setsOf = async (orgId: string): Promise<number> => (await jobsOf(orgId)).length;

  test('gets no more of them, however many ask at once, and its messages are in those that it has', async () => {
    const projects = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        spec.newProject({ orgId: project.tenant.orgId, projectId: `p${index}` }),
      ),
    );
    await Promise.all(projects.map((each) => intake.take([added(each, uidsOf(1))])));
    expect(await setsOf(project.tenant.orgId)).toBe(QUOTA);
    expect(await withoutSet.count(project.tenant.orgId)).toBe(8);
    await intake.take([added(await spec.newProject({ orgId: uuidv7(), projectId: 'main' }), uidsOf(1))]);
    expect(await setsOf(project.tenant.orgId)).toBe(QUOTA);
  });

  test('has its messages in all their sets, each once, when there is room again', async () => {
    const { orgId } = project.tenant;
    const uids = uidsOf(3);
    await intake.take([added(project, uids)]);
    await retry.retry();
    expect((await jobsOf(orgId)).map(({ waiting }) => waiting)).toEqual([3, 3]);
    expect(await withoutSet.count(orgId)).toBe(3);
    env.QUOTA_SETS = 3;
    await Promise.all([retry.retry(), retry.retry()]);
    expect((await jobsOf(orgId)).map(({ waiting }) => waiting)).toEqual([3, 3, 3]);
    expect(await withoutSet.count(orgId)).toBe(0);
  });

  test('from its first message on, goes on when it gets a quota of its own', async () => {
    const { orgId } = project.tenant;
    env.QUOTA_SETS = 0;
    await intake.take([added(project, uidsOf(1))]);
    expect(await setsOf(orgId)).toBe(0);
    const limits = new QuotaLimits({ schema: SCHEMA }, spec.unitOfWork);
    await spec.unitOfWork.run((tx) => limits.replace(orgId, [{ name: 'sets', limit: 5 }], tx));
    await retry.retry();
    expect(await setsOf(orgId)).toBe(3);
  });

  test('keeps no message waiting that is deleted, or whose project is', async () => {
    const [deleted = '', kept = ''] = uidsOf(2);
    await intake.take([added(project, [deleted, kept])]);
    await spec.forget(project.uid, [deleted]);
    expect(await withoutSet.count(project.tenant.orgId)).toBe(1);
    await spec.erasure.eraseSets(project.uid);
    expect(await withoutSet.count(project.tenant.orgId)).toBe(0);
  });

  test('has room again when sets are removed', async () => {
    const { orgId } = project.tenant;
    await intake.take([added(project, uidsOf(1))]);
    const next = await spec.newProject({ orgId, projectId: 'next' });
    await intake.take([added(next, uidsOf(1))]);
    await spec.projects.close({ tenant: project.tenant, projectUid: project.uid });
    await spec.backlog.forgetProject(project.uid);
    await spec.erasure.eraseSets(project.uid);
    await retry.retry();
    expect((await jobsOf(orgId)).map(({ project_uid: uid }) => uid)).toContain(next.uid);
  });
});
