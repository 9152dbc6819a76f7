import { beforeEach, describe, expect, test } from '@jest/globals';
import { unavailable } from '@loci/contracts';
import { RecordingLogger } from '@loci/testing';
import { type Embedders } from '../index-versions/embedders.js';
import { type FirstCollections } from '../index-versions/first-collections.js';
import { type IndexVersionModel } from '../index-versions/index-version.js';
import { embedderUnavailable } from '../index-versions/patience.js';
import { ReembeddingPlanner } from './reembedding-planner.js';
import { type ReembeddingsRepository } from './reembeddings.repository.js';

const OWNERS = Array.from({ length: 4 }, (_, n) => `owner ${n}`);
const NEVER = new AbortController().signal;

/** Behind which owner each look began. */
let looks: (string | undefined)[];
let fingerprint: string;
let begun: string[];
/** Whether the embedder does not say what it is. */
let isLate: boolean;
let hasFailed: boolean;
/** What the look at an owner finds. */
let due: Set<string>;
/** Which owners were looked at by themselves. */
let named: (readonly string[])[];

const reembeddings = {
  chosenNames: () => Promise.resolve([]),
  // one owner a look
  due: (models: readonly IndexVersionModel[], _name: string, _limit: number, after?: string) => {
    looks.push(after);
    const last = OWNERS.find((owner) => after === undefined || owner > after);
    const found = last !== undefined && due.has(last) ? [{ ownerUid: last, to: models[0] }] : [];
    return Promise.resolve({ due: found, last });
  },
  namesChosenBy: () => Promise.resolve(['']),
  dueOf: (owners: readonly string[], models: readonly IndexVersionModel[]) => {
    named.push(owners);
    const found = models.length === 0 ? [] : owners.filter((owner) => due.has(owner));
    return Promise.resolve(found.map((ownerUid) => ({ ownerUid, to: models[0] })));
  },
  begin: ({ ownerUid }: { ownerUid: string }) => {
    begun.push(ownerUid);
    return Promise.resolve();
  },
} as unknown as ReembeddingsRepository;

const embedders = {
  defaultName: 'spec',
  namedSoon: () => {
    if (hasFailed) return Promise.reject(unavailable('resource_not_ready', 'It is failed.'));
    if (isLate) return Promise.reject(embedderUnavailable('spec', 'takes too long'));
    return Promise.resolve({ fingerprint, dimensions: 4 });
  },
} as unknown as Embedders;

const planner = (): ReembeddingPlanner =>
  new ReembeddingPlanner(
    embedders,
    reembeddings,
    { makeSoon: () => Promise.resolve() } as unknown as FirstCollections,
    new RecordingLogger(),
  );

beforeEach(() => {
  looks = [];
  named = [];
  begun = [];
  due = new Set();
  isLate = false;
  hasFailed = false;
  fingerprint = 'first';
});

const EVERY_OWNER = [undefined, ...OWNERS];

describe('a look at some', () => {
  test('goes on where the last one ended, and begins again at the end', async () => {
    const it = planner();
    await it.plan(NEVER, 'all');
    expect(looks).toEqual(EVERY_OWNER);
    looks = [];
    for (let n = 0; n < 6; n += 1) await it.plan(NEVER, 'some');
    expect(looks).toEqual([...EVERY_OWNER, undefined]);
  });

  test('begins what is due of these', async () => {
    const it = planner();
    await it.plan(NEVER, 'all');
    due = new Set(['owner 1']);
    await it.plan(NEVER, 'some');
    expect(begun).toEqual([]);
    await it.plan(NEVER, 'some');
    expect(begun).toEqual(['owner 1']);
  });

  test('is one at all when an embedder became another model, and after a start', async () => {
    const it = planner();
    await it.plan(NEVER, 'some');
    expect(looks).toEqual(EVERY_OWNER);
    fingerprint = 'second';
    looks = [];
    await it.plan(NEVER, 'some');
    expect(looks).toEqual(EVERY_OWNER);
  });
});

describe('an embedder that fails and comes back', () => {
  test('has no owner looked at that was looked at for it', async () => {
    const it = planner();
    await it.plan(NEVER, 'all');
    looks = [];
    for (const fails of [true, false]) {
      hasFailed = fails;
      await it.plan(NEVER, 'some');
    }
    expect(looks).toEqual([undefined, 'owner 0']);
  });

  test('has all looked at that were looked at without it', async () => {
    const it = planner();
    await it.plan(NEVER, 'all');
    hasFailed = true;
    await it.plan(NEVER, 'all');
    hasFailed = false;
    looks = [];
    await it.plan(NEVER, 'some');
    expect(looks).toEqual(EVERY_OWNER);
  });
});

test('a look at all begins at the first owner, wherever one at some is', async () => {
  const it = planner();
  await it.plan(NEVER, 'all');
  await it.plan(NEVER, 'some');
  looks = [];
  await it.plan(NEVER, 'all');
  expect(looks).toEqual(EVERY_OWNER);
});

test('an embedder that takes too long to say what it is: the plan is not complete, and the next one looks at all', async () => {
  const it = planner();
  isLate = true;
  expect(await it.plan(NEVER, 'all')).toBe(false);
  isLate = false;
  looks = [];
  expect(await it.plan(NEVER, 'some')).toBe(true);
  expect(looks).toEqual(EVERY_OWNER);
});

describe('owners that chose anew', () => {
  test('are looked at by themselves, and the look at some goes on where it was', async () => {
    const it = planner();
    await it.plan(NEVER, 'all');
    await it.plan(NEVER, 'some');
    looks = [];
    due = new Set(['owner 2', 'owner 3']);
    expect(await it.planFor(['owner 1', 'owner 3'])).toBe(true);
    expect({ looks, named, begun }).toEqual({
      looks: [],
      named: [['owner 1', 'owner 3']],
      begun: ['owner 3'],
    });
    await it.plan(NEVER, 'some');
    expect(looks).toEqual(['owner 0']);
  });

  test('are found when the embedder that they chose is ready again', async () => {
    const it = planner();
    await it.plan(NEVER, 'all');
    hasFailed = true;
    expect(await it.planFor(['owner 1'])).toBe(true);
    hasFailed = false;
    looks = [];
    await it.plan(NEVER, 'some');
    expect(looks).toEqual(EVERY_OWNER);
  });

  test('are to be looked at again when their embedder takes too long to say what it is', async () => {
    const it = planner();
    await it.plan(NEVER, 'all');
    isLate = true;
    expect(await it.planFor(['owner 1'])).toBe(false);
    isLate = false;
    looks = [];
    await it.plan(NEVER, 'some');
    expect(looks).toEqual([undefined]);
  });
});
