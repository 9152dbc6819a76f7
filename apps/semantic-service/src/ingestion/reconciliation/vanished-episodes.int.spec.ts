import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type DescribeEpisodesRequest, tooLarge } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { WorkLeases } from '@loci/persistence';
import { v7 as uuidv7 } from 'uuid';
import { SemanticSpec, specAdd, specCitation } from '../../../test/semantic-spec.js';
import { SCHEMA } from '../../database.js';
import { type EpisodeForgetter } from '../../erasure/episode-forgetter.js';
import { SemanticServiceEnv } from '../../env.js';
import { CursorsRepository } from './cursors.repository.js';
import { NotedEpisodesRepository } from './noted-episodes.repository.js';
import { VanishedEpisodes } from './vanished-episodes.js';

let spec: SemanticSpec;

beforeEach(async () => {
  spec = await SemanticSpec.create();
});

afterEach(() => spec.close());

/** Of which an answer holds one. */
const there = new Set<string>();

const rpc = {
  call: (_: unknown, { uids }: DescribeEpisodesRequest): Promise<object> => {
    const found = uids.filter((uid) => there.has(uid));
    if (found.length > 1) return Promise.reject(tooLarge('body_too_large', 'too large'));
    return Promise.resolve({ episodes: found.map((uid) => ({ uid })) });
  },
} as unknown as RpcClient;

const search = (forgetter: Pick<EpisodeForgetter, 'forgetDeleted'>): VanishedEpisodes =>
  new VanishedEpisodes(
    new CursorsRepository(spec.unitOfWork, new WorkLeases({ schema: SCHEMA }, spec.unitOfWork), spec.logger),
    new NotedEpisodesRepository(spec.unitOfWork),
    rpc,
    forgetter as EpisodeForgetter,
    new SemanticServiceEnv(),
    spec.logger,
  );

test('what cannot be forgotten keeps nothing behind it from being found', async () => {
  const projects = [await spec.newProject(), await spec.newProject()];
  const asked: string[] = [];
  for (const project of projects) {
    const set = await spec.newSet(project);
    await spec.apply(set, 'c', [specAdd('learned', specCitation(project.uid))]);
  }
  const vanished = search({
    forgetDeleted: ({ projectUid }) => {
      asked.push(projectUid);
      return Promise.reject(new Error('it cannot be'));
    },
  });
  await vanished.find(new AbortController().signal);
  expect(asked).toEqual(projects.map(({ uid }) => uid).sort());
});

test('what vanished is forgotten although the messages that are there do not fit into one answer', async () => {
  const project = await spec.newProject();
  const set = await spec.newSet(project);
  const uids = Array.from({ length: 6 }, () => uuidv7());
  const [gone = ''] = uids.slice(2);
  for (const uid of uids) {
    await spec.apply(set, 'c', [specAdd(`learned from ${uid}`, specCitation(project.uid, uid))]);
    if (uid !== gone) there.add(uid);
  }
  await search(spec.forgetter).find(new AbortController().signal);
  const values = (await spec.known(set)).map(({ value }) => value);
  expect(values).toHaveLength(5);
  expect(values).not.toContain(`learned from ${gone}`);
});
