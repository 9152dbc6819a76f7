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

const take = async (org: string | undefined): Promise<() => void> => {
  const release = await turns.take(org);
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
    const first = await Promise.all(['a', 'a', 'a', 'a', 'b'].map(take));
    void ['a', 'a', 'a', 'b', 'b', 'c'].map(take);
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
});
