import { expect, jest, test } from '@jest/globals';
import { SideBySide } from './side-by-side.js';

const A_TURN = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a failure is caught as soon as it comes, long before the end', () => {
  const work = Promise.reject(new Error('postgres is not back'));
  const handled = jest.spyOn(work, 'then');
  new SideBySide().add(work);
  expect(handled).toHaveBeenCalledWith(undefined, expect.any(Function));
});

test('what fails is told at the end, when the rest is done too', async () => {
  const works = new SideBySide();
  let isDone = false;
  works.add(Promise.reject(new Error('postgres is not back')));
  works.add(Promise.reject(new Error('nats is not back')));
  works.add(A_TURN().then(() => void (isDone = true)));
  await expect(works.end()).rejects.toThrow('postgres is not back; nats is not back');
  expect(isDone).toBe(true);
});

test('nothing is told when all went well', async () => {
  const works = new SideBySide();
  works.add(A_TURN());
  await expect(works.end()).resolves.toBeUndefined();
});
