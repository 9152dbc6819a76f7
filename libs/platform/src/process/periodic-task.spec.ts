import { expect, test } from '@jest/globals';
import { Logger } from '../logging/logger.js';
import { PeriodicTask } from './periodic-task.js';

class Warnings extends Logger {
  readonly messages: string[] = [];
  override debug(): void {}
  override info(): void {}
  override error(): void {}
  override warn(message: string): void {
    this.messages.push(message);
  }
}

test('goes on after a failure, never overlaps, and stops when told, after the current run', async () => {
  const logger = new Warnings();
  let runs = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const enough = new Promise<void>((resolve) => {
    const task = new PeriodicTask({
      name: 'sweep',
      intervalMs: 1,
      logger,
      work: async () => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await new Promise(setImmediate);
        atOnce -= 1;
        if (++runs === 1) throw new Error('first run fails');
        if (runs === 3) void task.stop().then(resolve);
      },
    });
    task.start();
  });
  await enough;
  expect({ runs, mostAtOnce }).toEqual({ runs: 3, mostAtOnce: 1 });
  expect(logger.messages).toEqual(['sweep failed; trying again in 1 ms']);
});
