import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { OrganizationTurns } from './organization-turns.js';

const WAIT_MS = 2_000;

let turns: OrganizationTurns;
let served: string[];

beforeEach(() => {
  jest.useFakeTimers();
  turns = new OrganizationTurns({ total: 5, share: 0.8, waitMs: WAIT_MS });
  served = [];
});

afterEach(() => {
  jest.useRealTimers();
});

const take = async (org: string | undefined, cost?: number): Promise<() => void> => {
  const release = await turns.take(org, cost);
  served.push(org ?? '-');
  return release;
};

const settle = async (): Promise<void> => {
  for (let steps = 0; steps < 10; steps += 1) await Promise.resolve();
};

describe('turns', () => {
  test('are left to others by an organization that wants all', async () => {
    const taken = Array.from({ length: 8 }, () => take('busy'));
    await settle();
    expect(served).toHaveLength(4);
    await take('quiet');
    expect(served.at(-1)).toBe('quiet');
    for (const one of taken.slice(0, 4)) (await one)();
    await settle();
    expect(served.filter((org) => org === 'busy')).toHaveLength(8);
  });

  test('go to the organizations that wait in turn', async () => {
    const first = await Promise.all(['a', 'a', 'a', 'a', 'b'].map((org) => take(org)));
    void ['a', 'a', 'a', 'b', 'b', 'c'].map((org) => take(org));
    served.length = 0;
    for (const release of first) {
      release();
      await settle();
    }
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  test('are given back by each that had one, however often some waited in vain', async () => {
    const held = await Promise.all(Array.from({ length: 4 }, () => take('a')));
    const refused = expect(take('a')).rejects.toMatchObject({ code: 'overloaded' });
    await jest.advanceTimersByTimeAsync(WAIT_MS);
    await refused;
    for (const release of held) release();
    expect(await Promise.all(Array.from({ length: 4 }, () => take('a')))).toHaveLength(4);
  });

  test('are not counted for what no request asked for', async () => {
    await Promise.all(Array.from({ length: 20 }, () => take(undefined)));
    await take('a');
    expect(served).toHaveLength(21);
  });

  test('that cost more are fewer: the share of an organization is one of work', async () => {
    const large = Array.from({ length: 3 }, () => take('busy', 100));
    await settle();
    expect(served).toEqual(['busy']);
    await take('quiet');
    expect(served).toEqual(['busy', 'quiet']);
    (await large[0])?.();
    await settle();
    expect(served).toEqual(['busy', 'quiet', 'busy']);
  });

  test('that cost more are not overtaken for ever by those that cost little', async () => {
    const small = await Promise.all(['a', 'b', 'c'].map((org) => take(org)));
    void take('large', 4);
    void take('d');
    await settle();
    expect(served).toEqual(['a', 'b', 'c']);
    for (const release of small.slice(0, 2)) release();
    await settle();
    expect(served).toEqual(['a', 'b', 'c', 'large']);
    small[2]?.();
    await settle();
    expect(served.at(-1)).toBe('d');
  });

  test('that cost more and wait in vain let the others pass', async () => {
    await Promise.all(['a', 'b'].map((org) => take(org)));
    const refused = expect(take('large', 4)).rejects.toMatchObject({ code: 'overloaded' });
    await jest.advanceTimersByTimeAsync(WAIT_MS / 2);
    void take('c');
    await settle();
    expect(served).toEqual(['a', 'b']);
    await jest.advanceTimersByTimeAsync(WAIT_MS / 2);
    await refused;
    await settle();
    expect(served).toEqual(['a', 'b', 'c']);
  });
});
