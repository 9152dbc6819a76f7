import { describe, expect, test } from '@jest/globals';
import { rateLimited, type VerifiedApiKey } from '@loci/contracts';
import { RequestContext } from '@loci/platform';
import { KeyLookups, type KeyLookupOptions } from './key-lookups.js';

const OPTIONS = { batchSize: 10, maxBatches: 1, maxWaiting: 1_000, pauseMs: 0 };
const KEY: VerifiedApiKey = { id: 'k', scopes: ['read'], bounds: {} };

/** Answers when it is told to: that every secret is valid. */
class HeldService {
  readonly asked: string[][] = [];
  readonly deadlines: (number | undefined)[] = [];
  private readonly answers: (() => void)[] = [];

  readonly ask = (digests: readonly string[]): Promise<Map<string, VerifiedApiKey>> => {
    this.asked.push([...digests]);
    this.deadlines.push(RequestContext.current()?.deadlineMs);
    return new Promise((resolve) => {
      this.answers.push(() => resolve(new Map(digests.map((digest) => [digest, KEY]))));
    });
  };

  /** Answers everything that is asked until nothing is asked any more. */
  async answerAll(): Promise<void> {
    await turn();
    while (this.answers.length > 0) {
      this.answers.shift()?.();
      await turn();
    }
  }
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => {
      setImmediate(resolve);
    });
  });

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

function start(options: Partial<KeyLookupOptions> = {}): { service: HeldService; lookups: KeyLookups } {
  const service = new HeldService();
  return { service, lookups: new KeyLookups(service.ask, { ...OPTIONS, ...options }) };
}

describe('look-ups that come together', () => {
  test('are one question, and each gets its own answer', async () => {
    const { service, lookups } = start();
    const answers = ['a', 'b', 'a'].map((digest) => lookups.find(digest, 'x'));
    await service.answerAll();
    expect(await Promise.all(answers)).toEqual([KEY, KEY, KEY]);
    expect(service.asked).toEqual([['a', 'b']]);
  });

  test('are as few questions as fit them, and no more at once than allowed', async () => {
    const { service, lookups } = start({ maxBatches: 2 });
    const answers = names('a', 45).map((digest) => lookups.find(digest, 'x'));
    await turn();
    await turn();
    expect(service.asked).toHaveLength(2);
    await service.answerAll();
    expect(await Promise.all(answers)).toHaveLength(45);
    expect(service.asked.map(({ length }) => length)).toEqual([10, 10, 10, 10, 5]);
  });

  test('do not inherit the deadline of the first of them', async () => {
    const { service, lookups } = start();
    const answer = RequestContext.run({ requestId: 'r', deadlineMs: Date.now() - 1 }, () =>
      lookups.find('a', 'x'),
    );
    await service.answerAll();
    await answer;
    expect(service.deadlines).toEqual([undefined]);
  });

  test('of one network leave the others their turn', async () => {
    const { service, lookups } = start();
    const answers = names('flood', 900).map((digest) => lookups.find(digest, 'x'));
    answers.push(...['b', 'c'].map((digest) => lookups.find(digest, 'y')), lookups.find('d', 'z'));
    await service.answerAll();
    await Promise.all(answers);
    expect(service.asked[0]).toEqual(expect.arrayContaining(['b', 'c', 'd']));
  });
});

test('a look-up from before the news is not shared with requests after them', async () => {
  const { service, lookups } = start({ maxBatches: 2 });
  const early = lookups.find('a', 'x');
  await turn();
  lookups.askAnew();
  const late = lookups.find('a', 'x');
  await service.answerAll();
  expect(await Promise.all([early, late])).toEqual([KEY, KEY]);
  expect(service.asked).toEqual([['a'], ['a']]);
});

test('a network without allowance is turned away without a question, whatever waits already', async () => {
  const refusal = (network: string) => rateLimited('rate_limit_exceeded', network);
  const { service, lookups } = start({ allowance: (network) => (network === 'x' ? 3 : 0), refusal });
  const allowed = names('a', 3).map((digest) => lookups.find(digest, 'x'));
  const refused = Promise.allSettled(names('b', 5).map((digest) => lookups.find(digest, 'y')));
  await service.answerAll();
  expect(await Promise.all(allowed)).toEqual([KEY, KEY, KEY]);
  expect((await refused).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
  expect(service.asked).toEqual([['a0', 'a1', 'a2']]);
});

test('an outage is told to everybody who waits for the answer, and the next question is asked', async () => {
  let isDown = true;
  const lookups = new KeyLookups(
    (digests) =>
      isDown
        ? Promise.reject(new Error('down'))
        : Promise.resolve(new Map(digests.map((digest) => [digest, KEY]))),
    OPTIONS,
  );
  const answers = await Promise.allSettled(['a', 'b'].map((digest) => lookups.find(digest, 'x')));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await lookups.find('a', 'x')).toEqual(KEY);
});

test('429: more wait than there is room for', () => {
  const { lookups } = start({ maxWaiting: 2 });
  for (const digest of ['a', 'b']) void lookups.find(digest, 'x');
  expect(() => lookups.find('c', 'x')).toThrow(/Too many unknown keys/);
});
