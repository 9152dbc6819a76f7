import { expect, test } from '@jest/globals';
import { Courtesy } from './courtesy.js';

/** A courtesy whose probes take the given times, one after the other, and the last one for ever. */
function courtesy(...times: number[]): { giveWay: () => Promise<void>; pauses: () => number } {
  let pauses = 0;
  const made = new Courtesy({
    probe: () => Promise.resolve((times.length > 1 ? times.shift() : times[0]) ?? 0),
    pause: () => Promise.resolve((pauses += 1)),
  });
  return { giveWay: () => made.giveWay(), pauses: () => pauses };
}

test('waits while the probe takes much longer than it usually does', async () => {
  const { giveWay, pauses } = courtesy(0.5, 8, 9, 0.6);
  await giveWay();
  expect(pauses()).toBe(0);
  await giveWay();
  expect(pauses()).toBe(2);
});

test('a server that is always far away is not taken for a busy one', async () => {
  const { giveWay, pauses } = courtesy(20, 22, 25, 19);
  for (let call = 0; call < 4; call += 1) await giveWay();
  expect(pauses()).toBe(0);
});

test('goes on after a bounded time, however busy it is', async () => {
  const { giveWay, pauses } = courtesy(0.1, 1_000);
  await giveWay();
  await giveWay();
  expect(pauses()).toBe(10);
});

test('gets used to a new normal', async () => {
  const { giveWay, pauses } = courtesy(1, 10);
  for (let call = 0; call < 10; call += 1) await giveWay();
  const before = pauses();
  await giveWay();
  expect(pauses()).toBe(before);
});

test('a probe that fails holds nothing up', async () => {
  const failing = new Courtesy({ probe: () => Promise.reject(new Error('down')) });
  await expect(failing.giveWay()).resolves.toBeUndefined();
});
