import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { ALERT_FILES, alerts } from './queries.js';

interface Case {
  readonly alert: string;
  readonly series: Readonly<Record<string, string>>;
  readonly quiet: string;
  readonly fires: string;
  readonly clears: string;
}

const cases = parse(readFileSync('observability/alert-cases.yml', 'utf8')) as readonly Case[];

/** Of the Debian package `prometheus`. Another one than that of PATH: the variable PROMTOOL. */
const PROMTOOL = process.env['PROMTOOL'] ?? 'promtool';
const isThere = spawnSync(PROMTOOL, ['--version']).error === undefined;
if (!isThere) {
  process.stderr.write(
    'promtool is not installed: that each alert fires and clears was not tested. It is part of the Debian package prometheus.\n',
  );
}

const firing = (alert: string): string =>
  `count by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"})`;

const toTest = ({ alert, series, quiet, fires, clears }: Case): object => ({
  interval: '1m',
  input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
  promql_expr_test: [
    { expr: firing(alert), eval_time: quiet, exp_samples: [] },
    { expr: firing(alert), eval_time: fires, exp_samples: [{ labels: `{alertname="${alert}"}`, value: 1 }] },
    { expr: firing(alert), eval_time: clears, exp_samples: [] },
  ],
});

/** @returns what promtool says against the cases; nothing when they hold */
function failuresOf(tested: readonly Case[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'loci-alerts-'));
  const file = join(folder, 'tests.yml');
  const rules = ALERT_FILES.map((name) => resolve(name));
  writeFileSync(file, stringify({ rule_files: rules, evaluation_interval: '1m', tests: tested.map(toTest) }));
  try {
    execFileSync(PROMTOOL, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('every alert has a case, and no case is of an alert that is gone', () => {
  expect([...new Set(cases.map(({ alert }) => alert))].sort()).toEqual(
    alerts()
      .map(({ alert }) => alert)
      .sort(),
  );
});

(isThere ? test : test.skip)('every alert fires and clears', () => {
  expect(failuresOf(cases)).toBe('');
});

(isThere ? test : test.skip)('an alert that does not fire is found', () => {
  const [first] = cases;
  const wrong = first && { ...first, series: { 'up{job="loci",instance="a"}': '1x60' } };
  expect(failuresOf(wrong ? [wrong] : [])).toContain('LociProcessDown');
});
