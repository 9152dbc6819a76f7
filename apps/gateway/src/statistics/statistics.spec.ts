import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type ProcessReport, processReported } from '@loci/contracts';
import { Metrics } from '@loci/platform';
import { eventually } from '@loci/testing';
import { get, post, startTestGateway, type TestGateway } from '../../test/test-gateway.js';
import { type StatisticsAnswer } from './statistics.wire.js';

const MINUTE_MS = 60_000;

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ MAX_EVENT_STREAMS: '1' });
});

afterEach(() => gateway.rpc.reset());

afterAll(() => gateway.app.close());

let processes = 0;

const report = (of: Partial<ProcessReport>): ProcessReport => ({
  id: `01890a5d-ac96-774b-bcce-${String((processes += 1)).padStart(12, '0')}`,
  service: 'episodic-worker',
  host: 'one',
  version: '0.1.0',
  startedAt: Date.now(),
  isEnding: false,
  minutes: [],
  ...of,
});

const statistics = async (minutes = 2): Promise<StatisticsAnswer> => {
  const { status, body } = await get(gateway, `/api/v2/statistics?minutes=${minutes}`);
  expect(status).toBe(200);
  return body as StatisticsAnswer;
};

describe('200', () => {
  test('what processes report is one figure, and a minute that is told again replaces what was told of it', async () => {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const figures = (adds: number, step: number) => [
      { minute, counts: { adds, input_tokens: 10 }, durations: { adds: [[step, adds] as const] } },
    ];
    const [one, other] = [report({ service: 'gateway' }), report({ service: 'gateway', host: 'two' })];
    gateway.events.tell(processReported, { ...one, minutes: figures(1, 100) });
    gateway.events.tell(processReported, { ...one, minutes: figures(99, 100) });
    gateway.events.tell(processReported, { ...other, minutes: figures(1, 150) });
    const { total, minutes, processes: running } = await statistics(3);
    expect(total.adds).toEqual({ requests: 100, failures: 0, p50_ms: 13.2, p99_ms: 13.2 });
    expect(total.searches).toEqual({ requests: 0, failures: 0, p50_ms: null, p99_ms: null });
    expect(total.models).toMatchObject({ input_tokens: 20, output_tokens: 0 });
    expect(minutes).toHaveLength(3);
    expect(running.map(({ host, state }) => [host, state])).toEqual([
      ['one', 'running'],
      ['two', 'running'],
    ]);
  });

  test('a process that says that it stops is not listed any more, and what it did counts on', async () => {
    const minute = Math.floor(Date.now() / MINUTE_MS);
    const ended = report({
      service: 'ended',
      minutes: [{ minute, counts: { model_calls: 7 }, durations: {} }],
    });
    gateway.events.tell(processReported, ended);
    gateway.events.tell(processReported, { ...ended, isEnding: true });
    const { total, processes: running } = await statistics();
    expect(total.models.calls).toBe(7);
    expect(running.some(({ service }) => service === 'ended')).toBe(false);
  });

  test('a stream begins with the statistics, and takes one of the streams of its caller', async () => {
    const answer = await gateway.app.inject({ url: '/api/v2/statistics/stream?minutes=1&follow=false' });
    expect(answer.headers['content-type']).toMatch(/^text\/event-stream/);
    const [, said = ''] = /^retry: 1000\nevent: statistics\ndata: (.*)\n\n$/.exec(answer.body) ?? [];
    expect(JSON.parse(said)).toMatchObject({ minutes: [{}], processes: expect.any(Array) });
    const again = await gateway.app.inject({ url: '/api/v2/statistics/stream?follow=false' });
    expect(again.statusCode).toBe(200);
  });

  test('a search is counted by its minute', async () => {
    const { minutes } = gateway.app.get(Metrics);
    const counted = () => minutes.figures(60).reduce((sum, { counts }) => sum + (counts.searches ?? 0), 0);
    const before = counted();
    await post(gateway, '/api/v2/memories/search', { org_id: 'o', project_id: 'p', query: 'x' });
    await eventually(() => counted() === before + 1, { what: 'the search is counted' });
  });
});

describe('422', () => {
  test.each(['0', '61', 'all'])('minutes=%s', async (minutes) => {
    expect((await get(gateway, `/api/v2/statistics?minutes=${minutes}`)).status).toBe(422);
  });
});
