import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { documentedMetrics } from './metrics.js';
import {
  alertProblems,
  queryProblems,
  scrapeProblems,
  type ScrapeSettings,
  staleRunbooks,
} from './observability.js';
import { type Alert, alerts, metricsIn, queries } from './queries.js';

const guide = readFileSync('docs/operations.md', 'utf8');
const metrics = documentedMetrics();

test('every query is PromQL and asks only for metrics and labels that are registered', () => {
  expect(queries().length).toBeGreaterThan(30);
  expect(queries().flatMap((query) => queryProblems(query, metrics))).toEqual([]);
});

test.each([
  ['Not PromQL', 'sum(rate(http_requests_total[5m])'],
  ['asks for nothing', 'vector(1)'],
  ['asks for http_request_total, which no process serves', 'sum(rate(http_request_total[5m]))'],
  ['asks for nats_pending, which no process serves', 'max(http_requests_in_flight) > max(nats_pending)'],
  [
    'asks http_requests_total for its label code, which it does not have',
    'sum(rate(http_requests_total{code="500"}[5m]))',
  ],
  [
    'asks consumer_messages_pending for its label stream, which it does not have',
    'max by (consumer, stream) (consumer_messages_pending)',
  ],
  ['asks up for its label pod, which it does not have', 'up{pod="gateway"} == 0'],
])('a query that is wrong is found: %s', (problem, expr) => {
  const [found, ...more] = queryProblems({ where: 'planted', expr }, metrics);
  expect(found).toMatch(`planted: ${problem}`);
  expect(more).toEqual([]);
});

test('every alert says what it means, and the guide what to do; the guide tells of nothing else', () => {
  expect(alerts().flatMap((alert) => alertProblems(alert, guide))).toEqual([]);
  expect(staleRunbooks(alerts(), guide)).toEqual([]);
});

const planted = (values: Partial<Alert>): Alert => ({
  alert: 'LociRetries',
  expr: 'sum by (consumer) (rate(consumer_messages_total[10m])) > 1',
  annotations: { summary: '{{ $labels.consumer }} fails.', runbook: 'docs/operations.md#lociretries' },
  ...values,
});

test.each([
  [
    'LociRetries: does not say in a sentence what is the matter',
    planted({ annotations: { summary: 'fails', runbook: 'docs/operations.md#lociretries' } }),
  ],
  ['LociRetries: names the label consumer, which is summed up', planted({ expr: 'sum(up) > 1' })],
  [
    'LociRetries: leads to docs/operations.md',
    planted({ annotations: { summary: 'It fails.', runbook: 'docs/operations.md' } }),
  ],
  [
    'LociSleeps: is not in the guide',
    planted({
      alert: 'LociSleeps',
      annotations: { summary: 'It sleeps.', runbook: 'docs/operations.md#locisleeps' },
    }),
  ],
])('an alert that does not help is found: %s', (problem, alert) => {
  expect(alertProblems(alert, guide)).toEqual([problem]);
  expect(alertProblems(planted({}), guide)).toEqual([]);
});

test('what the guide tells of an alert that is gone is found', () => {
  expect(staleRunbooks(alerts(), `${guide}\n### LociSleeps\n`)).toEqual([
    'LociSleeps: the guide tells of it, and it is no alert',
  ]);
});

test.each([
  ['the age of what waits', 'loci_ingestion_waiting_seconds'],
  ['what is not sent', 'outbox_oldest_unsent_seconds'],
  ['the backlog of consumers', 'consumer_messages_pending'],
  ['messages that were given up', 'dead_letters_waiting'],
  ['batches that were given up', 'loci_ingestion_dead_letters'],
  ['requests that fail', 'http_requests_total'],
  ['models that are left alone', 'model_circuit_open'],
  ['episodes without vectors', 'loci_episodes_waiting_seconds'],
  ['features without vectors', 'loci_features_waiting_seconds'],
])('an alert wakes the operator for %s, and the dashboard shows it', (_, metric) => {
  const names = new Set(alerts().map(({ alert }) => alert));
  const asking = queries().filter(({ expr }) => metricsIn(expr).includes(metric));
  expect(asking.some(({ where }) => names.has(where))).toBe(true);
  expect(asking.some(({ where }) => !names.has(where))).toBe(true);
});

const prometheus = parse(readFileSync('observability/prometheus.yml', 'utf8')) as ScrapeSettings;

test('the Prometheus of compose looks for every service where it listens, and knows the alerts', () => {
  expect(scrapeProblems(prometheus)).toEqual([]);
  expect(prometheus.rule_files).toEqual(['alerts.yml']);
});

test('a service that is not watched is found, and one that is not there', () => {
  const [job] = prometheus.scrape_configs;
  const wrong = {
    ...prometheus,
    scrape_configs: [
      {
        job_name: job?.job_name ?? '',
        dns_sd_configs: (job?.dns_sd_configs ?? []).map((one) => ({ ...one, port: 8080 })),
      },
    ],
  };
  expect(scrapeProblems(wrong)).toContain('loci episodic-api:9090 is not watched');
  expect(scrapeProblems(wrong)).toContain('loci episodic-api:8080 is not there');
});
