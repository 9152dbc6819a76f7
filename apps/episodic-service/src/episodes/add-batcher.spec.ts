import { describe, expect, test } from '@jest/globals';
import { internal, unavailable } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { AddBatcher, type Add, type AddOutcome, type StoreAdds } from './add-batcher.js';
import { type NewEpisodes } from './episode.js';

const episodes = (count: number): NewEpisodes => ({
  types: ['episodic'],
  episodes: Array.from({ length: count }, (_, index) => ({
    uid: `uid-${index}`,
    content: 'x',
    producerId: 'user',
    producerRole: '',
    producedForId: '',
    metadata: {},
  })),
});

const add = (projectId: string, count: number): Add => ({
  tenant: { orgId: 'acme', projectId },
  headers: {},
  added: episodes(count),
});

/** A store whose statements end when the test says so. */
class StalledStore {
  readonly statements: {
    readonly adds: readonly Add[];
    readonly waits: boolean;
    readonly end: (result: AddOutcome[] | Error) => void;
  }[] = [];

  readonly store: StoreAdds = (adds, { waits }) =>
    new Promise((resolve, reject) => {
      const end = (result: AddOutcome[] | Error): void => {
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      this.statements.push({ adds, waits, end });
    });

  names(): string[][] {
    return this.statements.map(({ adds }) => adds.map(({ tenant: { projectId } }) => projectId));
  }
}

/** Behind the statements that begin at the end of a turn. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A batcher that stores `a` and `b`, each by a statement of its own. */
async function busy(store: StoreAdds): Promise<{ batcher: AddBatcher; adds: Promise<boolean>[] }> {
  const batcher = new AddBatcher(store);
  const adds: Promise<boolean>[] = [];
  for (const name of ['a', 'b']) {
    adds.push(batcher.add(add(name, 1)));
    await settled();
  }
  return { batcher, adds };
}

test('adds that arrive in one turn of the event loop share a statement', async () => {
  const stalled = new StalledStore();
  const batcher = new AddBatcher(stalled.store);
  for (const name of ['a', 'b', 'c']) void Promise.resolve().then(() => batcher.add(add(name, 1)));
  await settled();
  expect(stalled.names()).toEqual([['a', 'b', 'c']]);
});

test('an add that comes alone is stored at once; those that come meanwhile share the next statement', async () => {
  const stalled = new StalledStore();
  const { batcher, adds } = await busy(stalled.store);
  for (const name of ['c', 'd', 'e']) {
    adds.push(batcher.add(add(name, 1)));
    await settled();
  }
  expect(stalled.names()).toEqual([['a'], ['b']]);
  stalled.statements[0]?.end(['stored']);
  await settled();
  expect(stalled.names()).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
  stalled.statements[1]?.end(['closed']);
  stalled.statements[2]?.end(['stored', 'closed', 'stored']);
  expect(await Promise.all(adds)).toEqual([true, false, true, false, true]);
});

test('a statement is no request of the organization whose add it begins with, nor is the one behind it', async () => {
  const organizations: (string | undefined)[] = [];
  const batcher = new AddBatcher((adds) => {
    organizations.push(RequestContext.current()?.orgId);
    return new Promise((resolve) => setImmediate(() => resolve(adds.map(() => 'stored'))));
  });
  const adds = ['a', 'b', 'c'].map((name) =>
    RequestContext.run({ requestId: name, orgId: name }, async () => {
      await settled();
      return batcher.add(add(name, 400));
    }),
  );
  await Promise.all(adds);
  expect(organizations).toEqual([undefined, undefined, undefined]);
});

test('a statement has a bounded number of episodes, and a large add is not cut', async () => {
  const stalled = new StalledStore();
  const { batcher } = await busy(stalled.store);
  void batcher.add(add('large', 900));
  for (const name of ['c', 'd']) void batcher.add(add(name, 300));
  for (const index of [0, 1, 2]) {
    stalled.statements[index]?.end(['stored']);
    await settled();
  }
  expect(stalled.names()).toEqual([['a'], ['b'], ['large'], ['c'], ['d']]);
});

test('an add that makes a statement fail does not take the others with it', async () => {
  const store: StoreAdds = (adds) => {
    const isBad = adds.some(({ tenant: { projectId } }) => projectId === 'bad');
    return isBad
      ? Promise.reject(internal('internal_error', 'bad'))
      : Promise.resolve(adds.map(() => 'stored'));
  };
  const batcher = new AddBatcher(store);
  const results = await Promise.allSettled(
    ['a', 'b', 'c', 'bad', 'd'].map((name) => batcher.add(add(name, 1))),
  );
  expect(results.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

test('an outage is everybody’s, and is not tried again', async () => {
  const stalled = new StalledStore();
  const { batcher, adds } = await busy(stalled.store);
  const results = Promise.allSettled([...adds, ...['c', 'd'].map((name) => batcher.add(add(name, 1)))]);
  stalled.statements[0]?.end(['stored']);
  stalled.statements[1]?.end(['stored']);
  await settled();
  stalled.statements[2]?.end(unavailable('database_unavailable', 'down'));
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(stalled.statements).toHaveLength(3);
});

describe('a project that another transaction has locked', () => {
  /** Behind a statement that stored the one of `free` alone. */
  async function behindLock(
    stalled: StalledStore,
  ): Promise<{ batcher: AddBatcher; adds: Promise<boolean>[] }> {
    const batcher = new AddBatcher(stalled.store);
    const adds = ['locked', 'free', 'locked'].map((name) => batcher.add(add(name, 1)));
    await settled();
    stalled.statements[0]?.end(['locked', 'stored', 'locked']);
    await settled();
    return { batcher, adds };
  }

  test('lets those of others go on, and what is added to it waits by statements of its own', async () => {
    const stalled = new StalledStore();
    const { batcher, adds } = await behindLock(stalled);
    expect(await adds[1]).toBe(true);
    for (const name of ['locked', 'c', 'd']) {
      adds.push(batcher.add(add(name, 1)));
      await settled();
    }
    expect(stalled.names()).toEqual([['locked', 'free', 'locked'], ['locked', 'locked'], ['c'], ['d']]);
    expect(stalled.statements.map(({ waits }) => waits)).toEqual([false, true, false, false]);
    stalled.statements[1]?.end(['stored', 'stored']);
    await settled();
    expect(stalled.names().at(-1)).toEqual(['locked']);
    for (const index of [2, 3, 4]) stalled.statements[index]?.end(['stored']);
    expect(await Promise.all(adds)).toEqual(adds.map(() => true));
  });

  test('shares statements again once none of its adds waits', async () => {
    const stalled = new StalledStore();
    const { batcher, adds } = await behindLock(stalled);
    stalled.statements[1]?.end(['stored', 'closed']);
    await settled();
    expect(await Promise.all(adds)).toEqual([true, true, false]);
    for (const name of ['locked', 'c']) void batcher.add(add(name, 1));
    await settled();
    expect(stalled.names().at(-1)).toEqual(['locked', 'c']);
  });

  test('keeps no more connections from others than its organization may have', async () => {
    const organizations: (string | undefined)[] = [];
    const batcher = new AddBatcher((adds, { waits }) => {
      organizations.push(RequestContext.current()?.orgId);
      return Promise.resolve(adds.map(() => (waits ? 'stored' : 'locked')));
    });
    expect(await batcher.add(add('locked', 1))).toBe(true);
    expect(organizations).toEqual([undefined, 'acme']);
  });
});
