import { expect, test } from '@jest/globals';
import { Metrics } from './metrics.js';

test('a gauge whose reading fails is absent, and there again with the next reading', async () => {
  const metrics = new Metrics('spec');
  let value = Number.NaN;
  metrics.gauge('waiting', 'What waits.', [], (gauge) => gauge.set(value));
  metrics.gauge('waiting_of', 'By kind.', ['kind'], (gauge) => {
    gauge.set({ kind: 'known' }, 1);
    gauge.set({ kind: 'unknown' }, value);
  });
  expect(await metrics.render()).toBe(
    [
      '# HELP waiting What waits.',
      '# TYPE waiting gauge',
      '',
      '# HELP waiting_of By kind.',
      '# TYPE waiting_of gauge',
      'waiting_of{kind="known",service="spec"} 1',
      '',
    ].join('\n'),
  );
  value = 7;
  expect(await metrics.render()).toContain('waiting{service="spec"} 7\n');
});

test('those who ask at once share a page; who asks later gets a new one', async () => {
  const metrics = new Metrics('spec');
  let readings = 0;
  metrics.gauge('readings', 'How often it was read.', [], (gauge) => gauge.set((readings += 1)));
  const pages = await Promise.all(Array.from({ length: 100 }, () => metrics.render()));
  expect(new Set(pages).size).toBe(1);
  expect(readings).toBe(1);
  expect(await metrics.render()).toContain('readings{service="spec"} 2');
});
