import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue, type FairQueueOptions, type Ticket } from './fair-queue.js';
import { type Owner } from './shares.js';

const OPTIONS: FairQueueOptions = {
  slots: 4,
  bytes: 1_000,
  waiting: 1_000,
  shares: { organization: 1, key: 1 },
  weightOf: () => 1,
};

/** A queue whose jobs run until they are told to end, oldest first. */
class Bench {
  readonly started: { owner: Owner; bytes: number; name: string }[] = [];
  readonly running: { owner: Owner; bytes: number; name: string }[] = [];
  readonly queue: FairQueue;

  constructor(options: Partial<FairQueueOptions> = {}) {
    this.queue = new FairQueue({ ...OPTIONS, ...options });
  }

  offer(org: string, key = 'k', bytes = 0, name = '', isContinued = false): Ticket | string {
    const job = { owner: { org, key: `${org} ${key}` }, bytes, name };
    const start = (): void => {
      this.started.push(job);
      this.running.push(job);
    };
    return this.queue.offer({ owner: job.owner, demand: { slots: 1, bytes }, isContinued, start });
  }

  end(index = 0): void {
    const [job] = this.running.splice(index, 1);
    if (job) this.queue.free(job.owner, { slots: 1, bytes: job.bytes });
  }

  get orgs(): string {
    return this.started.map(({ owner }) => owner.org).join('');
  }
}

const times = (count: number, work: () => void): void => {
  for (let turn = 0; turn < count; turn += 1) work();
};

describe('order', () => {
  test('what fits runs at once', () => {
    const bench = new Bench();
    times(4, () => bench.offer('a'));
    expect(bench.orgs).toBe('aaaa');
    expect(bench.queue.used).toEqual({ slots: 4, bytes: 0, waiting: 0 });
  });

  test('who comes late with one is served before the many of another', () => {
    const bench = new Bench({ slots: 1 });
    times(50, () => bench.offer('a'));
    bench.offer('b');
    times(2, () => bench.end());
    expect(bench.orgs).toBe('aab');
  });

  test('organizations take turns, however many keys one of them has', () => {
    const bench = new Bench({ slots: 1 });
    for (let key = 0; key < 20; key += 1) bench.offer('a', `k${key}`);
    times(20, () => bench.offer('b'));
    times(11, () => bench.end());
    expect(bench.orgs).toMatch(/^a(ab){5}a$|^a(ba){5}b$/);
  });

  test('keys of one organization take turns', () => {
    const bench = new Bench({ slots: 1 });
    times(20, () => bench.offer('a', 'greedy'));
    times(3, () => bench.offer('a', 'modest'));
    times(7, () => bench.end());
    expect(bench.started.filter(({ owner }) => owner.key === 'a modest')).toHaveLength(3);
  });

  test('an organization with weight 3 gets three times as much', () => {
    const bench = new Bench({ slots: 1, weightOf: (org) => (org === 'a' ? 3 : 1) });
    times(100, () => bench.offer('a'));
    times(100, () => bench.offer('b'));
    times(79, () => bench.end());
    expect([...bench.orgs].filter((org) => org === 'a').length).toBeGreaterThanOrEqual(59);
    expect([...bench.orgs].filter((org) => org === 'a').length).toBeLessThanOrEqual(62);
  });

  test('what goes on comes before what its own key has not begun, and not before others', () => {
    const bench = new Bench({ slots: 1 });
    bench.offer('a');
    bench.offer('b');
    bench.offer('a', 'k', 0, 'new');
    bench.offer('a', 'k', 0, 'continued', true);
    bench.offer('a', 'k', 0, 'continued later', true);
    times(4, () => bench.end());
    expect(bench.started.map(({ owner, name }) => owner.org + name)).toEqual([
      'a',
      'b',
      'acontinued',
      'acontinued later',
      'anew',
    ]);
  });
});

