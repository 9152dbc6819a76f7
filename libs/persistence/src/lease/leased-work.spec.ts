import { expect, test } from '@jest/globals';
import { eventually, RecordingLogger } from '@loci/testing';
import { type LeaseClaim } from './lease-claim.js';
import { LeasedWork } from './leased-work.js';

const LEASE_MS = 30;

/** A store in which a claim that is lost cannot be renewed. */
class SpecStore {
  readonly takenBack: string[] = [];
  renewals = 0;
  isLost = false;
  isDown = false;

  renew(): Promise<boolean> {
    this.renewals += 1;
    return Promise.resolve(!this.isLost);
  }

  takeBack({ key }: LeaseClaim): Promise<void> {
    if (this.isDown) return Promise.reject(new Error('The database is down.'));
    this.takenBack.push(key);
    return Promise.resolve();
  }
}

const open = (): { store: SpecStore; work: LeasedWork<LeaseClaim> } => {
  const store = new SpecStore();
  return { store, work: new LeasedWork(store, LEASE_MS, new RecordingLogger()) };
};

const claiming = (key: string) => (): Promise<LeaseClaim> =>
  Promise.resolve({ key, token: '1', unfinished: 0 });

/** Work that lasts until it is told to end. */
const endless = () => {
  const end = new AbortController();
  const work = (): Promise<void> =>
    new Promise((resolve) => {
      end.signal.addEventListener('abort', () => resolve());
    });
  return { work, end: () => end.abort() };
};

test('one piece of work is claimed when the one before has ended, a failed one included', async () => {
  const { work } = open();
  const seen: string[] = [];
  const pieces = ['a', 'b', 'c'].map((key) =>
    work.next(
      () => Promise.resolve(void seen.push(`claims ${key}`)).then(claiming(key)),
      async () => {
        await Promise.resolve();
        seen.push(`ends ${key}`);
        if (key === 'a') throw new Error('It failed.');
      },
    ),
  );
  await Promise.allSettled(pieces);
  expect(seen).toEqual(['claims a', 'ends a', 'claims b', 'ends b', 'claims c', 'ends c']);
});

test('what is begun beside other work does not wait for it, and one is claimed all the same', async () => {
  const { work } = open();
  const { work: lasting, end } = endless();
  const first = await work.begin(claiming('a'), lasting);
  const second = await work.begin(claiming('b'), ({ key }) => Promise.resolve(key));
  expect(await second?.ended).toBe('b');
  end();
  await first?.ended;
  expect(first?.claim.key).toBe('a');
  await work.stop();
  expect(await work.begin(claiming('c'), lasting)).toBeUndefined();
});

test('a lease is renewed while its work lasts; work whose claim is lost is told', async () => {
  const { store, work } = open();
  const told = work.next(claiming('a'), async (_, signal) => {
    await eventually(() => Promise.resolve(store.renewals > 1), { what: 'the lease is renewed' });
    store.isLost = true;
    await eventually(() => Promise.resolve(signal.aborted), { what: 'the work is told' });
    return 'told';
  });
  expect(await told).toBe('told');
});

test('an attempt that throws is taken back, as soon as the database answers', async () => {
  const { store, work } = open();
  store.isDown = true;
  const failing = work.next(claiming('a'), () => Promise.reject(new Error('The database is down.')));
  await expect(failing).rejects.toThrow('The database is down.');
  expect(store.takenBack).toEqual([]);
  store.isDown = false;
  await work.next(claiming('b'), () => Promise.resolve());
  expect(store.takenBack).toEqual(['a']);
});

test('an attempt that is under way when the process is told to stop is taken back, and no other begins', async () => {
  const { store, work } = open();
  const { work: lasting, end } = endless();
  let hasBegun = false;
  const first = work.next(claiming('a'), () => {
    hasBegun = true;
    return lasting();
  });
  await eventually(() => Promise.resolve(hasBegun), { what: 'the work has begun' });
  await work.stop();
  expect(store.takenBack).toEqual(['a']);
  end();
  await first;
  expect(await work.next(claiming('b'), () => Promise.resolve('done'))).toBeUndefined();
});
