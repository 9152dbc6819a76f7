import { expect, test } from '@jest/globals';
import { HealthChecks } from './health-checks.js';

test('names exactly the dependencies that say no, throw, or never answer', async () => {
  const health = new HealthChecks();
  health.register('fine', () => true);
  health.register('down', () => Promise.resolve(false));
  health.register('broken', () => Promise.reject(new Error('refused')));
  health.register('throwing', () => {
    throw new Error('not connected');
  });
  health.register('hanging', () => new Promise<boolean>(() => undefined));
  expect(await health.failing()).toEqual(['down', 'broken', 'throwing', 'hanging']);
});
