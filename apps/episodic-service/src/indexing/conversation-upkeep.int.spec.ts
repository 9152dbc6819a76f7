import { beforeEach, expect, test } from '@jest/globals';
import { type ProjectReference } from '@loci/contracts';
import { type IndexVersion } from '@loci/indexing';
import { PinoLogger } from '@loci/platform';
import { type TestDatabase } from '@loci/testing';
import { batchOf, CONVERSATIONS, instant, type Replica } from '../../test/replica.js';
import { useReplicas } from '../../test/replicas.js';
import { EpisodicServiceEnv } from '../env.js';
import { type NewEpisode } from '../episodes/episode.js';
import { UNKNOWN_CONVERSATION } from '../episodes/conversations.js';
import { ConversationUpkeep } from './conversation-upkeep.js';

let database: TestDatabase;
let replica: Replica;
let upkeep: ConversationUpkeep;
let project: ProjectReference;
let indexVersion: IndexVersion;

useReplicas(async (opened) => {
  ({ database } = opened);
  replica = await opened.openReplica();
  const logger = new PinoLogger({ service: 'spec', level: 'silent' });
  upkeep = new ConversationUpkeep(new EpisodicServiceEnv(), CONVERSATIONS, replica.unitOfWork, logger);
});

beforeEach(async () => {
  await database.query('DELETE FROM episodic.episodes');
  project = await replica.openProject();
  indexVersion = await replica.activate(project, 'upkeep-4-00000000');
});

/** Stores episodes a second apart and indexes them, as a version did that knew no conversations. @returns their uids */
async function storedBefore(...episodes: readonly Partial<NewEpisode>[]): Promise<string[]> {
  const times = episodes.map((episode, index) => ({
    ...episode,
    createdAt: instant(`2024-05-01T10:00:0${index}Z`),
  }));
  const batch = batchOf(...times);
  await replica.episodes.add(project.tenant, batch);
  await database.query(`UPDATE episodic.episodes SET conversation = '${UNKNOWN_CONVERSATION}'`);
  const uids = batch.episodes.map(({ uid }) => uid);
  const { wanted } = await replica.index.sort(indexVersion, uids);
  await replica.index.markIndexed(
    indexVersion,
    wanted.map(({ uid, previous }) => ({ uid, previousUid: previous?.uid })),
  );
  return uids;
}

const waiting = async (): Promise<string[]> =>
  (await replica.index.waiting(project.projectUid, { rows: 100, bytes: 1_000_000 })).items
    .map(({ uid }) => uid)
    .sort();

const inSession = (session: string): Partial<NewEpisode> => ({ metadata: { session_id: session } });

test('what an older version stored gets its conversation; a vector that tells of another one is made anew', async () => {
  const [, , , d = '', e = ''] = await storedBefore(
    inSession('x'),
    inSession('x'),
    inSession('x'),
    inSession('y'),
    inSession('x'),
  );
  expect(await waiting()).toEqual([]);
  expect(await upkeep.work(100)).toBe(5);
  expect(await waiting()).toEqual([d, e].sort());
  const { wanted } = await replica.index.sort(indexVersion, [d]);
  expect(wanted[0]?.previous).toBeUndefined();
  expect(await upkeep.work(100)).toBe(0);
});

test('where all is one conversation no vector is made anew', async () => {
  await storedBefore({}, {}, {});
  expect(await upkeep.work(2)).toBe(2);
  expect(await upkeep.work(2)).toBe(1);
  expect(await waiting()).toEqual([]);
});

test('the vector of what was said behind a deleted turn is made anew', async () => {
  const [a = '', b = ''] = await storedBefore({}, {});
  await replica.unitOfWork.run((tx) => replica.episodes.remove(project.projectUid, [a], tx));
  await upkeep.work(100);
  expect(await waiting()).toEqual([b]);
});
