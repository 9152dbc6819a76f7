import { expect, test } from '@jest/globals';
import { WakeUp } from './wake-up.js';

test('a ring ends the sleep', async () => {
  const wakeUp = new WakeUp();
  const sleep = wakeUp.sleep(60_000);
  wakeUp.ring();
  await expect(sleep).resolves.toBe(true);
});

test('a ring while awake is not lost, and counts once', async () => {
  const wakeUp = new WakeUp();
  wakeUp.ring();
  wakeUp.ring();
  await wakeUp.sleep(60_000);
  const started = performance.now();
  await expect(wakeUp.sleep(30)).resolves.toBe(false);
  expect(performance.now() - started).toBeGreaterThanOrEqual(25);
});
