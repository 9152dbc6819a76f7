import { expect, test } from '@jest/globals';
import { eventually } from './eventually.js';

const later = <T>(value: T): Promise<T> => new Promise((resolve) => setTimeout(resolve, 30, value));

test('what is there when the time is over is found, although every look takes longer than that', async () => {
  let looks = 0;
  const isThere = () => later((looks += 1) > 1);
  await expect(eventually(isThere, { what: 'it is there', timeoutMs: 10 })).resolves.toBe(true);
});

test('what does not come is named, with the last failure', async () => {
  const fails = () => Promise.reject(new Error('not yet'));
  await expect(eventually(fails, { what: 'it is there', timeoutMs: 10 })).rejects.toMatchObject({
    message: 'Not within 10 ms: it is there',
    cause: new Error('not yet'),
  });
});
