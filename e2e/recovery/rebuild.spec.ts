import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, type Loci } from '@loci/testing';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../harness/client.js';
import { loseMessageOf, wipeStreams } from '../harness/streams.js';
import {
  countPoints,
  insertStrayPoint,
  losePoints,
  outdatePoints,
  pointsAmong,
  versionsOf,
} from '../harness/vectors.js';
import { product } from './product.js';

const TOPICS = [
  'tea',
  'sailing',
  'the basement server',
  'a birthday cake',
  'night trains',
  'old maps',
  'chess',
];
const QUESTIONS = [
  'Who bakes?',
  'travel by rail',
  'board games',
  'boats',
  'hot drinks',
  'machines below the house',
];

let loci: Loci;
let projects: Client[];

beforeAll(async () => {
  loci = await product();
  projects = ['one', 'two'].map((project_id) => new Client(loci.url, { org_id: 'acme', project_id }));
  for (const [index, project] of projects.entries()) {
    const contents = Array.from(
      { length: 70 },
      (_, n) => `Note ${n}: ${TOPICS[(n + index) % TOPICS.length] ?? ''} is on my mind`,
    );
    await project.add(contents);
    await project.disableShortTerm();
  }
  await indexed(140);
});

const indexed = (count: number): Promise<true> =>
  eventually(async () => (await countPoints(loci)) === count, {
    what: `${count} vectors are there`,
  });

interface Ranked {
  readonly uid: string;
  readonly score: number;
}

/** The answers to all questions in all projects; scores as far as floating point repeats itself. */
async function answers(): Promise<Ranked[][]> {
  const asked = projects.flatMap((project) =>
    QUESTIONS.map((question) => project.search(question, { top_k: 10 })),
  );
  return (await Promise.all(asked)).map(({ longTerm }) =>
    longTerm.map(({ uid, score = 0 }) => ({ uid, score: Math.round(score * 1e4) })),
  );
}

test('P3: with the JetStream store wiped, the same searches give the same answers and new episodes are indexed', async () => {
  const before = await answers();
  expect(before.every((hits) => hits.length === 10)).toBe(true);
  await wipeStreams(loci);
  await loci.ready();
  expect(await answers()).toEqual(before);
  const [uid] = await projects[0]!.add(['A zeppelin crossed the harbour.']);
  expect((await projects[0]!.search('zeppelin', { top_k: 1 })).longTerm[0]?.uid).toBe(uid);
  await indexed(141);
  await projects[0]!.expect(204, '/memories/episodic/delete', { episodic_id: uid });
  await indexed(140);
  expect(await answers()).toEqual(before);
});

test('P3: with the Qdrant storage wiped, the index is rebuilt and the same searches give the same answers', async () => {
  const before = await answers();
  await rm(join(loci.dataDir, 'qdrant', 'storage'), { recursive: true, force: true, maxRetries: 5 });
  await loci.kill('qdrant');
  await loci.ready();
  await indexed(140);
  expect(await eventually(answers, { what: 'searches answer again' })).toEqual(before);
});

test('points that the index lost are found missing by comparing it with the truth', async () => {
  const before = await answers();
  expect(await losePoints(loci, 20)).toHaveLength(20);
  await indexed(140);
  expect(await answers()).toEqual(before);
});

test('a point that belongs to no episode is removed', async () => {
  const stray = randomUUID();
  // Qdrant says that it has it; the next look might find it gone already
  await insertStrayPoint(loci, stray);
  await eventually(async () => (await pointsAmong(loci, [stray])).length === 0, {
    what: 'the stray point is gone',
  });
  expect(await countPoints(loci)).toBe(140);
});

test('points of an older recipe are made anew, and searches that find by them miss nothing meanwhile', async () => {
  const [project] = projects;
  const filler = 'The meeting went on about the budget, the roof and the parking lot. '.repeat(30);
  const [uid = ''] = await project!.add([`${filler}At its end Ines was elected as the new treasurer.`]);
  await indexed(141);
  const [newest = 0] = await versionsOf(loci, [uid]);
  const question = 'Which person will look after the money of the club?';
  const scoreOf = async (): Promise<number | undefined> =>
    (await project!.search(question, { top_k: 100 })).longTerm.find((hit) => hit.uid === uid)?.score;
  const score = await scoreOf();
  await outdatePoints(loci, [uid]);
  const degraded = new Set<string | null>();
  await eventually(
    async () => {
      const { headers } = await project!.post('/memories/search', { query: question });
      degraded.add(headers.get('x-degraded'));
      return (await versionsOf(loci, [uid]))[0] === newest;
    },
    { what: 'the point is made anew' },
  );
  expect([...degraded]).toEqual([null]);
  expect(await scoreOf()).toBeCloseTo(score ?? -1, 4);
  await project!.expect(204, '/memories/episodic/delete', { episodic_id: uid });
  await indexed(140);
});

