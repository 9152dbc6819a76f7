import { expect, test } from '@jest/globals';
import { Metrics } from '@loci/platform';
import { ConsumerMetrics } from './consumer-metrics.js';

test('every outcome is counted from nothing on: what never succeeded can be compared with what failed', async () => {
  const metrics = new Metrics('spec');
  new ConsumerMetrics(metrics, 'spec-consumer').settled('retried');
  const text = await metrics.render();
  const counted = [...text.matchAll(/^consumer_messages_total\{.*outcome="(\w+)".*\} (\d+)$/gm)];
  expect(Object.fromEntries(counted.map(([, outcome, count]) => [outcome, count]))).toEqual({
    handled: '0',
    retried: '1',
    dead_lettered: '0',
  });
});
