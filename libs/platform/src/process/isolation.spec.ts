import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Isolation } from './isolation.js';

/** Work that ends when it is told to, and notes in the log when it begins and ends. */
function pending(name: string, log: string[]): { work: () => Promise<void>; end: () => void } {
  const ends = new AbortController();
  const work = async (): Promise<void> => {
    log.push(`${name} begins`);
    if (!ends.signal.aborted) await once(ends.signal, 'abort');
    log.push(`${name} ends`);
  };
  return {
    work,
    end: () => {
      ends.abort();
    },
  };
}

test('what runs alone waits for all others, one after the other, and the others wait for it', async () => {
  const isolation = new Isolation();
  const log: string[] = [];
  const [one, two, suspect, other, late] = ['one', 'two', 'suspect', 'other', 'late'].map((name) =>
    pending(name, log),
  );
  if (!one || !two || !suspect || !other || !late) throw new Error('not made');
  const all = [
    isolation.runBeside(one.work),
    isolation.runBeside(two.work),
    isolation.runAlone(suspect.work),
    isolation.runAlone(other.work),
    isolation.runBeside(late.work),
  ];
  for (const { end } of [late, other, suspect, two, one]) {
    end();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect(log.slice(4)).toEqual([
    ...['suspect begins', 'suspect ends', 'other begins', 'other ends', 'late begins', 'late ends'],
  ]);
  expect(log.slice(0, 4).sort()).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('work that fails alone keeps nothing waiting', async () => {
  const isolation = new Isolation();
  const failed = isolation.runAlone(() => Promise.reject(new Error('failed')));
  await expect(failed).rejects.toThrow('failed');
  await isolation.open();
  let hasRun = false;
  await isolation.runBeside(() => {
    hasRun = true;
    return Promise.resolve();
  });
  expect(hasRun).toBe(true);
});
