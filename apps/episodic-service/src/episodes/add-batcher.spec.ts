import { expect, test } from '@jest/globals';
import { internal, unavailable } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { AddBatcher, type Add, type StoreAdds } from './add-batcher.js';
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
  readonly statements: { adds: readonly Add[]; end: (result: boolean[] | Error) => void }[] = [];

  readonly store = (adds: readonly Add[]): Promise<boolean[]> =>
    new Promise((resolve, reject) => {
      const end = (result: boolean[] | Error): void => {
        if (result instanceof Error) reject(result);
        else resolve(result);
      };
      this.statements.push({ adds, end });
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
  stalled.statements[0]?.end([true]);
  await settled();
  expect(stalled.names()).toEqual([['a'], ['b'], ['c', 'd', 'e']]);
  stalled.statements[1]?.end([false]);
  stalled.statements[2]?.end([true, false, true]);
  expect(await Promise.all(adds)).toEqual([true, false, true, false, true]);
});

test('a statement is no request of the organization whose add it begins with, nor is the one behind it', async () => {
  const organizations: (string | undefined)[] = [];
  const batcher = new AddBatcher((adds) => {
    organizations.push(RequestContext.current()?.orgId);
    return new Promise((resolve) => setImmediate(() => resolve(adds.map(() => true))));
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
    stalled.statements[index]?.end([true]);
    await settled();
  }
  expect(stalled.names()).toEqual([['a'], ['b'], ['large'], ['c'], ['d']]);
});

test('an add that makes a statement fail does not take the others with it', async () => {
  const store = (adds: readonly Add[]): Promise<boolean[]> => {
    const isBad = adds.some(({ tenant: { projectId } }) => projectId === 'bad');
    return isBad ? Promise.reject(internal('internal_error', 'bad')) : Promise.resolve(adds.map(() => true));
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
  stalled.statements[0]?.end([true]);
  stalled.statements[1]?.end([true]);
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
