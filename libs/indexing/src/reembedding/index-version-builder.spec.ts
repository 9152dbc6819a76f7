import { beforeEach, describe, expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { eventually, RecordingLogger } from '@loci/testing';
import { type ContentIndexer } from '../content/content-indexer.js';
import { type IndexedContent } from '../content/indexed-content.js';
import { type IndexVersion } from '../index-versions/index-version.js';
import { type IndexVersions } from '../index-versions/index-versions.js';
import { type OpenIndexVersion } from '../index-versions/open-index-version.js';
import { VectorServiceEnv } from '../service-start/vector-service-env.js';
import { IndexVersionBuilder } from './index-version-builder.js';
import {
  type BuildingClaimOptions,
  type ClaimedIndexVersion,
  type ReembeddingsRepository,
} from './reembeddings.repository.js';

/** What waits to be built, in the sequence in which it is claimed; each takes one step, or as many as `steps` says. */
let waiting: ClaimedIndexVersion[];
let steps: Map<string, number>;
/** Organizations that come last, of each claim. */
let served: (readonly string[])[];
let filled: Set<string>;
let completed: string[];
let released: string[];
/** How embedders answer, by their name; others do at once. */
let answers: Map<string, () => Promise<void>>;
/** How it is counted what there is to do. */
let counting: (claimed: ClaimedIndexVersion) => Promise<void>;
/** How some of what waits is marked once an index version is complete. @returns whether there was any */
let marking: (claimed: ClaimedIndexVersion) => Promise<boolean>;
/** Owners that are being filled, and the most of one embedder at a time. */
let filling: ClaimedIndexVersion[];
let mostOfOne: number;
let logger: RecordingLogger;

const reembeddings = {
  claim: (_: number, { busy = [], mayBeUnfinished = true, served: last = [] }: BuildingClaimOptions) => {
    served.push(last);
    const free = waiting.find(
      ({ embedder, unfinished }) => !busy.includes(embedder) && (mayBeUnfinished || unfinished === 0),
    );
    waiting = waiting.filter((one) => one !== free);
    return Promise.resolve(free);
  },
  count: (claimed: ClaimedIndexVersion) => counting(claimed),
  note: (claimed: ClaimedIndexVersion) => {
    claimed.unfinished = 0;
    return Promise.resolve(true);
  },
  complete: ({ ownerUid }: IndexVersion) => Promise.resolve(completed.push(ownerUid) > 0),
  markSome: (claimed: ClaimedIndexVersion) => marking(claimed),
  release(claimed: ClaimedIndexVersion, pauseMs: number) {
    released.push(claimed.ownerUid);
    if (pauseMs === 0 && steps.has(claimed.ownerUid)) waiting.push(claimed);
    return Promise.resolve();
  },
  takeBack: () => Promise.resolve(),
  renew: () => Promise.resolve(true),
} as unknown as ReembeddingsRepository;

const indexVersions = {
  open: (indexVersion: IndexVersion) => ({ indexVersion }),
} as unknown as IndexVersions;

const content = {
  missing: ({ ownerUid }: IndexVersion) => Promise.resolve(filled.has(ownerUid) ? [] : ['row']),
} as unknown as IndexedContent<unknown>;

const indexer = {
  async index({ indexVersion }: OpenIndexVersion) {
    const claimed = indexVersion as ClaimedIndexVersion;
    filling.push(claimed);
    const ofOne = filling.filter(({ embedder }) => embedder === claimed.embedder).length;
    mostOfOne = Math.max(mostOfOne, ofOne);
    try {
      await answers.get(claimed.embedder)?.();
    } finally {
      filling = filling.filter((one) => one !== claimed);
    }
    const left = (steps.get(claimed.ownerUid) ?? 1) - 1;
    if (steps.has(claimed.ownerUid)) steps.set(claimed.ownerUid, left);
    if (left === 0) filled.add(claimed.ownerUid);
  },
} as unknown as ContentIndexer<unknown>;

const builder = (): IndexVersionBuilder => {
  const env = Object.assign(new VectorServiceEnv(), { LEASE_MS: 1_000 });
  return new IndexVersionBuilder(env, reembeddings, indexVersions, content, indexer, logger);
};

const version = (ownerUid: string, embedder: string, unfinished = 0): ClaimedIndexVersion => ({
  uid: `of ${ownerUid}`,
  ownerUid,
  orgId: `org of ${ownerUid}`,
  embedder,
  unfinished,
  fingerprint: embedder,
  dimensions: 4,
  state: 'building',
  key: ownerUid,
  token: '1',
});

/** An embedder that answers when it is told to. */
function slow(embedder: string): () => void {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  answers.set(embedder, () => answered);
  return answer;
}

const eventuallyComplete = (...owners: string[]): Promise<unknown> =>
  eventually(() => owners.every((owner) => completed.includes(owner)), {
    what: `${owners.join(' and ')} moved`,
  });

beforeEach(() => {
  [waiting, completed, released, filling] = [[], [], [], []];
  filled = new Set();
  steps = new Map();
  served = [];
  answers = new Map();
  counting = () => Promise.resolve();
  marking = () => Promise.resolve(false);
  mostOfOne = 0;
  logger = new RecordingLogger();
});

describe('embedders that hang', () => {
  test('keep no move to another waiting, whether it was there before or came later', async () => {
    const ends = Array.from({ length: 10 }, (_, n) => slow(`ill ${n}`));
    waiting = ends.map((_, n) => version(`ill ${n}`, `ill ${n}`));
    waiting.push(version('a', 'well'), version('b', 'well'));
    const it = builder();
    expect(await it.build()).toBe(true);
    await eventuallyComplete('a', 'b');
    waiting.push(version('c', 'well'));
    expect(await it.build()).toBe(true);
    await eventuallyComplete('c');
    expect(filling).toHaveLength(10);
    for (const end of ends) end();
    await it.ended();
    expect(completed).toHaveLength(13);
    expect(await it.build()).toBe(false);
  });

  test('have one index version under way each; when it has ended, the next begins by itself', async () => {
    const end = slow('ill');
    waiting = [version('a', 'ill'), version('b', 'ill')];
    const it = builder();
    await it.build();
    await it.build();
    expect(waiting.map(({ ownerUid }) => ownerUid)).toEqual(['b']);
    end();
    await eventuallyComplete('a', 'b');
    await it.ended();
    expect(mostOfOne).toBe(1);
  });
});

test('a large one lets another have its turn, and organizations that were served come last', async () => {
  steps.set('large', 100);
  waiting = [version('large', 'well'), version('small', 'well')];
  const it = builder();
  await it.build();
  await eventuallyComplete('small', 'large');
  await it.ended();
  expect(completed).toEqual(['small', 'large']);
  expect(released).toEqual(['large', 'large', 'large']);
  const [large, small] = ['org of large', 'org of small'];
  expect(served).toEqual(expect.arrayContaining([[], [large], [large, small], [small, large]]));
});

test('an embedder that fails is left alone until the next round', async () => {
  answers.set('ill', () => Promise.reject(unavailable('embedder_unavailable', 'It is down.')));
  waiting = [version('a', 'ill'), version('b', 'ill')];
  const it = builder();
  expect(await it.build()).toBe(true);
  await it.ended();
  expect(released).toEqual(['a']);
  answers.clear();
  await it.build();
  await it.ended();
  expect(completed).toEqual(['b']);
});

test('of those whose attempts ended with their process one is under way at a time, beside others', async () => {
  const [endOne, endTwo] = [slow('one'), slow('two')];
  waiting = [version('a', 'one', 1), version('b', 'two', 2), version('c', 'three')];
  const it = builder();
  await it.build();
  await eventuallyComplete('c');
  expect(filling.map(({ ownerUid }) => ownerUid)).toEqual(['a']);
  endOne();
  await eventually(() => filling.some(({ ownerUid }) => ownerUid === 'b'), { what: 'the other begins' });
  endTwo();
  await it.ended();
  expect(completed.sort()).toEqual(['a', 'b', 'c']);
});

test('what cannot be counted, because it takes too long, is filled all the same', async () => {
  const timeOut = new Error('canceling statement due to statement timeout');
  counting = () => Promise.reject(timeOut);
  waiting = [version('vast', 'well')];
  const it = builder();
  await it.build();
  await it.ended();
  expect(completed).toEqual(['vast']);
  expect(logger.lines.map(({ level }) => level)).toEqual(['warn', 'info']);
});

test('what the former embedder could not embed is marked in steps, and a failure of it hinders nothing', async () => {
  const left = new Map([
    ['large', 3],
    ['small', 0],
  ]);
  marking = ({ ownerUid }) => {
    if (ownerUid === 'failing')
      return Promise.reject(new Error('canceling statement due to statement timeout'));
    const some = left.get(ownerUid) ?? 0;
    left.set(ownerUid, some - 1);
    return Promise.resolve(some > 0);
  };
  waiting = [version('large', 'well'), version('failing', 'well'), version('small', 'well')];
  const it = builder();
  await it.build();
  await eventuallyComplete('large', 'failing', 'small');
  await it.ended();
  expect(Object.fromEntries(left)).toEqual({ large: -1, small: -1 });
  expect(released).toEqual([]);
  expect(logger.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
});

test('a worker that stops waits for what is under way, and gives it back', async () => {
  const end = slow('slow');
  waiting = [version('a', 'slow'), version('b', 'slow')];
  const it = builder();
  await it.build();
  const stopped = it.stop();
  end();
  await stopped;
  expect({ released, completed }).toEqual({ released: ['a'], completed: [] });
  expect(waiting).toHaveLength(1);
});
