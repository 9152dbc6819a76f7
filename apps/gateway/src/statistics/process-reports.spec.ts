import { expect, test } from '@jest/globals';
import { KEPT_MINUTES, type MinuteFigures, type ProcessReport } from '@loci/contracts';
import { type EventListener, type Signals } from '@loci/messaging';
import { ProcessReports } from './process-reports.js';

const NOW = Date.parse('2026-05-01T12:00:30Z');
const MINUTE = Math.floor(NOW / 60_000);

const silent = { hear: () => undefined, tell: () => undefined };
const noReports = (): ProcessReports =>
  new ProcessReports(silent as unknown as EventListener, silent as unknown as Signals);

const report = (id: string, minutes: readonly MinuteFigures[]): ProcessReport => ({
  id,
  service: 'episodic-worker',
  host: 'one',
  version: '0.1.0',
  startedAt: NOW,
  isEnding: false,
  minutes,
});

const empty = (minute: number): MinuteFigures => ({ minute, counts: {}, durations: {} });

test('what no process of ours tells is not kept: other names, other numbers, steps that there are not', () => {
  const reports = noReports();
  const told = {
    minute: MINUTE,
    counts: { adds: 3, searches: -1, model_calls: 'many', others: 7 },
    durations: { adds: [[100, 2], [373, 1], ['x', 1], [5], 9], searches: 'none', others: [[1, 1]] },
  };
  reports.take(report('one', [told as unknown as MinuteFigures]), NOW);
  expect(reports.figuresOf(MINUTE)).toEqual([
    { minute: MINUTE, counts: { adds: 3 }, durations: { adds: [[100, 2]] } },
  ]);
});

test('minutes that are over for an hour, or are still far off, are not kept', () => {
  const reports = noReports();
  const [past, first, next, future] = [
    MINUTE - KEPT_MINUTES,
    MINUTE - KEPT_MINUTES + 1,
    MINUTE + 1,
    MINUTE + 2,
  ];
  reports.take(report('one', [past, first, next, future].map(empty)), NOW);
  expect([past, first, next, future].map((minute) => reports.figuresOf(minute).length)).toEqual([0, 1, 1, 0]);
});

test('what is kept has a bound in bytes, and who was heard last is in it', () => {
  const reports = noReports();
  const steps = Array.from({ length: 373 }, (_, step) => [step, 1] as const);
  const durations = { adds: steps, searches: steps, findable: steps };
  const minutes = (adds: number): MinuteFigures[] =>
    Array.from({ length: KEPT_MINUTES }, (_, ago) => ({ minute: MINUTE - ago, counts: { adds }, durations }));
  for (let sent = 1; sent <= 150; sent += 1) reports.take(report(`process ${sent}`, minutes(sent)), NOW);
  const kept = reports.figuresOf(MINUTE).map(({ counts }) => counts.adds);
  expect(kept.length).toBeLessThan(130);
  expect(kept.at(-1)).toBe(150);
});
