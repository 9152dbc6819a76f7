import { beforeEach, expect, test } from '@jest/globals';
import { type FactsOf } from '@loci/contracts';
import { type Transaction } from '@loci/persistence';
import { specEpisode } from '../../../test/spec-episode.js';
import { type Claim } from '../jobs/job.js';
import { type ProjectsRepository } from '../../projects/projects.repository.js';
import { IngestionPartitions, PartitionChangedError } from './ingestion-partitions.js';

const OF_PROJECT: Claim = { setUid: 's', attempt: '1', orgId: 'acme', projectUid: 'a' };
const OF_ORGANIZATION: Claim = { ...OF_PROJECT, projectUid: undefined };
const TX = {} as Transaction;

let trusted: Record<string, readonly string[]>;
let factsOf: FactsOf;

const projects: Pick<ProjectsRepository, 'learningSettings'> = {
  learningSettings: (_, uids) => {
    const known = Object.entries(trusted).filter(([uid]) => uids.includes(uid));
    return Promise.resolve(
      new Map(known.map(([uid, trustedProducers]) => [uid, { trustedProducers, factsOf }])),
    );
  },
};
const partitions = new IngestionPartitions(projects as ProjectsRepository);

const said = (content: string, producerId: string, projectUid = 'a') =>
  specEpisode({ content, producerId, projectUid });

beforeEach(() => {
  trusted = { a: ['ada', 'team-*'], b: ['*'] };
  factsOf = 'users';
});

test('a batch has messages of trusted producers, or of others, wherever these stand', async () => {
  const episodes = [said('1', 'web'), said('2', 'ada'), said('3', 'web'), said('4', 'team-7')];
  const first = await partitions.first(OF_PROJECT, episodes);
  expect(first?.partition).toEqual({ sourceProjectUid: undefined, isTrusted: false });
  expect(first?.episodes.map(({ content }) => content)).toEqual(['1', '3']);
  const second = await partitions.first(OF_PROJECT, episodes.slice(1));
  expect(second?.partition.isTrusted).toBe(true);
  expect(second?.episodes.map(({ content }) => content)).toEqual(['2', '4']);
});

test('in a set of an organization a batch is of one project', async () => {
  const episodes = [said('1', 'ada'), said('2', 'web', 'b'), said('3', 'ada')];
  const first = await partitions.first(OF_ORGANIZATION, episodes);
  expect(first?.partition).toEqual({ sourceProjectUid: 'a', isTrusted: true });
  expect(first?.episodes.map(({ content }) => content)).toEqual(['1', '3']);
});

test.each(['Ada', 'ada ', '\u0430da', 'ad*', '*', '', 'team', 'xteam-1'])(
  '%j is not the name of a trusted producer',
  async (producer) => {
    const first = await partitions.first(OF_PROJECT, [said('x', producer)]);
    expect(first?.partition.isTrusted).toBe(false);
  },
);

test('messages of a project that is not known are not trusted', async () => {
  const first = await partitions.first(OF_PROJECT, [said('x', 'ada', 'unknown')]);
  expect(first?.partition.isTrusted).toBe(false);
});

test('what the model read is not written when the project trusts others by now', async () => {
  const first = await partitions.first(OF_PROJECT, [said('x', 'ada')]);
  if (!first) throw new Error('no messages');
  await expect(partitions.confirm(OF_PROJECT, first, TX)).resolves.toBeUndefined();
  trusted = { a: [] };
  await expect(partitions.confirm(OF_PROJECT, first, TX)).rejects.toThrow(PartitionChangedError);
});

test('what the model read is not written when facts of the project are about others by now', async () => {
  const first = await partitions.first(OF_PROJECT, [said('x', 'ada')]);
  if (!first) throw new Error('no messages');
  expect(first.hasSubjects).toBe(true);
  factsOf = 'project';
  await expect(partitions.confirm(OF_PROJECT, first, TX)).rejects.toThrow(PartitionChangedError);
});
