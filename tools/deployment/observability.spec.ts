import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { DEPLOYED } from './processes.js';
import { alerts, baseName, metricsIn, queries } from './queries.js';

const documented = new Set(
  [...readFileSync('docs/metrics.md', 'utf8').matchAll(/^\| `([a-z_]+)`/gm)].map(([, name]) => name),
);

/** Of Prometheus itself, and of the Node process. */
const isForeign = (metric: string): boolean => metric === 'up' || /^(process|nodejs)_/.test(metric);

test('every query is PromQL and asks only for metrics that are registered', () => {
  expect(queries().length).toBeGreaterThan(20);
  for (const { where, expr } of queries()) {
    const asked = metricsIn(expr);
    expect({ where, asked: asked.length }).not.toEqual({ where, asked: 0 });
    expect({
      where,
      unknown: asked.filter((metric) => !isForeign(metric) && !documented.has(baseName(metric))),
    }).toEqual({
      where,
      unknown: [],
    });
  }
});

test('a query that is broken is found', () => {
  expect(() => metricsIn('sum(rate(http_requests_total[5m])')).toThrow(/Not PromQL/);
});

test('every alert says what it means, and where the guide says what to do', () => {
  const guide = readFileSync('docs/operations.md', 'utf8');
  for (const { alert, annotations } of alerts()) {
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    expect(guide).toContain(`\n### ${alert}\n`);
  }
});

test('Prometheus looks for every service of the product where it listens', () => {
  const { scrape_configs } = parse(readFileSync('observability/prometheus.yml', 'utf8')) as {
    scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
  };
  const found = scrape_configs.flatMap(({ dns_sd_configs }) =>
    dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
  );
  const wanted = DEPLOYED.filter(({ kind }) => kind !== 'migration').map(
    ({ name, kind }) => `${name}:${kind === 'clients' ? 8080 : 9090}`,
  );
  expect(found.sort()).toEqual(wanted.sort());
});
