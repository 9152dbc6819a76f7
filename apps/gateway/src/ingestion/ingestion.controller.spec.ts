import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  dropIngestionDeadLetter,
  getIngestionUsage,
  instantFromDate,
  listIngestionDeadLetters,
  listIngestionJobs,
  notFound,
  replayIngestionDeadLetter,
} from '@loci/contracts';
import { post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';

const TENANT = { orgId: 'acme', projectId: 'apollo' };
const QUERY = { org_id: 'acme', project_id: 'apollo' };
const AT = instantFromDate(new Date(Date.UTC(2026, 0, 1)));

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterEach(() => gateway.rpc.reset());

afterAll(() => gateway.app.close());

const ask = (method: 'GET' | 'DELETE', path: string, query: Record<string, string> = {}, headers = {}) =>
  gateway.app.inject({ method, url: `/api/v2/ingestion${path}`, query: { ...QUERY, ...query }, headers });

describe('200', () => {
  test('the backlog says what waits, why, and how many sets there are in all', async () => {
    gateway.rpc.on(listIngestionJobs, () => ({
      jobs: [
        {
          setId: 's',
          isOrgLevel: false,
          state: 'blocked' as const,
          waiting: 2,
          oldestAt: AT,
          attempts: 3,
          nextAttemptAt: AT,
          code: 'resource_not_ready',
          reason: 'No model.',
          deadLetters: 1,
          failing: [{ category: 'c', failures: 1, code: 'x', reason: 'y', nextAttemptAt: AT }],
          changedAt: AT,
        },
      ],
      total: 7,
    }));
    const answer = await ask('GET', '/backlog', { page_size: '1', page_num: '2' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['x-total-count']).toBe('7');
    expect(answer.json()).toEqual([
      {
        set_id: 's',
        is_org_level: false,
        waiting: 2,
        oldest_at: AT,
        state: 'blocked',
        next_attempt_at: AT,
        code: 'resource_not_ready',
        reason: 'No model.',
        failing_categories: [{ category: 'c', failures: 1, code: 'x', reason: 'y', next_attempt_at: AT }],
      },
    ]);
    expect(gateway.rpc.requests(listIngestionJobs)).toEqual([
      { tenant: TENANT, organization: 'change', waitingOnly: true, pageSize: 1, pageNum: 2 },
    ]);
  });

  test('jobs are chosen by state, idle ones included', async () => {
    gateway.rpc.on(listIngestionJobs, () => ({ jobs: [], total: 0 }));
    expect((await ask('GET', '/jobs', { state: 'retrying' })).json()).toEqual([]);
    expect(gateway.rpc.requests(listIngestionJobs)).toMatchObject([
      { waitingOnly: false, state: 'retrying' },
    ]);
  });

  test('dead letters are paged', async () => {
    gateway.rpc.on(listIngestionDeadLetters, () => ({ letters: [], total: 3 }));
    const answer = await ask('GET', '/dead-letters', { page_num: '1' });
    expect([answer.headers['x-total-count'], answer.json<unknown>()]).toEqual(['3', []]);
    expect(gateway.rpc.requests(listIngestionDeadLetters)).toMatchObject([{ pageSize: 100, pageNum: 1 }]);
  });

  test('usage without prices has no cost', async () => {
    const usage = { day: '2026-01-01', model: 'gpt', isOrgLevel: false, calls: 1, failures: 0 };
    gateway.rpc.on(getIngestionUsage, () => ({ usage: [{ ...usage, inputTokens: 5, outputTokens: 6 }] }));
    expect((await ask('GET', '/usage')).json()).toMatchObject([
      { input_tokens: 5, output_tokens: 6, cost: null },
    ]);
    expect(gateway.rpc.requests(getIngestionUsage)).toEqual([
      { tenant: TENANT, organization: 'change', days: 30 },
    ]);
  });
});

describe('204', () => {
  test('a drop can be repeated with its key, which belongs to this letter', async () => {
    gateway.rpc.on(dropIngestionDeadLetter, () => ({}));
    const headers = { 'idempotency-key': 'k' };
    expect((await ask('DELETE', '/dead-letters/a', {}, headers)).statusCode).toBe(204);
    await ask('DELETE', '/dead-letters/b', {}, headers);
    const [a, b] = gateway.rpc.requests(dropIngestionDeadLetter);
    expect(a).toMatchObject({ tenant: TENANT, id: 'a', idempotency: { key: 'k' } });
    expect(a?.idempotency?.fingerprint).not.toBe(b?.idempotency?.fingerprint);
  });
});

describe('404', () => {
  test('a letter that is not there', async () => {
    gateway.rpc.on(replayIngestionDeadLetter, () => {
      throw notFound('dead_letter_not_found', 'There is no such dead letter.');
    });
    const answer = await post(gateway, '/api/v2/ingestion/dead-letters/x/replay', QUERY);
    expect(answer).toMatchObject({ status: 404, body: { code: 'dead_letter_not_found' } });
  });
});