describe('shares', () => {
  test('who has used up their own share waits, and others pass', () => {
    const bench = new Bench({ shares: { organization: 0.5, key: 0.25 } });
    times(4, () => bench.offer('a', 'k1'));
    times(4, () => bench.offer('a', 'k2'));
    bench.offer('b');
    expect(bench.orgs).toBe('aab');
    expect((bench.offer('a', 'k3') as Ticket).lacking()).toBe('organization');
  });

  test('a full queue refuses only those whose share is full', () => {
    const bench = new Bench({ slots: 1, waiting: 4, shares: { organization: 0.5, key: 0.5 } });
    bench.offer('a');
    expect([bench.offer('a'), bench.offer('a'), bench.offer('a')].map((one) => typeof one)).toEqual([
      ...['object', 'object', 'string'],
    ]);
    expect(bench.offer('a')).toBe('key');
    expect(typeof bench.offer('b')).toBe('object');
    expect(typeof bench.offer('c')).toBe('object');
    expect(bench.offer('d')).toBe('process');
    expect(bench.queue.used.waiting).toBe(4);
  });

  test('nothing waits where nothing may', () => {
    const bench = new Bench({ slots: 1, waiting: 0 });
    expect(typeof bench.offer('a')).toBe('object');
    expect(bench.offer('a')).toBe('key');
    expect(bench.offer('b')).toBe('key');
  });

  test('what is larger than all the memory runs alone', () => {
    const bench = new Bench();
    bench.offer('a', 'k', 5_000);
    bench.offer('b', 'k', 10);
    expect(bench.orgs).toBe('a');
    bench.end();
    expect(bench.orgs).toBe('ab');
  });

  test('the large are not starved by the small, and do not stop what goes on', () => {
    const bench = new Bench();
    bench.offer('a', 'k', 600);
    bench.offer('b', 'k', 600, 'large');
    bench.offer('c', 'k', 100, 'small');
    bench.offer('a', 'k', 0, 'continued', true);
    expect(bench.started.map(({ name }) => name)).toEqual(['', 'continued']);
    bench.end();
    expect(bench.started.map(({ name }) => name)).toEqual(['', 'continued', 'large', 'small']);
  });
});

describe('whatever happens', () => {
  const event = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ org: fc.nat(3), key: fc.nat(2), bytes: fc.nat(400), isContinued: fc.boolean() }),
    },
    { weight: 3, arbitrary: fc.record({ end: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ cancel: fc.nat(20) }) },
  );
  const SHARES = { organization: 0.75, key: 0.5 };

  test('no owner has more than its share, and nothing waits that could run', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 80 }), (events) => {
        const bench = new Bench({ waiting: 10, shares: SHARES });
        const tickets: { name: string; ticket: Ticket }[] = [];
        let [offered, refused] = [0, 0];
        const cancelled = new Set<string>();
        const isStarted = (name: string): boolean => bench.started.some((job) => job.name === name);
        for (const one of events) {
          if ('end' in one) bench.end(one.end % Math.max(1, bench.running.length));
          else if ('cancel' in one) {
            const { name = '', ticket } = tickets[one.cancel] ?? {};
            if (ticket && !isStarted(name)) cancelled.add(name);
            ticket?.cancel();
          } else {
            offered += 1;
            const name = String(offered);
            const ticket = bench.offer(`o${one.org}`, `k${one.key}`, one.bytes, name, one.isContinued);
            if (typeof ticket === 'string') refused += 1;
            else tickets.push({ name, ticket });
          }
          expectWithinShares(bench);
          const { slots, waiting } = bench.queue.used;
          if (waiting > 0 && slots < OPTIONS.slots) expect(bench.running.length).toBeGreaterThan(0);
        }
        while (bench.running.length > 0) bench.end();
        expect(bench.queue.used).toEqual({ slots: 0, bytes: 0, waiting: 0 });
        expect(new Set(bench.started.map(({ name }) => name)).size).toBe(bench.started.length);
        expect(bench.started).toHaveLength(offered - refused - cancelled.size);
      }),
      { numRuns: 500 },
    );
  });

  function expectWithinShares({ running }: Bench): void {
    const within = (jobs: Bench['running'], share: number): void => {
      expect(jobs.length).toBeLessThanOrEqual(Math.max(1, OPTIONS.slots * share));
      const bytes = jobs.reduce((sum, job) => sum + job.bytes, 0);
      const sized = jobs.filter((job) => job.bytes > 0);
      if (sized.length > 1) expect(bytes).toBeLessThanOrEqual(OPTIONS.bytes * share);
    };
    within(running, 1);
    for (const { owner } of running) {
      const ofOrg = running.filter((job) => job.owner.org === owner.org);
      within(ofOrg, SHARES.organization);
      within(
        ofOrg.filter((job) => job.owner.key === owner.key),
        SHARES.key,
      );
    }
  }

  test('of those who wait all the time each is served by its weight, whatever the others ask for', () => {
    const flow = fc.record({ weight: fc.integer({ min: 1, max: 5 }), keys: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(
        fc.array(flow, { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 20, max: 200 }),
        (flows, rounds) => {
          const weightOf = (org: string): number => flows[Number(org)]?.weight ?? 1;
          const bench = new Bench({ slots: 1, waiting: 10_000, weightOf });
          flows.forEach(({ keys }, org) => {
            for (let count = 0; count <= rounds; count += 1) bench.offer(String(org), `k${count % keys}`);
          });
          times(rounds, () => bench.end());
          // the first ran before any other waited
          const served = [...bench.orgs.slice(1)];
          const shares = flows.map(
            ({ weight }, org) => served.filter((one) => one === String(org)).length / weight,
          );
          // the bound of start-time fair queueing, for jobs of cost 1, and one more for the first
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(3);
        },
      ),
    );
  });
});