test('P3: episodes whose announcement is lost with its stream are indexed all the same', async () => {
  let uids: string[] = [];
  await loseMessageOf(loci, 'episodic-worker-index', async () => {
    uids = await projects[0]!.add(['This was never announced.', 'Nor of that.']);
    // as long as the consumer is paused: the sweeper may come right after it
    expect(await pointsAmong(loci, uids)).toEqual([]);
  });
  // no search: it would index what it finds waiting
  await eventually(async () => (await pointsAmong(loci, uids)).length === uids.length, {
    what: 'the sweeper has enqueued them again',
  });
  await projects[0]!.expect(204, '/memories/episodic/delete', { episodic_ids: uids });
  await indexed(140);
});

describe('P5: after a burst that no worker has indexed', () => {
  const BURST = 600;
  const SAMPLES = 20;
  const SYLLABLES = ['ba', 'ke', 'lo', 'mi', 'nu', 'ro', 'sa', 'te', 'vi', 'zu'];
  /** A name that no other text has. */
  const nameOf = (n: number): string =>
    [...String(n).padStart(4, '0')].map((digit) => SYLLABLES[Number(digit)] ?? '').join('');
  const textOf = (n: number): string =>
    `The courier ${nameOf(n)} asked about ${TOPICS[n % TOPICS.length] ?? ''}`;
  const paraphraseOf = (n: number): string => `What did ${nameOf(n)} want to know about?`;

  interface Answer {
    /** From 0; -1 when it is not among the hits. */
    readonly rank: number;
    readonly isSaidToBeBehind: boolean;
  }

  async function ask(client: Client, query: string, uid: string): Promise<Answer> {
    const { body, headers } = await client.post('/memories/search', {
      query,
      types: ['episodic'],
      top_k: 20,
    });
    const { content } = body as {
      content: { episodic_memory: { long_term_memory: { episodes: { uid: string }[] } } };
    };
    const { episodes } = content.episodic_memory.long_term_memory;
    return {
      rank: episodes.findIndex((hit) => hit.uid === uid),
      isSaidToBeBehind: headers.get('x-degraded')?.includes('index_behind;waiting=') ?? false,
    };
  }

  test('what is found first when settled is found first at once, and x-degraded counts what has no vector yet', async () => {
    const burst = new Client(loci.url, { org_id: 'acme', project_id: 'burst' });
    const { pid } = await loci.process('episodic-worker');
    process.kill(pid, 'SIGSTOP');
    const uids = await burst.add(Array.from({ length: BURST }, (_, n) => textOf(n)));
    const samples = Array.from({ length: SAMPLES }, (_, sample) => Math.floor((sample * BURST) / SAMPLES));
    const askAll = async (queryOf: (n: number) => string): Promise<Answer[]> => {
      const answers: Answer[] = [];
      for (const n of samples) answers.push(await ask(burst, queryOf(n), uids[n] ?? 'no uid'));
      return answers;
    };
    try {
      await burst.disableShortTerm();
      const [exact, paraphrased] = [await askAll(textOf), await askAll(paraphraseOf)];
      expect(exact[0]?.isSaidToBeBehind).toBe(true);
      expect(exact.filter(({ rank }) => rank === -1)).toEqual([]);
      expect(paraphrased.filter(({ rank, isSaidToBeBehind }) => rank === -1 && !isSaidToBeBehind)).toEqual(
        [],
      );
    } finally {
      await burst.expect(204, '/memories/episodic/delete', { episodic_ids: uids });
      process.kill(pid, 'SIGCONT');
    }
    await indexed(140);
  });
});

describe('P9: a delete reaches the vector index', () => {
  let uid: string;

  const isInIndex = async (): Promise<boolean> => (await pointsAmong(loci, [uid])).length === 1;

  const purged = (): Promise<true> =>
    eventually(async () => !(await isInIndex()), { what: 'the vector is purged' });

  const remove = (): Promise<unknown> =>
    projects[1]!.expect(204, '/memories/episodic/delete', { episodic_id: uid });

  beforeEach(async () => {
    [uid = ''] = await projects[1]!.add(['To be forgotten.']);
    await eventually(isInIndex, { what: 'it is indexed' });
  });

  test('although the worker was dead', async () => {
    const { pid } = await loci.process('episodic-worker');
    process.kill(pid, 'SIGSTOP');
    try {
      await remove();
      expect(await isInIndex()).toBe(true);
    } finally {
      process.kill(pid, 'SIGKILL');
    }
    await purged();
    await indexed(140);
  });

  test('although the work message to purge is lost with its stream', async () => {
    await loseMessageOf(loci, 'episodic-worker-purge', remove);
    await purged();
    await indexed(140);
  });
});
